"""Estimates the cost of explaining texts: counts the forward passes and times a few batches."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import numpy as np
import torch

from ..engine import Engine, EngineText, Job, JobGroup, PendingRow
from ..engine.job import ActiveJob
from ..engine.windows import TextParts
from ..errors import UnmaskError
from ..questions import DeepLiftQuery, Embeddings, Perturbation, Scores
from ..results.metadata import Passes
from ..text.request import Request, TextLike, as_request
from .attribute import AttributionConfig, PreparedText, attribution_job, sets_rows
from .session import ModelSession

Kind: TypeAlias = tuple[int, bool]  # an input's length in tokens, and whether it needs a gradient
LENGTHS = 5  # number of input lengths to time


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated cost of explaining some texts on this machine.

    `failed` counts texts that cannot be explained, and `passes` counts inputs that the model must read. If `is_least`,
    `passes` is a lower bound: the method refines its scores and may take several times as many. If `is_most`, it is an
    upper bound: the search for deciding sets may take fewer.
    """

    texts: int
    failed: int
    units: int
    passes: int
    seconds: float
    is_least: bool = False
    is_most: bool = False


def estimate(texts: Iterable[TextLike], config: AttributionConfig, session: ModelSession) -> Estimate:
    """Count the units and passes of all texts, and time inputs of a few lengths.

    A language model generates its answers for the estimate, and again when the prompts are explained.
    """
    count = failed = units = 0
    rows, examples, preparing = Counter[Kind](), dict[Kind, PendingRow](), 0.0
    for text in texts:
        count += 1
        begun = time.perf_counter()
        prepared = session.try_prepare(text, config)
        took = time.perf_counter() - begun
        try:
            if isinstance(prepared, UnmaskError):
                raise prepared
            assert not isinstance(text, UnmaskError)  # such a text cannot have been prepared
            needed = _needed(session, as_request(text), prepared, config)
        except UnmaskError:
            failed += 1
        else:
            preparing += took
            units += len(prepared.groups)
            for row in needed:
                kind = (row.length, row.target is not None)
                rows[kind] += 1
                examples.setdefault(kind, row)
    seconds = preparing + _seconds(rows, examples, session.engine)
    is_most = config.sets != "none"
    return Estimate(count, failed, units, rows.total(), seconds, is_least=config.method.refines, is_most=is_most)


def _needed(
    session: ModelSession, request: Request, prepared: PreparedText, config: AttributionConfig
) -> list[PendingRow]:
    """Return the inputs that explaining a text takes, with those for words (`detail`) or both contrasted answers."""
    if prepared.detail is None and prepared.answer_lengths is None:
        return rehearse(prepared, config, session.engine)
    job = session.job(request, prepared, replace(config, sets="none"))
    if isinstance(job, UnmaskError):
        raise job
    jobs = job.jobs if isinstance(job, JobGroup) else [job]
    return [row for one in jobs for row in _rehearse(one, session.engine)]


def rehearse(prepared: PreparedText, config: AttributionConfig, engine: Engine) -> list[PendingRow]:
    """Return the inputs that a text needs if all outputs are zero and the search for sets uses all its passes.

    A method that refines its scores may need more.
    """
    part = TextParts(prepared).texts[0]  # windows are about equally long
    searched = [PendingRow(part, Perturbation())] * sets_rows(prepared, config)
    return searched + _rehearse(attribution_job(prepared, replace(config, sets="none")), engine)


def _rehearse(job: Job[Scores], engine: Engine) -> list[PendingRow]:
    """Return the inputs that a job would request if the model's outputs were all zero."""
    prepared = cast(PreparedText, job.text)
    rows, length = list[PendingRow](), len(prepared.encoded.ids)
    outputs, product = torch.zeros(prepared.head.width).double(), torch.zeros(length, 1).double()

    def single_text(text: EngineText, question: Embeddings | DeepLiftQuery) -> tuple[torch.Tensor, Passes]:
        if isinstance(question, Embeddings):
            return engine.vectors(text), Passes(0, 0)
        ends = (Perturbation(), question.perturbation)
        rows.extend(PendingRow(text, end, question.target) for end in ends)
        return product, Passes(0, 0)

    active = ActiveJob(job, single_text=single_text)
    while not active.is_done:
        for row in active.rows():
            rows.append(row)
            active.accept(row, outputs, None if row.target is None else product, seconds=0.0)
    if active.error is not None:
        raise active.error
    return rows


def _seconds(rows: Counter[Kind], examples: dict[Kind, PendingRow], engine: Engine) -> float:
    """Estimate the time for all inputs, with and without gradients, by interpolating between a few timed lengths."""
    total = 0.0
    for has_gradient in {has_gradient for _, has_gradient in rows}:
        lengths = np.array(sorted(length for length, kind in rows if kind is has_gradient))
        counts = np.array([rows[length, has_gradient] for length in lengths])
        shares = np.cumsum(counts) / counts.sum()
        timed = sorted({int(lengths[np.searchsorted(shares, share)]) for share in np.linspace(0, 1, LENGTHS)})
        seconds = list(engine.seconds_per_row([examples[length, has_gradient] for length in timed]))
        total += float(counts @ np.interp(lengths, timed, seconds))
    return total
