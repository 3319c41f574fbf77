"""Plan files for tests."""

from pathlib import Path

SMALL = """
methods = ["sig"]
[datasets.mine]
source = "reviews.csv"
[models]
bert = "some/bert"
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new)
