"""The view of interactions, for all formats: a strip of the chosen units, arcs between them, and a list of pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from rich.cells import cell_len

from ..results.interactions import Interactions, UnitPair
from ..tasks.targets import SCALES
from .colored_spans import ColoredSpan, colored_units
from .escape import shown
from .lines import is_rtl
from .numbers import decimals, number
from .unit_names import unit_names
from .view import ExplanationView, view_explanation

LISTED = 8  # most pairs in the list
DRAWN = 12  # the most arcs
FAINTEST = 0.1  # arcs below this share of the strongest are not drawn
SHORTEST, LONGEST, AROUND = 1, 14, 3  # widths of a unit in the strip and of the space around it, in columns
SIGN = 2  # width of a sign between units, in columns
GAP, BOUNDARY = "…", "/"  # shown in place of units that were not chosen, and between two texts
NEED = "need each other"


class Slot(NamedTuple):
    """A unit in the strip, or a sign between two units."""

    span: ColoredSpan  # a sign has no score
    center: float  # as a share of the strip, from the left
    columns: float  # its width, in letters


class Arc(NamedTuple):
    """An arc over the strip between two centers, from left to right; its height is relative to the highest arc."""

    left: float
    right: float
    height: float
    strength: float  # relative to the strongest arc
    is_dashed: bool  # whether the units need each other
    number: str
    tip: str


class PairRow(NamedTuple):
    """A pair in the list."""

    name: str
    relation: str
    number: str  # the net effect
    cost: str  # the cost of both units together
    single: str  # the cost of each unit


@dataclass(frozen=True, slots=True)
class PairsView:
    """What a drawing of interactions shows. Texts are not escaped: each writer does that."""

    view: ExplanationView
    strip: tuple[Slot, ...]
    arcs: tuple[Arc, ...]  # strongest first
    rows: tuple[PairRow, ...]
    left: int  # number of pairs not in `rows`
    is_whole: bool  # whether the strip shows every unit in full
    is_rtl: bool  # whether the strip runs from right to left
    heading: str
    sentence: str  # a sentence on why no pair is listed
    meaning: str
    facts: dict[str, str]

    @property
    def columns(self) -> float:
        """The width of the strip, in letters."""
        return sum(slot.columns for slot in self.strip)

    @property
    def key(self) -> str:
        """The meaning of the arcs."""
        if not self.arcs:
            return ""
        kinds = {arc.is_dashed for arc in self.arcs}
        solid = "Solid: they cover for each other (losing both matters more than the two single losses combined)."
        dashed = "Dashed: they need each other (losing both matters less)."
        return " ".join([solid] * (False in kinds) + [dashed] * (True in kinds))


def view_pairs(found: Interactions) -> PairsView:
    """The view of interactions."""
    explanation, unit = found.explanation, found.explanation.unit
    view, units = view_explanation(explanation), colored_units(explanation)
    pairs = [pair for pair in found.pairs if is_worth_listing(pair, explanation.scale)]
    rtl = is_rtl(explanation.text)
    strip = _strip([(at, units[at]) for at in sorted(found.chosen)], rtl=rtl)
    centers = dict(
        zip(sorted(found.chosen), (slot.center for slot in strip if slot.span.score is not None), strict=True)
    )
    rows = tuple(_rows(found, pairs[:LISTED], units))
    return PairsView(
        view=view,
        strip=strip,
        arcs=tuple(_arcs(pairs[:DRAWN], centers, list(_rows(found, pairs[:DRAWN], units)))),
        rows=rows,
        left=len(found) - len(rows),
        is_whole=len(found.chosen) == len(units) and all(_columns(span) < AROUND + LONGEST for span in units),
        is_rtl=rtl,
        heading=f"Pairs of {unit}s: {explanation.target}",
        sentence=found.sentence or ("" if rows else f"No pair of {unit}s interacts: their losses add up."),
        meaning=(
            f"Net = loss in {explanation.quantity} without both {unit}s (replaced by "
            f"{explanation.baseline_token or 'a zero vector'}) minus the sum of their single losses."
        ),
        facts={
            **view.facts,
            **({"pairs": f"{len(found)} of the top {len(found.chosen)} {unit}s"} if len(found) else {}),
        },
    )


def is_worth_listing(pair: UnitPair, scale: str) -> bool:
    """Whether a pair's interaction is large enough to be listed."""
    return pair.relation != "add up" and abs(pair.net) >= SCALES[scale].negligible


def _strip(chosen: list[tuple[int, ColoredSpan]], *, rtl: bool) -> tuple[Slot, ...]:
    """The chosen units in text order, with a mark where units between them were not chosen."""
    spans = [chosen[0][1]]
    for (last, before), (at, span) in pairwise(chosen):
        spans += [ColoredSpan(GAP)] * (at > last + 1)
        spans += [ColoredSpan(BOUNDARY)] * (span.segment != before.segment)
        spans.append(span)
    columns = [_columns(span) for span in spans]
    centers = [(end - width / 2) / sum(columns) for end, width in zip(accumulate(columns), columns, strict=True)]
    turned = [1.0 - center for center in centers] if rtl else centers
    return tuple(Slot(*slot) for slot in zip(spans, turned, columns, strict=True))


def _columns(span: ColoredSpan) -> float:
    if span.score is None:
        return SIGN
    return AROUND + min(LONGEST, max(SHORTEST, cell_len(shown(span.text))))


def _arcs(pairs: list[UnitPair], centers: dict[int, float], rows: list[PairRow]) -> Iterator[Arc]:
    strongest = max((abs(pair.net) for pair in pairs), default=0.0)
    spans = [sorted((centers[pair.first], centers[pair.second])) for pair in pairs]
    widest = max((right - left for left, right in spans), default=0.0)
    for pair, (left, right), row in zip(pairs, spans, rows, strict=True):
        if (strength := abs(pair.net) / strongest) >= FAINTEST:
            tip = f"{row.name} {row.relation}: {row.number}"
            yield Arc(left, right, (right - left) / widest, strength, pair.relation == NEED, row.number, tip)


def _rows(found: Interactions, pairs: list[UnitPair], units: tuple[ColoredSpan, ...]) -> Iterator[PairRow]:
    names = unit_names(units, sorted(found.chosen))
    costs = found.costs
    digits = decimals(max((abs(pair.net) for pair in pairs), default=0.0))
    for pair in pairs:
        single = " and ".join(number(costs[unit], digits) for unit in (pair.first, pair.second))
        name = f"{names[pair.first]} + {names[pair.second]}"
        yield PairRow(name, pair.relation, number(pair.net, digits), number(pair.cost, digits), single)
