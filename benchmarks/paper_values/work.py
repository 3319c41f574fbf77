"""What benchmarks/paper.py computes, in rounds of ten texts, and the loop that computes it.

Every round is complete over models, protocols and methods before the next begins, so whenever the work stops, the
methods of a block have the same texts.
"""

import csv
import gzip
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from per_text_values import METRICS, Values
from per_text_work import Block, Evaluator
from timing import MODELS, SHARED

from unmask.experiments.datasets import shuffled_indices
from unmask.metrics.registry import Measure
from unmask.results.evaluation import Evaluation

ROUND = 10
TOP = 0.2
FRESH = 900  # the first sentence of SST-2 test that no choice was made on
CHARACTERS = 2000  # of a review, fewer than this, as in the paper; nearly all of these fit into 512 tokens
PAPERS = "gradient_shap:samples=5,pool=baseline_and_text"
CHEAP = {
    protocol: ("sig", "ig", "two_sided", "leave_one_in", "grad_x_input", shap, "deeplift", "dig")
    for protocol, shap in (("corrected", "gradient_shap:samples=5"), ("paper", PAPERS))
}


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that are computed round by round up to a number of texts.

    Args:
        title: What the stage is, for readers of the page.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    texts: int


def block(dataset: str, protocol: Any, methods: tuple[str, ...], **more: Any) -> Block:
    """Methods on the three models of a dataset, or on some models."""
    options: dict[str, Any] = {"top": TOP, "curve": (TOP,)}
    options |= {"operators": ("remove",)} if protocol == "corrected" else {}
    models = tuple(f"{model.removesuffix('-sst2')}-{dataset}" for model in MODELS)
    fields = {"dataset": dataset, "protocol": protocol, "methods": methods, "models": models, "options": options}
    return Block(**fields | more)


def texts_of(dataset: str) -> list[str]:
    """The texts of a dataset in the order in which they are used: drawn by seed."""
    if dataset == "imdb":
        with gzip.open(SHARED / "data" / dataset / "test_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
            found = [text for line in lines if len(text := json.loads(line)["text"]) < CHARACTERS]
    else:
        path = SHARED / "data" / dataset / "test.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            found = [row["text"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    found = found[FRESH if dataset == "sst2" else 0 :]
    return list(dict.fromkeys(found[at] for at in shuffled_indices(len(found), 0)))


class Worker:
    """Computes what the values lack.

    Args:
        folder: The working folder, to which values are appended.
        models: The folder of the models that scripts/paper_models makes.
    """

    def __init__(self, values: Values, folder: Path, models: Path) -> None:
        self._models = models
        self._evaluator = Evaluator(values, folder, self._place, _measures)
        self._texts: dict[str, list[str]] = {}

    def run(self, stage: Stage) -> None:
        """Compute a stage, round by round; one whose models are missing is skipped."""
        models = {model for block in stage.blocks for model in block.models}
        if missing := sorted(model for model in models if not self._place(model).exists()):
            print(f"{stage.name}: skipped; make {', '.join(missing)} with scripts/paper_models", flush=True)
            return
        for start in range(0, stage.texts, ROUND):
            end = min(start + ROUND, stage.texts)
            for block in stage.blocks:
                for model in block.models:
                    self._evaluator.compute(block, model, self._known_texts(block.dataset)[start:end])
            print(f"{time.strftime('%H:%M:%S')} {stage.name}: {end} texts", flush=True)

    def _known_texts(self, dataset: str) -> list[str]:
        if dataset not in self._texts:
            self._texts[dataset] = texts_of(dataset)
        return self._texts[dataset]

    def _place(self, model: str) -> Path:
        return SHARED / "models" / model if model in MODELS else self._models / model


def _measures(found: Evaluation) -> Mapping[str, Measure]:
    (operator,) = found.operators
    metrics = {metric: Measure(metric, operator, TOP) for metric in METRICS}
    return metrics | {name: Measure(name) for name in ("delta", "residual")}
