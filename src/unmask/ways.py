"""What a text looks like on the way from its baseline: its nearest words, and what the model says, point by point.

Under Integrated Gradients and DIG all words move together; under SIG one does, and the rest stays as written.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .asking import Asked, Wanted
from .errors import ArgumentError
from .methods.dig import DIG
from .probes import Case, Point, Probe, Question, outputs, vectors
from .targets import resolved

POINTS = 101  # of a straight line, of which some are shown: a hundredth of the way apart


@dataclass(frozen=True, slots=True)
class Stop:
    """One point of a way: how far it is, the text as its nearest words, and what the model says there."""

    share: float  # 0 at the baseline, 1 at the text
    words: tuple[str, ...]  # one for each unit
    is_changed: tuple[bool, ...]  # where they are not those of the text
    unchanged: float  # the share of all units' tokens whose nearest word is the written one
    probabilities: tuple[float, ...]  # of the outputs; of a regression, its value
    label: str | None


@dataclass(frozen=True, slots=True)
class Way:
    """A method's way through a text."""

    method: str
    stops: tuple[Stop, ...]
    error: float  # the word approximation error: how far all its points are from the nearest word, on average


@dataclass(frozen=True, slots=True)
class Ways:
    """Three ways from the baseline to one text."""

    text: str
    units: tuple[str, ...]
    moved: int  # the unit that moves alone
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """The points of a way: which tokens move, and where they stand, [points, moving, width]."""

    method: str
    moving: tuple[int, ...]
    points: Tensor

    def stops(self, count: int) -> Tensor:
        """So many of the points, both ends among them."""
        return self.points[torch.linspace(0, len(self.points) - 1, count).round().long()]


def looking(asked: Asked, wanted: Wanted, *, unit: int, stops: int, dig: DIG) -> Generator[Question, Tensor, Ways]:
    """Ask what the model says at the points of all ways."""
    _check(asked, wanted, unit=unit, stops=stops)
    (whole,) = yield from outputs([Probe()])
    target = resolved(asked.target, scale=wanted.scale, head=wanted.head, whole=whole)
    case = wanted.case(whole, target, asked)
    written, baseline = yield from vectors()
    ways = []
    for line in _lines(case, written, baseline, unit=unit, dig=dig):
        found = yield from outputs(Probe(line.moving, to=Point(point)) for point in line.stops(stops))
        ways.append(_way(line, found, asked, wanted))
    texts = tuple(_written(asked, one) for one in range(len(asked.groups)))
    return Ways(asked.encoded.passages[0].text, texts, unit, tuple(ways))


def _lines(case: Case, written: Tensor, baseline: Tensor, *, unit: int, dig: DIG) -> Iterator[_Line]:
    """The straight line of all tokens, DIG's path of all, and the straight line of one unit."""
    everything, alone = case.everything, case.units[unit]
    alphas = torch.linspace(0, 1, POINTS, dtype=torch.float64)[:, None, None]
    straight = baseline + alphas * (written - baseline)
    yield _Line("ig", everything, straight[:, list(everything)])
    yield _Line("dig", everything, dig.points(case))
    yield _Line("sig", alone, straight[:, list(alone)])


def _way(line: _Line, found: Tensor, asked: Asked, wanted: Wanted) -> Way:
    vocabulary, head = wanted.vocabulary(), wanted.head
    shown = line.stops(len(found))
    nearest = vocabulary.nearest(shown.flatten(0, 1))[0].view(shown.shape[:2]).tolist()
    distances = vocabulary.nearest(line.points.flatten(0, 1))[1]
    values = found if head.activation == "none" else head.probabilities(found)
    stops = [
        _stop(place / (len(nearest) - 1), dict(zip(line.moving, near, strict=True)), value, asked, wanted)
        for place, (near, value) in enumerate(zip(nearest, values, strict=True))
    ]
    return Way(line.method, tuple(stops), float(distances.mean()))


def _stop(share: float, near: dict[int, int], value: Tensor, asked: Asked, wanted: Wanted) -> Stop:
    ids, units = asked.encoded.ids, [group.tokens for group in asked.groups]
    is_changed = [any(near.get(token, ids[token]) != ids[token] for token in unit) for unit in units]
    words = [
        _spelled(unit, near, wanted) if changed else _written(asked, at)
        for at, (unit, changed) in enumerate(zip(units, is_changed, strict=True))
    ]
    tokens = [token for unit in units for token in unit]
    unchanged = sum(near.get(token, ids[token]) == ids[token] for token in tokens) / len(tokens)
    label = None if wanted.head.activation == "none" else wanted.head.labels[int(value.argmax())]
    return Stop(share, tuple(words), tuple(is_changed), unchanged, tuple(value.tolist()), label)


def _spelled(unit: Sequence[int], near: dict[int, int], wanted: Wanted) -> str:
    return wanted.vocabulary().spelled([near[token] for token in unit])


def _written(asked: Asked, unit: int) -> str:
    group = asked.groups[unit]
    return asked.encoded.passages[group.segment].text[slice(*group.span)]


def _check(asked: Asked, wanted: Wanted, *, unit: int, stops: int) -> None:
    if stops < 2:
        raise ArgumentError(f"stops={stops}: a way has at least its two ends")
    if unit < 0:
        raise ArgumentError(f"word={unit}: units are counted from 0")
    if unit >= len(asked.groups):
        raise ArgumentError(f"there is no such {wanted.unit}: the text has {len(asked.groups)}")
