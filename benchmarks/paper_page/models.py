"""The section of docs/results/paper.md on the models and their accuracies, as scripts/paper_models measured them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from per_text_values import RESULTS

from .tables import escaped

ACCURACIES = RESULTS / "paper" / "accuracies.json"
TITLE = "## The models"
METHOD = """All models have six layers, width 384, and the encoder of all-MiniLM-L6-v2 as a start. The models of SST-2
were given; they are used on SST-2 only, since their training phrases come from Rotten Tomatoes' reviews. The script
trains the others on their own dataset's training set, without the texts that are in a test set. The models named bert
were trained with words masked, except `-nomask`; the others were trained without masks. `-nomask` and `-planted` are
for the checks above. The script resumes if it is stopped. Weights depend on the processor by rounding; values carry
the hash of the model they belong to."""
COMMAND = """    PYTHONPATH=scripts .venv/bin/python -m paper_models    # trains eight models, measures all eleven
"""
COLUMNS = {"test": "test accuracy", "test, 20 % masked": "with 20% of the words masked", "test texts": "test texts"}


def section(path: Path = ACCURACIES) -> Iterator[str]:
    """The section; nothing if nothing was measured."""
    found = read(path)
    if not found:
        return
    yield f"{TITLE}\n"
    yield METHOD
    yield ""
    yield COMMAND
    yield f"| model | {' | '.join(COLUMNS.values())} |"
    yield f"| :--- |{' ---: |' * len(COLUMNS)}"
    for one in found:
        cells = [f"{one[name]:.3f}" if isinstance(one[name], float) else f"{one[name]:,}" for name in COLUMNS]
        yield f"| {escaped(one['model'])} | {' | '.join(cells)} |"
    yield ""


def read(path: Path) -> list[dict[str, Any]]:
    """The accuracies of a file; none if it does not exist."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def keep(folder: Path, path: Path = ACCURACIES) -> None:
    """Write the accuracies of a folder of models to the repository, over those that are there."""
    known = {one["model"]: one for file in (path, folder / path.name) for one in read(file)}
    if known:
        path.write_text(json.dumps(list(known.values()), indent=2) + "\n", encoding="utf-8")
