"""Sequences with one position on its way from the baseline to the input, row by row, through the caller's function.

Inputs, baselines, targets and further arguments are what Captum accepts, each checked and brought into one form.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeAlias

import torch
from torch import Tensor

from ..errors import ArgumentError

Tensors: TypeAlias = Tensor | tuple[Tensor, ...]
Baselines: TypeAlias = Tensor | float | tuple[Tensor | float, ...] | None
Target: TypeAlias = int | tuple[int, ...] | Tensor | list[int] | list[tuple[int, ...]] | None


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Which position of which example each row moves, and how far it has come; all [rows]."""

    examples: Tensor
    positions: Tensor
    alphas: Tensor  # 0: at the baseline; 1: as it is


class Moving:
    """A function of sequences, one number for each row."""

    def __init__(
        self, forward: Callable[..., Any], inputs: Tensors, baselines: Baselines, target: Target, arguments: Any
    ) -> None:
        with torch.inference_mode(mode=False):
            self.inputs = _sequences(inputs)
            self._baselines = _starts(baselines, self.inputs)
            self.differences = [one - start for one, start in zip(self.inputs, self._baselines, strict=True)]
        self.batch, self.length = self.inputs[0].shape[:2]
        self._forward, self._target = forward, target
        self._arguments = () if arguments is None else arguments if isinstance(arguments, tuple) else (arguments,)
        self._indices = _target_indices(target, self.batch)

    @property
    def numbers(self) -> int:
        """In one row of all inputs."""
        return sum(one[0].numel() for one in self.inputs) if self.batch else 0

    def written(self, examples: Tensor) -> Tensor:
        """The function at these examples as they are, [rows]."""
        with torch.no_grad():
            return self._run(tuple(one[examples] for one in self.inputs), examples)

    def values(self, moves: Moves) -> Tensor:
        """The function at each row, [rows]."""
        with torch.no_grad():
            return self._run(self._altered(moves), moves.examples)

    def gradients(self, moves: Moves) -> list[Tensor]:
        """The function's gradient at each row's moved position, for each input [rows, ...]; no parameter gets one."""
        with torch.inference_mode(mode=False), torch.enable_grad():
            rows = tuple(one.requires_grad_() for one in self._altered(moves))
            values = self._run(tuple(one.clone() for one in rows), moves.examples)  # forward_func may write into them
            if not values.requires_grad:
                raise ArgumentError(
                    "forward_func gives no gradient: something in it takes its numbers out of the graph",
                    hint="totals() needs none",
                )
            gradients = torch.autograd.grad(values.sum(), rows, materialize_grads=True)
        where = (torch.arange(len(moves.examples)), moves.positions)
        return [gradient[where] for gradient in gradients]

    def _altered(self, moves: Moves) -> tuple[Tensor, ...]:
        where = (torch.arange(len(moves.examples)), moves.positions)
        altered = []
        for one, start, difference in zip(self.inputs, self._baselines, self.differences, strict=True):
            rows, at = one[moves.examples], (moves.examples, moves.positions)
            alphas = moves.alphas.to(one).reshape(-1, *[1] * (one.ndim - 2))
            rows[where] = start[at] + alphas * difference[at]
            altered.append(rows)
        return tuple(altered)

    def _run(self, rows: tuple[Tensor, ...], examples: Tensor) -> Tensor:
        """The function at rows made of these examples; further arguments with the batch's length go row by row."""
        arguments = (
            one[examples] if isinstance(one, Tensor) and one.ndim > 0 and one.shape[0] == self.batch else one
            for one in self._arguments
        )
        return self._explained(self._forward(*rows, *arguments), examples)

    def _explained(self, outputs: object, examples: Tensor) -> Tensor:
        """The one number of each row's outputs that is explained, from [rows, ...] to [rows]."""
        rows = len(examples)
        if not isinstance(outputs, Tensor) or outputs.ndim == 0 or len(outputs) != rows:
            given = f"a tensor {list(outputs.shape)}" if isinstance(outputs, Tensor) else type(outputs).__name__
            raise ArgumentError(f"forward_func gives {given} for {rows} rows; a tensor [{rows}, ...] is due")
        shape, depth = tuple(outputs.shape[1:]), self._indices.shape[-1]
        sizes = torch.tensor(shape[:depth])
        # A wrong index on a device would end the program, not this call.
        if len(shape) < depth or bool(((self._indices >= sizes) | (self._indices < -sizes)).any()):
            raise ArgumentError(f"the target {self._target!r} is not among each row's outputs, which are {shape}")
        chosen = outputs[(torch.arange(rows), *self._indices[examples].unbind(-1))]
        if chosen.numel() != rows:
            raise ArgumentError(
                f"the target {self._target!r} leaves {chosen[0].numel()} numbers of each row's outputs, which are "
                f"{shape}; one is explained: name it by a target"
            )
        return chosen.reshape(rows)


