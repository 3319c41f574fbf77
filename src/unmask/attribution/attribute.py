"""Attribution of one text: runs the inputs that a method requests, and builds the explanation from the outputs."""

import platform
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from math import nan
from typing import TypeAlias

import numpy as np
from torch import Tensor, from_numpy

from ..engine import EngineText, Job, JobResult
from ..engine.windows import TextParts
from ..errors import ArgumentError, MemoryLimitError
from ..methods.base import Method, settings
from ..methods.spec import format_spec
from ..models.adapter import Baseline
from ..models.vocabulary import Vocabulary
from ..questions import Instance, Perturbation, Question, Scores, ask_outputs
from ..results.answers import Cells, context_effect, missing_cells, without_missing
from ..results.deciding_sets import NOT_ASKED
from ..results.explanation import Explanation
from ..results.metadata import MethodInfo, ModelInfo, OutputToken, SegmentInfo, TokenInfo, Unit
from ..tasks.similarity import pair_scores
from ..tasks.targets import Head, Target, TargetName, resolve_target
from ..text.spans import Span
from ..text.units import AlignedUnit, UnitSelection, fixed_spans
from .answers import AnswerConfig
from .deciding_sets import LARGEST, Sets, find_sets, row_budget
from .set_ledger import RowRecord
from .text_warnings import text_warnings, unit_at
from .windows import Long, ask_window_scores

