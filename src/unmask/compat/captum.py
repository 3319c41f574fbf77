"""Sequential Integrated Gradients (Enguehard 2023) with the interface of Captum's IntegratedGradients.

One position of a sequence moves from its baseline to the input while all others stay at the input. The scores equal
those of the author's class in time-interpret. In addition, totals are exact, and several positions share a batch.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, overload

import torch
from torch import Tensor

from ..errors import ArgumentError, check_known
from ..methods.base import check_count
from ..methods.quadrature import Sum, summed
from .moving import Baselines, Moves, Moving, Target, Tensors

Inputs = TypeVar("Inputs", Tensor, tuple[Tensor, ...])
RULES = {name: name for name in ("riemann_left", "riemann_right", "riemann_middle")} | {
    "gausslegendre": "gauss_legendre",
    "riemann_trapezoid": "trapezoid",
}
NUMBERS, ROWS = 2**20, 256  # limits of a default batch: the number of input values, and of rows


class SequentialIntegratedGradients:
    """Sequential Integrated Gradients for any function of sequences, such as embedded texts or time series.

    Leaves the function's modules and the inputs unchanged. The results are detached from the graph.

    Args:
        forward_func: Maps the inputs and further arguments to a tensor whose first dimension is the batch. A row's
            outputs may depend only on that row.
        multiply_by_inputs: If False, return each position's mean gradient, without the factor (input - baseline).

    Examples:
        >>> def product(inputs):
        ...     return inputs[:, 0] * inputs[:, 1]
        >>> SequentialIntegratedGradients(product).attribute(torch.tensor([[2.0, 3.0]]))
        tensor([[6., 6.]])
    """

    def __init__(self, forward_func: Callable[..., Any], multiply_by_inputs: bool = True) -> None:
        if not callable(forward_func):
            raise ArgumentError(f"forward_func is {type(forward_func).__name__}; expected a callable")
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
        """Return the attributions, in the shape of the inputs, and the convergence delta if requested.

        The delta, [batch, sequence], is the sum of each position's attributions (times input - baseline) minus its
        exact total. It measures the quadrature error. The author's class returns one delta per example instead: the sum
        of all attributions minus (F(inputs) - F(baselines)). For SIG, that difference is not an error. It is the
        interaction between positions, and more steps do not reduce it.

        Args:
            inputs: [batch, sequence, ...], or a tuple of such tensors; a position moves in all of them at once.
            baselines: A number or a tensor that broadcasts to the input, or a tuple with one per input; None for zero.
            target: The output to explain: an index or a tuple of indices, or a list or tensor with one per example;
                None if there is only one output.
            additional_forward_args: Arguments passed after the inputs; tensors whose first dimension is the batch are
                expanded with the batch.
            n_steps: The number of quadrature nodes on each position's line.
            method: gausslegendre, riemann_left, riemann_right, riemann_middle or riemann_trapezoid. The trapezoid
                weights sum to 1; Captum's sum to (n_steps - 1) / n_steps, so its scores are too small.
            internal_batch_size: Rows per batch, at least 1; the default usually needs well under a gigabyte.
        """
        moving = Moving(self.forward_func, inputs, baselines, target, additional_forward_args)
        size = _batch_size(internal_batch_size, moving)
        check_known("method", [method], RULES)
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
        """Return the exact sum of each position's attributions, [batch, sequence]. Needs no gradients.

        The sum is F(inputs) - F(inputs with that position at the baseline). A tuple of inputs gets one sum for all of
        them. Takes the arguments of `attribute`.
        """
        moving = Moving(self.forward_func, inputs, baselines, target, additional_forward_args)
        return _totals(moving, _batch_size(internal_batch_size, moving))


def _batch_size(given: int | None, moving: Moving) -> int:
    if given is not None:
        check_count("internal_batch_size", given)
        return given
    return max(1, min(ROWS, NUMBERS // max(1, moving.numbers)))


def _averages(moving: Moving, rule: Sum, size: int) -> list[Tensor]:
    """Return the mean gradient on each position's line; one tensor [batch, sequence, ...] per input."""
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
