"""Many evaluations side by side, as plain values: what is shown of a plan, and how much of it was computed.

Draws nothing itself: its drawing methods are thin calls into `unmask.render.reports`.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from ..metrics.faithfulness import METRICS
from ..metrics.greedy import UNITS
from ..metrics.registry import Measure
from ..metrics.statistics import Summary
from .atomic_io import write_whole
from .evaluation import Evaluation, Figure
from .rows import GREEDY, RANDOM, EvaluationRow, Kind, RowFailure
from .tabular import Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from numpy.typing import NDArray

HEADLINE = "remove"  # the operator that stands first
Scores: TypeAlias = tuple[tuple[float, ...] | None, ...]  # of each text; None where it failed


@dataclass(frozen=True, slots=True)
class RowCoverage:
    """How much of a row was computed."""

    done: int  # texts
    failed: int
    planned: int
    long: int = 0  # texts that have too many units for it
    max_units: int | None = None  # how many they may have
    first: RowFailure | None = None  # the first failure

    @property
    def missing(self) -> int:
        """Texts that are still to come."""
        return max(0, self.planned - self.done - self.failed - self.long)

    @property
    def is_whole(self) -> bool:
        """Whether every text has its figures."""
        return self.done >= self.planned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReportCell:
    """One dataset, one model, one baseline of the attributions.

    Args:
        source: The model's hub name, or that of its folder.
        baseline: As the plan has it.
        evaluation: None where nothing was computed yet.
        lengths: Units of each text.
        scores: By row, each text's scores, for the picture of agreement; may lack any row.
        planned: Texts that the plan asks for.
        dtype: Of the model's numbers; None where it is not known.
        note: What else a reader has to know, in one sentence.
        max_units: By row, the most units of a text for which it is computed.
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
    max_units: Mapping[str, int] = field(default_factory=lambda: {GREEDY: UNITS})

    @property
    def baseline_used(self) -> str:
        """The baseline that the model took: `auto` is another one for another model."""
        return self.evaluation.baselines[0] if self.evaluation else self.baseline

    @property
    def rows(self) -> dict[str, EvaluationRow]:
        """All rows by name; empty where nothing was computed."""
        return {row.name: row for row in self.evaluation.rows} if self.evaluation else {}

    def row(self, name: str) -> EvaluationRow:
        """The row of that name; one without values where it was not computed."""
        return self.rows.get(name) or EvaluationRow(name, "method", {})

    def summaries(self, figures: Iterable[Figure]) -> dict[Figure, Summary | None]:
        """Means with intervals; None where nothing was computed."""
        wanted, rows = list(figures), self.rows
        known = [figure for figure in wanted if figure[0] in rows]
        return dict.fromkeys(wanted) | (self.evaluation.summaries(known) if self.evaluation else {})

    def coverage(self, name: str, operator: str | None = None) -> RowCoverage:
        """How much of a row was judged by an operator; without one, how much of it was scored."""
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
        """Of each text, whether the row has a figure of it."""
        row, evaluation = self.row(name), self.evaluation
        if evaluation is None or name not in self.rows:
            return np.zeros(0, dtype=bool)
        if operator is None:
            measures = [Measure("delta")]
        elif row.kind == "robustness":  # which has other metrics, at other shares; for the paper words are removed
            measures = [measure for measure in row.values if operator in (measure.operator, "paper")]
        else:
            measures = [Measure(metric, operator, evaluation.top) for metric in METRICS]
        known = [~np.isnan(row.values[measure]) for measure in measures if measure in row.values]
        return np.any(known, 0) if known else np.zeros(evaluation.examples, dtype=bool)


