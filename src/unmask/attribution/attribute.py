"""One text from what is wanted of it to its explanation; the model is behind the questions that this asks."""

import platform
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from torch import Tensor

from ..engine import Subject
from ..methods.base import Method, settings
from ..models.adapter import Baseline, Encoded
from ..models.vocabulary import Vocabulary
from ..questions import Instance, Perturbation, Question, Scores, ask_outputs
from ..results.explanation import Explanation
from ..results.metadata import MethodInfo, ModelInfo, Passes, TokenInfo, Unit
from ..tasks.targets import Head, Target, TargetName, resolve_target
from ..text.spans import Segment, Span, shorten
from ..text.units import AlignedUnit, Place, UnitSelection, fixed_spans, span_warnings

NAMED = 5  # units in one warning


@dataclass(frozen=True, slots=True)
class AttributionConfig:
    """What is asked of every text of one call."""

    method: Method
    unit: str
    target: TargetName
    scale: str
    baseline: Baseline
    head: Head
    model: ModelInfo
    precision: float
    vocabulary: Callable[[], Vocabulary]

    def instance(self, whole: Tensor, target: Target, prepared: "PreparedText") -> Instance:
        """The text as a method sees it."""
        ids, end = prepared.encoded.ids, self.baseline.id
        return Instance(prepared.units, whole, target, ids, end, self.precision, self.vocabulary, prepared.kept)

    def subject(self, prepared: "PreparedText") -> Subject:
        """The text as the engine runs it."""
        return Subject(prepared.encoded, self.baseline, prepared.kept)


@dataclass(frozen=True, slots=True)
class PreparedText:
    """One text, or a pair, with its units and what is asked of it."""

    encoded: Encoded
    choice: UnitSelection
    groups: tuple[AlignedUnit, ...]
    target: TargetName
    kept: frozenset[int] = frozenset()  # tokens whose baseline is their own vector

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """The token positions of each unit."""
        return tuple(group.tokens for group in self.groups)


@dataclass(frozen=True, slots=True)
class Attribution:
    """One text and all that the model said of it."""

    prepared: PreparedText
    target: Target
    whole: Tensor  # [outputs]
    at_baseline: Tensor  # [outputs]
    scores: Scores


def attribute(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Attribution]:
    """Ask for the text, for the text with everything at the baseline, and for what the method wants to know."""
    everything = Perturbation(tuple(sorted(token for unit in prepared.units for token in unit)))
    whole, at_baseline = yield from ask_outputs([Perturbation(), everything])
    goal = resolve_target(prepared.target, scale=config.scale, head=config.head, whole=whole)
    scores = yield from config.method.ask(config.instance(whole, goal, prepared))
    return Attribution(prepared, goal, whole, at_baseline, scores)


def to_explanation(answered: Attribution, config: AttributionConfig, *, passes: Passes, seconds: float) -> Explanation:
    """The answers as a value that carries all that its numbers depend on."""
    prepared, found = answered.prepared, answered.scores
    text, *pair = prepared.encoded.segments
    return Explanation(
        text=text.text,
        text_pair=pair[0].text if pair else None,
        units=tuple(_unit(group.span, group.segment, prepared.encoded) for group in prepared.groups),
        fixed=tuple(_unit(*place, prepared.encoded) for place in _fixed(prepared)),
        scores=tuple(found.values.tolist()),
        target=answered.target.name,
        scale=answered.target.scale,
        outputs=config.head.labels,
        activation=config.head.activation,
        whole=tuple(answered.whole.tolist()),
        at_baseline=tuple(answered.at_baseline.tolist()),
        without=_rows(found.without),
        alone=_rows(found.alone),
        by_output=_rows(found.by_output),
        standard_errors=_numbers(found.standard_errors),
        residuals=_numbers(found.residuals),
        tokens=() if found.tokens is None else tuple(_tokens(prepared)),
        token_scores=_numbers(found.tokens),
        features=None if found.features is None else found.features.numpy(),
        method=_used(config.method),
        unit=prepared.choice.unit,
        baseline=config.baseline.name,
        baseline_token=config.baseline.token,
        model=config.model,
        truncated=any(segment.is_cut for segment in prepared.encoded.segments),
        unread=text.unread,
        unread_pair=pair[0].unread if pair else 0,
        passes=passes,
        seconds=seconds,
        versions=dict(versions()),
        warnings=(*_doubts(found, prepared), *_warnings(prepared, config.baseline)),
    )


@cache
def versions() -> dict[str, str]:
    """The versions that a number may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


def _used(method: Method) -> MethodInfo:
    """The method as a result names it."""
    return MethodInfo(
        method.name,
        settings(method),
        uses_baseline=method.uses_baseline,
        is_signed=method.is_signed,
        adds_up=method.adds_up,
        summary=method.summary,
        operator=method.operator,
    )


def _numbers(values: Tensor | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(values.tolist())


def _rows(values: Tensor | None) -> tuple[tuple[float, ...], ...] | None:
    return None if values is None else tuple(map(tuple, values.tolist()))


def _tokens(prepared: PreparedText) -> Iterator[TokenInfo]:
    units = {token: unit for unit, group in enumerate(prepared.groups) for token in group.tokens}
    for place, token in enumerate(prepared.encoded.tokens):
        span = Span(0, 0) if token.special else token.span
        text = prepared.encoded.segments[token.segment].text[slice(*span)]
        yield TokenInfo(text, *span, token.segment, units.get(place))


def _unit(span: Span, segment: int, encoded: Encoded) -> Unit:
    return Unit(encoded.segments[segment].text[slice(*span)], *span, segment)


def _fixed(prepared: PreparedText) -> tuple[Place, ...]:
    return fixed_spans(prepared.encoded.segments, prepared.encoded.tokens, prepared.choice)


def _doubts(found: Scores, prepared: PreparedText) -> Iterator[str]:
    """What the method says of its own numbers; units that are less exact than was asked for are named."""
    yield from found.warnings
    if found.above:
        named = [_doubt(unit, found, prepared) for unit in found.above[:NAMED]]
        more = f" and {len(found.above) - NAMED} more" if len(found.above) > NAMED else ""
        yield f"not within the tolerance: {', '.join(named)}{more}; use more steps, a larger tolerance or a finer dtype"


def _doubt(unit: int, found: Scores, prepared: PreparedText) -> str:
    group = prepared.groups[unit]
    name = repr(shorten(_unit(group.span, group.segment, prepared.encoded).text))
    return name if found.residuals is None else f"{name} (residual {float(found.residuals[unit]):+.2g})"


def _warnings(prepared: PreparedText, baseline: Baseline) -> Iterator[str]:
    """What a reader of the numbers must know: first what holds for every text, last what was cut off."""
    if baseline.warning is not None:
        yield baseline.warning
    yield from span_warnings(prepared.groups, prepared.choice)
    segments = prepared.encoded.segments
    names = ("first", "second") if len(segments) > 1 else ("",)
    lost = [_lost(segment, name) for segment, name in zip(segments, names, strict=True) if segment.is_cut]
    if lost:
        yield (
            f"the {'pair' if len(segments) > 1 else 'text'} was cut at {len(prepared.encoded.ids)} tokens: "
            f"{' and '.join(lost)} were not read and are not explained"
        )


def _lost(segment: Segment, name: str) -> str:
    what = f"{'first' if segment.read.start else 'last'} {segment.unread:,} characters"
    return f"the {what} of the {name} text" if name else f"its {what}"
