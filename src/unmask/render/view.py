"""The neutral form of a drawing: decides what is drawn, once for all writers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..results.metadata import Prediction
from ..results.schema import PAIR
from . import captions
from .colored_spans import ColoredSpan, colored_spans, colored_units, strongest
from .numbers import number
from .unit_names import unit_names

TOP = 8  # largest scores and most probable labels in the lists
TABLE = 24  # units in the table of a comparison
Position: TypeAlias = tuple[int, int, int]  # segment, start, end


class Bar(NamedTuple):
    """A label's probability or a unit's score, as a number and as a bar."""

    name: str
    number: str = ""
    strength: float | None = None  # length of the bar, -1 to 1
    level: int = 0  # color level
    is_bold: bool = False  # a predicted label
    place: str = ""  # segment of a unit, if there are several


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """What a drawing shows. Texts are not escaped: each writer does that."""

    texts: tuple[tuple[ColoredSpan, ...], ...]  # one per segment
    segments: tuple[str, ...]  # names of the segments
    is_cut: bool  # whether a text was truncated
    prediction: Prediction
    top: tuple[ColoredSpan, ...]  # largest scores first
    names: tuple[str, ...]  # of the units in `top`
    left: int  # number of units not in `top`
    sentence: str | None  # the interaction, in a sentence
    warnings: tuple[str, ...]
    heading: str  # title of the drawing
    is_signed: bool  # whether scores have a sign
    meaning: str  # definition of a score
    keys: dict[str, tuple[str, ...]]  # meaning of colors and marks, as sentences, by style
    facts: dict[str, str]
    gold: str = ""  # the gold label, in a sentence

    @property
    def is_flat(self) -> bool:
        """Whether every score is 0."""
        return not any(span.score for span in self.top)

    @property
    def has_unknown(self) -> bool:
        """Whether the tokenizer does not know a unit."""
        return any(span.is_unknown for spans in self.texts for span in spans)

    @property
    def prediction_bars(self) -> list[Bar]:
        """The most probable labels, or the value of a regression."""
        if self.prediction.value is not None:
            return [Bar("value", f"{self.prediction.value:.4g}", is_bold=True)]
        shares = sorted(self.prediction.probabilities.items(), key=lambda pair: -pair[1])[:TOP]
        return [Bar(label, f"{share:.1%}", share, is_bold=label in self.prediction.labels) for label, share in shares]

    @property
    def prediction_sentence(self) -> str:
        """The predicted labels with their probabilities, or the value of a regression; and the gold label."""
        predicted = [f"{bar.name} ({bar.number})" for bar in self.prediction_bars if bar.is_bold]
        if self.prediction.value is not None:
            predicted = [f"{self.prediction.value:.4g}"]
        return " ".join(filter(None, [f"Prediction: {', '.join(predicted) or 'no label'}.", self.gold]))

    @property
    def score_bars(self) -> list[Bar]:
        """The largest scores, and the number of the others."""
        if self.is_flat:
            return [Bar(f"every {self.facts['unit']}", number(0.0))]
        bars = [
            Bar(name, one.number, one.strength, one.level, place=self.place(one.segment))
            for name, one in zip(self.names, self.top, strict=True)
        ]
        return [*bars, Bar(f"and {self.left} smaller")] if self.left else bars

    @property
    def remarks(self) -> list[str]:
        """The interaction, in a sentence, if there is one."""
        return [self.sentence] if self.sentence else []

    @property
    def notes(self) -> list[str]:
        """The warnings, as sentences."""
        return list(map(captions.note, self.warnings))

    @property
    def scale(self) -> str:
        """The scale as in prose, such as log-odds."""
        return self.facts["scale"].replace("_", "-")

    def is_marked(self, style: str) -> bool:
        """Whether any unit is colored or marked."""
        return any(span.mark if style == "paper" else span.score for spans in self.texts for span in spans)

    def key(self, style: str) -> str:
        """The meaning of colors or marks."""
        return " ".join(self.keys[style])

    def place(self, segment: int) -> str:
        """The short name of a segment; empty if there is only one."""
        return self.segments[segment].removesuffix(" text") if len(self.segments) > 1 else ""

    @property
    def positions(self) -> dict[Position, ColoredSpan]:
        """The units by their position, in the order of the text."""
        units = dict[Position, ColoredSpan]()
        for segment, spans in enumerate(self.texts):
            ends = list(accumulate(len(span.text) for span in spans))
            units |= {
                (segment, end - len(span.text), end): span
                for span, end in zip(spans, ends, strict=True)
                if span.score is not None
            }
        return units

    def legend(self, style: str) -> list[str]:
        """The meaning of colors, signs or marks, and the facts."""
        return [self.key(style), captions.line(self.facts)]


@dataclass(frozen=True, slots=True)
class Row:
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
        """The facts that report errors."""
        return [captions.line({name: value}) for name, value in self.view.facts.items() if name in captions.ERRORS]


class UnitScores(NamedTuple):
    """A unit's scores in all rows of a comparison."""

    name: str
    place: str  # its segment, if there are several
    scores: tuple[ColoredSpan | None, ...]  # None for a row that has no such unit


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What a comparison shows. A sentence that all rows share appears once; others name their rows."""

    over: str  # what is compared: method, target or unit
    rows: tuple[Row, ...]

    @property
    def table(self) -> tuple[list[UnitScores], int]:
        """The units with the strongest colors in the order of the text, and the number of the others."""
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
    def remarks(self) -> list[str]:
        """The interactions, in sentences."""
        return self._once([[row.view.sentence or ""] for row in self.rows])

    @property
    def notes(self) -> list[str]:
        """The rows' warnings."""
        warnings = self._by_row([row.view.warnings for row in self.rows])
        return [captions.note(warning, on=names) for warning, names in warnings.items()]

    @property
    def has_unknown(self) -> bool:
        """Whether the tokenizer does not know a unit of any row."""
        return any(row.view.has_unknown for row in self.rows)

    @property
    def facts(self) -> dict[str, str]:
        """The settings that all rows share."""
        first, *others = (row.view.facts for row in self.rows)
        return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}

    def legend(self, style: str) -> list[str]:
        """The meaning of colors, signs or marks, that of Kendall's tau, and the shared facts."""
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


def view_explanation(explanation: Explanation) -> ExplanationView:
    """The view of an explanation."""
    interaction, method, units = explanation.interaction, explanation.method, colored_units(explanation)
    largest = sorted(range(len(units)), key=lambda at: -abs(units[at].score or 0.0))[:TOP]
    top = [at for at in largest if float(units[at].number)] or largest
    names = tuple(segment.name for segment in explanation.segments)
    return ExplanationView(
        texts=tuple(colored_spans(explanation, segment) for segment in range(len(names))),
        segments=PAIR if len(names) == 2 else names,
        is_cut=explanation.truncated,
        prediction=explanation.prediction,
        top=tuple(units[at] for at in top),
        names=tuple(unit_names(units, top).values()),
        left=len(units) - len(top),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        heading=f"What {'supports' if method.is_signed else 'matters to'} {explanation.target}",
        is_signed=method.is_signed,
        meaning=captions.method_sentence(explanation),
        keys=captions.keys(explanation, full=strongest(explanation)),
        facts=captions.facts(explanation),
        gold=captions.gold(explanation),
    )


def view_comparison(comparison: Comparison) -> ComparisonView:
    """The view of a comparison."""
    rows = zip(comparison.names, comparison.explanations, comparison.agreements, strict=True)
    return ComparisonView(
        comparison.over, tuple(Row(name, view_explanation(row), row.seconds, tau) for name, row, tau in rows)
    )
