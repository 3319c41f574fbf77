"""The labeled texts that models are trained and tested on, read from ../shared/data."""

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared"
DATA = SHARED / "data"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text and its class: 0 negative, 1 positive."""

    text: str
    label: int


def sst2(split: str) -> list[Labelled]:
    """GLUE's SST-2: `train_phrases`, `dev` or `test`."""
    return _tsv(DATA / "sst2" / f"{split}.tsv.gz")


def rotten_tomatoes(split: str) -> list[Labelled]:
    """The hub's split of Rotten Tomatoes: `train`, `validation` or `test`."""
    return _tsv(DATA / "rotten_tomatoes" / f"{split}.tsv.gz")


def imdb(split: str) -> list[Labelled]:
    """A sample of IMDB's reviews, `train` or `test`, with their `<br />` tags."""
    with gzip.open(DATA / "imdb" / f"{split}_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [_labelled(json.loads(line)) for line in lines]


def _tsv(path: Path) -> list[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return [_labelled(row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _labelled(row: dict[str, str]) -> Labelled:
    return Labelled(row["text"], int(row["label"]))
