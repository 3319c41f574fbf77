"""Many evaluations side by side, as plain values: what is shown of a plan, and how much of it was computed.

Draws nothing; `unmask.render.reports` does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from .evaluation import GREEDY, RANDOM, Evaluation, Judged, Kind
from .metrics.faithfulness import METRICS
from .metrics.greedy import UNITS
from .metrics.measures import Measure

HEADLINE = "remove"  # the operator that stands first
Scores: TypeAlias = tuple[tuple[float, ...] | None, ...]  # of each text; None where it failed
Published: TypeAlias = Callable[[str, str, str, str, str], tuple[float, float, float] | None]
PublishedSteps: TypeAlias = Callable[[str, str, str, str, str], tuple[float, float, float, float] | None]


@dataclass(frozen=True, slots=True)
class Standing:
    """How much of a row was computed."""

    done: int  # texts
    failed: int
    planned: int
    long: int = 0  # texts that greedy choices are not computed for
    reason: str | None = None  # of the first failure

    @property
    def missing(self) -> int:
        """Texts that are still to come."""
        return max(0, self.planned - self.done - self.failed - self.long)

    @property
    def is_whole(self) -> bool:
        """Whether every text has its figures."""
        return self.done >= self.planned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cell:
    """One dataset, one model, one baseline of the attributions.

    Args:
        source: The model's folder or hub name.
        evaluation: None where nothing was computed yet.
        lengths: Units of each text.
        scores: By row, each text's scores, for the picture of agreement; may lack any row.
        planned: Texts that the plan asks for.
        note: What else a reader has to know, in one sentence.
    """

    dataset: str
    model: str
    source: str
    baseline: str
    evaluation: Evaluation | None
    lengths: tuple[int, ...]
    scores: Mapping[str, Scores]
    planned: int
    note: str | None = None

    def row(self, name: str) -> Judged | None:
        """The row of that name, where there is one."""
        rows = self.evaluation.rows if self.evaluation else ()
        return next((row for row in rows if row.name == name), None)

    def standing(self, name: str) -> Standing:
        """How much of a row was computed."""
        row, evaluation = self.row(name), self.evaluation
        failures = [one for one in evaluation.failures if one.row in (name, None)] if evaluation else []
        return Standing(
            done=0 if row is None or evaluation is None else _judged(row, evaluation),
            failed=len({one.example for one in failures}),
            planned=self.planned,
            long=sum(length > UNITS for length in self.lengths) if name == GREEDY else 0,
            reason=failures[0].reason if failures else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a plan asked for and what was found: cells in the order of the plan.

    Args:
        published: Of dataset, model, source, baseline and row, the paper's log-odds, comprehensiveness and
            sufficiency; None for a model that is not the published one. Without it, nothing is said of the paper.
        published_steps: The same with Delta behind, from the paper's table of steps.
        reference: The row that the others are compared with.
        times: Whether seconds are shown, which no two runs have in common.
        methods: Rows as the plan has them, also those that nothing was computed of; else as they are found.
        steps: How many steps a row takes, where its name does not say it.
    """

    plan: str
    protocol: str
    top: float
    cells: tuple[Cell, ...]
    unit: str
    published: Published | None = None
    published_steps: PublishedSteps | None = None
    reference: str | None = None
    times: bool = False
    facts: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    steps: Mapping[str, str] = field(default_factory=dict)

    @property
    def blocks(self) -> dict[tuple[str, str], list[Cell]]:
        """The cells of each dataset and baseline, one for each model."""
        found: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.dataset, cell.baseline), []).append(cell)
        return found

    @property
    def kinds(self) -> dict[str, Kind]:
        """Every row's name and kind in the order of the plan, controls last."""
        found: dict[str, Kind] = {name: "control" if name in (RANDOM, GREEDY) else "method" for name in self.methods}
        for cell in self.cells:
            rows = cell.evaluation.rows if cell.evaluation else ()
            found |= {row.name: row.kind for row in rows if row.kind != "robustness"}
        return dict(sorted(found.items(), key=lambda one: one[1] == "control"))


def operators(cells: Sequence[Cell]) -> list[str]:
    """By what these cells were judged, the headline first."""
    found = dict.fromkeys(one for cell in cells if cell.evaluation for one in cell.evaluation.operators)
    return sorted(found, key=lambda one: one != HEADLINE)


def paired(rows: Sequence[str], *, reference: str | None = None) -> tuple[str, str] | None:
    """The two rows whose agreement is drawn: the reference or SIG, and IG or else the first other one.

    >>> paired(["dig", "ig:steps=250", "sig"]), paired(["sig", "dig"]), paired(["sig"])
    (('sig', 'ig:steps=250'), ('sig', 'dig'), None)
    """
    kinds = [(row.partition(":")[0].partition(" (")[0], row) for row in rows if row not in (RANDOM, GREEDY)]
    by_kind = dict(reversed(kinds))  # the first of its kind
    first = reference if any(row == reference for _, row in kinds) else by_kind.get("sig", by_kind.get("sig_path"))
    others = [row for _, row in kinds if row != first]
    if first is None or not others:
        return None
    return first, next((row for kind, row in kinds if kind == "ig" and row != first), others[0])


def _judged(row: Judged, evaluation: Evaluation) -> int:
    """Texts that have a figure, by any metric and operator."""
    asked = [Measure(metric, one, evaluation.top) for metric in METRICS for one in evaluation.operators]
    found = [~np.isnan(row.values[measure]) for measure in asked if measure in row.values]
    return int(np.any(found, 0).sum()) if found else 0
