"""Sequences with one position on its way from the baseline to the input, row by row, through the caller's function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..errors import ArgumentError
from .accepted import Baselines, Chosen, Target, Tensors, further, of_examples, sequences, starts


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
            self.inputs = sequences(inputs)
            self._baselines = starts(baselines, self.inputs)
            self.differences = [one - start for one, start in zip(self.inputs, self._baselines, strict=True)]
        self.batch, self.length = self.inputs[0].shape[:2]
        self._forward, self._arguments = forward, further(arguments)
        self._chosen = Chosen(target, batch=self.batch)

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
            found = torch.autograd.grad(values.sum(), rows, materialize_grads=True)
        where = (torch.arange(len(moves.examples)), moves.positions)
        return [gradient[where] for gradient in found]

    def _run(self, rows: tuple[Tensor, ...], examples: Tensor) -> Tensor:
        outputs = self._forward(*rows, *of_examples(self._arguments, examples, batch=self.batch))
        return self._chosen(outputs, examples)

    def _altered(self, moves: Moves) -> tuple[Tensor, ...]:
        where = (torch.arange(len(moves.examples)), moves.positions)
        found = []
        for one, start, difference in zip(self.inputs, self._baselines, self.differences, strict=True):
            rows, at = one[moves.examples], (moves.examples, moves.positions)
            alphas = moves.alphas.to(one).reshape(-1, *[1] * (one.ndim - 2))
            rows[where] = start[at] + alphas * difference[at]
            found.append(rows)
        return tuple(found)
