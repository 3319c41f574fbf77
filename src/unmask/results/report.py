"""The evaluations of a plan side by side, as plain values, and how much of the plan was computed.

This module draws nothing itself: its drawing methods call `unmask.render.reports`.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from ..metrics.controls import GREEDY_UNITS
from ..metrics.faithfulness import METRICS
from ..metrics.protocols import fixing_protocol
from ..metrics.registry import PERPLEXITY, Measure
from ..metrics.statistics import Summary
from .atomic_io import write_whole
from .drawable import Tabular
from .evaluation import Evaluation, Figure
from .rows import GREEDY, RANDOM, EvaluationRow, Kind, RowFailure, headline_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from numpy.typing import NDArray

Scores: TypeAlias = tuple[tuple[float, ...] | None, ...]  # the scores of each text; None if it failed


@dataclass(frozen=True, slots=True)
class RowCoverage:
    """For how many texts a row (a method or a control) was computed."""

    done: int  # texts with all figures
    failed: int
    planned: int
    long: int = 0  # texts with more than `max_units` units
    max_units: int | None = None  # the row's limit on units, if it has one
    first: RowFailure | None = None  # the first failure

    @property
    def missing(self) -> int:
        """The number of texts not run yet."""
        return max(0, self.planned - self.done - self.failed - self.long)

    @property
    def is_whole(self) -> bool:
        """Whether all metrics were computed for every text."""
        return self.done >= self.planned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReportCell:
    """The results for one dataset, one model and one baseline.

    Args:
        source: The model's hub name, or the name of its folder.
        baseline: The baseline as written in the plan.
        evaluation: The evaluation; None if nothing was computed yet.
        lengths: The number of units of each text.
        scores: For each row, the scores of all texts, for the agreement chart; some rows may be missing.
        planned: The number of texts in the plan.
        dtype: The model's dtype; None if unknown.
        note: A note for the reader, in one sentence.
        max_units: For each row, the largest number of units of a text that it is computed for.
    """

    dataset: str
    model: str
    source: str
    baseline: str
    evaluation: Evaluation | None
    lengths: tuple[int, ...]
    scores: Mapping[str, Scores]
    planned: int
    dtype: str | None = None
    note: str | None = None
    max_units: Mapping[str, int] = field(default_factory=lambda: {GREEDY: GREEDY_UNITS})

    @property
    def baseline_used(self) -> str:
        """The baseline that was used; `auto` is resolved."""
        return self.evaluation.baselines[0] if self.evaluation else self.baseline

    @property
    def rows(self) -> dict[str, EvaluationRow]:
        """All rows by name; empty if nothing was computed."""
        return {row.name: row for row in self.evaluation.rows} if self.evaluation else {}

    def row(self, name: str) -> EvaluationRow:
        """The row of that name, or a row without values if it was not computed."""
        return self.rows.get(name) or EvaluationRow(name, "method", {})

    def summaries(self, figures: Iterable[Figure]) -> dict[Figure, Summary | None]:
        """Means with intervals; None for those that were not computed."""
        wanted, rows = list(figures), self.rows
        known = [figure for figure in wanted if figure[0] in rows]
        return dict.fromkeys(wanted) | (self.evaluation.summaries(known) if self.evaluation else {})

    def coverage(self, name: str, operator: str | None = None) -> RowCoverage:
        """How many texts of a row were evaluated with an operator; without an operator, how many were scored."""
        evaluation, there = self.evaluation, self._there(name, operator)
        known = [failure for failure in evaluation.failures if failure.row in (name, None)] if evaluation else []
        failures = [failure for failure in known if failure.example >= len(there) or not there[failure.example]]
        most = self.max_units.get(name)
        return RowCoverage(
            done=int(there.sum()),
            failed=len({failure.example for failure in failures}),
            planned=self.planned,
            long=0 if most is None else sum(length > most for length in self.lengths),
            max_units=most,
            first=failures[0] if failures else None,
        )

    def _there(self, name: str, operator: str | None) -> "NDArray[np.bool_]":
        """For each text, whether the row has a value."""
        row, evaluation = self.row(name), self.evaluation
        if evaluation is None or name not in self.rows:
            return np.zeros(0, dtype=bool)
        if operator is None:
            measures = [Measure("delta")]
        elif row.kind == "robustness":  # has its own metrics, shares and, if the protocol fixes operators, operator
            measures = [one for one in row.values if one.operator == operator or fixing_protocol(operator)]
        else:
            measures = [Measure(metric, operator, evaluation.top) for metric in METRICS]
        known = [~np.isnan(row.values[measure]) for measure in measures if measure in row.values]
        return np.any(known, 0) if known else np.zeros(evaluation.examples, dtype=bool)


class References(Protocol):
    """Published results that a study supplies for comparison."""

    @property
    def label(self) -> str:
        """The label shown before a published number and as the title of a column."""

    def figures(self, cell: ReportCell, row: str) -> Mapping[str, float]:
        """The published results of a row, by metric; empty if there are none or they are not comparable."""

    def notes(self, report: "Report", cells: Sequence[ReportCell]) -> Iterable[str]:
        """Notes on the published results, for a table of these cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Tabular):
    """The results of a plan, in the order of the plan.

    The layouts are `summary`, `full`, `long`, and those that studies add: `paper` and `steps`. The charts are `curves`,
    `operators` and `agreement`.

    Args:
        plan: The name of the plan; empty for a report of one evaluation.
        references: Published results to show next to those of the plan.
        reference: The row that the others are compared with.
        times: Whether to show seconds, which differ from run to run.
        facts: Other settings that all numbers depend on.
        methods: The rows of the plan, including those that were not computed; other rows come after them.
    """

    plan: str
    protocol: str
    top: float
    cells: tuple[ReportCell, ...] = field(repr=False)
    unit: str
    references: References | None = None
    reference: str | None = None
    times: bool = False
    facts: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics in summaries. For answers, log-odds are minus comprehensiveness, so perplexity replaces them."""
        is_of_answers = any(one.evaluation is not None and one.evaluation.explains_answers for one in self.cells)
        return (*METRICS[1:], PERPLEXITY) if is_of_answers else METRICS

    @classmethod
    def of(cls, evaluation: Evaluation) -> "Report":
        """Wrap one evaluation in a report with one cell."""
        name, baseline = evaluation.model.name, ", ".join(evaluation.baselines)
        place: dict[str, Any] = {"dataset": "", "model": name, "source": name, "baseline": baseline}
        cell = ReportCell(**place, evaluation=evaluation, lengths=(), scores={}, planned=evaluation.examples)
        shared = {field: getattr(evaluation, field) for field in ("protocol", "top", "unit", "reference")}
        return cls(plan="", cells=(cell,), times=True, **shared)

    @property
    def evaluations(self) -> list[Evaluation]:
        """All evaluations; cells without one are skipped."""
        return [cell.evaluation for cell in self.cells if cell.evaluation]

    @property
    def blocks(self) -> dict[tuple[str, str], list[ReportCell]]:
        """The cells of each (dataset, baseline), one per model."""
        blocks: dict[tuple[str, str], list[ReportCell]] = {}
        for cell in self.cells:
            blocks.setdefault((cell.dataset, cell.baseline), []).append(cell)
        return blocks

    @property
    def kinds(self) -> dict[str, Kind]:
        """Map each row's name to its kind, in plan order with controls last; random deletion is left out."""
        kinds: dict[str, Kind] = {name: "control" if name in (RANDOM, GREEDY) else "method" for name in self.methods}
        for evaluation in self.evaluations:
            kinds |= {row.name: row.kind for row in evaluation.rows if row.kind != "robustness"}
        return dict(sorted(kinds.items(), key=lambda item: item[1] == "control"))

    def published(self, cell: ReportCell, row: str) -> Mapping[str, float]:
        """The published results of a row, by metric; empty if there are none."""
        return self.references.figures(cell, row) if self.references else {}

    def to_json(self) -> str:
        """Every number as JSON, unrounded."""
        return self._render("json")

    def plot(self, picture: str) -> "Drawing":
        """Draw a chart as a matplotlib figure."""
        from ..render import reports

        return reports.plot(self, picture)

    def save(self, path: str | os.PathLike[str], *, layout: str | None = None, picture: str | None = None) -> None:
        """Write a .md, .tex, .html, .csv or .json file, or a chart as .svg, .png or .pdf. The write is atomic."""
        from ..render import reports

        write_whole(Path(path), reports.file_contents(self, Path(path), layout=layout, picture=picture))


