"""Attribution of one text: from prepared text and settings to questions and an explanation."""

import platform
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version

import numpy as np
from torch import Tensor

from ..engine import EngineText, Job, JobResult
from ..errors import ArgumentError, MemoryLimitError
from ..methods.base import Method, settings
from ..methods.spec import format_spec
from ..models.adapter import Baseline, Encoded
from ..models.vocabulary import Vocabulary
from ..questions import Instance, Perturbation, Question, Scores, ask_outputs
from ..results.deciding_sets import NOT_ASKED
from ..results.explanation import Explanation
from ..results.metadata import MethodInfo, ModelInfo, SegmentInfo, TokenInfo, Unit
from ..tasks.targets import Head, Target, TargetName, resolve_target
from ..text.spans import Segment, Span, shorten
from ..text.units import AlignedUnit, UnitSelection, fixed_spans, span_warnings
from .deciding_sets import LARGEST, Sets, find_sets, row_budget
from .set_ledger import RowRecord

MOST_ROWS = 1_000_000  # of one text
ENDS = 2  # rows besides those of the method: the text, and all units masked
NAMED = 5  # units in one warning
UNKNOWN_SHARE = 0.2  # of the units, or of the largest score: more that is unknown to the tokenizer needs a warning


@dataclass(frozen=True, slots=True)
class AttributionConfig:
    """The resolved settings of one call."""

    method: Method
    unit: str
    target: TargetName
    scale: str
    baseline: Baseline
    model: ModelInfo
    precision: float
    vocabulary: Callable[[], Vocabulary]
    model_warning: str | None = None
    sets: Sets = "none"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that apply to every text."""
        return tuple(warning for warning in (self.model_warning, self.baseline.warning) if warning is not None)

    def instance(self, whole: Tensor, target: Target, prepared: "PreparedText") -> Instance:
        """The text as a method sees it."""
        ids, end = prepared.encoded.ids, self.baseline.id
        return Instance(prepared.units, whole, target, ids, end, self.precision, self.vocabulary, prepared.own_baseline)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText(EngineText):
    """A request as the model reads it: tokens, units, outputs and target."""

    selection: UnitSelection
    groups: tuple[AlignedUnit, ...]
    target: TargetName
    head: Head
    label: str | float | None = None  # the gold label as given

    @property
    def gold(self) -> str | None:
        """The name of the gold label; as given if the model has no such output or is a regression."""
        index = None if self.head.activation == "none" else self.head.gold_index(self.label)
        if index is not None:
            return self.head.labels[index]
        return None if self.label is None else str(self.label)

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """The token positions of each unit."""
        return tuple(group.tokens for group in self.groups)

    def is_unknown(self, group: AlignedUnit) -> bool:
        """Whether the model reads nothing but unknown tokens for this unit."""
        return all(self.encoded.tokens[token].unknown for token in group.tokens)

    def with_baseline(self, baseline: Baseline) -> "PreparedText":
        """The same text with another baseline."""
        return self if baseline == self.baseline else replace(self, baseline=baseline)

    def resolve_target(self, whole: Tensor, scale: str) -> Target:
        """The target, given the outputs of the unperturbed text."""
        return resolve_target(self.target, scale=scale, head=self.head, whole=whole)


def attribute(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Scores]:
    """Ask for the text, the text with all units masked, what the method needs, and the deciding sets if asked for."""
    _check_rows(prepared, config)
    everything = Perturbation(tuple(sorted(token for unit in prepared.units for token in unit)))
    record = RowRecord(prepared.own_baseline)
    whole, at_baseline = yield from record.follow(ask_outputs([Perturbation(), everything]))
    target = prepared.resolve_target(whole, config.scale)
    instance = config.instance(whole, target, prepared)
    sets, note = None, NOT_ASKED if config.sets == "none" else LARGEST if target.index is None else None
    asking = config.method.ask(instance)
    scores = yield from (asking if note else record.follow(asking))
    if note is None:
        budget = sets_rows(prepared, config)
        sets, note = yield from find_sets(instance, record, budget=budget, unit=prepared.selection.unit)
    return replace(scores, target=target, whole=whole, at_baseline=at_baseline, sets=sets, sets_note=note)


def sets_rows(prepared: PreparedText, config: AttributionConfig) -> int:
    """The most rows that the search for deciding sets takes; a number is refused if nothing can be decided."""
    if config.sets == "none":
        return 0
    whole = np.zeros(len(prepared.head.labels))
    if resolve_target(prepared.target, scale="auto", head=prepared.head, whole=whole).index is not None:
        return row_budget(config.sets, len(prepared.groups))
    if isinstance(config.sets, int):
        raise ArgumentError(f'sets={config.sets}: {LARGEST}, or use sets="none"')
    return 0


def _check_rows(prepared: PreparedText, config: AttributionConfig) -> None:
    """Refuse a text for which the method would ask about more rows than can be listed in memory."""
    cost = config.method.cost(len(prepared.groups), len(prepared.encoded.ids))
    if (rows := cost.forward + cost.backward) > MOST_ROWS:
        raise MemoryLimitError(
            f"{format_spec(config.method)} needs {rows:,.0f} passes for a text of {len(prepared.groups):,} units; "
            f"the limit is {MOST_ROWS:,}",
            hint="use fewer steps, larger units or a shorter text",
        )


def attribution_job(prepared: PreparedText, config: AttributionConfig) -> Job[Scores]:
    """The job that scores one text."""
    cost = config.method.cost(len(prepared.groups), len(prepared.encoded.ids))
    rows = ENDS + cost.forward + cost.backward + sets_rows(prepared, config)
    return Job(prepared.with_baseline(config.baseline), attribute(prepared, config), rows)


def to_explanation(prepared: PreparedText, config: AttributionConfig, outcome: JobResult[Scores]) -> Explanation:
    """The result as an explanation with everything its numbers depend on; raises the error of a failed job."""
    scores, head, encoded, method = outcome.unwrap(), prepared.head, prepared.encoded, config.method
    fixed = fixed_spans(encoded.segments, encoded.tokens, prepared.selection)
    assert scores.target is not None
    assert scores.whole is not None
    assert scores.at_baseline is not None
    return Explanation(
        segments=tuple(SegmentInfo(segment.text, segment.name, segment.unread) for segment in encoded.segments),
        units=unit_infos(prepared),
        fixed=tuple(_unit(place.span, place.segment, encoded) for place in fixed),
        scores=tuple(scores.values.tolist()),
        target=scores.target.name,
        scale=scores.target.scale,
        outputs=head.labels,
        output_spans=head.spans or None,
        activation=head.activation,
        whole=tuple(scores.whole.tolist()),
        at_baseline=tuple(scores.at_baseline.tolist()),
        gold=prepared.gold,
        without=_rows(scores.without),
        alone=_rows(scores.alone),
        by_output=_rows(scores.by_output),
        standard_errors=_numbers(scores.standard_errors),
        residuals=_numbers(scores.residuals),
        redundancy=_numbers(scores.redundancy),
        ranking=scores.ranking,
        sets=scores.sets,
        sets_note=scores.sets_note,
        tokens=() if scores.tokens is None else tuple(_tokens(prepared)),
        token_scores=_numbers(scores.tokens),
        features=None if scores.features is None else scores.features.numpy(),
        method=MethodInfo(
            method.name,
            settings(method),
            uses_baseline=method.uses_baseline,
            is_signed=method.is_signed,
            adds_up=method.adds_up,
            summary=method.summary,
            operator=None if method.uses_baseline else method.operator,
        ),
        unit=prepared.selection.unit,
        baseline=config.baseline.name,
        baseline_token=config.baseline.token,
        model=config.model,
        truncated=encoded.is_cut,
        passes=outcome.passes if scores.sets is None else outcome.passes - scores.sets.passes,
        seconds=outcome.seconds,
        versions=dict(versions()),
        warnings=tuple(_warnings(scores, prepared, config)),
    )


@cache
def versions() -> dict[str, str]:
    """The package versions that scores may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


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


