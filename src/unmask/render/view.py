"""The neutral form of a drawing: everything that is drawn, decided once, for every writer alike."""

from dataclasses import dataclass

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from . import captions
from .colored_spans import ColoredSpan, colored_spans, colored_units, strongest

TOP = 8  # the largest scores and the most probable labels that are listed


@dataclass(frozen=True, slots=True)
class Share:
    """A label's probability, and whether the model says that it holds."""

    label: str
    share: float
    holds: bool


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """What a drawing shows. All texts are as they came: each writer escapes them in its own way."""

    texts: tuple[tuple[ColoredSpan, ...], ...]  # one, or the two of a pair
    is_cut: bool  # whether the end or the beginning of a text was not read
    shares: tuple[Share, ...]  # the most probable first
    value: float | None  # of a regression
    top: tuple[ColoredSpan, ...]  # the largest scores first
    left: int  # units that are not among them
    sentence: str | None  # what single scores hide
    warnings: tuple[str, ...]
    heading: str  # what is shown
    is_signed: bool  # whether scores say for or against, or only how much
    meaning: str  # what a score is
    keys: dict[str, str]  # what colors and marks mean, by style
    facts: dict[str, str]

    @property
    def is_flat(self) -> bool:
        """Whether every score is 0, so that there is none to list."""
        return not any(span.score for span in self.top)

    @property
    def notes(self) -> list[str]:
        """The warnings, as sentences."""
        return list(map(captions.note, self.warnings))

    def legend(self, style: str) -> list[str]:
        """What a score is and what colors or marks mean, and the facts."""
        return [f"{self.meaning} {self.keys[style]}", captions.line(self.facts)]


def view_explanation(explanation: Explanation) -> ExplanationView:
    """What a drawing of an explanation shows."""
    full, prediction = strongest(explanation), explanation.prediction
    shares = [Share(label, share, label in prediction.labels) for label, share in prediction.probabilities.items()]
    interaction = explanation.interaction
    return ExplanationView(
        texts=tuple(colored_spans(explanation, segment) for segment in range(len(explanation.texts))),
        is_cut=explanation.truncated,
        shares=tuple(sorted(shares, key=lambda one: -one.share)[:TOP]),
        value=prediction.value,
        top=tuple(sorted(colored_units(explanation), key=lambda span: -abs(span.score or 0.0))[:TOP]),
        left=max(0, len(explanation.units) - TOP),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        heading=captions.heading(explanation),
        is_signed=explanation.method.is_signed,
        meaning=captions.method_sentence(explanation),
        keys={"shades": captions.shades_key(explanation, full=full), "paper": captions.paper_key(explanation)},
        facts=captions.facts(explanation),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One of several drawings of the same text, drawn below each other."""

    name: str
    view: ExplanationView
    passes: str
    seconds: float
    agreement: float | None  # of the ranks with those of the first row; None where it is not defined

    @property
    def costs(self) -> tuple[str, str, str]:
        """What the row took, and how far it agrees with the first, in a few words each."""
        return (self.passes, f"{self.seconds:.2f} s", captions.agreement(self.agreement))

    @property
    def errors(self) -> list[str]:
        """What is known of how wrong the row is."""
        return [f"{name} {value}" for name, value in self.view.facts.items() if name in captions.ERRORS]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What a comparison shows."""

    over: str  # what differs between the rows: method, target or unit
    rows: tuple[Row, ...]

    @property
    def facts(self) -> dict[str, str]:
        """What all rows have in common."""
        found = [row.view.facts for row in self.rows]
        return {name: value for name, value in found[0].items() if all(one.get(name) == value for one in found)}

    @property
    def remarks(self) -> list[str]:
        """What single scores hide, row by row; once where all rows say the same."""
        return self._said([[row.view.sentence] if row.view.sentence else [] for row in self.rows])

    @property
    def notes(self) -> list[str]:
        """The rows' warnings; once where all rows have the same."""
        warned = [row.view.warnings for row in self.rows]
        of_some = captions.named(self._names, warned).items()
        return [
            *map(captions.note, captions.shared(warned)),
            *(captions.note(warning, on=names) for warning, names in of_some),
        ]

    def legend(self, style: str) -> list[str]:
        """What a score is in each row and what colors or marks mean, what the ranks are, and the facts."""
        sentences = [[row.view.meaning, *_keys(row.view, style)] for row in self.rows]
        common = " ".join(captions.shared(sentences))
        apart = [[" ".join(of_row)] if of_row else [] for of_row in captions.own(sentences)]
        full = {captions.sentences(row.view.keys[style])[-1] for row in self.rows}
        colors_differ = style == "shades" and len(full) > 1
        ranks = captions.RANKS if colors_differ else captions.TAU
        return [*filter(None, [common]), *self._said(apart), ranks, captions.line(self.facts)]

    @property
    def _names(self) -> list[str]:
        return [row.name for row in self.rows]

    def _said(self, sayings: list[list[str]]) -> list[str]:
        of_some = captions.named(self._names, sayings).items()
        return [*captions.shared(sayings), *(f"{names}: {one}" for one, names in of_some)]


def _keys(drawn: ExplanationView, style: str) -> list[str]:
    """Sentence by sentence for colors, of which only the full color differs between rows."""
    key = drawn.keys[style]
    return captions.sentences(key) if style == "shades" else [key]


def view_comparison(comparison: Comparison) -> ComparisonView:
    """What a drawing of a comparison shows."""
    found = zip(comparison.names, comparison.explanations, comparison.agreements, strict=True)
    return ComparisonView(
        comparison.over,
        tuple(
            Row(name, view_explanation(one), captions.facts(one)["passes"], one.seconds, agreement)
            for name, one, agreement in found
        ),
    )
