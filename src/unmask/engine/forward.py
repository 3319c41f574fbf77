"""Runs one batch: turns perturbations into embeddings, and raw outputs into the task's outputs."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import Tensor

from ..errors import ArgumentError, MethodError
from ..models.adapter import IGNORED, Adapter, Baseline, Batch, Encoded
from ..models.precision import without_autocast
from ..questions import Perturbation, Point, Question
from ..tasks.targets import Target
from ..tasks.task import Readout, SequentialReadout

if TYPE_CHECKING:
    from .job import ActiveJob

Run: TypeAlias = Callable[[Batch, Tensor], Tensor]
OUT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")  # CUDA and MPS, Windows, Linux


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineText:
    """A text prepared for the engine: everything that its perturbations have in common."""

    encoded: Encoded
    baseline: Baseline  # what replaces masked tokens
    readout: Readout  # how its outputs are read
    own_baseline: frozenset[int] = frozenset()  # tokens whose baseline is their own embedding
    shares_prefix: bool = False  # whether tokens before the first altered one may be computed once and reused
    windows: tuple[Encoded, ...] = ()  # if the text exceeds the model's limit; `encoded` concatenates their tokens


@dataclass(frozen=True, slots=True, eq=False)
class PendingRow:
    """One model input: a perturbation of a text. If it has a target, the target's gradient is computed too."""

    text: EngineText
    perturbation: Perturbation
    target: Target | None = None
    step: Tensor | None = None  # the gradient is multiplied by this; by default text - baseline
    owner: "ActiveJob[Any] | None" = None  # the job that waits for the outputs
    question: Question | None = None
    key: tuple[int, Perturbation] | int | None = None  # a part of the text and its perturbation, or a question's index

    def is_same(self, other: "PendingRow") -> bool:
        """Whether both stand for the same input; a job creates new objects each time it lists its inputs."""
        return self.owner is other.owner and self.key == other.key

    @property
    def length(self) -> int:
        """The number of tokens."""
        return len(self.text.encoded.ids) - len(self.perturbation.dropped)

    @property
    def encoded(self) -> Encoded:
        """The text without the dropped tokens."""
        dropped = frozenset(self.perturbation.dropped)
        return self.text.encoded.without(dropped) if dropped else self.text.encoded

    @property
    def moving(self) -> list[int]:
        """The tokens whose embedding is replaced; excludes tokens whose baseline is their own embedding."""
        if self.ignored:
            return []
        fixed = self.text.own_baseline if self.perturbation.to == "baseline" else ()
        return [token for token in self.perturbation.moved if token not in fixed]

    @property
    def ignored(self) -> tuple[int, ...]:
        """The tokens that are hidden from attention."""
        to, alpha = self.perturbation.to, self.perturbation.alpha
        if not (to == IGNORED or (to == "baseline" and self.text.baseline.is_ignored)) or alpha == 1:
            return ()
        if alpha:
            raise ArgumentError("an ignored token has no embedding for a path to start from; use another baseline")
        return self.perturbation.moved

    @property
    def read_at(self) -> list[int] | None:
        """The positions whose outputs are needed, counted without dropped tokens; None if all are."""
        readout = self.text.readout
        if (positions := readout.positions) is None:
            return None
        absent = {*self.perturbation.dropped, *self.ignored}
        if absent and isinstance(readout, SequentialReadout):
            positions = readout.positions_without(absent)
        return self.places(positions)

    @property
    def shared(self) -> int:
        """The number of leading tokens that are unaltered and precede every position whose output is needed."""
        altered = (*self.perturbation.dropped, *self.ignored, *self.moving)
        return min((*altered, *(self.read_at or (0,)), self.length - 1), default=0)

    def places(self, tokens: Iterable[int]) -> list[int]:
        """Convert token positions in the text to positions counted without dropped tokens."""
        dropped = self.perturbation.dropped
        return [token - bisect_left(dropped, token) for token in tokens] if dropped else list(tokens)


def is_finite(numbers: Tensor) -> bool:
    """Whether all values are finite. Checks the sum first, which takes a quarter of the time."""
    return math.isfinite(float(numbers.sum())) or bool(torch.isfinite(numbers).all())


