"""Real models and data to test on, in a folder next to the repository that is not part of it."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
MODELS = ("bert-sst2", "distilbert-sst2", "roberta-sst2")
LANGUAGES = ("ar_ajgt", "fr_allocine", "th_wisesight", "zh_chnsenticorp_htl")

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs the models and data of ../shared, which is absent")


def sst2(split: str) -> list[dict[str, str]]:
    with gzip.open(SHARED / "data" / "sst2" / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def json_lines(path: str) -> list[dict[str, Any]]:
    with gzip.open(SHARED / "data" / path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
