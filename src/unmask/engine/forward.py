"""One batch through the model: probes become vectors here and nowhere else."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from ..errors import ModelError
from ..models.adapter import Adapter, Baseline, Batch, Encoded
from ..questions import Perturbation, Point
from ..tasks.targets import Target

OUT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")  # CUDA and MPS, Windows, Linux


@dataclass(frozen=True, slots=True)
class Subject:
    """What all altered versions of one text share."""

    encoded: Encoded
    baseline: Baseline
    kept: frozenset[int] = frozenset()  # tokens whose baseline is their own vector


@dataclass(frozen=True, slots=True)
class Row:
    """One altered version of one text; with a target, whose gradient is wanted there too."""

    subject: Subject
    perturbation: Perturbation
    target: Target | None = None
    step: Tensor | None = None  # that the gradient is multiplied by, else written - to

    @property
    def length(self) -> int:
        """Its tokens."""
        return len(self.subject.encoded.ids) - len(self.perturbation.dropped)

    @property
    def encoded(self) -> Encoded:
        """The tokens that are there."""
        dropped = frozenset(self.perturbation.dropped)
        return self.subject.encoded.without(dropped) if dropped else self.subject.encoded

    @property
    def going(self) -> list[int]:
        """The tokens that move; on the way to the baseline not those whose baseline is their own vector."""
        kept = self.subject.kept if self.perturbation.to == "baseline" else ()
        return [token for token in self.perturbation.moved if token not in kept]

    def places(self, tokens: Iterable[int]) -> list[int]:
        """Where tokens of the text stand among those that are there."""
        dropped = self.perturbation.dropped
        return [token - bisect_left(dropped, token) for token in tokens] if dropped else list(tokens)


@dataclass(frozen=True, slots=True)
class RowOutput:
    """What the model says of one row."""

    outputs: Tensor  # [outputs]
    slope: Tensor | None = None  # [tokens, width]: gradient times step, zero for what did not move

    @property
    def is_finite(self) -> bool:
        """Whether all of it are numbers."""
        return all(_is_finite(part) for part in (self.outputs, self.slope) if part is not None)


def _is_finite(numbers: Tensor) -> bool:
    """Their sum says it, and in a quarter of the time, but for numbers so large that it overflows."""
    return math.isfinite(float(numbers.sum())) or bool(torch.isfinite(numbers).all())


def is_out_of_memory(error: Exception) -> bool:
    """Whether a batch was too large for this machine."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY)


def run_rows(adapter: Adapter, rows: Sequence[Row]) -> list[RowOutput]:
    """The answers to rows that all want a gradient, or none of which does; in double precision and off the device."""
    if rows[0].target is None:
        return [RowOutput(outputs) for outputs in output_rows(adapter, rows)]
    return gradient_rows(adapter, rows)


def output_rows(adapter: Adapter, rows: Sequence[Row]) -> Tensor:
    """The raw outputs of altered texts, [rows, outputs]."""
    with adapter.inference_context(), torch.inference_mode():
        batch = adapter.batch([row.encoded for row in rows])
        return adapter.outputs(batch, _Moves(adapter, batch, rows).altered()).cpu().double()


def gradient_rows(adapter: Adapter, rows: Sequence[Row]) -> list[RowOutput]:
    """The raw outputs, and the gradient of each row's target times its step. No parameter gets a gradient."""
    with adapter.inference_context(), torch.inference_mode(mode=False), torch.enable_grad():
        batch = adapter.batch([row.subject.encoded for row in rows])
        with torch.no_grad():
            moves = _Moves(adapter, batch, rows)
            steps, vectors = moves.steps(), moves.altered()
        vectors.requires_grad_()
        outputs = adapter.outputs(batch, vectors.clone())  # a model may write into what it gets
        check_differentiable(outputs)
        (gradient,) = torch.autograd.grad(_total(outputs.double(), rows), vectors)
        found, raw = (gradient * steps).double().cpu(), outputs.detach().double().cpu()
        return [RowOutput(raw[place], found[place, : row.length]) for place, row in enumerate(rows)]


