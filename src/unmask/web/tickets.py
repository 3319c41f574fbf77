"""One request on its way through a worker, and the order in which requests take their turns."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..engine import JobResult, PooledJobs
from .computations import Computation

GUESSED = {"explain": 100, "compare": 400, "interactions": 100}  # model inputs, until the units are known
SHORT = 64  # a request with at most this many inputs left need not wait for another request's answer

Finish = Callable[[Computation, list[JobResult[Any]]], Any]
Done = Callable[[Any, Exception | None], None]


@dataclass(slots=True)
class Stopwatch:
    """Measures the seconds spent inside `running`, apart from those inside `paused`."""

    _seconds: float = 0.0
    _since: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return self._seconds + (0.0 if self._since is None else time.monotonic() - self._since)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Within this context, time counts."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._seconds, self._since = self.seconds, None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Within this context, which is inside `running`, time does not count."""
        self._seconds, self._since = self.seconds, None
        try:
            yield
        finally:
            self._since = time.monotonic()


@dataclass(eq=False, slots=True, kw_only=True)
class Ticket:
    """One request. `finish` builds the response; `done` receives it or an error. Both run in other threads."""

    route: str
    body: Mapping[str, Any]
    finish: Finish
    done: Done
    progress: Callable[[float, int], None] | None = None  # (share done, number of inputs run)
    arrived: float = field(default_factory=time.monotonic)
    is_cancelled: bool = False
    computation: Computation | None = None
    pooled: PooledJobs | None = None
    preparing: Stopwatch = field(default_factory=Stopwatch)
    needs_answer: bool = False  # whether it is known to wait for the model to generate an answer

    @property
    def rows_left(self) -> float:
        """The number of model inputs that this request is still expected to need."""
        if self.computation is None or self.pooled is None:
            return _guess(self)
        return max(0.0, self.computation.rows - self.pooled.rows)

    @property
    def is_short(self) -> bool:
        """Whether this request can run between two tokens of another request's answer."""
        return self.rows_left <= SHORT and not self.needs_answer

    @property
    def worked(self) -> float:
        """The model's time that this request has used so far."""
        return self.preparing.seconds + (0.0 if self.pooled is None else self.pooled.seconds)


def in_turn(tickets: Sequence[Ticket], turn: int) -> list[Ticket]:
    """The order of requests for a batch: shortest first, but in every second batch after the oldest."""
    oldest = min(tickets, key=lambda one: one.arrived) if turn % 2 else None
    return sorted(tickets, key=lambda one: (one is not oldest, one.rows_left))


def _guess(ticket: Ticket) -> int:
    masked = ticket.body.get("masked")
    return len(masked) + 1 if masked is not None else GUESSED.get(ticket.route, 100)
