"""The neutral form of a drawing: everything that is drawn, decided once, for every writer alike."""

from dataclasses import dataclass

from ..comparison import Comparison
from ..explanation import Explanation
from . import wording
from .shades import Shade, shades, strongest, unit_shades

TOP = 8  # the largest scores and the most probable labels that are listed


@dataclass(frozen=True, slots=True)
class Share:
    """A label's probability, and whether the model says that it holds."""

    label: str
    share: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """What a drawing shows. All texts are as they came: each writer escapes them in its own way."""

    texts: tuple[tuple[Shade, ...], ...]  # one, or the two of a pair
    is_cut: bool  # whether the end or the beginning of a text was not read
    shares: tuple[Share, ...]  # the most probable first
    value: float | None  # of a regression
    top: tuple[Shade, ...]  # the largest scores first
    left: int  # units that are not among them
    sentence: str | None  # what single scores hide
    warnings: tuple[str, ...]
    meaning: str  # what a score is
    keys: dict[str, str]  # what colors and marks mean, by style
    facts: dict[str, str]


def picture(explanation: Explanation) -> Picture:
    """The picture of an explanation."""
    full, prediction = strongest(explanation), explanation.prediction
    shares = [Share(label, share, label in prediction.labels) for label, share in prediction.probabilities.items()]
    interaction = explanation.interaction
    return Picture(
        texts=tuple(shades(explanation, segment) for segment in range(len(explanation.texts))),
        is_cut=explanation.truncated,
        shares=tuple(sorted(shares, key=lambda one: -one.share)[:TOP]),
        value=prediction.value,
        top=tuple(sorted(unit_shades(explanation), key=lambda shade: -abs(shade.score or 0.0))[:TOP]),
        left=max(0, len(explanation.units) - TOP),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        meaning=wording.meaning(explanation),
        keys={"shades": wording.shades_key(explanation, full=full), "paper": wording.paper_key(explanation)},
        facts=wording.facts(explanation),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One of several pictures of the same text, drawn below each other."""

    name: str
    picture: Picture
    passes: str
    seconds: float
    agreement: float | None  # of the ranks with those of the first row; None where it is not defined

    @property
    def costs(self) -> tuple[str, str, str]:
        """What the row took, and how far it agrees with the first, in a few words each."""
        return (self.passes, f"{self.seconds:.2f} s", wording.agreement(self.agreement))


@dataclass(frozen=True, slots=True)
class Rows:
    """What a comparison shows."""

    over: str  # what differs between the rows: method, target or unit
    rows: tuple[Row, ...]

    @property
    def facts(self) -> dict[str, str]:
        """What all rows have in common."""
        found = [row.picture.facts for row in self.rows]
        return {name: value for name, value in found[0].items() if all(one[name] == value for one in found)}


def rows(comparison: Comparison) -> Rows:
    """The picture of a comparison."""
    found = zip(comparison.names, comparison.explanations, comparison.agreements, strict=True)
    return Rows(
        comparison.over,
        tuple(
            Row(name, picture(one), wording.facts(one)["passes"], one.seconds, agreement)
            for name, one, agreement in found
        ),
    )
