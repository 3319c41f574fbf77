"""The neutral form of a drawing: everything that is drawn, decided once, for every writer alike."""

from dataclasses import dataclass
from typing import NamedTuple

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..results.metadata import Prediction
from ..results.schema import PAIR
from . import captions
from .colored_spans import ColoredSpan, colored_spans, colored_units, strongest

TOP = 8  # the largest scores and the most probable labels that are listed


class Bar(NamedTuple):
    """A label's probability or a unit's score, as a number and as a bar."""

    name: str
    number: str = ""
    strength: float | None = None  # the bar's length, between -1 and 1
    level: int = 0  # of its color
    is_bold: bool = False  # of a label that the model predicts
    place: str = ""  # the segment of a unit, where there are several


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """What a drawing shows. All texts are as they came: each writer escapes them in its own way."""

    texts: tuple[tuple[ColoredSpan, ...], ...]  # one for every segment
    segments: tuple[str, ...]  # their names
    is_cut: bool  # whether the end or the beginning of a text was not read
    prediction: Prediction
    top: tuple[ColoredSpan, ...]  # the largest scores first
    left: int  # units that are not among them
    sentence: str | None  # what single scores hide
    warnings: tuple[str, ...]
    heading: str  # what is shown
    is_signed: bool  # whether scores say for or against, or only how much
    meaning: str  # what a score is
    keys: dict[str, tuple[str, ...]]  # what colors and marks mean, in sentences, by style
    facts: dict[str, str]

    @property
    def is_flat(self) -> bool:
        """Whether every score is 0, so that there is none to list."""
        return not any(span.score for span in self.top)

    @property
    def prediction_bars(self) -> list[Bar]:
        """The most probable labels, or the value of a regression."""
        if self.prediction.value is not None:
            return [Bar("value", f"{self.prediction.value:.4g}", is_bold=True)]
        shares = sorted(self.prediction.probabilities.items(), key=lambda pair: -pair[1])[:TOP]
        return [Bar(label, f"{share:.1%}", share, is_bold=label in self.prediction.labels) for label, share in shares]

    @property
    def score_bars(self) -> list[Bar]:
        """The largest scores, and how many others there are."""
        if self.is_flat:
            return [Bar(f"every {self.facts['unit']}", captions.number(0.0))]
        more = [Bar(f"and {self.left} smaller")] if self.left else []
        return [
            *(
                Bar(one.text, captions.number(one.score or 0.0), one.strength, one.level, place=self.place(one))
                for one in self.top
            ),
            *more,
        ]

    @property
    def notes(self) -> list[str]:
        """The warnings, as sentences."""
        return list(map(captions.note, self.warnings))

    def is_marked(self, style: str) -> bool:
        """Whether any unit is colored or marked."""
        return any(span.mark if style == "paper" else span.score for spans in self.texts for span in spans)

    def key(self, style: str) -> str:
        """What colors or marks mean."""
        return " ".join(self.keys[style])

    def place(self, span: ColoredSpan) -> str:
        """In which segment a span stands, in short."""
        return self.segments[span.segment].removesuffix(" text") if len(self.segments) > 1 else ""

    def legend(self, style: str) -> list[str]:
        """What a score is and what colors or marks mean, and the facts."""
        return [f"{self.meaning} {self.key(style)}", captions.line(self.facts)]


@dataclass(frozen=True, slots=True)
class Row:
    """One of several drawings of the same text, drawn below each other."""

    name: str
    view: ExplanationView
    seconds: float
    agreement: float | None  # of the ranks with those of the first row; None where it is not defined

    @property
    def costs(self) -> tuple[str, str, str]:
        """What the row took, and how far it agrees with the first, in a few words each."""
        ranks = "ranks not comparable" if self.agreement is None else f"Kendall's tau {self.agreement:+.2f}"
        return self.view.facts["passes"], f"{self.seconds:.2f} s", ranks

    @property
    def errors(self) -> list[str]:
        """What is known of how wrong the row is."""
        return [f"{name} {value}" for name, value in self.view.facts.items() if name in captions.ERRORS]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What a comparison shows; what all rows say is said once, else with the names of the rows."""

    over: str  # what differs between the rows: method, target or unit
    rows: tuple[Row, ...]

    @property
    def remarks(self) -> list[str]:
        """What single scores hide."""
        return self._once([[row.view.sentence or ""] for row in self.rows])

    @property
    def notes(self) -> list[str]:
        """The rows' warnings."""
        warnings = captions.by_row(self._names, [row.view.warnings for row in self.rows])
        return [captions.note(warning, on=names) for warning, names in warnings.items()]

    def legend(self, style: str) -> list[str]:
        """What a score is in each row and what colors or marks mean, what the ranks are, and the facts."""
        sentences = [[row.view.meaning, *row.view.keys[style]] for row in self.rows]
        facts = captions.shared([[f"{name} {value}" for name, value in row.view.facts.items()] for row in self.rows])
        common, apart = captions.shared(sentences), captions.own(sentences)
        colors_differ = style == "shades" and len({row[-1] for row in sentences}) > 1
        ranks = captions.RANKS if colors_differ else captions.TAU
        once = self._once([[" ".join(common), " ".join(of_row)] for of_row in apart])
        return [*once, ranks, captions.SEPARATOR.join(facts)]

    @property
    def _names(self) -> list[str]:
        return [row.name for row in self.rows]

    def _once(self, texts: list[list[str]]) -> list[str]:
        said = captions.by_row(self._names, texts).items()
        return [f"{names}: {text}" if names else text for text, names in said if text]


def view(subject: Explanation | Comparison) -> ExplanationView | ComparisonView:
    """What a drawing shows."""
    return view_comparison(subject) if isinstance(subject, Comparison) else view_explanation(subject)


def view_explanation(explanation: Explanation) -> ExplanationView:
    """What a drawing of an explanation shows."""
    interaction, method = explanation.interaction, explanation.method
    names = tuple(segment.name for segment in explanation.segments)
    return ExplanationView(
        texts=tuple(colored_spans(explanation, segment) for segment in range(len(names))),
        segments=PAIR if len(names) == 2 else names,
        is_cut=explanation.truncated,
        prediction=explanation.prediction,
        top=tuple(sorted(colored_units(explanation), key=lambda span: -abs(span.score or 0.0))[:TOP]),
        left=max(0, len(explanation.units) - TOP),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        heading=f"What {'speaks for' if method.is_signed else 'matters to'} {explanation.target}",
        is_signed=method.is_signed,
        meaning=captions.method_sentence(explanation),
        keys=captions.keys(explanation, full=strongest(explanation)),
        facts=captions.facts(explanation),
    )


def view_comparison(comparison: Comparison) -> ComparisonView:
    """What a drawing of a comparison shows."""
    rows = zip(comparison.names, comparison.explanations, comparison.agreements, strict=True)
    return ComparisonView(
        comparison.over, tuple(Row(name, view_explanation(row), row.seconds, tau) for name, row, tau in rows)
    )
