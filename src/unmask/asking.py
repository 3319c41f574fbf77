"""One text from what is wanted of it to its explanation; the model is behind the questions that this asks."""

import platform
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from torch import Tensor

from .explanation import Explanation
from .grouping import Choice, Group, Place, held, remarks
from .models.adapter import Baseline, Encoded
from .parts import MethodUsed, ModelUsed, Passes, Unit
from .probes import Case, Method, Outputs, Probe, Scores, outputs, settings
from .targets import Head, Target, TargetName, resolved
from .text import Passage, Span


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
class Asked:
    """One text, or a pair, with its units and what is asked of it."""

    encoded: Encoded
    choice: Choice
    groups: tuple[Group, ...]
    target: TargetName


@dataclass(frozen=True, slots=True)
class Answered:
    """One text and all that the model said of it."""

    asked: Asked
    target: Target
    whole: Tensor  # [outputs]
    at_baseline: Tensor  # [outputs]
    scores: Scores


def asking(asked: Asked, wanted: Wanted) -> Generator[Outputs, Tensor, Answered]:
    """Ask for the text, for the text with everything at the baseline, and for what the method wants to know."""
    units = tuple(group.tokens for group in asked.groups)
    everything = Probe(tuple(sorted(token for unit in units for token in unit)))
    whole, at_baseline = yield from outputs([Probe(), everything])
    goal = resolved(asked.target, scale=wanted.scale, head=wanted.head, whole=whole)
    scores = yield from wanted.method.ask(Case(units, whole, goal))
    return Answered(asked, goal, whole, at_baseline, scores)


def explanation(answered: Answered, wanted: Wanted, *, passes: Passes, seconds: float) -> Explanation:
    """The answers as a value that carries all that its numbers depend on."""
    asked, without = answered.asked, answered.scores.without
    text, *pair = asked.encoded.passages
    return Explanation(
        text=text.text,
        text_pair=pair[0].text if pair else None,
        units=tuple(_unit(group.span, group.segment, asked.encoded) for group in asked.groups),
        fixed=tuple(_unit(*place, asked.encoded) for place in _fixed(asked)),
        scores=tuple(answered.scores.values.tolist()),
        target=answered.target.name,
        scale=answered.target.scale,
        outputs=wanted.head.labels,
        activation=wanted.head.activation,
        whole=tuple(answered.whole.tolist()),
        at_baseline=tuple(answered.at_baseline.tolist()),
        without=None if without is None else tuple(map(tuple, without.tolist())),
        method=MethodUsed(wanted.method.name, settings(wanted.method), getattr(wanted.method, "uses_baseline", True)),
        unit=asked.choice.unit,
        baseline=wanted.baseline.name,
        baseline_token=wanted.baseline.token,
        model=wanted.model,
        truncated=any(passage.is_cut for passage in asked.encoded.passages),
        unread=text.unread,
        unread_pair=pair[0].unread if pair else 0,
        passes=passes,
        seconds=seconds,
        versions=dict(versions()),
        warnings=tuple(_warnings(asked, wanted.baseline)),
    )


@cache
def versions() -> dict[str, str]:
    """The versions that a number may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


def _unit(span: Span, segment: int, encoded: Encoded) -> Unit:
    return Unit(encoded.passages[segment].text[slice(*span)], *span, segment)


def _fixed(asked: Asked) -> tuple[Place, ...]:
    return held(asked.encoded.passages, asked.encoded.tokens, asked.choice)


def _warnings(asked: Asked, baseline: Baseline) -> Iterator[str]:
    """What a reader of the numbers must know: first what holds for every text, last what was cut off."""
    if baseline.warning is not None:
        yield baseline.warning
    yield from remarks(asked.groups, asked.choice)
    passages = asked.encoded.passages
    names = ("first", "second") if len(passages) > 1 else ("",)
    lost = [_lost(passage, name) for passage, name in zip(passages, names, strict=True) if passage.is_cut]
    if lost:
        yield (
            f"the {'pair' if len(passages) > 1 else 'text'} was cut at {len(asked.encoded.ids)} tokens: "
            f"{' and '.join(lost)} were not read and are not explained"
        )


def _lost(passage: Passage, name: str) -> str:
    what = f"{'first' if passage.read.start else 'last'} {passage.unread:,} characters"
    return f"the {what} of the {name} text" if name else f"its {what}"
