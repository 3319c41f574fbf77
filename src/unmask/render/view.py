"""The neutral form of a drawing: everything that is drawn, decided once, for every writer alike."""

from dataclasses import dataclass

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..results.schema import PAIR
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

    texts: tuple[tuple[ColoredSpan, ...], ...]  # one for every segment
    segments: tuple[str, ...]  # their names
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
    key_sentences: dict[str, tuple[str, ...]]  # the keys, where rows are compared sentence by sentence

    @property
    def is_flat(self) -> bool:
        """Whether every score is 0, so that there is none to list."""
        return not any(span.score for span in self.top)

    @property
    def notes(self) -> list[str]:
        """The warnings, as sentences."""
        return list(map(captions.note, self.warnings))

    def place(self, span: ColoredSpan) -> str:
        """In which segment a span stands, in short."""
        return self.segments[span.segment].removesuffix(" text")

    def legend(self, style: str) -> list[str]:
        """What a score is and what colors or marks mean, and the facts."""
        return [f"{self.meaning} {self.keys[style]}", captions.line(self.facts)]


def view_explanation(explanation: Explanation) -> ExplanationView:
    """What a drawing of an explanation shows."""
    prediction, interaction, method = explanation.prediction, explanation.interaction, explanation.method
    shares = [Share(label, share, label in prediction.labels) for label, share in prediction.probabilities.items()]
    names = tuple(segment.name for segment in explanation.segments)
    shades = captions.shades_key(explanation, full=strongest(explanation))
    key_sentences = {"shades": tuple(shades), "paper": (captions.paper_key(explanation),)}
    return ExplanationView(
        texts=tuple(colored_spans(explanation, segment) for segment in range(len(names))),
        segments=PAIR if len(names) == 2 else names,
        is_cut=explanation.truncated,
        shares=tuple(sorted(shares, key=lambda share: -share.share)[:TOP]),
        value=prediction.value,
        top=tuple(sorted(colored_units(explanation), key=lambda span: -abs(span.score or 0.0))[:TOP]),
        left=max(0, len(explanation.units) - TOP),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        heading=f"What {'speaks for' if method.is_signed else 'matters to'} {explanation.target}",
        is_signed=method.is_signed,
        meaning=captions.method_sentence(explanation),
        keys={style: " ".join(sentences) for style, sentences in key_sentences.items()},
        facts=captions.facts(explanation),
        key_sentences=key_sentences,
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
        ranks = "ranks not comparable" if self.agreement is None else f"Kendall's tau {self.agreement:+.2f}"
        return self.passes, f"{self.seconds:.2f} s", ranks

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
        first, *others = (row.view.facts for row in self.rows)
        return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}

    @property
    def remarks(self) -> list[str]:
        """What single scores hide, row by row; once where all rows say the same."""
        return self._once([[row.view.sentence] if row.view.sentence else [] for row in self.rows])

    @property
    def notes(self) -> list[str]:
        """The rows' warnings; once where all rows have the same."""
        warnings = [row.view.warnings for row in self.rows]
        of_some = captions.named([row.name for row in self.rows], warnings).items()
        shared = map(captions.note, captions.shared(warnings))
        return [*shared, *(captions.note(warning, on=names) for warning, names in of_some)]

    def legend(self, style: str) -> list[str]:
        """What a score is in each row and what colors or marks mean, what the ranks are, and the facts."""
        sentences = [[row.view.meaning, *row.view.key_sentences[style]] for row in self.rows]
        common = " ".join(captions.shared(sentences))
        apart = [[" ".join(of_row)] if of_row else [] for of_row in captions.own(sentences)]
        colors_differ = style == "shades" and len({row[-1] for row in sentences}) > 1
        ranks = captions.RANKS if colors_differ else captions.TAU
        return [*filter(None, [common]), *self._once(apart), ranks, captions.line(self.facts)]

    def _once(self, texts: list[list[str]]) -> list[str]:
        of_some = captions.named([row.name for row in self.rows], texts).items()
        return [*captions.shared(texts), *(f"{names}: {text}" for text, names in of_some)]


def view_comparison(comparison: Comparison) -> ComparisonView:
    """What a drawing of a comparison shows."""
    rows = []
    for name, found, agreement in zip(comparison.names, comparison.explanations, comparison.agreements, strict=True):
        view = view_explanation(found)
        rows.append(Row(name, view, view.facts["passes"], found.seconds, agreement))
    return ComparisonView(comparison.over, tuple(rows))
