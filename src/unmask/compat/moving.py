"""Runs the caller's function on rows in which one position moves from its baseline to the input.

Checks and normalizes inputs, baselines, targets and further arguments; accepts the same values as Captum.
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
    """Each row's moved position, its example, and how far it moves; all [rows]."""

    examples: Tensor
    positions: Tensor
    alphas: Tensor  # 0: at the baseline; 1: at the input


class Moving:
    """A function of sequences that returns one value per row."""

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
        """The number of values in one row, over all inputs."""
        return sum(one[0].numel() for one in self.inputs) if self.batch else 0

    def written(self, examples: Tensor) -> Tensor:
        """Evaluate the function at the unchanged examples, [rows]."""
        with torch.no_grad():
            return self._run(tuple(one[examples] for one in self.inputs), examples)

    def values(self, moves: Moves) -> Tensor:
        """Evaluate the function at each row, [rows]."""
        with torch.no_grad():
            return self._run(self._altered(moves), moves.examples)

    def gradients(self, moves: Moves) -> list[Tensor]:
        """Return the gradient at each row's moved position, one tensor [rows, ...] per input. Parameters get none."""
        with torch.inference_mode(mode=False), torch.enable_grad():
            rows = tuple(one.requires_grad_() for one in self._altered(moves))
            values = self._run(tuple(one.clone() for one in rows), moves.examples)  # forward_func may modify its inputs
            if not values.requires_grad:
                raise ArgumentError(
                    "forward_func returned a result without a gradient: part of it detaches from the graph",
                    hint="use totals(), which needs no gradient",
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
        """Evaluate the function at rows of these examples; select the same examples from the further arguments."""
        arguments = (
            one[examples] if isinstance(one, Tensor) and one.ndim > 0 and one.shape[0] == self.batch else one
            for one in self._arguments
        )
        return self._explained(self._forward(*rows, *arguments), examples)

    def _explained(self, outputs: object, examples: Tensor) -> Tensor:
        """Select the target of each row's outputs, from [rows, ...] to [rows]."""
        rows = len(examples)
        if not isinstance(outputs, Tensor) or outputs.ndim == 0 or len(outputs) != rows:
            given = f"a tensor {list(outputs.shape)}" if isinstance(outputs, Tensor) else type(outputs).__name__
            raise ArgumentError(f"forward_func returned {given} for {rows} rows; expected a tensor [{rows}, ...]")
        shape, depth = tuple(outputs.shape[1:]), self._indices.shape[-1]
        sizes = torch.tensor(shape[:depth])
        # On a GPU, a wrong index would abort the process.
        if len(shape) < depth or bool(((self._indices >= sizes) | (self._indices < -sizes)).any()):
            raise ArgumentError(f"the target {self._target!r} is not an index into the outputs of a row, {shape}")
        chosen = outputs[(torch.arange(rows), *self._indices[examples].unbind(-1))]
        if chosen.numel() != rows:
            raise ArgumentError(
                f"the target {self._target!r} selects {chosen[0].numel()} values of a row's outputs, {shape}; "
                "select one"
            )
        return chosen.reshape(rows)


def _sequences(inputs: Tensors) -> tuple[Tensor, ...]:
    """Return the inputs, detached; each is [batch, sequence, ...]."""
    tensors: tuple[Any, ...] = inputs if isinstance(inputs, tuple) else (inputs,)
    if not tensors:
        raise ArgumentError("no inputs: expected a tensor [batch, sequence, ...] or a tuple of tensors")
    for one in tensors:
        if not isinstance(one, Tensor):
            raise ArgumentError(f"expected a tensor or a tuple of tensors, but an input has type {type(one).__name__}")
        if not one.is_floating_point():
            raise ArgumentError(
                f"inputs of type {one.dtype} cannot be interpolated; expected floating-point inputs",
                hint="pass embeddings instead of token ids, and a forward_func that takes embeddings",
            )
        if one.ndim < 2:
            raise ArgumentError(f"an input has the shape {tuple(one.shape)}; expected [batch, sequence, ...]")
    shapes = [tuple(one.shape[:2]) for one in tensors]
    if len(set(shapes)) > 1:
        raise ArgumentError(
            f"the inputs have the batch and sequence lengths {', '.join(map(str, shapes))}; they must all be the same"
        )
    return tuple(one.detach() for one in tensors)


def _starts(baselines: Baselines, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Return the baseline of each input, expanded to the input's shape."""
    given: tuple[Any, ...] = baselines if isinstance(baselines, tuple) else (baselines,)
    if baselines is None:
        given = (0.0,) * len(inputs)
    if len(given) != len(inputs):
        raise ArgumentError(f"{len(given)} baselines for {len(inputs)} inputs; expected one for each")
    starts = []
    for start, one in zip(given, inputs, strict=True):
        if not isinstance(start, Tensor | Real):
            raise ArgumentError(f"a baseline must be a number or a tensor, not {type(start).__name__}")
        tensor = (start.detach() if isinstance(start, Tensor) else torch.tensor(float(start))).to(one)
        try:
            starts.append(tensor.expand_as(one))
        except RuntimeError:
            raise ArgumentError(
                f"a baseline of shape {tuple(tensor.shape)} does not broadcast to an input of shape {tuple(one.shape)}"
            ) from None
    return tuple(starts)


def _target_indices(target: Target, batch: int) -> Tensor:
    """Return the index of each example's target in a row's outputs, [batch, indices]."""
    if target is None:
        return torch.zeros((batch, 0), dtype=torch.long)
    if not isinstance(target, list) and (not isinstance(target, Tensor) or target.numel() == 1):
        return torch.tensor(_indices(target), dtype=torch.long).expand(batch, -1)
    if isinstance(target, Tensor) and target.ndim != 1:
        raise ArgumentError(f"target of shape {tuple(target.shape)}: expected one integer per example")
    if len(target) != batch:
        raise ArgumentError(f"{len(target)} targets for {batch} examples; expected one for each")
    indices = [_indices(one) for one in (target.tolist() if isinstance(target, Tensor) else target)]
    if len(set(map(len, indices))) > 1:
        raise ArgumentError("the targets have different numbers of indices")
    return torch.tensor(indices, dtype=torch.long).reshape(batch, -1)


def _indices(target: Any) -> tuple[int, ...]:
    value = target.item() if isinstance(target, Tensor) else target
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, Integral) for part in parts):
        raise ArgumentError(
            f"target {target!r}: expected an integer, a tuple of integers, or a list with one per example"
        )
    return tuple(map(int, parts))
