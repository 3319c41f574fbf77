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
NEARLY = 0.95  # a row with a figure for less than this share of the texts of the most complete row is never marked best
Kind = Literal["method", "given", "control", "robustness"]


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationRow:
    """A row of the results: a method, imported scores, a control, or predictions with words deleted at random."""

    name: str
    kind: Kind
    values: Mapping[Measure, Numbers]  # [examples], NaN where not computed; [examples, 2] for `iou_f1`
    baseline: str | None = None  # what replaces a masked unit; `remove` if the method removes units
    passes: Passes = field(default_factory=lambda: Passes(0))
    seconds: float = 0.0
    texts: int = 0  # how many texts `passes` and `seconds` cover; repeated texts count once

    def mean(self, measure: Measure) -> float | None:
        """The mean over texts, without the interval, which is slow to compute; None if nothing was computed."""
        values = self.values.get(measure, np.empty(0))
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else None

    def count(self, measure: Measure) -> int:
        """The number of texts that have a value for this measure."""
        values = self.values.get(measure, np.empty((0, 1)))
        return int((~np.isnan(values.reshape(len(values), -1)).any(-1)).sum()) if len(values) else 0

    def is_own(self, measure: Measure) -> bool:
        """Whether the metric deletes units as the method does, and therefore measures what the method computes."""
        if self.baseline is None or measure.operator is None:
            return False
        operator = operator_of(measure)
        return self.baseline != "remove" if operator == OWN else self.baseline == operator

    @property
    def costs(self) -> dict[str, float]:
        """Forward passes, backward passes and seconds per text; empty unless the row is a method that was run."""
        if self.kind != "method" or not self.texts:
            return {}
        sums = {"passes": self.passes.forward, "gradient_passes": self.passes.backward, "seconds": self.seconds}
        return {metric: total / self.texts for metric, total in sums.items()}


@dataclass(frozen=True, slots=True)
class RowFailure:
    """A text that could not be evaluated, the row in which it failed (None for all rows), and the reason."""

    example: int
    row: str | None
    reason: str
    place: str | None = None  # the text's place in its file, if known

    @property
    def name(self) -> str:
        """A name by which the reader can find the text.

        >>> RowFailure(3, None, "it is blank", "line 12").name, RowFailure(3, None, "it is blank").name
        ('line 12', 'text 4')
        """
        return self.place or f"text {self.example + 1}"


def headline_first(operators: Iterable[str]) -> list[str]:
    """The operators without duplicates, with `remove` first.

    >>> headline_first(["mask", "remove"])
    ['remove', 'mask']
    """
    return sorted(dict.fromkeys(operators), key=lambda name: name != HEADLINE)


def nearly_complete(rows: Sequence[EvaluationRow], measure: Measure) -> list[EvaluationRow]:
    """The rows that have values for nearly as many texts as the most complete row."""
    counts = [row.count(measure) for row in rows]
    return [row for row, count in zip(rows, counts, strict=True) if count >= NEARLY * max(counts)]


def find_row(name: str | None, rows: Sequence[str]) -> str | None:
    """The row of that name, or else the first row of that method."""
    if name is None or name in rows:
        return name
    for row in rows:
        if row.startswith((f"{name} (", f"{name}:")):
            return row
    raise unknown("reference", name, rows)