def _sequences(inputs: Tensors) -> tuple[Tensor, ...]:
    """The inputs, each [batch, sequence, ...], apart from the graph that they may be part of."""
    tensors: tuple[Any, ...] = inputs if isinstance(inputs, tuple) else (inputs,)
    if not tensors:
        raise ArgumentError("no inputs: a tensor [batch, sequence, ...] or a tuple of such was expected")
    for one in tensors:
        if not isinstance(one, Tensor):
            raise ArgumentError(f"inputs are a tensor or a tuple of tensors; one of them is {type(one).__name__}")
        if not one.is_floating_point():
            raise ArgumentError(
                f"inputs of {one.dtype} cannot be moved from a baseline: there is nothing between two whole numbers",
                hint="of token ids, give the embeddings, and a forward_func that takes them",
            )
        if one.ndim < 2:
            raise ArgumentError(f"an input has the shape {tuple(one.shape)}; [batch, sequence, ...] was expected")
    shapes = [tuple(one.shape[:2]) for one in tensors]
    if len(set(shapes)) > 1:
        raise ArgumentError(
            f"the inputs begin with {', '.join(map(str, shapes))}: all must have the same batch and the same sequence, "
            "since a position is moved in all of them at once"
        )
    return tuple(one.detach() for one in tensors)


def _starts(baselines: Baselines, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Where each input starts from, in its own shape."""
    given: tuple[Any, ...] = baselines if isinstance(baselines, tuple) else (baselines,)
    if baselines is None:
        given = (0.0,) * len(inputs)
    if len(given) != len(inputs):
        raise ArgumentError(f"{len(given)} baselines for {len(inputs)} inputs: there must be one each")
    starts = []
    for start, one in zip(given, inputs, strict=True):
        if not isinstance(start, Tensor | Real):
            raise ArgumentError(f"a baseline is a number or a tensor, not {type(start).__name__}")
        tensor = (start.detach() if isinstance(start, Tensor) else torch.tensor(float(start))).to(one)
        try:
            starts.append(tensor.expand_as(one))
        except RuntimeError:
            raise ArgumentError(
                f"a baseline of shape {tuple(tensor.shape)} for an input of shape {tuple(one.shape)}: it must have "
                "that shape, or one that can be repeated to it, such as 1 in place of the batch"
            ) from None
    return tuple(starts)


def _target_indices(target: Target, batch: int) -> Tensor:
    """Where each example's target stands among a row's outputs, [batch, indices]."""
    if target is None:
        return torch.zeros((batch, 0), dtype=torch.long)
    if not isinstance(target, list) and (not isinstance(target, Tensor) or target.numel() == 1):
        return torch.tensor(_indices(target), dtype=torch.long).expand(batch, -1)
    if isinstance(target, Tensor) and target.ndim != 1:
        raise ArgumentError(f"a target of shape {tuple(target.shape)}: one whole number for each example was expected")
    if len(target) != batch:
        raise ArgumentError(f"{len(target)} targets for {batch} examples: there must be one each")
    indices = [_indices(one) for one in (target.tolist() if isinstance(target, Tensor) else target)]
    if len(set(map(len, indices))) > 1:
        raise ArgumentError("the targets have unlike numbers of indices")
    return torch.tensor(indices, dtype=torch.long).reshape(batch, -1)


def _indices(target: Any) -> tuple[int, ...]:
    value = target.item() if isinstance(target, Tensor) else target
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, Integral) for part in parts):
        raise ArgumentError(f"target {target!r}: a whole number, a tuple of such, or one of these for each example")
    return tuple(map(int, parts))
