"""Checks beside the paper's claims: computes their per-text values, for the page that paper.py writes.

nice -n 19 .venv/bin/python benchmarks/paper_checks.py                 # stop and repeat it at any time
nice -n 19 .venv/bin/python benchmarks/paper_checks.py --only planted --texts 40
.venv/bin/python benchmarks/paper.py --pack                            # then the page

`hidden`: what scores of single words cannot see. `planted`: which methods find planted trigger words. `twins`: whether
the mask is fair. `crossings`: where another class leads on the paths. Checks whose models are missing are skipped.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import torch
from paper import COMMITTED, FOLDER, MODELS
from paper_values import crossings, hidden, planted, twins
from paper_values.work import ROUND, texts_of
from per_text_explanations import Explainers, Task
from per_text_values import Values
from per_text_work import Evaluator
from timing import MODELS as SHARED_MODELS
from timing import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CHECKS, nargs="+", default=list(CHECKS))
    parser.add_argument("--texts", type=int, default=300, help="of each kind; default: %(default)s")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the working folder; default: %(default)s")
    parser.add_argument("--models", type=Path, default=MODELS, help="the models of scripts/paper_models")
    given = parser.parse_args()
    torch.set_num_threads(1)
    worker = CheckWorker(Values.load(COMMITTED, given.folder), given.folder, given.models)
    for name in given.only:
        if missing := [one for one in MODELS_OF[name] if not worker.place(one).exists()]:
            print(f"{name}: skipped; make {', '.join(missing)} with scripts/paper_models", flush=True)
            continue
        for done in CHECKS[name](worker, given.texts):
            print(f"{time.strftime('%H:%M:%S')} {name}: {done} texts", flush=True)


class CheckWorker:
    """The open models and the values.

    Args:
        folder: The working folder, to which values are appended.
        models: The folder of the models that scripts/paper_models makes.
    """

    def __init__(self, values: Values, folder: Path, models: Path) -> None:
        self._models = models
        self.explainers = Explainers(values, folder, self.place)
        self.evaluator = Evaluator(values, folder, self.place, twins.measures)

    def place(self, model: str) -> Path:
        """The folder of a model."""
        return SHARED / "models" / model if model in SHARED_MODELS else self._models / model


def on_sst2(task: Task, worker: CheckWorker, texts: int) -> Iterator[int]:
    """A task on sentences of SST-2, round by round."""
    chosen = texts_of("sst2")
    for start in range(0, texts, ROUND):
        for model in task.models:
            worker.explainers.compute(task, model, chosen[start : min(start + ROUND, texts)])
        yield min(start + ROUND, texts)


def on_planted(worker: CheckWorker, texts: int) -> Iterator[int]:
    """Ranks of triggers, round by round over all kinds of texts and methods."""
    model, folder = planted.MODEL, worker.place(planted.MODEL)
    explainer, kinds = worker.explainers.explainer(model), planted.kinds(folder)
    found = {kind: planted.decided_by_triggers(explainer, kind, planted.texts_of(kind, folder))
             for kind in kinds}  # fmt: skip
    for start in range(0, texts, ROUND):
        for kind in kinds:
            chosen = list(islice(found[kind], min(ROUND, texts - start)))
            for task in planted.tasks(kind):
                worker.explainers.compute(task, model, chosen)
        yield min(start + ROUND, texts)


def on_twins(worker: CheckWorker, texts: int) -> Iterator[int]:
    """Both twins on Rotten Tomatoes, round by round."""
    chosen = texts_of("rotten_tomatoes")
    block = replace(twins.BLOCK, dataset=twins.DATASET)
    for start in range(0, texts, ROUND):
        own = chosen[start : min(start + ROUND, texts)]
        for model in twins.TASK.models:
            worker.explainers.compute(twins.TASK, model, own)
            worker.evaluator.compute(block, model, own)
        yield min(start + ROUND, texts)


CHECKS: dict[str, Callable[[CheckWorker, int], Iterator[int]]] = {
    "planted": on_planted,
    "twins": on_twins,
    "hidden": partial(on_sst2, hidden.TASK),
    "crossings": partial(on_sst2, crossings.TASK),
}
MODELS_OF = {
    "planted": (planted.MODEL,),
    "twins": twins.TASK.models,
    "hidden": hidden.TASK.models,
    "crossings": crossings.TASK.models,
}

if __name__ == "__main__":
    main()
