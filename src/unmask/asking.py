"""One text from what is wanted of it to its explanation; the model is behind the questions that this asks."""

import platform
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from torch import Tensor

from .explanation import Explanation
from .models.adapter import Baseline, Encoded
from .parts import MethodUsed, ModelUsed, Passes, Unit
from .probes import Case, Method, Outputs, Probe, Scores, outputs, settings
from .targets import Head, Target, TargetName, resolved
from .text import Group


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of every text of one call."""

    method: Method
    unit: str
    target: TargetName
    scale: str
    baseline: Baseline
    head: Head
    model: ModelUsed


@dataclass(frozen=True, slots=True)
class Answered:
    """One text and all that the model said of it."""

    encoded: Encoded
    groups: tuple[Group, ...]
    target: Target
    whole: Tensor  # [outputs]
    at_baseline: Tensor  # [outputs]
    scores: Scores


def asking(
    encoded: Encoded, groups: tuple[Group, ...], target: TargetName, wanted: Wanted
) -> Generator[Outputs, Tensor, Answered]:
    """Ask for the text, for the text with everything at the baseline, and for what the method wants to know."""
    units = tuple(group.tokens for group in groups)
    everything = Probe(tuple(sorted(token for unit in units for token in unit)))
    whole, at_baseline = yield from outputs([Probe(), everything])
    goal = resolved(target, scale=wanted.scale, head=wanted.head, whole=whole)
    scores = yield from wanted.method.ask(Case(units, whole, goal))
    return Answered(encoded, groups, goal, whole, at_baseline, scores)


def explanation(answered: Answered, wanted: Wanted, *, passes: Passes, seconds: float) -> Explanation:
    """The answers as a value that carries all that its numbers depend on."""
    encoded, without = answered.encoded, answered.scores.without
    return Explanation(
        text=encoded.text,
        units=tuple(Unit(encoded.text[slice(*group.span)], *group.span) for group in answered.groups),
        scores=tuple(answered.scores.values.tolist()),
        target=answered.target.name,
        scale=answered.target.scale,
        outputs=wanted.head.labels,
        activation=wanted.head.activation,
        whole=tuple(answered.whole.tolist()),
        at_baseline=tuple(answered.at_baseline.tolist()),
        without=None if without is None else tuple(map(tuple, without.tolist())),
        method=MethodUsed(wanted.method.name, settings(wanted.method), getattr(wanted.method, "uses_baseline", True)),
        unit=wanted.unit,
        baseline=wanted.baseline.name,
        baseline_token=wanted.baseline.token,
        model=wanted.model,
        truncated=encoded.is_truncated,
        unread=encoded.unread,
        passes=passes,
        seconds=seconds,
        versions=dict(versions()),
        warnings=tuple(_warnings(encoded, wanted)),
    )


@cache
def versions() -> dict[str, str]:
    """The versions that a number may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


def _warnings(encoded: Encoded, wanted: Wanted) -> Generator[str, None, None]:
    if wanted.baseline.warning is not None:
        yield wanted.baseline.warning
    if encoded.is_truncated:
        cut = "first" if encoded.read.start else "last"
        yield (
            f"the text was cut at {len(encoded.ids)} tokens: its {cut} {encoded.unread:,} characters were not read "
            "and are not explained"
        )
