"""The view of a comparison, for all formats: one row per explanation, and what the rows share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from . import captions
from .colored_spans import ColoredSpan
from .unit_names import unit_names
from .view import ExplanationView, Position, view_explanation, view_listed

TABLE = 24  # most units in the table of a comparison


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A row of a comparison."""

    name: str
    view: ExplanationView
    seconds: float
    agreement: float | None  # Kendall's tau with the first row; None if undefined

    @property
    def costs(self) -> tuple[str, str, str]:
        """Passes, seconds, and agreement with the first row."""
        ranks = "ranks not comparable" if self.agreement is None else f"Kendall's tau {self.agreement:+.2f}"
        return self.view.facts["passes"], f"{self.seconds:.2f} s", ranks

    @property
    def errors(self) -> list[str]:
        """The entries of the facts that report errors."""
        return [captions.line({name: value}) for name, value in self.view.facts.items() if name in captions.ERRORS]


class UnitScores(NamedTuple):
    """A unit's scores in all rows of a comparison."""

    name: str
    place: str  # the name of its segment, if there are several
    scores: tuple[ColoredSpan | None, ...]  # None for a row that has no such unit


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What a comparison shows. A sentence shared by all rows appears once; other sentences name their rows."""

    over: str  # what is compared: method, target or unit
    rows: tuple[ComparisonRow, ...]

    @property
    def table(self) -> tuple[list[UnitScores], int]:
        """The units with the strongest colors in text order, and the number of other units."""
        columns = [row.view.positions for row in self.rows]
        everywhere = {at for column in columns for at in column}
        strengths = {at: max(abs(column[at].strength) for column in columns if at in column) for at in everywhere}
        strong = sorted(everywhere, key=lambda at: (-strengths[at], at))[:TABLE]
        listed = sorted(strong, key=lambda at: (at[0], at[1], -at[2]))  # a sentence comes before its words
        names = dict[Position, str]()
        for column in reversed(columns):
            places = list(column)
            own = unit_names(list(column.values()), [at for at, place in enumerate(places) if place in listed])
            names |= {places[at]: name for at, name in own.items()}
        place = self.rows[0].view.place
        rows = [UnitScores(names[at], place(at[0]), tuple(column.get(at) for column in columns)) for at in listed]
        return rows, len(everywhere) - len(listed)

    @property
    def decisions(self) -> list[str]:
        """Sentences on the deciding sets of the rows."""
        return self._once([row.view.decisions for row in self.rows])

    @property
    def outline(self) -> str:
        """The meaning of outlined units; empty if none is outlined."""
        return next(filter(None, (row.view.outline for row in self.rows)), "")

    @property
    def remarks(self) -> list[str]:
        """Sentences on interactions and redundancies; a row of one unit has none."""
        return self._once([row.view.remarks if len(row.view.positions) > 1 else () for row in self.rows])

    @property
    def notes(self) -> list[str]:
        """The rows' warnings."""
        warnings = self._by_row([row.view.warnings for row in self.rows])
        return [captions.note(warning, on=names) for warning, names in warnings.items()]

    @property
    def has_unknown(self) -> bool:
        """Whether a unit of any row is unknown to the tokenizer."""
        return any(row.view.has_unknown for row in self.rows)

    @property
    def facts(self) -> dict[str, str]:
        """The settings that all rows share."""
        first, *others = (row.view.facts for row in self.rows)
        return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}

    def legend(self, style: str) -> list[str]:
        """What colors, signs or marks and Kendall's tau mean, followed by the settings that all rows share."""
        is_scaled = style == "shades" and len({row.view.keys["shades"][-1] for row in self.rows}) > 1
        sentences = [row.view.keys["signs" if is_scaled else style] for row in self.rows]
        meaning = [*self._once([[" ".join(row)] for row in sentences]), *[captions.SCALED] * is_scaled]
        return [" ".join(meaning), captions.TAU, captions.line(self.facts)]

    def _by_row(self, texts: Sequence[Sequence[str]]) -> dict[str, str]:
        return captions.by_row([row.name for row in self.rows], texts)

    def _once(self, texts: Sequence[Sequence[str]]) -> list[str]:
        return [f"{names}: {text}" if names else text for text, names in self._by_row(texts).items() if text]


def view(subject: Explanation | Comparison) -> ExplanationView | ComparisonView:
    """The view of an explanation or a comparison."""
    return view_comparison(subject) if isinstance(subject, Comparison) else view_explanation(subject)


def view_comparison(comparison: Comparison) -> ComparisonView:
    """The view of a comparison."""
    rows = zip(comparison.names, comparison.explanations, comparison.agreements, strict=True)
    return ComparisonView(
        comparison.over, tuple(ComparisonRow(name, view_listed(row), row.seconds, tau) for name, row, tau in rows)
    )
