"""The rows of an evaluation: methods and controls with their values, and failures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..errors import unknown
from ..metrics.perturbations import OWN
from ..metrics.protocols import operator_of
from ..metrics.registry import Measure
from ..questions import Numbers
from .metadata import Passes

RANDOM, GREEDY, WORDS = CONTROLS = "random", "greedy", "random words"
HEADLINE = "remove"  # the operator that is shown first
NEARLY = 0.95  # a figure over a smaller share of the other rows' texts is never marked best
Kind = Literal["method", "given", "control", "robustness"]


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationRow:
    """One row: a method, imported scores, a control, or predictions with words deleted at random."""

    name: str
    kind: Kind
    values: Mapping[Measure, Numbers]  # [examples], NaN where not computed; [examples, 2] for `iou_f1`
    baseline: str | None = None  # what replaces a unit; `remove` if the method removes it
    passes: Passes = field(default_factory=lambda: Passes(0))
    seconds: float = 0.0
    texts: int = 0  # covered by passes and seconds; repeated texts count once

    def mean(self, measure: Measure) -> float | None:
        """The mean over texts, without an interval, which would be slow; None if nothing was computed."""
        values = self.values.get(measure, np.empty(0))
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else None

    def count(self, measure: Measure) -> int:
        """The number of texts that have the figure."""
        values = self.values.get(measure, np.empty((0, 1)))
        return int((~np.isnan(values.reshape(len(values), -1)).any(-1)).sum()) if len(values) else 0

    def is_own(self, measure: Measure) -> bool:
        """Whether the metric deletes units as the method does, and so measures what the method computes."""
        if self.baseline is None or measure.operator is None:
            return False
        operator = operator_of(measure)
        return self.baseline != "remove" if operator == OWN else self.baseline == operator

    @property
    def costs(self) -> dict[str, float]:
        """Passes, backward passes and seconds per text; empty unless the row is of a method that was run."""
        if self.kind != "method" or not self.texts:
            return {}
        sums = {"passes": self.passes.forward, "gradient_passes": self.passes.backward, "seconds": self.seconds}
        return {metric: total / self.texts for metric, total in sums.items()}


@dataclass(frozen=True, slots=True)
class RowFailure:
    """A text that could not be evaluated, in one row or in all (None), and why."""

    example: int
    row: str | None
    reason: str
    place: str | None = None  # in its file, if known

    @property
    def name(self) -> str:
        """The name that helps you find the text.

        >>> RowFailure(3, None, "it is blank", "line 12").name, RowFailure(3, None, "it is blank").name
        ('line 12', 'text 4')
        """
        return self.place or f"text {self.example + 1}"


def headline_first(operators: Iterable[str]) -> list[str]:
    """The operators, each once, the headline first.

    >>> headline_first(["mask", "remove"])
    ['remove', 'mask']
    """
    return sorted(dict.fromkeys(operators), key=lambda name: name != HEADLINE)


def nearly_complete(rows: Sequence[EvaluationRow], measure: Measure) -> list[EvaluationRow]:
    """The rows that have the figure for nearly as many texts as the most complete row."""
    counts = [row.count(measure) for row in rows]
    return [row for row, count in zip(rows, counts, strict=True) if count >= NEARLY * max(counts)]


def find_row(name: str | None, rows: Sequence[str]) -> str | None:
    """The row of that name, else the first row of that method."""
    if name is None or name in rows:
        return name
    for row in rows:
        if row.startswith((f"{name} (", f"{name}:")):
            return row
    raise unknown("reference", name, rows)