def operators(cells: Sequence[ReportCell]) -> list[str]:
    """The operators of these cells, with the one to show first at the front."""
    return headline_first(name for cell in cells if cell.evaluation for name in cell.evaluation.operators)


def headline(cells: Sequence[ReportCell]) -> str | None:
    """The operator to show if there is room for only one; None if nothing was evaluated yet."""
    return next(iter(operators(cells)), None)


def agreement_pair(rows: Sequence[str], *, reference: str | None = None) -> tuple[str, str] | None:
    """The two rows whose agreement is drawn: first the reference or else SIG, then IG or else the first other row.

    >>> agreement_pair(["dig", "ig:steps=250", "sig"]), agreement_pair(["sig", "dig"]), agreement_pair(["sig"])
    (('sig', 'ig:steps=250'), ('sig', 'dig'), None)
    """
    kinds = [(row.partition(":")[0].partition(" (")[0], row) for row in rows if row not in (RANDOM, GREEDY)]
    by_kind = dict(reversed(kinds))  # keeps the first row of each kind
    first = reference if any(row == reference for _, row in kinds) else by_kind.get("sig", by_kind.get("sig_path"))
    others = [row for _, row in kinds if row != first]
    if first is None or not others:
        return None
    return first, next((row for kind, row in kinds if kind == "ig" and row != first), others[0])
