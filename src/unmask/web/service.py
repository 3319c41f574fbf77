"""The server's models, each with its worker, behind an asynchronous interface."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..attribution.session import ModelSession
from ..engine import JobResult
from ..errors import ArgumentError, UnmaskError
from ..render.formats import FORMATS
from ..results.drawable import Drawable
from .computations import Computation, run_now
from .limits import LimitError, Limits
from .listing import method_records, model_record
from .problems import as_json
from .tickets import Finish, Ticket
from .worker import ModelWorker

TEXTS = ("text", "text_pair", "question", "continuation")


@dataclass(eq=False, slots=True)
class Work:
    """One running request: await `answer` for the response; `events` receives progress meanwhile."""

    id: str
    answer: "asyncio.Future[Any]"
    events: "asyncio.Queue[tuple[float, int]]"
    cancel: Callable[[], None]


class Service:
    """Routes requests to the workers of their models."""

    def __init__(self, sessions: Mapping[str, ModelSession], *, limits: Limits) -> None:
        self.limits = limits
        self._finishing = ThreadPoolExecutor(1, "unmask-answers")
        self._drawing = ThreadPoolExecutor(1, "unmask-drawings")  # one thread, because matplotlib is not thread-safe
        self._workers = {
            name: ModelWorker(session, limits, finishing=self._finishing) for name, session in sessions.items()
        }
        self._work = dict[str, Work]()
        self.models = [model_record(session, name) for name, session in sessions.items()]
        self.methods = method_records()

    def start(self) -> None:
        """Start the workers, and run each model once so that it is checked and warm before the first request."""
        for worker, record in zip(self._workers.values(), self.models, strict=True):
            example = {key: value for key, value in record["examples"][0].items() if key != "title"}
            short = {"max_new_tokens": 1} if worker.session.is_generative else {"sets": "none"}
            with suppress(UnmaskError):  # the first request will report it
                run_now(worker.session, "explain", {**example, **short})
            worker.start()

    def stop(self) -> None:
        """Stop the workers; pending requests get an error."""
        for worker in self._workers.values():
            worker.stop()
        self._finishing.shutdown()
        self._drawing.shutdown()

    def begin(self, route: str, body: Mapping[str, Any], *, model: str | None = None, finish: Finish) -> Work:
        """Pass a request to the worker of its model."""
        worker = self._worker(model)
        self._check_size(body)
        loop = asyncio.get_running_loop()
        answer, events = loop.create_future(), asyncio.Queue[tuple[float, int]]()

        def settle(value: Any, error: Exception | None) -> None:
            if not answer.done():
                answer.set_result(value) if error is None else answer.set_exception(error)

        def tell(call: Callable[..., Any], *values: Any) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(call, *values)

        ticket = Ticket(
            route=route,
            body=body,
            finish=finish,
            done=lambda value, error: tell(settle, value, error),
            progress=lambda share, rows: tell(events.put_nowait, (share, rows)),
        )
        worker.submit(ticket)
        work = Work(secrets.token_hex(16), answer, events, lambda: worker.cancel(ticket))
        self._work[work.id] = work
        answer.add_done_callback(lambda _: self._work.pop(work.id, None))
        return work

    @property
    def under_way(self) -> list[str]:
        """The ids of pending requests."""
        return list(self._work)

    def cancel(self, identity: str) -> bool:
        """Cancel a request by its id; return whether it existed."""
        work = self._work.get(identity)
        if work is not None:
            work.cancel()
        return work is not None

    async def draw(self, found: Drawable, form: str, look: Mapping[str, str]) -> bytes:
        """Draw a result as a file."""
        theme = FORMATS[form].theme(**look)
        writer = FORMATS[form].write
        drawn = await asyncio.get_running_loop().run_in_executor(
            self._drawing, lambda: writer(found.kind, found, theme)
        )
        return drawn if isinstance(drawn, bytes) else str(drawn).encode(errors="backslashreplace")

    def _worker(self, model: str | None) -> ModelWorker:
        if model is None:
            return next(iter(self._workers.values()))
        if model not in self._workers:
            raise ArgumentError(f"this server has no such model; it has {', '.join(self._workers)}")
        return self._workers[model]

    def _check_size(self, body: Mapping[str, Any]) -> None:
        """Reject texts, sets and answers that exceed the limits."""
        limits = self.limits
        if (length := text_length(body)) > limits.text:
            message = f"the text has {length:,} characters; the limit is {limits.text:,}"
            raise LimitError(message, status=413, code="too_large", hint="use a part of it")
        if len(body.get("masked", ())) > limits.masked:
            raise ArgumentError(f"masked has {len(body['masked']):,} sets; the limit is {limits.masked:,}")
        if body.get("max_new_tokens", 1) > limits.max_new_tokens:
            raise ArgumentError(f"max_new_tokens is above the limit of {limits.max_new_tokens:,}")


def text_length(body: Mapping[str, Any]) -> int:
    """The number of characters in all texts of a body."""
    texts = [body.get(name) or "" for name in TEXTS]
    texts += [one["content"] for one in body.get("messages") or ()]
    texts += [one["text"] for one in body.get("documents") or ()]
    texts += body.get("choices") or []
    texts += list((body.get("replaced") or {}).values())
    return sum(map(len, texts))


def json_answer(computation: Computation, results: list[JobResult[Any]]) -> bytes:
    """The response of a route as JSON."""
    return as_json(computation.record(results))
