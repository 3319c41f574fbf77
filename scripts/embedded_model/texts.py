"""The labelled and unlabelled texts that the model is made from, read from ../shared/data."""

import csv
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text and its class: 0 negative, 1 positive."""

    text: str
    label: int


def sst2(split: str) -> list[Labelled]:
    """GLUE's SST-2: `train_phrases`, `dev` or `test`."""
    return [Labelled(row["text"], int(row["label"])) for row in _tsv(DATA / "sst2" / f"{split}.tsv.gz")]


def vocabulary_texts() -> Iterator[str]:
    """Every training text of the three datasets; their word pieces are the ones kept."""
    yield from (example.text for example in sst2("train_phrases"))
    yield from (row["text"] for row in _tsv(DATA / "rotten_tomatoes" / "train.tsv.gz"))
    with gzip.open(DATA / "imdb" / "train_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["text"] for line in lines)


def _tsv(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