def text_and_baseline(adapter: Adapter, subject: Subject) -> Tensor:
    """The vectors of a text and of its baseline at every place, [2, tokens, width]."""
    with adapter.inference_context(), torch.inference_mode(mode=False), torch.no_grad():
        row = Row(subject, Perturbation(tuple(range(len(subject.encoded.ids)))))
        moves = _Moves(adapter, adapter.batch([subject.encoded]), [row])
        return torch.stack([moves.written[0], moves.at_end[0]]).double().cpu()


def perturbed_embeddings(adapter: Adapter, batch: Batch, rows: Sequence[Row]) -> Tensor:
    """The vectors of altered texts, [rows, length, width]; inside the adapter's guard."""
    return _Moves(adapter, batch, rows).altered()


def check_differentiable(outputs: Tensor) -> None:
    """Refuse outputs that are part of no graph.

    Raises:
        ModelError: With what to use instead.
    """
    if not outputs.requires_grad:
        raise ModelError(
            "this model gives no gradient: something in it, such as quantized weights, cannot be differentiated",
            hint="use a method that asks for outputs alone: sig, leave_one_in or shapley",
        )


def _total(outputs: Tensor, rows: Sequence[Row]) -> Tensor:
    """The sum of all rows' targets: no row's value depends on another's vectors."""
    places: dict[Target, list[int]] = {}
    for place, row in enumerate(rows):
        assert row.target is not None
        places.setdefault(row.target, []).append(place)
    return torch.stack([target(outputs[found]).sum() for target, found in places.items()]).sum()


class _Moves:
    """Which tokens of a batch move, from where to where: all tensors are [rows, length, width]."""

    def __init__(self, adapter: Adapter, batch: Batch, rows: Sequence[Row]) -> None:
        self._adapter, self._batch, self._rows = adapter, batch, rows

    def altered(self) -> Tensor:
        """The vectors, moved tokens at to + alpha * (written - to)."""
        alphas = [row.perturbation.alpha for row in self._rows]
        if not any(alphas):
            return self.at_end
        alpha = torch.tensor(alphas, dtype=torch.float64).to(self.at_end)
        return self.at_end + alpha[:, None, None] * self._difference

    def steps(self) -> Tensor:
        """What each token's gradient is multiplied by; zero for those that do not move."""
        if all(row.step is None for row in self._rows):
            return self._difference
        steps = self._difference.clone()
        for place, row in enumerate(self._rows):
            if row.step is not None:
                steps[place, list(row.perturbation.moved)] = row.step.to(steps).expand(len(row.perturbation.moved), -1)
        return steps

    @cached_property
    def written(self) -> Tensor:
        """The vectors of the text itself."""
        return self._adapter.embed(self._batch.ids)

    @cached_property
    def at_end(self) -> Tensor:
        """The vectors, moved tokens where they go to."""
        ids, ends = self._batch.ids.clone(), [self._end(row) for row in self._rows]
        for place, (end, row) in enumerate(zip(ends, self._rows, strict=True)):
            if isinstance(end, int):
                ids[place, row.places(row.going)] = end
        vectors = self._adapter.embed(ids)
        for place, (end, row) in enumerate(zip(ends, self._rows, strict=True)):
            if not isinstance(end, int):
                vectors[place, row.places(row.going)] = 0.0 if end is None else end.to(vectors)
        return vectors

    @cached_property
    def _difference(self) -> Tensor:
        return self.written - self.at_end

    def _end(self, row: Row) -> int | Tensor | None:
        """The id whose vector a row's tokens move to, or the vectors themselves; None for zero."""
        to = row.perturbation.to
        if isinstance(to, Point):
            return to.vectors
        return (row.subject.baseline if to == "baseline" else self._adapter.baseline(to)).id