MOST_ROWS = 1_000_000  # per text
Raw: TypeAlias = tuple[tuple[float, ...], ...]  # raw outputs for several texts
ENDS = 2  # passes in addition to the method's: the unaltered text, and all units masked


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
    task: str = "classification"
    model_warning: str | None = None
    sets: Sets = "none"
    answers: AnswerConfig = field(default_factory=AnswerConfig)  # for language models
    long: Long = "cut"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that apply to every text."""
        return tuple(warning for warning in (self.model_warning, self.baseline.warning) if warning is not None)

    def instance(self, whole: Tensor, target: Target, prepared: "PreparedText") -> Instance:
        """Build the instance that is passed to the method."""
        encoded, end = prepared.encoded, self.baseline.id
        start = None if encoded.answer is None else encoded.answer.start
        fixed = prepared.own_baseline
        return Instance(prepared.units, whole, target, encoded.ids, end, self.precision, self.vocabulary, fixed, start)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText(EngineText):
    """A request prepared for the model: tokens, units, outputs and target."""

    selection: UnitSelection
    groups: tuple[AlignedUnit, ...]
    target: TargetName
    head: Head
    label: str | float | None = None  # the gold label as given
    documents: tuple[int, ...] = ()  # tokens of a prompt's documents
    blocks: tuple[int, ...] = ()  # segments of a prompt that are also masked as a whole
    detail: "PreparedText | None" = None  # the same text in smaller units
    answer_lengths: tuple[int, int] | None = None  # the lengths of two contrasted continuations, in tokens
    warnings: tuple[str, ...] = ()

    @property
    def gold(self) -> str | None:
        """The name of the gold label, or the label as given if the model has no such output or is a regression."""
        index = None if self.head.activation == "none" else self.head.gold_index(self.label)
        if index is not None:
            return self.head.labels[index]
        return None if self.label is None else str(self.label)

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """The token positions of each unit."""
        return tuple(group.tokens for group in self.groups)

    def is_unknown(self, group: AlignedUnit) -> bool:
        """Whether the unit consists of unknown tokens only."""
        return all(self.encoded.tokens[token].unknown for token in group.tokens)

    def with_baseline(self, baseline: Baseline) -> "PreparedText":
        """The same text with another baseline."""
        return self if baseline == self.baseline else replace(self, baseline=baseline)

    def resolve_target(self, whole: Tensor, scale: str) -> Target:
        """Resolve the target from the outputs for the unaltered text."""
        return resolve_target(self.target, scale=scale, head=self.head, whole=whole)


def attribute(prepared: PreparedText, config: AttributionConfig) -> Generator[Question, Tensor, Scores]:
    """Run the text unchanged and with all units masked, then the method and, if requested, the search for sets."""
    _check_rows(prepared, config)
    everything = Perturbation(tuple(sorted(token for unit in prepared.units for token in unit)))
    removed = [Perturbation(dropped=prepared.documents)] if prepared.documents else []
    record, blocks = RowRecord(prepared.own_baseline), block_perturbations(prepared, config.method)
    rows = [Perturbation(), everything, *removed, *blocks]
    whole, at_baseline, *bare = outputs = yield from record.follow(ask_outputs(rows))
    target = prepared.resolve_target(whole, config.scale)
    instance = config.instance(whole, target, prepared)
    sets, note = None, NOT_ASKED if config.sets == "none" else LARGEST if target.is_largest else None
    asking = config.method.ask(instance)
    scores = yield from (asking if note else record.follow(asking))
    if note is None:
        budget = sets_rows(prepared, config)
        split = TextParts(prepared).split
        sets, note = yield from find_sets(instance, record, budget=budget, unit=prepared.selection.unit, split=split)
    windows = yield from ask_window_scores(prepared, scores, removes=not config.method.uses_baseline)
    ends = {"whole": whole, "at_baseline": at_baseline, "without_documents": bare[0] if removed else None}
    ends["without_blocks"] = outputs[-len(blocks) :] if blocks else None
    return replace(scores, target=target, **ends, sets=sets, sets_note=note, windows=windows)


def block_perturbations(prepared: PreparedText, method: Method) -> list[Perturbation]:
    """Return one perturbation per block, with all of its units removed or masked (whichever the method does)."""
    tokens = [
        tuple(sorted(token for group in prepared.groups if group.segment == block for token in group.tokens))
        for block in prepared.blocks
    ]
    return [Perturbation(dropped=one) if method.removes else Perturbation(one) for one in tokens]


def sets_rows(prepared: PreparedText, config: AttributionConfig) -> int:
    """Return how many passes the search for sets may use; reject an explicit number if the target cannot have sets."""
    if config.sets == "none":
        return 0
    whole = np.zeros(prepared.head.width)
    if not resolve_target(prepared.target, scale="auto", head=prepared.head, whole=whole).is_largest:
        return row_budget(config.sets, len(prepared.groups))
    if isinstance(config.sets, int):
        raise ArgumentError(f'sets={config.sets}: {LARGEST}, or use sets="none"')
    return 0


def _check_rows(prepared: PreparedText, config: AttributionConfig) -> None:
    """Reject a text for which the method would need more passes than fit in memory."""
    cost = config.method.cost(len(prepared.groups), len(prepared.encoded.ids))
    if (rows := cost.forward + cost.backward) > MOST_ROWS:
        raise MemoryLimitError(
            f"{format_spec(config.method)} needs {rows:,.0f} passes for a text of {len(prepared.groups):,} units; "
            f"the limit is {MOST_ROWS:,}",
            hint="use fewer steps, larger units or a shorter text",
        )


def attribution_job(prepared: PreparedText, config: AttributionConfig) -> Job[Scores]:
    """Create the job that scores one text."""
    cost = config.method.cost(len(prepared.groups), len(prepared.encoded.ids))
    rows = ENDS + len(prepared.blocks) + cost.forward + cost.backward + sets_rows(prepared, config)
    return Job(prepared.with_baseline(config.baseline), attribute(prepared, config), rows)


def to_explanation(prepared: PreparedText, config: AttributionConfig, outcome: JobResult[Scores]) -> Explanation:
    """Turn a result into an explanation that records everything its numbers depend on; raise a failed job's error."""
    scores, head, encoded, method = outcome.unwrap(), prepared.head, prepared.encoded, config.method
    fixed = fixed_spans(encoded.segments, encoded.tokens, prepared.selection)
    assert scores.target is not None
    assert scores.whole is not None
    assert scores.at_baseline is not None
    segments = tuple(SegmentInfo(one.text, one.name, one.unread, one.role) for one in encoded.segments)
    units = unit_infos(prepared)
    tokens = _output_tokens(prepared, head.values(scores.whole))
    missing = missing_cells(units, segments, tokens)
    return Explanation(
        segments=segments,
        units=units,
        fixed=tuple(unit_at(place.span, place.segment, encoded) for place in fixed),
        scores=without_missing(scores.values.tolist(), missing, scores.target.outputs),
        target=scores.target.name,
        scale=scores.target.scale,
        outputs=head.labels,
        output_spans=head.spans or None,
        activation=head.activation,
        output_tokens=tokens,
        output_lengths=prepared.answer_lengths,
        detail=_detail(prepared, config, outcome),
        without_segments=_by_segment(prepared, _rows(scores.without_blocks, head)),
        without_context=context_effect(scores.target, scores.whole, scores.without_documents),
        target_outputs=scores.target.outputs or None,
        continuation=None if encoded.answer is None or prepared.answer_lengths else encoded.answer.text,
        whole=tuple(head.values(scores.whole).tolist()),
        at_baseline=tuple(head.values(scores.at_baseline).tolist()),
        gold=prepared.gold,
        windows=scores.windows,
        without=_rows(scores.without, head),
        alone=_rows(scores.alone, head),
        by_output=_rows(_masked(scores.by_output, missing), head),
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
        task=config.task,
        pair_scores=pair_scores(prepared.readout, prepared.groups, scores),
        unit=prepared.selection.unit,
        baseline=config.baseline.name,
        baseline_token=config.baseline.token,
        model=config.model,
        truncated=encoded.is_cut,
        passes=outcome.passes if scores.sets is None else outcome.passes - scores.sets.passes,
        seconds=outcome.seconds,
        versions=dict(versions()),
        warnings=tuple(text_warnings(scores, prepared, config)),
    )


