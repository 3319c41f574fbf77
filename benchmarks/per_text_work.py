"""Evaluates methods on models and texts, and keeps the figures of every text; what is known is not computed again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from per_text_values import PASSES, Figures, Row, Values, append
from remembered_rows import shared_rows

from unmask.attribution.session import ModelSession
from unmask.engine.calibration import usual_budget
from unmask.experiments.config import OpenEvaluation, resolve_evaluation
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Methods on some models and texts under one protocol and baseline."""

    dataset: str
    protocol: Any  # a name, or a protocol with some of the paper's parts
    methods: tuple[str, ...]
    controls: tuple[str, ...] = ()
    baseline: str = "mask"
    models: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)  # of the metrics

    @property
    def protocol_name(self) -> str:
        """The protocol's name in the values."""
        return self.protocol if isinstance(self.protocol, str) else self.protocol.name


def key_of(text: str) -> str:
    """The digest of a text in the values."""
    return text_digest(Request(text)).hex()[:10]


class Evaluator:
    """Computes what is missing, with models and resolved evaluations kept open.

    Args:
        folder: The working folder, to which values are appended.
        place: The folder of a model.
        measures: The figures to keep, by name, from an evaluation.
    """

    def __init__(
        self,
        values: Values,
        folder: Path,
        place: Callable[[str], Path],
        measures: Callable[[Evaluation], Mapping[str, Measure]],
    ) -> None:
        self._values, self._folder, self._place, self._measures = values, folder, place, measures
        self._sessions: dict[str, ModelSession] = {}
        self._evaluations: dict[Any, OpenEvaluation] = {}

    def compute(self, block: Block, model: str, texts: Sequence[str]) -> None:
        """Compute and keep what the values lack of a block, on one of its models and some texts."""
        chosen = {key_of(text): text for text in texts}
        row = {one: self.row(block, model, one) for one in (*block.methods, *block.controls)}
        lacking = {name: [key for key in chosen if key not in self._values.rows.get(row[name], {})] for name in row}
        missing = [name for name in row if lacking[name]]
        keys = [key for key in chosen if any(key in lacking[name] for name in missing)]
        if not keys:
            return
        methods = tuple(name for name in block.methods if name in missing)
        controls = tuple(name for name in block.controls if name in missing)
        evaluation = self._evaluation(block, model, methods, controls)
        with shared_rows():
            found = self._evaluate(evaluation, model, [example_of(chosen[key]) for key in keys])
        figures = _lines(found, self._measures(found), keys)
        lines = [(row[name], key, one) for name, key, one in figures if name in row]
        append(self._folder / f"{block.dataset}-{model}.csv", lines)
        self._values.add(lines)

    def row(self, block: Block, model: str, method: str) -> Row:
        """The row of a method in the values."""
        digest = self._session(model).adapter.model_info().hash.removeprefix("sha256:")[:12]
        return Row(block.dataset, f"{model}@{digest}", block.protocol_name, block.baseline, method)

    def _evaluate(self, evaluation: OpenEvaluation, model: str, examples: Sequence[Any]) -> Evaluation:
        """Evaluate some texts; scores are stored, since protocols that differ only in their metrics share them."""
        with closing(Store(self._folder / "store" / model)) as store:
            runner = InMemoryRunner(evaluation, examples, store)
            for _ in runner.run(runner.items):
                pass
            return load_results(store, runner.config, list(map(note_of, runner.examples))).evaluation

    def _session(self, model: str) -> ModelSession:
        if model not in self._sessions:
            adapter = open_model(*load(str(self._place(model)), device="cpu", dtype="float32"))
            self._sessions[model] = ModelSession(adapter, batch_tokens=usual_budget(adapter))
        return self._sessions[model]

    def _evaluation(
        self, block: Block, model: str, methods: tuple[str, ...], controls: tuple[str, ...]
    ) -> OpenEvaluation:
        key = (model, block.protocol_name, block.baseline, methods, controls)
        if key not in self._evaluations:
            options: Any = {"protocol": block.protocol, "baseline": block.baseline, "controls": controls}
            options |= block.options
            self._evaluations[key] = resolve_evaluation(self._session(model), methods or ("sig",), options)
        return self._evaluations[key]


def _lines(
    found: Evaluation, measures: Mapping[str, Measure], keys: Sequence[str]
) -> Iterator[tuple[str, str, Figures]]:
    """Each row's figures for each text; passes are means over these texts."""
    for row in found.rows:
        sums = {name: getattr(row.passes, name) for name in PASSES}
        passes = {name: total / row.texts if row.texts else np.nan for name, total in sums.items()}
        for at, key in enumerate(keys):
            yield row.name, key, {name: _value(row.values, one, at) for name, one in measures.items()} | passes


def _value(values: Mapping[Measure, Any], measure: Measure, at: int) -> float:
    return float(values[measure][at]) if measure in values else np.nan