def unit_infos(prepared: PreparedText) -> tuple[Unit, ...]:
    """The units of a text, as a result holds them."""
    return tuple(
        replace(_unit(group.span, group.segment, prepared.encoded), unknown=prepared.is_unknown(group))
        for group in prepared.groups
    )


def _unit(span: Span, segment: int, encoded: Encoded) -> Unit:
    return Unit(encoded.segments[segment].text[slice(*span)], *span, segment)


def _warnings(scores: Scores, prepared: PreparedText, config: AttributionConfig) -> Iterator[str]:
    """Warnings of the method, the model, the baseline and the spans, about unknown words and truncation."""
    yield from scores.warnings
    if scores.above:
        named = _first_of([_doubt(unit, scores, prepared) for unit in scores.above])
        yield f"above the tolerance: {named}; use more steps, a larger tolerance or a wider dtype"
    yield from config.warnings
    yield from _unknown_units(scores, prepared)
    if prepared.gold is not None and prepared.head.activation != "none" and prepared.gold not in prepared.head.labels:
        yield f"the gold label {prepared.gold!r} matches none of the model's labels: {prepared.head}"
    yield from span_warnings(prepared.groups, prepared.selection)
    segments = prepared.encoded.segments
    if lost := [_lost(segment, is_alone=len(segments) == 1) for segment in segments if segment.is_cut]:
        kind = {1: "text", 2: "pair"}.get(len(segments), "request")
        yield (
            f"the {kind} was truncated to {len(prepared.encoded.ids)} tokens: "
            f"{' and '.join(lost)} were not read and are not explained"
        )


def _unknown_units(scores: Scores, prepared: PreparedText) -> Iterator[str]:
    """A warning if many units, or one that matters, are unknown to the tokenizer."""
    units = [at for at, group in enumerate(prepared.groups) if prepared.is_unknown(group)]
    sizes = scores.values.abs()
    is_important = any(sizes[at] > 0 and sizes[at] >= UNKNOWN_SHARE * sizes.max() for at in units)
    if is_important or len(units) > UNKNOWN_SHARE * len(prepared.groups):
        yield (
            f"unknown to the tokenizer: {_first_of([_name(at, prepared) for at in units])} "
            f"({len(units)} of {len(prepared.groups)} units); the model reads each as the same token, whatever the word"
        )


def _first_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _name(unit: int, prepared: PreparedText) -> str:
    group = prepared.groups[unit]
    return repr(shorten(_unit(group.span, group.segment, prepared.encoded).text))


def _doubt(unit: int, scores: Scores, prepared: PreparedText) -> str:
    name = _name(unit, prepared)
    return name if scores.residuals is None else f"{name} (residual {float(scores.residuals[unit]):+.2g})"


def _lost(segment: Segment, *, is_alone: bool) -> str:
    what = f"{'first' if segment.read.start else 'last'} {segment.unread:,} characters"
    return f"its {what}" if is_alone else f"the {what} of the {segment.name}"
