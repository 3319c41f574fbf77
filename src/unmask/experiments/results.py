"""From the store to evaluations: what is known of one pair under one baseline, as a value that can be drawn.

No model is opened, and no dataset is read: a folder of results is enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..methods.base import Method
from ..methods.registry import resolve_methods
from ..methods.spec import format_spec
from ..metrics.random_deletion import SEVERAL
from ..metrics.registry import Figures, Measure, error_figures
from ..results.evaluation import Evaluation
from ..results.metadata import ModelInfo, Passes
from ..results.rows import RANDOM, WORDS, EvaluationRow, RowFailure
from .model_record import ModelRecord
from .plan import Pair, Plan
from .rationales import Rationales
from .store import Store
from .store_keys import hash_fact, model_fact, sizes_fact, texts_fact
from .work_items import (
    PEOPLE,
    MetricItem,
    ScoreItem,
    WorkItem,
    faithfulness_config,
    metric_items,
    rationale_item,
    score_items,
)

Bodies = Mapping[bytes, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PairResults:
    """What is known of one pair under one baseline."""

    about: ModelRecord | None  # None, as the evaluation, where nothing was done yet
    evaluation: Evaluation | None
    lengths: tuple[int, ...]  # units of each text; 0 where none is known
    max_units: Mapping[str, int]  # by row, the most units of a text for which it is computed
    scores: Mapping[str, tuple[tuple[float, ...] | None, ...]]
    planned: int
    results: int  # that the plan asks for, texts times cells
    missing: int  # of them, not there
    other: int  # hashes of other contents that the model's folder had before


def load_results(store: Store, plan: Plan, pair: Pair, baseline: str) -> PairResults:
    """The evaluation of a pair as far as it is there."""
    kept, listed = store.fact(model_fact(plan, pair, baseline)), store.fact(texts_fact(pair))
    if kept is None or listed is None:
        return PairResults(None, None, (), {}, {}, len(listed or ()), 0, 0, 0)
    about = ModelRecord.from_dict(kept)
    other = len(store.facts(hash_fact(pair.source, about.dtype))) - 1
    return _Assembling(store, plan, pair, about, listed).done(other)


class _Assembling:
    """The results of one pair, text by text as the dataset has them."""

    def __init__(self, store: Store, plan: Plan, pair: Pair, about: ModelRecord, listed: Sequence[Any]) -> None:
        self._store, self._plan, self._about = store, plan, about
        self._unread = {at: one for at, one in enumerate(listed) if isinstance(one, dict)}
        known = [None if isinstance(one, dict) else one for one in listed]
        self._keys, self._labelled, self._marked = (
            [bytes.fromhex(one[at]) if one and len(one) > at else None for one in known] for at in (0, 1, 3)
        )
        self._places = [one and one[2] for one in known]
        sizes = store.fact(sizes_fact(about.hash, about.unit, about.max_length)) or {}
        self._lengths = tuple(sizes.get(one[0], (0, 0))[0] if one else 0 for one in known)
        methods: list[Method] = resolve_methods(plan.methods[plan.protocol], seed=plan.seed)
        ours = {cell.row: cell for cell in score_items(about, plan, methods)}
        self._scores = [ours[format_spec(method)] for method in methods]  # in the order of the plan
        self._judged = list(metric_items(about, plan, self._scores))
        self._failures = [RowFailure(at, None, one["error"], one.get("place")) for at, one in self._unread.items()]
        self._results = self._missing = 0
        self._people = self._compared_with() if pair.dataset.rationale is not None else Rationales()

    def done(self, other: int) -> PairResults:
        """All of it as one value."""
        scores = {cell.row: self._store.bodies("scores", cell.digest) for cell in self._scores}
        rows = [self._method(cell, scores[cell.row]) for cell in self._scores]
        names = dict.fromkeys(cell.row for cell in self._judged if cell.scores is None)
        rows += [self._control(name) for name in names]
        columns = {cell.row: tuple(map(_scores, self._column(scores[cell.row], cell))) for cell in self._scores}
        cut = {key for bodies in scores.values() for key, body in bodies.items() if body.get("is_cut")}
        return PairResults(
            about=self._about,
            evaluation=self._evaluation(rows, cut),
            lengths=self._lengths,
            max_units={cell.row: cell.max_units for cell in self._scores if cell.max_units is not None},
            scores=columns,
            planned=len(self._keys),
            results=self._results,
            missing=self._missing,
            other=other,
        )

    def _column(self, bodies: Bodies, cell: WorkItem) -> list[Mapping[str, Any] | None]:
        """Each text's result, also where it is asked for no longer: then none."""
        keys = {WORDS: self._labelled, PEOPLE: self._marked}.get(cell.row, self._keys)
        return [bodies.get(key) if key and self._is_asked(at, cell) else None for at, key in enumerate(keys)]

    def _is_asked(self, at: int, cell: WorkItem) -> bool:
        if cell.row == PEOPLE:
            return self._marked[at] is not None
        return cell.max_units is None or self._lengths[at] <= cell.max_units

    def _compared_with(self) -> "Rationales":
        """What people marked in each text."""
        cell = rationale_item(self._about, self._plan)
        column = self._column(self._store.bodies("judgments", cell.digest), cell)
        self._note(column, cell)
        return Rationales.of(column, length=self._plan.rationale_length)

    def _method(self, cell: ScoreItem, bodies: Bodies) -> EvaluationRow:
        """A method's row: its own errors and cost, and its judgments by every operator."""
        table = _Table(len(self._keys))
        column = self._column(bodies, cell)
        self._note(column, cell)
        for at, body in enumerate(column):
            if body is not None and "scores" in body:
                table.put(at, error_figures(body["delta"], body["residual"]))
                table.put(at, self._people.agreement(at, body["scores"]))
        for judged in (one for one in self._judged if one.scores is cell):
            self._take(table, judged)
        once = {key: body for key, body in zip(self._keys, column, strict=True) if body}
        done = [body for body in once.values() if "scores" in body]
        passes = Passes(sum(one["forward"] for one in done), sum(one["backward"] for one in done))
        seconds = sum(one["seconds"] for one in done)
        return EvaluationRow(cell.row, "method", table.values, cell.baseline, passes, seconds, len(done))

    def _control(self, name: str) -> EvaluationRow:
        table = _Table(len(self._keys))
        cells = [cell for cell in self._judged if cell.row == name and cell.scores is None]
        for cell in cells:
            self._take(table, cell)
        if name == RANDOM:
            for at in range(len(self._keys)):
                table.put(at, self._people.chance(at))
        return EvaluationRow(name, cells[0].kind, table.values)

    def _take(self, table: "_Table", cell: MetricItem) -> None:
        column = self._column(self._store.bodies("judgments", cell.digest), cell)
        self._note(column, cell)
        found: dict[tuple[str, float | None], list[float]] = {}  # plain keys: there are millions of figures
        for at, body in enumerate(column):
            for name, share, figure in body.get("figures", ()) if body else ():
                values = found.get((name, share)) or found.setdefault((name, share), [np.nan] * len(column))
                if figure is not None:
                    values[at] = figure
        for (name, share), values in found.items():
            table.values[Measure(name, cell.taken_by, share)] = np.array(values)

    def _note(self, column: Sequence[Mapping[str, Any] | None], cell: WorkItem) -> None:
        """Count what is missing and say what failed, once for each row."""
        known = {(one.example, one.row) for one in self._failures}
        for at, body in enumerate(column):
            is_asked = self._is_asked(at, cell)
            self._results += is_asked
            if body is None:
                self._missing += is_asked and at not in self._unread
            elif "error" in body and (at, cell.row) not in known:
                self._failures.append(RowFailure(at, cell.row, body["error"], self._places[at]))

    def _evaluation(self, rows: Sequence[EvaluationRow], cut: set[bytes]) -> Evaluation:
        plan, about = self._plan, self._about
        exam, is_several = faithfulness_config(about, plan), about.activation == "sigmoid"
        return Evaluation(
            model=ModelInfo(about.name, about.hash),
            protocol=plan.protocol,
            function=about.function,
            unit=about.unit,
            target=about.target,
            scale=about.scale,
            baselines=(about.baseline,),
            operators=exam.operators,
            top=exam.top,
            curve=exam.curve,
            seed=plan.seed,
            max_length=plan.max_length,
            examples=len(self._keys),
            truncated=sum(key in cut for key in self._keys),
            rows=tuple(row for row in rows if row.kind == "method" or row.values),
            rationale_length=self._people.length,
            warnings=(
                *about.warnings,
                *((SEVERAL,) if is_several and WORDS in plan.controls else ()),
                *self._unknown_labels(rows),
                *self._people.notes(),
            ),
            failures=tuple(sorted(self._failures, key=lambda one: (one.example, one.row or ""))),
        )

    def _unknown_labels(self, rows: Sequence[EvaluationRow]) -> Iterator[str]:
        """Texts whose gold label the model does not have: they have everything but accuracy."""
        is_labelled = np.array([one != other for one, other in zip(self._keys, self._labelled, strict=True)])
        for values in (row.values for row in rows if row.name == WORDS and row.values):
            known = {one.metric: ~np.isnan(figures) for one, figures in values.items()}
            count = int((is_labelled & known["agreement"] & ~known["accuracy"]).sum())
            if count:
                said = "1 text has a gold label" if count == 1 else f"{count:,} texts have gold labels"
                yield f"{said} that this model does not know: no accuracy is counted there"


class _Table:
    """One row's numbers: not a number where there is none."""

    def __init__(self, count: int) -> None:
        self.values: dict[Measure, Any] = {}
        self._count = count

    def put(self, at: int, figures: Figures) -> None:
        """Take in the figures of one text."""
        for measure, figure in figures.items():
            if measure not in self.values:
                self.values[measure] = np.full((self._count, *np.shape(figure)), np.nan)
            self.values[measure][at] = figure


def _scores(body: Mapping[str, Any] | None) -> tuple[float, ...] | None:
    return None if body is None or "scores" not in body else tuple(body["scores"])
