"""What benchmarks/paper.py computes, in rounds of ten texts, and the loop that computes it.

Every round is complete over models, protocols and methods before the next begins, so whenever the work stops, the
methods of a block have the same texts.
"""

import csv
import gzip
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from paper_values import METRICS, Figures, Row, Values, append
from timing import MODELS, SHARED

from unmask.attribution.session import ModelSession
from unmask.engine.calibration import usual_budget
from unmask.experiments.config import OpenEvaluation, resolve_evaluation
from unmask.experiments.datasets import shuffled_indices
from unmask.experiments.examples import example_of
from unmask.experiments.identity import note_of, text_digest
from unmask.experiments.results import load_results
from unmask.experiments.runner import InMemoryRunner
from unmask.experiments.store import Store
from unmask.metrics.registry import Measure
from unmask.models.huggingface.loading import load
from unmask.models.huggingface.opening import open_model
from unmask.results.evaluation import Evaluation
from unmask.text.request import Request

ROUND = 10
TOP = 0.2
FRESH = 900  # the first sentence of SST-2 test that no choice was made on
PAPERS = "gradient_shap:samples=5,pool=baseline_and_text"
CHEAP = {
    protocol: ("sig", "ig", "two_sided", "leave_one_in", "grad_x_input", shap, "deeplift", "dig")
    for protocol, shap in (("corrected", "gradient_shap:samples=5"), ("paper", PAPERS))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Methods on some models and texts under one protocol and baseline."""

    dataset: str
    protocol: Any  # a name, or a protocol with some of the paper's parts
    methods: tuple[str, ...]
    controls: tuple[str, ...] = ()
    baseline: str = "mask"
    models: tuple[str, ...] = ()  # all of the dataset by default

    @property
    def protocol_name(self) -> str:
        """The protocol's name in the values."""
        return self.protocol if isinstance(self.protocol, str) else self.protocol.name


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that are computed round by round up to a number of texts."""

    name: str
    blocks: tuple[Block, ...]
    texts: int


def texts_of(dataset: str) -> list[str]:
    """The texts of a dataset in the order in which they are used: drawn by seed."""
    if dataset == "imdb":
        with gzip.open(SHARED / "data" / dataset / "test_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
            found = [json.loads(line)["text"] for line in lines]
    else:
        path = SHARED / "data" / dataset / "test.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            found = [row["text"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    found = found[FRESH if dataset == "sst2" else 0 :]
    return list(dict.fromkeys(found[at] for at in shuffled_indices(len(found), 0)))


def key_of(text: str) -> str:
    """The digest of a text in the values."""
    return text_digest(Request(text)).hex()[:10]


class Worker:
    """Computes what is missing, with models and resolved evaluations kept open.

    Args:
        folder: The working folder, to which values are appended.
        models: The folder of the models that scripts/paper_models makes.
    """

    def __init__(self, values: Values, folder: Path, models: Path) -> None:
        self._values, self._folder, self._models = values, folder, models
        self._sessions: dict[str, ModelSession] = {}
        self._evaluations: dict[Any, OpenEvaluation] = {}
        self._texts: dict[str, list[str]] = {}

    def run(self, stage: Stage) -> None:
        """Compute a stage, round by round; one whose models are missing is skipped."""
        models = {model for block in stage.blocks for model in block.models or models_of(block.dataset)}
        if missing := sorted(model for model in models if not self._place(model).exists()):
            print(f"{stage.name}: skipped; make {', '.join(missing)} with scripts/paper_models", flush=True)
            return
        for start in range(0, stage.texts, ROUND):
            for block in stage.blocks:
                for model in block.models or models_of(block.dataset):
                    self._compute(block, model, start, min(start + ROUND, stage.texts))
            print(f"{time.strftime('%H:%M:%S')} {stage.name}: {min(start + ROUND, stage.texts)} texts", flush=True)

    def texts(self, dataset: str) -> list[str]:
        """The texts of a dataset."""
        if dataset not in self._texts:
            self._texts[dataset] = texts_of(dataset)
        return self._texts[dataset]

    def _compute(self, block: Block, model: str, first: int, last: int) -> None:
        chosen = {key_of(text): text for text in self.texts(block.dataset)[first:last]}
        row = {one: self._row(block, model, one) for one in (*block.methods, *block.controls)}
        lacking = {name: [key for key in chosen if key not in self._values.rows.get(row[name], {})] for name in row}
        missing = [name for name in row if lacking[name]]
        keys = [key for key in chosen if any(key in lacking[name] for name in missing)]
        if not keys:
            return
        methods = tuple(name for name in block.methods if name in missing)
        controls = tuple(name for name in block.controls if name in missing)
        found = self._evaluate(
            self._evaluation(block, model, methods, controls), [example_of(chosen[key]) for key in keys]
        )
        lines = [(row[name], key, figures) for name, key, figures in _lines(found, keys) if name in row]
        append(self._folder / f"{block.dataset}.csv", lines)
        for own, key, figures in lines:
            self._values.rows[own][key] = figures

    def _evaluate(self, evaluation: OpenEvaluation, examples: Sequence[Any]) -> Evaluation:
        """Evaluate some texts; scores are stored, since protocols that differ only in their metrics share them."""
        with closing(Store(self._folder / "store")) as store:
            runner = InMemoryRunner(evaluation, examples, store)
            for _ in runner.run(runner.items):
                pass
            return load_results(store, runner.config, list(map(note_of, runner.examples))).evaluation

    def _row(self, block: Block, model: str, method: str) -> Row:
        digest = self._session(model).adapter.model_info().hash.removeprefix("sha256:")[:12]
        return Row(block.dataset, f"{model}@{digest}", block.protocol_name, block.baseline, method)

    def _session(self, model: str) -> ModelSession:
        if model not in self._sessions:
            adapter = open_model(*load(str(self._place(model)), device="cpu", dtype="float32"))
            self._sessions[model] = ModelSession(adapter, batch_tokens=usual_budget(adapter))
        return self._sessions[model]

    def _place(self, model: str) -> Path:
        return SHARED / "models" / model if model in MODELS else self._models / model

    def _evaluation(
        self, block: Block, model: str, methods: tuple[str, ...], controls: tuple[str, ...]
    ) -> OpenEvaluation:
        key = (model, block.protocol_name, block.baseline, methods, controls)
        if key not in self._evaluations:
            options: Any = {"protocol": block.protocol, "baseline": block.baseline, "top": TOP, "curve": (TOP,)}
            options |= {"controls": controls}
            options |= {"operators": ("remove",)} if block.protocol == "corrected" else {}
            self._evaluations[key] = resolve_evaluation(self._session(model), methods or ("sig",), options)
        return self._evaluations[key]


def models_of(dataset: str) -> tuple[str, ...]:
    """The three models of a dataset."""
    return tuple(f"{model.removesuffix('-sst2')}-{dataset}" for model in MODELS)


def _lines(found: Evaluation, keys: Sequence[str]) -> Iterator[tuple[str, str, Figures]]:
    """Each row's figures for each text; passes are means over these texts."""
    (operator,) = found.operators
    for row in found.rows:
        sums = {name: getattr(row.passes, name) for name in ("forward", "backward")}
        passes = {name: total / row.texts if row.texts else np.nan for name, total in sums.items()}
        for at, key in enumerate(keys):
            figures = {metric: _value(row.values, Measure(metric, operator, TOP), at) for metric in METRICS}
            errors = {name: _value(row.values, Measure(name), at) for name in ("delta", "residual")}
            yield row.name, key, figures | errors | passes


def _value(values: Any, measure: Measure, at: int) -> float:
    return float(values[measure][at]) if measure in values else np.nan
