"""One thread that owns a model: it prepares the requests of many clients and runs their inputs in shared batches.

Batches take turns: one starts with the shortest request, the next with the oldest. So apart from other clicks, a click
waits for at most two batches, and no request is postponed forever. While an answer is generated, short requests run
between its tokens.
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from threading import Condition, Thread
from typing import Any

from ..attribution.answer_generator import AnswerNeededError
from ..attribution.session import ModelSession
from ..engine import JobPool
from ..engine.memory import give_memory_back
from .computations import ROUTES
from .limits import LimitError, Limits
from .tickets import Ticket, in_turn

PREPARING = 0.02  # seconds spent on new requests between two batches, unless one takes longer
CHEAPER = "use a shorter text, larger units or a cheaper method"
TIDYING = 2.0  # seconds between two returns of freed memory to the system
LATEST = 0.1  # weight of the latest batch in the average time per input
logger = logging.getLogger(__name__)


class ModelWorker:
    """A model and the thread that runs it."""

    def __init__(self, session: ModelSession, limits: Limits, *, finishing: Executor) -> None:
        self.session, self._limits, self._finishing = session, limits, finishing
        self._pool = JobPool(session.engine)
        self._can_pause = bool(getattr(session.adapter, "can_pause", False))
        self._changed = Condition()
        self._arrived = list[Ticket]()
        self._running = list[Ticket]()
        self._open = 0  # number of pending requests
        self._ahead: tuple[float, ...] = ()  # the remaining inputs of each request
        self._turn = 0  # number of batches so far
        self._tidied = time.monotonic()
        self._row_seconds = 0.0  # average over the last batches; 0 before the first
        self._is_stopping = False
        self._thread = Thread(target=self._run, name="unmask-model", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; pending requests get an error."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify()
        self._thread.join()

    def submit(self, ticket: Ticket) -> None:
        """Accept a request, or refuse it if too many are pending or it would wait too long for them."""
        with self._changed:
            if self._is_stopping:
                raise _stopping()
            if self._open >= self._limits.queue:
                raise _busy(f"{self._limits.queue} requests are waiting")
            if (wait := self._expected_wait(ticket)) > self._limits.wait:
                raise _busy(f"the requests before this one take about {wait:.0f} seconds", wait - self._limits.wait)
            self._open += 1
            self._arrived.append(ticket)
            self._changed.notify()

    def _expected_wait(self, ticket: Ticket) -> float:
        """The expected time in seconds until this request is done, apart from its own work.

        Every second batch starts with the shortest request, so twice the work of shorter requests is an upper bound; so
        is all work that arrived before.
        """
        ahead = (*self._ahead, *(one.rows_left for one in self._arrived))
        shorter = sum(rows for rows in ahead if rows <= ticket.rows_left)
        return self._row_seconds * min(2 * shorter, sum(ahead))

    def cancel(self, ticket: Ticket) -> None:
        """Drop a request before its next batch or its answer's next token."""
        with self._changed:
            ticket.is_cancelled = True
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not (self._arrived or self._running or self._is_stopping):
                    self._changed.wait()
                if self._is_stopping:
                    break
            self._drop()
            self._prepare_some()
            self._take_turn(self._running)
        for ticket in [*self._arrived, *self._running]:
            self._end(ticket, _stopping())

    def _take_turn(self, tickets: Sequence[Ticket]) -> None:
        """Run a batch for these requests, if there are any."""
        if tickets:
            self._step(tickets)
        self._tidy()
        self._ahead = tuple(one.rows_left for one in self._running)
        self._turn += 1

    def _drop(self) -> None:
        """Drop requests that were cancelled or took too much of the model's time."""
        with self._changed:
            over = [(one, error) for one in (*self._arrived, *self._running) if (error := self._why_over(one))]
            dropped = [ticket for ticket, _ in over]
            self._arrived = [one for one in self._arrived if one not in dropped]
        for ticket, error in over:
            self._remove(ticket)
            self._end(ticket, error)

    def _why_over(self, ticket: Ticket) -> LimitError | None:
        """The error that ends a request before it is done; None if it may go on."""
        if self._is_stopping:
            return _stopping()
        if ticket.is_cancelled:
            return LimitError("the request was cancelled", status=499, code="cancelled")
        if ticket.worked > self._limits.seconds:
            message = f"not done after {self._limits.seconds:g} seconds of computing"
            return LimitError(message, status=503, code="time", hint=CHEAPER)
        return None

    def _remove(self, ticket: Ticket) -> None:
        if ticket in self._running:
            self._running.remove(ticket)
            if ticket.pooled is not None and not ticket.pooled.is_done:
                self._pool.remove(ticket.pooled)

    def _prepare_some(self, is_ready: Callable[[Ticket], bool] = lambda _: True) -> None:
        """Turn new requests into jobs, as far as they are ready."""
        started = time.monotonic()
        while time.monotonic() - started < PREPARING:
            with self._changed:
                if not (ready := [one for one in self._arrived if is_ready(one)]):
                    return
                ticket = in_turn(ready, self._turn)[0]
                self._arrived.remove(ticket)
                self._ahead = (*self._ahead, ticket.rows_left)
            try:
                self._prepare(ticket)
            except AnswerNeededError:
                self._postpone(ticket)
            except Exception as error:
                self._end(ticket, error)

    def _postpone(self, ticket: Ticket) -> None:
        """Let a request wait until the model can generate its answer."""
        with self._changed:
            ticket.needs_answer = True
            self._arrived.append(ticket)

    def _between_tokens(self, ticket: Ticket, _: int) -> None:
        """End the generation of an answer that is no longer wanted; otherwise run one batch of short requests."""
        if (error := self._why_over(ticket)) is not None:
            raise error
        if not self._can_pause:
            return
        with ticket.preparing.paused(), self.session.generate_answer.forbidden():
            try:
                self._drop()
                self._prepare_some(lambda one: one.is_short)
                self._take_turn([one for one in self._running if one.is_short])
            except Exception:  # it must not end this request, whose fault it is not
                logger.exception("a batch between two tokens failed")
            self._ahead = (ticket.rows_left, *self._ahead)

    def _prepare(self, ticket: Ticket) -> None:
        """Turn a request into jobs; its answer may have to be generated first."""
        between = partial(self._between_tokens, ticket)
        with ticket.preparing.running(), self.session.generate_answer.reporting(between):
            computation = ROUTES[ticket.route](self.session, ticket.body)
        ticket.needs_answer = False
        if computation.rows > self._limits.rows:
            raise LimitError(
                f"this would need {computation.rows:,.0f} forward passes; the limit is {self._limits.rows:,}",
                status=422,
                code="rows",
                hint=CHEAPER,
            )
        ticket.computation = computation
        ticket.pooled = self._pool.add(computation.jobs)
        self._running.append(ticket)

    def _step(self, first: Sequence[Ticket]) -> None:
        """Run one batch that starts with these requests, then finish the requests that are done."""
        before, started = self._rows_run(), time.monotonic()
        ordered = in_turn(first, self._turn)
        ended = self._pool.step([one.pooled for one in ordered if one.pooled is not None])
        self._keep_pace(time.monotonic() - started, self._rows_run() - before)
        for ticket in [one for one in self._running if one.pooled in ended]:
            self._running.remove(ticket)
            self._finishing.submit(self._finish, ticket)
        for ticket in self._running:
            if ticket.progress is not None and ticket.pooled is not None:
                ticket.progress(ticket.pooled.share_done, ticket.pooled.rows)

    def _tidy(self) -> None:
        if time.monotonic() - self._tidied > TIDYING:
            give_memory_back()
            self._tidied = time.monotonic()

    def _rows_run(self) -> int:
        return sum(one.pooled.rows for one in self._running if one.pooled is not None)

    def _keep_pace(self, seconds: float, rows: int) -> None:
        """Update the measured time per model input; recent batches count most."""
        if rows:
            new = seconds / rows
            self._row_seconds = new if not self._row_seconds else self._row_seconds + LATEST * (new - self._row_seconds)

    def _finish(self, ticket: Ticket) -> None:
        """Build the response of a request in another thread."""
        assert ticket.computation is not None
        assert ticket.pooled is not None
        try:
            answer = ticket.finish(ticket.computation, ticket.pooled.results())
        except Exception as error:
            self._end(ticket, error)
        else:
            self._end(ticket, None, answer)

    def _end(self, ticket: Ticket, error: Exception | None, answer: Any = None) -> None:
        with self._changed:
            self._open -= 1
        ticket.done(answer, error)


def _stopping() -> LimitError:
    return LimitError("the server is stopping", status=503, code="stopping")


def _busy(reason: str, seconds: float = 0.0) -> LimitError:
    later = max(1, math.ceil(seconds))
    return LimitError(f"{reason}; try again in {later} s", status=429, code="busy", retry_after=later)
