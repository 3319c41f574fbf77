"""Builds the models of the paper's experiment, one after another; rerun it to resume after an interruption."""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from training.files import write_json
from transformers.utils.logging import disable_progress_bar

from .models import GIVEN, MODELS, make, measure

FOLDER = Path(".results/paper-models")
COLUMNS = {"test": "test", "test, 20 % masked": "20 % of the words masked", "validation": "validation"}


def main() -> None:
    names = [*GIVEN, *(model.name for model in MODELS)]
    parser = argparse.ArgumentParser(prog="paper_models", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER, help="default: %(default)s")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="MODEL", help=", ".join(names))
    given = parser.parse_args()
    disable_progress_bar()
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(given.folder / "lock", timeout=0):
            make_all(given.folder, given.only)
    except Timeout:
        parser.exit(1, f"another process is making models in {given.folder}; wait for it, or choose another folder\n")


def make_all(folder: Path, names: list[str]) -> None:
    for name in names:
        print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {name}", flush=True)
        if name in GIVEN:
            measure(name, folder)
        else:
            make(next(model for model in MODELS if model.name == name), folder)
        found = list(accuracies(folder))
        write_json(folder / "accuracies.json", found)
        (folder / "accuracies.md").write_text(table(found), encoding="utf-8")
    print(table(list(accuracies(folder))), flush=True)


def accuracies(folder: Path) -> Iterator[dict[str, Any]]:
    """What was measured of the given and the finished models."""
    for name in GIVEN:
        if (path := folder / f"{name}.json").exists():
            yield {"model": name, **json.loads(path.read_text())}
    for model in MODELS:
        if (place := folder / model.name).exists():
            recipe, figures = (json.loads((place / name).read_text()) for name in ("recipe.json", "accuracy.json"))
            yield {"model": model.name, **figures, "chosen": recipe["chosen"]}


def table(found: list[dict[str, Any]]) -> str:
    """The accuracies in Markdown."""
    lines = [f"| model | {' | '.join(COLUMNS.values())} | chosen |", "|---" * (len(COLUMNS) + 2) + "|"]
    for one in found:
        cells = [f"{one[key]:.4f}" if key in one else "" for key in COLUMNS]
        lines.append(f"| {one['model']} | {' | '.join(cells)} | {one.get('chosen', '')} |")
    return "\n".join(lines) + "\n"


main()
