"""Sequential Integrated Gradients (Enguehard 2023) in the shape of Captum's IntegratedGradients, for any function.

One position of a sequence moves from its baseline to the input, all others as they are. The scores are those of the
author's class in time-interpret; the totals are exact, the convergence delta is SIG's own, and rows of several
positions share a batch.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, overload

import torch
from torch import Tensor

from ..errors import ArgumentError, unknown
from ..methods.checks import check_count
from ..methods.quadrature import Sum, summed
from .moving import Baselines, Moves, Moving, Target, Tensors

Inputs = TypeVar("Inputs", Tensor, tuple[Tensor, ...])
RULES = {
    "gausslegendre": "gauss_legendre",
    "riemann_left": "riemann_left",
    "riemann_right": "riemann_right",
    "riemann_middle": "riemann_middle",
    "riemann_trapezoid": "trapezoid",
}
NUMBERS, ROWS = 2**20, 256  # of the inputs in one batch at most, where the caller does not say


class SequentialIntegratedGradients:
    """Sequential Integrated Gradients of any function of sequences: embedded texts, time series.

    The function's modules and the inputs are left as they are; what comes back is part of no graph.

    Args:
        forward_func: From the inputs, and further arguments, to a tensor whose first dimension is the batch; a row's
            outputs may depend on that row alone.
        multiply_by_inputs: False gives the gradients averaged along each position's line, not times input - baseline.

    Examples:
        >>> def product(inputs):
        ...     return inputs[:, 0] * inputs[:, 1]
        >>> SequentialIntegratedGradients(product).attribute(torch.tensor([[2.0, 3.0]]))
        tensor([[6., 6.]])
    """

    def __init__(self, forward_func: Callable[..., Any], multiply_by_inputs: bool = True) -> None:
        if not callable(forward_func):
            raise ArgumentError(f"forward_func is {type(forward_func).__name__}; something to call was expected")
        self.forward_func = forward_func
        self.multiplies_by_inputs = multiply_by_inputs

    @overload
    def attribute(
        self,
        inputs: Inputs,
        baselines: Baselines = None,
        target: Target = None,
        additional_forward_args: Any = None,
        n_steps: int = 50,
        method: str = "gausslegendre",
        internal_batch_size: int | None = None,
        return_convergence_delta: Literal[False] = False,
    ) -> Inputs: ...

    @overload
    def attribute(
        self,
        inputs: Inputs,
        baselines: Baselines = None,
        target: Target = None,
        additional_forward_args: Any = None,
        n_steps: int = 50,
        method: str = "gausslegendre",
        internal_batch_size: int | None = None,
        *,
        return_convergence_delta: Literal[True],
    ) -> tuple[Inputs, Tensor]: ...

    def attribute(
        self,
        inputs: Tensors,
        baselines: Baselines = None,
        target: Target = None,
        additional_forward_args: Any = None,
        n_steps: int = 50,
        method: str = "gausslegendre",
        internal_batch_size: int | None = None,
        return_convergence_delta: bool = False,
    ) -> Any:
        """The attributions, in the inputs' own shape; with the delta behind them where that is asked for.

        The delta is SIG's own, one for each position, [batch, sequence]: what its attributions add up to minus what
        they should, its exact total; 0 but for the error of the sum. (With `multiply_by_inputs=False`, that of the
        attributions times input - baseline.) The author's class gives one delta for each example: all attributions
        minus F(inputs) - F(baselines). SIG does not promise that to be 0, however many steps there are: it says how far
        the positions cover for each other or need each other, not how exact the sum is.

        Args:
            inputs: [batch, sequence, ...], or a tuple of such, in all of which a position is moved at once.
            baselines: A number or a tensor that can be repeated to the input's shape; one each for a tuple. None: zero.
            target: Which of a row's outputs: an index or a tuple of indices, or a list or tensor with one for each
                example; None where a row has one output.
            additional_forward_args: Behind the inputs; tensors whose first dimension is the batch are repeated with it,
                all others are passed as they are.
            n_steps: Nodes on each position's line.
            method: gausslegendre, riemann_left, riemann_right, riemann_middle or riemann_trapezoid. The weights of the
                last add up to 1 here; Captum's add up to (n_steps - 1) / n_steps, so its scores are too small.
            internal_batch_size: Rows at a time, at least 1; None takes what is usually well below a gigabyte.
        """
        moving = Moving(self.forward_func, inputs, baselines, target, additional_forward_args)
        size = _batch_size(internal_batch_size, moving)
        if method not in RULES:
            raise unknown("method", method, RULES)
        check_count("n_steps", n_steps)
        averages = _averages(moving, summed(RULES[method], n_steps), size)
        products = [average * one for average, one in zip(averages, moving.differences, strict=True)]
        results = products if self.multiplies_by_inputs else averages
        attributions = tuple(part.to(one) for part, one in zip(results, moving.inputs, strict=True))
        shaped = attributions if isinstance(inputs, tuple) else attributions[0]
        if not return_convergence_delta:
            return shaped
        sums = torch.stack([part.flatten(2).sum(-1) if part.ndim > 2 else part for part in products]).sum(0)
        return shaped, sums - _totals(moving, size)

    def totals(
        self,
        inputs: Tensors,
        baselines: Baselines = None,
        target: Target = None,
        additional_forward_args: Any = None,
        internal_batch_size: int | None = None,
    ) -> Tensor:
        """What each position's attributions add up to, exactly and without gradients, [batch, sequence].

        F(inputs) - F(inputs with that position at the baseline): one row for each position and one for the inputs. The
        arguments are those of `attribute`. For a tuple of inputs the position moves in all of them, so the total is of
        all of them.
        """
        moving = Moving(self.forward_func, inputs, baselines, target, additional_forward_args)
        return _totals(moving, _batch_size(internal_batch_size, moving))


def _batch_size(given: int | None, moving: Moving) -> int:
    if given is not None:
        check_count("internal_batch_size", given)
        return given
    return max(1, min(ROWS, NUMBERS // max(1, moving.numbers)))


def _averages(moving: Moving, rule: Sum, size: int) -> list[Tensor]:
    """The gradients at each position, averaged along that position's line, each [batch, sequence, ...]."""
    alphas, weights = torch.from_numpy(rule.nodes), torch.from_numpy(rule.weights)
    sums = [torch.zeros_like(one, dtype=torch.promote_types(one.dtype, torch.float32)) for one in moving.inputs]
    for rows in _parts(moving.batch * moving.length * len(alphas), size):
        places, steps = rows // len(alphas), rows % len(alphas)
        moves = Moves(places // moving.length, places % moving.length, alphas[steps])
        for total, gradient in zip(sums, moving.gradients(moves), strict=True):
            weighted = gradient * weights[steps].to(total).reshape(-1, *[1] * (gradient.ndim - 1))
            total.index_put_((moves.examples, moves.positions), weighted, accumulate=True)
    return sums


def _totals(moving: Moving, size: int) -> Tensor:
    whole = torch.cat([moving.written(rows) for rows in _parts(moving.batch, size)] or [torch.zeros(0)])
    without = [
        moving.values(Moves(rows // moving.length, rows % moving.length, torch.zeros(len(rows))))
        for rows in _parts(moving.batch * moving.length, size)
    ]
    return whole[:, None] - torch.cat(without or [whole[:0]]).reshape(moving.batch, moving.length)


def _parts(rows: int, size: int) -> Iterator[Tensor]:
    for start in range(0, rows, size):
        yield torch.arange(start, min(start + size, rows))
