"""Builds the models of the paper's experiment, one after another; rerun it to resume after an interruption."""

import argparse
import json
import time
from pathlib import Path

from filelock import FileLock, Timeout
from transformers.utils.logging import disable_progress_bar

from .models import MODELS, make

FOLDER = Path(".results/paper-models")
COLUMNS = {"test": "test", "test, 20 % masked": "20 % of the words masked", "validation": "validation"}


def main() -> None:
    names = [model.name for model in MODELS]
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
    for model in MODELS:
        if model.name in names:
            print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {model.name}", flush=True)
            make(model, folder)
            (folder / "accuracies.md").write_text(table(folder), encoding="utf-8")
    print(table(folder), flush=True)


def table(folder: Path) -> str:
    """The accuracies of the finished models, in Markdown."""
    lines = [f"| model | {' | '.join(COLUMNS.values())} | chosen |", "|---" * (len(COLUMNS) + 2) + "|"]
    for model in MODELS:
        if (place := folder / model.name).exists():
            recipe, figures = (json.loads((place / name).read_text()) for name in ("recipe.json", "accuracy.json"))
            cells = [f"{figures[key]:.4f}" for key in COLUMNS]
            lines.append(f"| {model.name} | {' | '.join(cells)} | {recipe['chosen']} |")
    return "\n".join(lines) + "\n"


main()
