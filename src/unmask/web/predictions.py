"""The model's predictions for a text with some units masked or replaced, as requested by a click."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..attribution.attribute import AttributionConfig, PreparedText, unit_infos
from ..attribution.generation import contrasted
from ..attribution.segments import name_segments
from ..attribution.session import ModelSession
from ..engine import Job, JobGroup, JobResult
from ..errors import ArgumentError
from ..questions import Perturbation, Question, ask_outputs
from ..results.answers import read_prediction
from ..results.schema import record_contrast, record_prediction
from ..tasks.fill_mask import FillingReadout
from ..tasks.grouped import GroupedHead
from ..tasks.targets import Contrast, Head, Target
from ..text.request import Request
from .replacing import Replaced, replace_units

Masked = Sequence[int] | Mapping[str, Sequence[int]]  # units, or {"all_but": units}


@dataclass(frozen=True, slots=True)
class Predictions:
    """The masked versions of one text or, if units are replaced, of the edited text."""

    session: ModelSession
    config: AttributionConfig
    request: Request
    prepared: PreparedText
    masked: tuple[frozenset[int], ...]
    edited: tuple[Replaced, PreparedText] | None = None

    def jobs(self) -> list[Job[Tensor] | JobGroup[Tensor]]:
        """Jobs for the original text and for the masked versions; if units are replaced, the edited text is masked."""
        if self.edited is None:
            versions = [Perturbation(), *(mask(self.prepared, units) for units in self.masked)]
            return [self._job(self.request, self.prepared, versions)]
        edit, new = self.edited
        origins = edit.origins(new.groups, self.prepared.groups)
        versions = [mask(new, [at for at, own in enumerate(origins) if units & set(own)]) for units in self.masked]
        return [self._job(self.request, self.prepared, [Perturbation()]), self._job(edit.request, new, versions)]

    def record(self, results: Sequence[JobResult[Tensor]]) -> dict[str, Any]:
        """The predictions as JSON values."""
        rows = [result.unwrap() for result in results]
        whole, masked = rows[0][0], rows[-1][1:] if self.edited is None else rows[-1]
        target = self.prepared.resolve_target(whole, self.config.scale)
        new = self.prepared if self.edited is None else self.edited[1]
        own = self._follow(target, new, masked[0])
        spans = spans_of(self.prepared.head, whole)
        now = [self._moved(outputs, new.head) for outputs in spans]
        start = float(target(whole))
        name = target.name
        return {
            "target": record_contrast(name) if isinstance(name, Contrast) else name,
            "scale": target.scale,
            "unit": self.prepared.selection.unit,
            "baseline": self.config.baseline.name,
            "units": len(self.prepared.groups),
            "labels": list(self.prepared.head.labels),
            "whole": point(self.prepared, target, whole, start) | span_shares(target, spans, whole),
            "results": [point(new, own, row, start) | span_shares(own, now, row) for row in masked],
            **self._replaced(),
        }

    def _follow(self, target: Target, new: PreparedText, whole: Tensor) -> Target:
        """The target for the edited text: the same label, the same words, or the same part of the answer."""
        if self._is_answer:
            return new.resolve_target(whole, self.config.scale)
        if self.edited is None or not isinstance(new.head, GroupedHead):
            return target
        outputs = self._moved(target.outputs, new.head)
        if outputs is None:
            raise ArgumentError("the edited text no longer contains the target", hint="choose another target")
        return new.head.of_tokens(outputs, str(target.name), scale=target.scale)

    def _moved(self, outputs: tuple[int, ...], head: Head) -> tuple[int, ...] | None:
        """The same outputs for the edited text; None if their words are gone."""
        old = self.prepared.head
        if self.edited is None or not (isinstance(old, GroupedHead) and isinstance(head, GroupedHead)):
            return outputs
        return old.moved(outputs, partial(self.edited[0].place, original=self.prepared.groups), head)

    @property
    def _is_answer(self) -> bool:
        return self.prepared.encoded.answer is not None and self.prepared.answer_lengths is None

    def _replaced(self) -> dict[str, Any]:
        if self.edited is None:
            return {"replaced_units": None, "texts": None}
        edit, new = self.edited
        origins = edit.origins(new.groups, self.prepared.groups)
        units = [asdict(unit) | {"from": own} for unit, own in zip(unit_infos(new), origins, strict=True)]
        return {"replaced_units": units, "texts": edit.request.texts}

    def _job(
        self, request: Request, prepared: PreparedText, versions: Sequence[Perturbation]
    ) -> Job[Tensor] | JobGroup[Tensor]:
        """The raw outputs of all versions, [versions, outputs]; for two continuations, their log-probabilities."""
        if prepared.answer_lengths is None or not isinstance(prepared.target, Contrast):
            return outputs_job(prepared.with_baseline(self.config.baseline), versions)
        parts = [self.session.prepare(one, self.config) for one in contrasted(request, prepared.target)]
        divisors = (1, 1) if prepared.head.activation == "sequence" else prepared.answer_lengths

        def combine(rows: Sequence[Tensor]) -> Tensor:
            known = zip(parts, rows, divisors, strict=True)
            return torch.stack(
                [part.resolve_target(row[0], "log_probability")(row) / size for part, row, size in known], -1
            )

        return JobGroup([outputs_job(part, versions) for part in parts], combine)


def plan_predictions(
    session: ModelSession,
    request: Request,
    config: AttributionConfig,
    *,
    masked: Iterable[Masked],
    replaced: Mapping[int, str] | None = None,
) -> Predictions:
    """Prepare the requested versions of a text."""
    prepared = session.prepare(request, config)
    sets = tuple(read_masked(one, len(prepared.groups)) for one in masked)
    if not replaced:
        return Predictions(session, config, request, prepared, sets)
    if not session.is_generative:
        request = name_segments(session.adapter.task, request)  # in the order of the prepared units
    edit, answer, given = replace_units(request, prepared, replaced), prepared.encoded.answer, config
    if answer is not None and prepared.answer_lengths is None:  # keep the answer instead of generating a new one
        edit = replace(edit, request=replace(edit.request, continuation=answer.text))
        given = replace(config, answers=replace(config.answers, include_stop=False))
    new = with_head_of(prepared, session.prepare(edit.request, given))
    return Predictions(session, config, request, prepared, sets, (edit, new))


def with_head_of(prepared: PreparedText, new: PreparedText) -> PreparedText:
    """The edited text with the outputs of the original one: the same fillings, and choices by their old names."""
    if prepared.encoded.answer is not None or isinstance(new.head, GroupedHead):
        return new
    if isinstance(prepared.readout, FillingReadout) and isinstance(new.readout, FillingReadout):
        new = replace(new, readout=replace(new.readout, ids=prepared.readout.ids))
    return replace(new, head=prepared.head)


def read_masked(masked: Masked, count: int) -> frozenset[int]:
    """The units of a masked set; rejects units that the text does not have."""
    units = set(masked["all_but"] if isinstance(masked, Mapping) else masked)
    if any(not 0 <= unit < count for unit in units):
        raise ArgumentError(f"masked: the text has {count} units, numbered 0 to {count - 1}")
    return frozenset(range(count)) - units if isinstance(masked, Mapping) else frozenset(units)


def mask(prepared: PreparedText, units: Iterable[int]) -> Perturbation:
    """The text with these units masked."""
    return Perturbation(tuple(sorted(token for unit in units for token in prepared.units[unit])))


def outputs_job(prepared: PreparedText, versions: Sequence[Perturbation]) -> Job[Tensor]:
    """The job that computes the raw outputs of versions of a text."""

    def ask() -> Generator[Question, Tensor, Tensor]:
        return (yield from ask_outputs(versions))

    return Job(prepared, ask(), len(versions))


def point(prepared: PreparedText, target: Target, row: Tensor, start: float) -> dict[str, Any]:
    """One prediction as JSON values; `start` is the target's value for the original text."""
    head, value = prepared.head, float(target(row))
    raw = np.array(head.values(row).tolist())
    answer = prepared.encoded.answer
    said = record_prediction(read_prediction(plain(head), raw, answer=answer.text if answer else ""), head.activation)
    shares = {"token_probabilities": head.probabilities(raw).tolist()} if head.activation == "token" else {}
    return {**said, "value": value, "change": value - start, "outputs": raw.tolist(), **shares}


def spans_of(head: Head, whole: Tensor) -> list[tuple[int, ...]]:
    """The outputs of each predicted span of the text; none for a task without spans."""
    return head.predicted_spans(np.array(whole.tolist())) if isinstance(head, GroupedHead) else []


def span_shares(target: Target, spans: Sequence[tuple[int, ...] | None], row: Tensor) -> dict[str, Any]:
    """The probabilities of the target and of each span; null for a span that is not in the edited text."""
    head = target.head
    if not isinstance(head, GroupedHead):
        return {}
    raw = np.array(row.tolist())
    shares = [None if outputs is None else head.probability(raw, outputs) for outputs in spans]
    return {"target_probability": head.probability(raw, target.outputs), "span_probabilities": shares}


def plain(head: Head) -> Head:
    """A head with only what says what raw outputs mean: the labels, the activation, and the places of tags."""
    return head if isinstance(head, GroupedHead) else Head(head.labels, head.activation)
