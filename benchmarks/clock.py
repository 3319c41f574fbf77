"""Measure how much time is spent in forward passes, in backward passes, and outside the model.

Processor time of one thread, which other programs on the machine disturb less than wall-clock time.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from unmask import Explanation


@dataclass
class Clock:
    """The seconds of one program in each round, and its total seconds in forward and backward passes."""

    rounds: list[float] = field(default_factory=list)
    forward: float = 0.0
    backward: float = 0.0
    gradients: int = 0  # backward passes, if the program reports them

    def shares(self) -> str:
        """Return the shares of time spent in forward passes, in backward passes, and outside the model."""
        inside = self.forward / sum(self.rounds), self.backward / sum(self.rounds)
        return " / ".join(f"{share:.0%}" for share in (*inside, 1 - sum(inside)))


@contextmanager
def _watched(model: Any, clock: Clock) -> Iterator[None]:
    """Add the time of every call to the model and to `torch.autograd.grad` to the clock."""
    forward, backward = model.forward, torch.autograd.grad

    def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            started = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                setattr(clock, name, getattr(clock, name) + time.process_time() - started)

        return call

    model.forward, torch.autograd.grad = timed("forward", forward), timed("backward", backward)
    try:
        yield
    finally:
        del model.forward
        torch.autograd.grad = backward


def turns(model: Any, programs: Mapping[str, Callable[[], Sequence[object]]], rounds: int) -> dict[str, dict[str, Any]]:
    """Time each program in every round. The order alternates between rounds, since the machine's speed drifts."""
    clocks = {name: Clock() for name in programs}
    for at in range(rounds):
        for name in list(programs)[:: -1 if at % 2 else 1]:
            with _watched(model, clocks[name]):
                started = time.process_time()
                found = programs[name]()
                clocks[name].rounds.append(time.process_time() - started)
            clocks[name].gradients = sum(one.passes.backward for one in found if isinstance(one, Explanation))
    return {name: asdict(clock) for name, clock in clocks.items()}