@cache
def versions() -> dict[str, str]:
    """The package versions that scores may depend on."""
    return {name: version(name) for name in ("unmask", "torch", "transformers")} | {"python": platform.python_version()}


def _numbers(values: Tensor | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(values.tolist())


def _rows(values: Tensor | None, head: Head) -> Raw | None:
    return None if values is None else tuple(map(tuple, head.values(values).tolist()))


def _by_segment(prepared: PreparedText, rows: Raw | None) -> tuple[tuple[float, ...] | None, ...] | None:
    """Return the outputs with each segment masked; None for segments that are never masked as a whole."""
    if rows is None:
        return None
    known = dict(zip(prepared.blocks, rows, strict=True))
    return tuple(known.get(at) for at in range(len(prepared.encoded.segments)))


def _detail(prepared: PreparedText, config: AttributionConfig, outcome: JobResult[Scores]) -> Explanation | None:
    """Build the explanation of the same text in smaller units; None if there is only one level of units."""
    inner = outcome.unwrap().detail
    if prepared.detail is None or inner is None:
        return None
    return to_explanation(prepared.detail, config, replace(outcome, result=inner))


def _masked(values: Tensor | None, missing: Cells | None) -> Tensor | None:
    """Replace the values of entries that do not exist with NaN."""
    return values if values is None or missing is None else values.masked_fill(from_numpy(missing), nan)


def _output_tokens(prepared: PreparedText, whole: Tensor) -> tuple[OutputToken, ...]:
    """The tokens of an answer with their probabilities; empty for a contrast or a classifier."""
    answer, ids = prepared.encoded.answer, prepared.encoded.ids
    if answer is None or prepared.answer_lengths is not None:
        return ()
    parts = zip(ids[answer.start :], answer.tokens, answer.spans, prepared.head.probabilities(whole), strict=True)
    return tuple(OutputToken(one, text, *span, float(share)) for one, text, span, share in parts)


def _tokens(prepared: PreparedText) -> Iterator[TokenInfo]:
    units = {token: unit for unit, group in enumerate(prepared.groups) for token in group.tokens}
    for place, token in enumerate(prepared.encoded.tokens):
        span = Span(0, 0) if token.special else token.span
        text = prepared.encoded.segments[token.segment].text[slice(*span)]
        yield TokenInfo(text, *span, token.segment, units.get(place))


def unit_infos(prepared: PreparedText) -> tuple[Unit, ...]:
    """Return the units of a text in the form that results store."""
    return tuple(
        replace(unit_at(group.span, group.segment, prepared.encoded), unknown=prepared.is_unknown(group))
        for group in prepared.groups
    )