def is_out_of_memory(error: Exception) -> bool:
    """Whether a batch did not fit in memory."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY)


def run_rows(
    adapter: Adapter, rows: Sequence[PendingRow], *, run: Run | None = None
) -> list[tuple[Tensor, Tensor | None]]:
    """Run a batch. Return each row's outputs, [outputs], and its target's gradient times its step, [tokens, width].

    Either all rows have a target or none; without targets, there are no gradients. The results are in double precision
    on the CPU.

    Args:
        run: Maps a batch and its embeddings to raw outputs, without gradients; by default, the adapter's method.
    """
    if rows[0].target is not None:
        return gradient_rows(adapter, rows)
    with adapter.inference_context(), without_autocast(), torch.inference_mode():
        batch = _batch(adapter, rows)
        raw = (run or adapter.outputs)(batch, perturbed_embeddings(adapter, batch, rows))
        return [(outputs, None) for outputs in _to_cpu(read_out(raw, rows, batch))]


def gradient_rows(adapter: Adapter, rows: Sequence[PendingRow]) -> list[tuple[Tensor, Tensor | None]]:
    """Return the outputs, and each target's gradient times its step. Parameters get no gradient."""
    with adapter.inference_context(), without_autocast(), torch.inference_mode(mode=False), torch.enable_grad():
        batch = _batch(adapter, rows)
        with torch.no_grad():
            moves = _Moves(adapter, batch, rows)
            steps, vectors = moves.steps(), moves.altered()
        vectors.requires_grad_()
        raw = adapter.outputs(batch, vectors.clone())  # a model may modify its input
        check_differentiable(raw)
        groups = read_out(raw, rows, batch)
        (gradient,) = torch.autograd.grad(_total(groups, rows), vectors)
        products, outputs = (gradient * steps).double().cpu(), _to_cpu(groups)
        return [(outputs[place], products[place, : row.length]) for place, row in enumerate(rows)]


def text_and_baseline(adapter: Adapter, text: EngineText) -> Tensor:
    """Return the embeddings of a text and of its baseline at every token, [2, tokens, width]."""
    with adapter.inference_context(), torch.inference_mode(mode=False), torch.no_grad():
        row = PendingRow(text, Perturbation(tuple(range(len(text.encoded.ids)))))
        moves = _Moves(adapter, adapter.batch([text.encoded]), [row])
        return torch.stack([moves.written[0], moves.destination[0]]).double().cpu()


def perturbed_embeddings(adapter: Adapter, batch: Batch, rows: Sequence[PendingRow]) -> Tensor:
    """Return the embeddings of perturbations, [rows, length, width]; call it inside the adapter's inference context."""
    return _Moves(adapter, batch, rows).altered()


def check_differentiable(outputs: Tensor) -> None:
    """Reject outputs without a gradient."""
    if not outputs.requires_grad:
        raise MethodError(
            "this model has no gradient: part of it, such as quantized weights, is not differentiable",
            hint="use a method without gradients: sig, leave_one_in or shapley",
        )


def read_out(raw: Tensor, rows: Sequence[PendingRow], batch: Batch) -> list[tuple[list[int], Tensor]]:
    """Group rows by readout and target; return each group's row indices and outputs, [rows, outputs], on the device."""
    groups: dict[tuple[Readout, Target | None], list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row.text.readout, row.target), []).append(place)
    return [
        (places, readout.reduce(_at_positions(raw, rows, places, readout, batch)))
        for (readout, _), places in groups.items()
    ]


def _batch(adapter: Adapter, rows: Sequence[PendingRow]) -> Batch:
    """Convert rows to tensors; also list the positions that are read, unless some row needs all of them."""
    batch, asked = _ignoring(adapter.batch([row.encoded for row in rows]), rows), set[int]()
    for row in rows:
        if (positions := row.read_at) is None:
            return batch
        asked.update(positions)
    return replace(batch, positions=torch.tensor(sorted(asked), device=batch.ids.device))


def _ignoring(batch: Batch, rows: Sequence[PendingRow]) -> Batch:
    """Return the batch with each row's ignored tokens marked."""
    places = [row.places(row.ignored) for row in rows]
    if not any(places):
        return batch
    ignored = torch.zeros_like(batch.ids, dtype=torch.bool)
    for row, tokens in zip(ignored, places, strict=True):
        row[tokens] = True
    return replace(batch, ignored=ignored)


