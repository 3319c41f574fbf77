"""What Captum accepts as inputs, baselines, targets and further arguments, each brought into one form."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

import torch
from torch import Tensor

from ..errors import ArgumentError

Tensors: TypeAlias = Tensor | tuple[Tensor, ...]
Baselines: TypeAlias = Tensor | float | tuple[Tensor | float, ...] | None
Target: TypeAlias = int | tuple[int, ...] | Tensor | list[int] | list[tuple[int, ...]] | None


def sequences(inputs: Tensors) -> tuple[Tensor, ...]:
    """The inputs, each [batch, sequence, ...], apart from the graph that they may be part of."""
    found = inputs if isinstance(inputs, tuple) else (inputs,)
    if not found:
        raise ArgumentError("no inputs: a tensor [batch, sequence, ...] or a tuple of such was expected")
    for one in found:
        _check_sequence(one)
    shapes = [tuple(one.shape[:2]) for one in found]
    if len(set(shapes)) > 1:
        raise ArgumentError(
            f"the inputs begin with {', '.join(map(str, shapes))}: all must have the same batch and the same sequence, "
            "since a position is moved in all of them at once"
        )
    return tuple(one.detach() for one in found)


def _check_sequence(one: object) -> None:
    if not isinstance(one, Tensor):
        raise ArgumentError(f"inputs are a tensor or a tuple of tensors; one of them is {type(one).__name__}")
    if not one.is_floating_point():
        raise ArgumentError(
            f"inputs of {one.dtype} cannot be moved from a baseline: there is nothing between two whole numbers",
            hint="of token ids, give the embeddings, and a forward_func that takes them",
        )
    if one.ndim < 2:
        raise ArgumentError(f"an input has the shape {tuple(one.shape)}; [batch, sequence, ...] was expected")


def starts(baselines: Baselines, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Where each input starts from, in its own shape."""
    given = baselines if isinstance(baselines, tuple) else (0.0 if baselines is None else baselines,)
    if baselines is None:
        given *= len(inputs)
    if len(given) != len(inputs):
        raise ArgumentError(f"{len(given)} baselines for {len(inputs)} inputs: there must be one each")
    return tuple(_start(start, one) for start, one in zip(given, inputs, strict=True))


def _start(start: object, one: Tensor) -> Tensor:
    if not isinstance(start, Tensor | Real):
        raise ArgumentError(f"a baseline is a number or a tensor, not {type(start).__name__}")
    found = (start.detach() if isinstance(start, Tensor) else torch.tensor(float(start))).to(one)
    try:
        return found.expand_as(one)
    except RuntimeError:
        raise ArgumentError(
            f"a baseline of shape {tuple(found.shape)} for an input of shape {tuple(one.shape)}: it must have that "
            "shape, or one that can be repeated to it, such as 1 in place of the batch"
        ) from None


def further(arguments: Any) -> tuple[Any, ...]:
    """What forward_func takes behind the inputs."""
    if arguments is None:
        return ()
    return arguments if isinstance(arguments, tuple) else (arguments,)


def of_examples(arguments: Sequence[Any], examples: Tensor, *, batch: int) -> tuple[Any, ...]:
    """The further arguments for rows made of these examples: what has the batch as its first dimension, row by row."""
    return tuple(one[examples] if _is_batched(one, batch) else one for one in arguments)


def _is_batched(one: object, batch: int) -> bool:
    return isinstance(one, Tensor) and one.ndim > 0 and one.shape[0] == batch


class Chosen:
    """The one number of each row's outputs that is explained."""

    def __init__(self, target: Target, *, batch: int) -> None:
        self._target, self._each = target, _each(target, batch)
        self._common = () if target is None or self._each is not None else _indices(target)

    def __call__(self, outputs: object, examples: Tensor) -> Tensor:
        """From the outputs of rows made of these examples, [rows, ...] to [rows]."""
        rows = len(examples)
        if not isinstance(outputs, Tensor) or outputs.ndim == 0 or len(outputs) != rows:
            raise ArgumentError(
                f"forward_func gives {_described(outputs)} for {rows} rows; a tensor [{rows}, ...] is due"
            )
        found = self._picked(outputs, examples)
        if found.numel() != rows:
            raise ArgumentError(
                f"the target {self._target!r} leaves {found[0].numel()} numbers of each row's outputs, which are "
                f"{tuple(outputs.shape[1:])}; one is explained: name it by a target"
            )
        return found.reshape(rows)

    def _picked(self, outputs: Tensor, examples: Tensor) -> Tensor:
        if self._each is None:
            self._check_within(torch.tensor([self._common]), outputs)
            index: tuple[slice | int, ...] = (slice(None), *self._common)
            return outputs[index]
        self._check_within(self._each, outputs)
        return outputs[(torch.arange(len(examples)), *self._each[examples].unbind(-1))]

    def _check_within(self, indices: Tensor, outputs: Tensor) -> None:
        """A wrong index on a device would end the program, not this call."""
        sizes = torch.tensor(outputs.shape[1 : 1 + indices.shape[-1]])
        if len(sizes) < indices.shape[-1] or bool(((indices >= sizes) | (indices < -sizes)).any()):
            raise ArgumentError(
                f"the target {self._target!r} is not among each row's outputs, which are {tuple(outputs.shape[1:])}"
            )


def _each(target: Target, batch: int) -> Tensor | None:
    """The indices of each example's own target, [batch, indices]; None where all have the same."""
    if not isinstance(target, list) and (not isinstance(target, Tensor) or target.numel() == 1):
        return None
    if isinstance(target, Tensor) and target.ndim != 1:
        raise ArgumentError(f"a target of shape {tuple(target.shape)}: one whole number for each example was expected")
    if len(target) != batch:
        raise ArgumentError(f"{len(target)} targets for {batch} examples: there must be one each")
    found = [_indices(one) for one in (target.tolist() if isinstance(target, Tensor) else target)]
    if len(set(map(len, found))) > 1:
        raise ArgumentError("the targets have unlike numbers of indices")
    return torch.tensor(found, dtype=torch.long).reshape(batch, -1)


def _indices(target: Any) -> tuple[int, ...]:
    found = target.item() if isinstance(target, Tensor) else target
    parts = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(part, Integral) for part in parts):
        raise ArgumentError(f"target {target!r}: a whole number, a tuple of such, or one of these for each example")
    return tuple(map(int, parts))


def _described(outputs: object) -> str:
    return f"a tensor {list(outputs.shape)}" if isinstance(outputs, Tensor) else type(outputs).__name__
