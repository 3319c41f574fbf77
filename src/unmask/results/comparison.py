"""Compares explanations of one text for several methods, targets or units."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from ..errors import ArgumentError, SchemaError
from ..metrics.faithfulness import ranking_scores
from ..tasks.answer_targets import NEXT
from ..tasks.targets import Contrast
from . import schema
from .drawable import Drawable
from .explanation import Explanation
from .metadata import Passes

if TYPE_CHECKING:
    from pandas import DataFrame

Over = Literal["method", "target", "unit"]
SCHEMA = 1
ANSWERS = ("token", "sequence", "sequence_mean")  # the outputs of a language model
COLUMNS = ["name", "text", "start", "end", "segment", "score", "normalized"]  # columns of `to_pandas`


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Drawable):
    """Explanations of one text that differ in the method, the target or the unit."""

    kind: ClassVar = "comparison"
    over: Over
    names: tuple[str, ...]
    explanations: tuple[Explanation, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.explanations):
            raise ArgumentError(f"{len(self.names)} names but {len(self.explanations)} explanations; give one for each")
        check_several(self.names)
        check_distinct(self.over, self.names)

    @property
    def agreements(self) -> tuple[float | None, ...]:
        """Kendall's tau-b between each ranking and the first: 1 for the same order, -1 for the reverse.

        None if the units differ, or if all scores of an explanation are equal.
        """
        units, ranks = (
            self.explanations[0].units,
            [ranking_scores(one.scores, one.ranking) for one in self.explanations],
        )
        pairs = zip(self.explanations, ranks, strict=True)
        return tuple(kendall(ranks[0], own) if other.units == units else None for other, own in pairs)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""
        rows = [
            {"name": name, "agreement": agreement, "explanation": explanation.to_dict()}
            for name, agreement, explanation in zip(self.names, self.agreements, self.explanations, strict=True)
        ]
        return {"schema": SCHEMA, "over": self.over, "rows": rows}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Restore a comparison from `to_dict`."""
        if "rows" not in record:
            raise SchemaError(
                "this is not a comparison: it has no 'rows'", hint="Explanation.load reads one explanation"
            )
        if record.get("schema") != SCHEMA:
            raise SchemaError(f"this is not a comparison with schema {SCHEMA}, the only one that this version reads")
        try:
            rows = record["rows"]
            return cls(
                over=record["over"],
                names=tuple(row["name"] for row in rows),
                explanations=tuple(Explanation.from_dict(row["explanation"]) for row in rows),
            )
        except (KeyError, TypeError, ArgumentError) as error:
            raise SchemaError(f"this comparison is incomplete: {type(error).__name__} at {error}") from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a comparison that `save` wrote as JSON."""
        return cls.from_dict(schema.load(path, what="a comparison"))

    def to_pandas(self) -> "DataFrame":
        """A table of the units of all explanations: name, text, position, score, normalized score. Needs pandas."""
        rows = zip(self.names, self.explanations, strict=True)
        tables = [explanation.to_pandas().assign(name=name) for name, explanation in rows]
        import pandas

        return pandas.concat(tables, ignore_index=True)[COLUMNS]


def compare_over(
    over: Over, values: Sequence[Any], explain: Callable[[Any], Explanation], *, names: Sequence[str] | None = None
) -> Comparison:
    """Explain the text for each value; other targets need no new passes if the first result has the raw outputs."""
    check_several(values)
    check_distinct(over, values)
    first = explain(values[0])
    is_free = over == "target" and (first.without is not None or first.alone is not None)
    is_free &= first.activation not in ANSWERS or not any(map(_has_own_answer, values))
    without_cost = replace(first, passes=Passes(0), seconds=0.0)
    rows = (first, *(without_cost.toward(value) if is_free else explain(value) for value in values[1:]))
    return Comparison(over=over, names=tuple(names or _names(over, rows)), explanations=rows)


def _has_own_answer(target: Any) -> bool:
    """Whether a language model's target needs its own answer: two given continuations, or the next token."""
    return isinstance(target, Contrast) or target == NEXT


def compared_setting(given: Mapping[Over, Sequence[Any]], settings: Mapping[str, Any]) -> Over:
    """The one setting that varies; all other settings have a single value, given in `settings`."""
    over, single = [name for name, values in given.items() if values], [name for name in given if name in settings]
    if len(over) != 1:
        instead = [f"give several values: {name}s=[...], not {name}={settings[name]!r}" for name in single if not over]
        raise ArgumentError(
            "compare one setting: methods=[...], targets=[...] or units=[...]", hint=instead[0] if instead else None
        )
    if over[0] in single:
        raise ArgumentError(f"give {over[0]}s or {over[0]}, not both: {over[0]}={settings[over[0]]!r}")
    return over[0]


def check_several(values: Sequence[Any], *, hint: str | None = None) -> None:
    """Raise an error unless there are several values."""
    if len(values) < 2:
        raise ArgumentError("there is nothing to compare: give several methods, targets or units", hint=hint)


def check_distinct(over: Over, values: Sequence[Any]) -> None:
    """Raise an error for a duplicate value."""
    duplicates = [getattr(value, "name", value) for at, value in enumerate(values) if value in values[:at]]
    if duplicates:
        raise ArgumentError(f"duplicate {over} {str(duplicates[0])!r}")


def _names(over: Over, rows: Sequence[Explanation]) -> tuple[str, ...]:
    """The names of the compared explanations."""
    if over == "method":
        return tuple(row.method.name for row in rows)
    return tuple(row.unit if over == "unit" else str(row.target) for row in rows)


def kendall(one: tuple[float, ...], other: tuple[float, ...]) -> float | None:
    """Kendall's tau-b of two lists of scores; None if all scores of either list are equal.

    >>> kendall((1.0, 2.0, 3.0), (1.0, 3.0, 2.0))
    0.333...
    """
    mine, others = np.array(one), np.array(other)
    above, also_above = np.greater.outer(mine, mine), np.greater.outer(others, others)
    told_apart = np.count_nonzero(above), np.count_nonzero(also_above)  # the number of pairs that each list orders
    if not all(told_apart):
        return None
    alike = np.count_nonzero(above & also_above)
    reversed_pairs = np.count_nonzero(above & np.less.outer(others, others))
    return float((alike - reversed_pairs) / np.sqrt(told_apart[0] * told_apart[1]))
