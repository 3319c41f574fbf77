"""One batch through the model: probes become vectors here and nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import torch
from torch import Tensor

from ..errors import ModelError
from ..models.adapter import Adapter, Baseline, Batch, Encoded
from ..probes import Point, Probe
from ..targets import Target

OUT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory")  # CUDA and MPS, Windows, Linux
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Subject:
    """What all altered versions of one text share."""

    encoded: Encoded
    baseline: Baseline


@dataclass(frozen=True, slots=True)
class Row:
    """One altered version of one text; with a target, whose gradient is wanted there too."""

    subject: Subject
    probe: Probe
    target: Target | None = None
    step: Tensor | None = None  # that the gradient is multiplied by, else written - to

    @property
    def length(self) -> int:
        """Its tokens."""
        return len(self.subject.encoded.ids)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says of one row."""

    outputs: Tensor  # [outputs]
    slope: Tensor | None = None  # [moved, width]: gradient times step

    @property
    def is_finite(self) -> bool:
        """Whether all of it are numbers."""
        return all(bool(torch.isfinite(part).all()) for part in (self.outputs, self.slope) if part is not None)


def is_out_of_memory(error: Exception) -> bool:
    """Whether a batch was too large for this machine."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY)


def answers(adapter: Adapter, rows: Sequence[Row]) -> list[Answer]:
    """The answers to rows that all want a gradient, or none of which does; in double precision and off the device."""
    if rows[0].target is None:
        return [Answer(outputs) for outputs in raw_outputs(adapter, rows)]
    return sloped(adapter, rows)


def raw_outputs(adapter: Adapter, rows: Sequence[Row]) -> Tensor:
    """The raw outputs of altered texts, [rows, outputs]."""
    with adapter.guarded(), torch.inference_mode():
        batch = adapter.batch([row.subject.encoded for row in rows])
        return adapter.outputs(batch, _Moves(adapter, batch, rows).altered()).cpu().double()


def sloped(adapter: Adapter, rows: Sequence[Row]) -> list[Answer]:
    """The raw outputs, and the gradient of each row's target times its step. No parameter gets a gradient."""
    with adapter.guarded(), torch.inference_mode(mode=False), torch.enable_grad():
        batch = adapter.batch([row.subject.encoded for row in rows])
        with torch.no_grad():
            moves = _Moves(adapter, batch, rows)
            steps, vectors = moves.steps(), moves.altered()
        vectors.requires_grad_()
        outputs = adapter.outputs(batch, vectors.clone())  # a model may write into what it gets
        check_differentiable(outputs)
        (gradient,) = torch.autograd.grad(_total(outputs.double(), rows), vectors)
        found = (gradient[moves.where] * steps).double().cpu().split([len(row.probe.moved) for row in rows])
        return [Answer(*one) for one in zip(outputs.detach().double().cpu(), found, strict=True)]


def vectors(adapter: Adapter, subject: Subject) -> Tensor:
    """The vectors of a text and of its baseline at every place, [2, tokens, width]."""
    with adapter.guarded(), torch.inference_mode(mode=False), torch.no_grad():
        row = Row(subject, Probe(tuple(range(len(subject.encoded.ids)))))
        moves = _Moves(adapter, adapter.batch([subject.encoded]), [row])
        return torch.stack([moves.written, moves.to]).double().cpu()


def altered(adapter: Adapter, batch: Batch, rows: Sequence[Row]) -> Tensor:
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
    """Which tokens of a batch move, from where to where."""

    def __init__(self, adapter: Adapter, batch: Batch, rows: Sequence[Row]) -> None:
        self._adapter, self._batch, self._rows = adapter, batch, rows
        self._counts = [len(row.probe.moved) for row in rows]
        places = [place for place, count in enumerate(self._counts) for _ in range(count)]
        positions = [position for row in rows for position in row.probe.moved]
        self.where = (torch.tensor(places, dtype=torch.long), torch.tensor(positions, dtype=torch.long))

    def altered(self) -> Tensor:
        """All vectors, moved tokens at to + alpha * (written - to), [rows, length, width]."""
        vectors = self._at_end.clone()
        if any(row.probe.alpha for row in self._rows):
            alpha = torch.tensor(self._of_each_move([row.probe.alpha for row in self._rows]), dtype=torch.float64)
            vectors[self.where] += alpha.to(vectors)[:, None] * (self.written - self.to)
        return vectors

    def steps(self) -> Tensor:
        """What each moved token's gradient is multiplied by, [moves, width]."""
        own = (self.written - self.to).split(self._counts)
        given = [row.step for row in self._rows]
        return torch.cat(
            [one if step is None else step.to(one).expand_as(one) for one, step in zip(own, given, strict=True)]
        )

    @cached_property
    def to(self) -> Tensor:
        """Where the moved tokens go, [moves, width]."""
        return self._at_end[self.where]

    @cached_property
    def written(self) -> Tensor:
        """What the moved tokens are, [moves, width]."""
        return self._adapter.embed(self._batch.ids)[self.where]

    @cached_property
    def _at_end(self) -> Tensor:
        """All vectors, moved tokens where they go to, [rows, length, width]."""
        ends = [self._end(row) for row in self._rows]
        ids = self._batch.ids.clone()
        known = self._of_each_move([end if isinstance(end, int) else 0 for end in ends])
        ids[self.where] = torch.tensor(known, dtype=ids.dtype, device=ids.device)
        vectors = self._adapter.embed(ids)
        for place, (end, row) in enumerate(zip(ends, self._rows, strict=True)):
            if not isinstance(end, int):
                vectors[place, list(row.probe.moved)] = 0.0 if end is None else end.to(vectors)
        return vectors

    def _end(self, row: Row) -> int | Tensor | None:
        """The id whose vector a row's tokens move to, or the vectors themselves; None for zero."""
        to = row.probe.to
        if isinstance(to, Point):
            return to.vectors
        return (row.subject.baseline if to == "baseline" else self._adapter.baseline(to)).id

    def _of_each_move(self, values: Sequence[Value]) -> list[Value]:
        """A row's value, once for each of its moves."""
        return [value for value, count in zip(values, self._counts, strict=True) for _ in range(count)]