def _at_positions(raw: Tensor, rows: Sequence[PendingRow], places: list[int], readout: Readout, batch: Batch) -> Tensor:
    """Return the raw outputs of some rows, only at the readout's positions if it has any."""
    if readout.positions is None:
        return raw if len(places) == len(rows) else raw[places]
    read = [rows[place].read_at for place in places]
    tokens = torch.tensor(read, device=raw.device)
    if batch.positions is not None and raw.shape[1] == len(batch.positions):  # the adapter returned only these
        if len(places) == len(rows) and all(one == read[0] for one in read):
            return raw  # all positions are read: a copy would take a tenth of the model's own time
        tokens = torch.searchsorted(batch.positions.to(raw.device), tokens)
    return raw[torch.tensor(places, device=raw.device)[:, None], tokens]


def _to_cpu(groups: Sequence[tuple[list[int], Tensor]]) -> list[Tensor]:
    """Copy each row's outputs to the CPU in one transfer, in double precision, without keeping larger tensors alive."""
    flat = torch.cat([outputs.detach().flatten() for _, outputs in groups]).cpu().double()
    places = [place for group, _ in groups for place in group]
    vectors = flat.split([outputs.shape[1] for group, outputs in groups for _ in group])
    return [vector for _, vector in sorted(zip(places, vectors, strict=True), key=lambda pair: pair[0])]


def _total(groups: Sequence[tuple[list[int], Tensor]], rows: Sequence[PendingRow]) -> Tensor:
    """Sum the targets of all rows. Rows are independent, so the sum's gradient contains the gradient of each."""
    totals = []
    for places, outputs in groups:
        target = rows[places[0]].target
        assert target is not None
        totals.append(target(outputs.double()).sum())
    return torch.stack(totals).sum()


class _Moves:
    """Interpolates between each text of a batch and its replacement; all tensors are [rows, length, width]."""

    def __init__(self, adapter: Adapter, batch: Batch, rows: Sequence[PendingRow]) -> None:
        self._adapter, self._batch, self._rows = adapter, batch, rows

    def altered(self) -> Tensor:
        """The embeddings, with moved tokens at to + alpha * (written - to)."""
        alphas = [row.perturbation.alpha for row in self._rows]
        if not any(alphas):
            return self.destination
        alpha = torch.tensor(alphas, dtype=torch.float64).to(self.destination)
        return self.destination + alpha[:, None, None] * self._difference

    def steps(self) -> Tensor:
        """The factor to multiply each token's gradient by; zero for tokens that are not replaced."""
        if all(row.step is None for row in self._rows):
            return self._difference
        steps = self._difference.clone()
        for place, row in enumerate(self._rows):
            if row.step is not None:
                steps[place, list(row.perturbation.moved)] = row.step.to(steps).expand(len(row.perturbation.moved), -1)
        return steps

    @cached_property
    def written(self) -> Tensor:
        """The embeddings of the text itself."""
        return self._adapter.embed(self._batch.ids)

    @cached_property
    def destination(self) -> Tensor:
        """The embeddings, with the replacement for each replaced token."""
        ids, ends = self._batch.ids.clone(), [self._end(row) for row in self._rows]
        for place, (end, row) in enumerate(zip(ends, self._rows, strict=True)):
            if isinstance(end, int):
                ids[place, row.places(row.moving)] = end
        vectors = self._adapter.embed(ids)
        for place, (end, row) in enumerate(zip(ends, self._rows, strict=True)):
            if not isinstance(end, int):
                vectors[place, row.places(row.moving)] = 0.0 if end is None else end.to(vectors)
        return vectors

    @cached_property
    def _difference(self) -> Tensor:
        return self.written - self.destination

    def _end(self, row: PendingRow) -> int | Tensor | None:
        """Return the replacement for a row's tokens: a token id or embeddings; None for the zero vector."""
        to = row.perturbation.to
        if isinstance(to, Point):
            return to.vectors
        return (row.text.baseline if to == "baseline" else self._adapter.baseline(to)).id
