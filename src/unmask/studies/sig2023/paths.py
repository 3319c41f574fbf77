"""Follows a text along the path from its baseline: the nearest words and the model's prediction at each point.

With IG and DIG, all words move together. With SIG, one word moves and the others stay as written.
"""

from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ...attribution.attribute import AttributionConfig, PreparedText
from ...engine import Job
from ...errors import ArgumentError
from ...methods.dig import DIG
from ...questions import Instance, Perturbation, Point, Question, ask_embeddings, ask_outputs

if TYPE_CHECKING:
    from ...attribution.session import ModelSession
    from ...text.request import Request

POINTS = 101  # points on a straight line; only some of them are shown


@dataclass(frozen=True, slots=True)
class PathPoint:
    """One point of a path: its position, the text as nearest words, and the model's prediction."""

    share: float  # 0 at the baseline, 1 at the text
    words: tuple[str, ...]  # one for each unit
    is_changed: tuple[bool, ...]  # whether each differs from the text
    unchanged: float  # the share of all units' tokens whose nearest word is the original one
    probabilities: tuple[float, ...]  # the outputs' probabilities; for a regression, its value
    label: str | None


@dataclass(frozen=True, slots=True)
class EmbeddingPath:
    """A method's path through a text."""

    method: str
    points: tuple[PathPoint, ...]
    error: float  # the word approximation error: the mean distance of all points from the nearest word


@dataclass(frozen=True, slots=True)
class PathComparison:
    """Three paths from the baseline to one text."""

    text: str
    units: tuple[str, ...]
    moved: int  # the only unit that moves along SIG's path
    paths: tuple[EmbeddingPath, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert the comparison to plain JSON values, with the keys of `unmask paths`."""
        ways = [
            {"method": path.method, "stops": [asdict(point) for point in path.points], "error": path.error}
            for path in self.paths
        ]
        return {"text": self.text, "units": self.units, "moved": self.moved, "ways": ways}


@dataclass(frozen=True, slots=True)
class _Line:
    """The points of a path: the tokens that move and their vectors, [points, moving, width]."""

    method: str
    moving: tuple[int, ...]
    points: Tensor

    def sample(self, count: int) -> Tensor:
        """Return this number of points, including both ends."""
        return self.points[torch.linspace(0, len(self.points) - 1, count).round().long()]


def traced_paths(
    session: "ModelSession", request: "Request", settings: Any, *, unit: int, points: int, dig: DIG
) -> "PathComparison":
    """Trace the paths for one unit of a text; see `trace_paths`."""
    config = session.resolve_config(**settings)
    prepared = session.prepare(request, config)
    (outcome,) = session.engine.run([Job(prepared, trace_paths(prepared, config, unit=unit, points=points, dig=dig))])
    return outcome.unwrap()


def trace_paths(
    prepared: PreparedText, config: AttributionConfig, *, unit: int, points: int, dig: DIG
) -> Generator[Question, Tensor, PathComparison]:
    """Request the outputs at the points of all paths."""
    _check(prepared, config, unit=unit, points=points)
    (whole,) = yield from ask_outputs([Perturbation()])
    instance = config.instance(whole, prepared.resolve_target(whole, config.scale), prepared)
    written, baseline = yield from ask_embeddings()
    paths = []
    for line in _lines(instance, written, baseline, unit=unit, dig=dig):
        found = yield from ask_outputs(Perturbation(line.moving, to=Point(point)) for point in line.sample(points))
        paths.append(_path(line, found, prepared, config))
    texts = tuple(_written(prepared, one) for one in range(len(prepared.groups)))
    return PathComparison(prepared.encoded.segments[0].text, texts, unit, tuple(paths))


def _lines(instance: Instance, written: Tensor, baseline: Tensor, *, unit: int, dig: DIG) -> Iterator[_Line]:
    """Yield the straight line of all tokens (IG), DIG's path of all tokens, and the straight line of one unit (SIG)."""
    everything, alone = instance.everything, instance.units[unit]
    alphas = torch.linspace(0, 1, POINTS, dtype=torch.float64)[:, None, None]
    straight = baseline + alphas * (written - baseline)
    yield _Line("ig", everything, straight[:, list(everything)])
    yield _Line("dig", everything, dig.points(instance))
    yield _Line("sig", alone, straight[:, list(alone)])


def _path(line: _Line, found: Tensor, prepared: PreparedText, config: AttributionConfig) -> EmbeddingPath:
    vocabulary, head = config.vocabulary(), prepared.head
    shown = line.sample(len(found))
    nearest = vocabulary.nearest(shown.flatten(0, 1))[0].view(shown.shape[:2]).tolist()
    distances = vocabulary.nearest(line.points.flatten(0, 1))[1]
    values = found if head.activation == "none" else head.probabilities(found)
    points = [
        _path_point(place / (len(nearest) - 1), dict(zip(line.moving, near, strict=True)), value, prepared, config)
        for place, (near, value) in enumerate(zip(nearest, values, strict=True))
    ]
    return EmbeddingPath(line.method, tuple(points), float(distances.mean()))


def _path_point(
    share: float, near: dict[int, int], value: Tensor, prepared: PreparedText, config: AttributionConfig
) -> PathPoint:
    ids, units = prepared.encoded.ids, [group.tokens for group in prepared.groups]
    is_changed = [any(near.get(token, ids[token]) != ids[token] for token in unit) for unit in units]
    words = [
        config.vocabulary().spelled([near[token] for token in unit]) if changed else _written(prepared, at)
        for at, (unit, changed) in enumerate(zip(units, is_changed, strict=True))
    ]
    tokens = [token for unit in units for token in unit]
    unchanged = sum(near.get(token, ids[token]) == ids[token] for token in tokens) / len(tokens)
    label = None if prepared.head.activation == "none" else prepared.head.labels[int(value.argmax())]
    return PathPoint(share, tuple(words), tuple(is_changed), unchanged, tuple(value.tolist()), label)


def _written(prepared: PreparedText, unit: int) -> str:
    group = prepared.groups[unit]
    return prepared.encoded.segments[group.segment].text[slice(*group.span)]


def _check(prepared: PreparedText, config: AttributionConfig, *, unit: int, points: int) -> None:
    if prepared.head.activation in ("token", "sequence", "sequence_mean"):
        raise ArgumentError("paths are supported for classifiers, but this is a language model")
    if points < 2:
        raise ArgumentError(f"points={points}: must be at least 2, the two ends of a path")
    if unit < 0:
        raise ArgumentError(f"word={unit}: units are counted from 0")
    if unit >= len(prepared.groups):
        raise ArgumentError(f"there is no such {config.unit}: the text has {len(prepared.groups)}")
