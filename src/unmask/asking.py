"""One text from what is wanted of it to its explanation; the model is behind the questions that this asks."""

import platform
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from torch import Tensor

from .engine import Subject
from .explanation import Explanation
from .grouping import Choice, Group, Place, held, remarks
from .models.adapter import Baseline, Encoded
from .models.vocabulary import Vocabulary
from .parts import MethodUsed, ModelUsed, Passes, TokenUsed, Unit
from .probes import Case, Method, Probe, Question, Scores, outputs, settings
from .targets import Head, Target, TargetName, resolved
from .text import Passage, Span, shortened

SAID = {"uses_baseline": True, "is_signed": True, "adds_up": False}  # of a method that does not say
NAMED = 5  # units in one warning


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
    precision: float
    vocabulary: Callable[[], Vocabulary]

    def case(self, whole: Tensor, target: Target, asked: "Asked") -> Case:
        """The text as a method sees it."""
        ids, end = asked.encoded.ids, self.baseline.id
        return Case(asked.units, whole, target, ids, end, self.precision, self.vocabulary, asked.kept)

    def subject(self, asked: "Asked") -> Subject:
        """The text as the engine runs it."""
        return Subject(asked.encoded, self.baseline, asked.kept)


@dataclass(frozen=True, slots=True)
class Asked:
    """One text, or a pair, with its units and what is asked of it."""

    encoded: Encoded
    choice: Choice
    groups: tuple[Group, ...]
    target: TargetName
    kept: frozenset[int] = frozenset()  # tokens whose baseline is their own vector

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """The token positions of each unit."""
        return tuple(group.tokens for group in self.groups)


@dataclass(frozen=True, slots=True)
class Answered:
    """One text and all that the model said of it."""

    asked: Asked
    target: Target
    whole: Tensor  # [outputs]
    at_baseline: Tensor  # [outputs]
    scores: Scores


def asking(asked: Asked, wanted: Wanted) -> Generator[Question, Tensor, Answered]:
    """Ask for the text, for the text with everything at the baseline, and for what the method wants to know."""
    everything = Probe(tuple(sorted(token for unit in asked.units for token in unit)))
    whole, at_baseline = yield from outputs([Probe(), everything])
    goal = resolved(asked.target, scale=wanted.scale, head=wanted.head, whole=whole)
    scores = yield from wanted.method.ask(wanted.case(whole, goal, asked))
    return Answered(asked, goal, whole, at_baseline, scores)


def explanation(answered: Answered, wanted: Wanted, *, passes: Passes, seconds: float) -> Explanation:
    """The answers as a value that carries all that its numbers depend on."""
    asked, found = answered.asked, answered.scores
    text, *pair = asked.encoded.passages
    return Explanation(
        text=text.text,
        text_pair=pair[0].text if pair else None,
        units=tuple(_unit(group.span, group.segment, asked.encoded) for group in asked.groups),
        fixed=tuple(_unit(*place, asked.encoded) for place in _fixed(asked)),
        scores=tuple(found.values.tolist()),
        target=answered.target.name,
        scale=answered.target.scale,
        outputs=wanted.head.labels,
        activation=wanted.head.activation,
        whole=tuple(answered.whole.tolist()),
        at_baseline=tuple(answered.at_baseline.tolist()),
        without=_rows(found.without),
        alone=_rows(found.alone),
        by_output=_rows(found.by_output),
        standard_errors=_numbers(found.standard_errors),
        residuals=_numbers(found.residuals),
        tokens=() if found.tokens is None else tuple(_tokens(asked)),
        token_scores=_numbers(found.tokens),
        features=None if found.features is None else found.features.numpy(),
        method=_used(wanted.method),
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
        warnings=(*_doubts(found, asked), *_warnings(asked, wanted.baseline)),
    )


@cache
def versions() -> dict[str, str]:
    """The versions that a number may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


def _used(method: Method) -> MethodUsed:
    """The method as a result names it; one from elsewhere may say less of itself."""
    said = {name: getattr(method, name, usual) for name, usual in SAID.items()}
    return MethodUsed(method.name, settings(method), **said)


def _numbers(values: Tensor | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(values.tolist())


def _rows(values: Tensor | None) -> tuple[tuple[float, ...], ...] | None:
    return None if values is None else tuple(map(tuple, values.tolist()))


def _tokens(asked: Asked) -> Iterator[TokenUsed]:
    units = {token: unit for unit, group in enumerate(asked.groups) for token in group.tokens}
    for place, token in enumerate(asked.encoded.tokens):
        span = Span(0, 0) if token.special else token.span
        text = asked.encoded.passages[token.segment].text[slice(*span)]
        yield TokenUsed(text, *span, token.segment, units.get(place))


def _unit(span: Span, segment: int, encoded: Encoded) -> Unit:
    return Unit(encoded.passages[segment].text[slice(*span)], *span, segment)


def _fixed(asked: Asked) -> tuple[Place, ...]:
    return held(asked.encoded.passages, asked.encoded.tokens, asked.choice)


def _doubts(found: Scores, asked: Asked) -> Iterator[str]:
    """What the method says of its own numbers; units that are less exact than was asked for are named."""
    yield from found.warnings
    if found.above:
        named = [_doubt(unit, found, asked) for unit in found.above[:NAMED]]
        more = f" and {len(found.above) - NAMED} more" if len(found.above) > NAMED else ""
        yield f"not within the tolerance: {', '.join(named)}{more}; use more steps, a larger tolerance or a finer dtype"


def _doubt(unit: int, found: Scores, asked: Asked) -> str:
    group = asked.groups[unit]
    name = repr(shortened(_unit(group.span, group.segment, asked.encoded).text))
    return name if found.residuals is None else f"{name} (residual {float(found.residuals[unit]):+.2g})"


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