class References(Protocol):
    """Figures published elsewhere, which a study supplies to stand beside those of a report."""

    @property
    def label(self) -> str:
        """What they are called: before a figure, and as the title of a column."""

    def figures(self, cell: ReportCell, row: str) -> Mapping[str, float]:
        """By metric, the figures of a row; none where there are none, or where they cannot be compared."""

    def notes(self, report: "Report", cells: Sequence[ReportCell]) -> Iterable[str]:
        """What a reader must know of these figures in a table of these cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Tabular):
    """What a plan asked for and what was found: cells in the order of the plan.

    Layouts are `full`, `long` and those of studies: `paper` and `steps`; pictures are `curves`, `operators` and
    `agreement`.

    Args:
        plan: Its name; empty where the report is of one evaluation.
        references: Figures published elsewhere. Without them, nothing is said of any.
        reference: The row that the others are compared with.
        times: Whether seconds are shown, which no two runs have in common.
        facts: What else all figures depend on.
        methods: Rows as the plan has them, also those that nothing was computed of; else as they are found.
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

    @classmethod
    def of(cls, evaluation: Evaluation) -> "Report":
        """One evaluation as a report of one cell."""
        name, baseline = evaluation.model.name, ", ".join(evaluation.baselines)
        place: dict[str, Any] = {"dataset": "", "model": name, "source": name, "baseline": baseline}
        cell = ReportCell(**place, evaluation=evaluation, lengths=(), scores={}, planned=evaluation.examples)
        shared = {field: getattr(evaluation, field) for field in ("protocol", "top", "unit", "reference")}
        return cls(plan="", cells=(cell,), times=True, **shared)

    @property
    def evaluations(self) -> list[Evaluation]:
        """Those of all cells of which anything was computed."""
        return [cell.evaluation for cell in self.cells if cell.evaluation]

    @property
    def blocks(self) -> dict[tuple[str, str], list[ReportCell]]:
        """The cells of each dataset and baseline, one for each model."""
        blocks: dict[tuple[str, str], list[ReportCell]] = {}
        for cell in self.cells:
            blocks.setdefault((cell.dataset, cell.baseline), []).append(cell)
        return blocks

    @property
    def kinds(self) -> dict[str, Kind]:
        """Every row's name and kind in the order of the plan, controls last; without words missing at random."""
        kinds: dict[str, Kind] = {name: "control" if name in (RANDOM, GREEDY) else "method" for name in self.methods}
        for evaluation in self.evaluations:
            kinds |= {row.name: row.kind for row in evaluation.rows if row.kind != "robustness"}
        return dict(sorted(kinds.items(), key=lambda item: item[1] == "control"))

    def published(self, cell: ReportCell, row: str) -> Mapping[str, float]:
        """By metric, the figures of a row that were published elsewhere, where there are any."""
        return self.references.figures(cell, row) if self.references else {}

    def to_json(self) -> str:
        """Every figure with all its digits."""
        return self._render("json")

    def plot(self, picture: str) -> "Drawing":
        """A picture as a figure of matplotlib, which can save itself."""
        from ..render import reports

        return reports.plot(self, picture)

    def save(self, path: str | os.PathLike[str], *, layout: str | None = None, picture: str | None = None) -> None:
        """Write a .md, .tex, .html, .csv or .json file, or a picture as .svg, .png or .pdf, whole or not at all."""
        from ..render import reports

        write_whole(Path(path), reports.file_contents(self, Path(path), layout=layout, picture=picture))


def operators(cells: Sequence[ReportCell]) -> list[str]:
    """By what these cells were judged, the headline first."""
    names = dict.fromkeys(name for cell in cells if cell.evaluation for name in cell.evaluation.operators)
    return sorted(names, key=lambda name: name != HEADLINE)


def headline(cells: Sequence[ReportCell]) -> str | None:
    """The operator that is shown where there is room for one; None before anything was judged."""
    return next(iter(operators(cells)), None)


def agreement_pair(rows: Sequence[str], *, reference: str | None = None) -> tuple[str, str] | None:
    """The two rows whose agreement is drawn: the reference or SIG, and IG or else the first other one.

    >>> agreement_pair(["dig", "ig:steps=250", "sig"]), agreement_pair(["sig", "dig"]), agreement_pair(["sig"])
    (('sig', 'ig:steps=250'), ('sig', 'dig'), None)
    """
    kinds = [(row.partition(":")[0].partition(" (")[0], row) for row in rows if row not in (RANDOM, GREEDY)]
    by_kind = dict(reversed(kinds))  # the first of its kind
    first = reference if any(row == reference for _, row in kinds) else by_kind.get("sig", by_kind.get("sig_path"))
    others = [row for _, row in kinds if row != first]
    if first is None or not others:
        return None
    return first, next((row for kind, row in kinds if kind == "ig" and row != first), others[0])
