"""Waits for a result and sends it as one response or as events. If the client disconnects, its work is cancelled."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .problems import as_json, error_response, problem_of
from .service import Work

EVERY = 0.1  # seconds between two reports of progress
SILENCE = 10.0  # seconds without an event after which a comment keeps the connection alive
EVENT_STREAM = "text/event-stream"


def wants_events(request: Request) -> bool:
    """Whether the client accepts a stream of events."""
    return EVENT_STREAM in request.headers.get("accept", "")


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer_or_gone(request: Request, work: Work) -> Any:
    """The result, or None if the client disconnects; its work is then cancelled."""
    gone = asyncio.ensure_future(_gone(request.receive))
    try:
        await asyncio.wait([gone, work.answer], return_when=asyncio.FIRST_COMPLETED)
        return work.answer.result() if work.answer.done() else None
    finally:
        gone.cancel()
        if not work.answer.done():
            work.cancel()
            work.answer.add_done_callback(lambda one: one.exception())  # nobody is waiting for it any more


async def json_response(request: Request, work: Work) -> Response:
    """A JSON response with the result or an error."""
    try:
        content = await answer_or_gone(request, work)
    except Exception as error:
        return error_response(error)
    return Response(status_code=499) if content is None else Response(content, media_type="application/json")


class EventResponse(Response):
    """Server-sent events: progress, then a result or an error."""

    media_type = EVENT_STREAM

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the work is done or the client disconnects."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        gone = asyncio.ensure_future(_gone(receive))
        sending = asyncio.ensure_future(self._send(send))
        try:
            await asyncio.wait([gone, sending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            sending.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await sending
            if not self._work.answer.done():
                self._work.cancel()
                self._work.answer.add_done_callback(lambda one: one.exception())

    async def _send(self, send: Send) -> None:
        async for chunk in self._events():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _events(self) -> AsyncIterator[bytes]:
        work = self._work
        yield event("job", as_json({"id": work.id}))
        yield event("progress", as_json({"share": 0.0, "rows": 0, "queued": True}))
        quiet = 0.0
        while not work.answer.done():
            await asyncio.wait([work.answer], timeout=EVERY)
            quiet += EVERY
            if (latest := _latest(work)) is not None:
                quiet = 0.0
                yield event("progress", as_json({"share": round(latest[0], 4), "rows": latest[1], "queued": False}))
            elif quiet >= SILENCE:
                quiet = 0.0
                yield b": still waiting\n\n"
        try:
            yield event("result", work.answer.result())
        except Exception as error:
            status, body = problem_of(error)
            yield event("error", as_json({**body, "status": status}))


def _latest(work: Work) -> tuple[float, int] | None:
    """The most recent progress report; None if there is no new one."""
    latest = None
    while not work.events.empty():
        latest = work.events.get_nowait()
    return latest


def event(name: str, data: bytes) -> bytes:
    """One server-sent event; the data has no line break.

    >>> event("progress", b'{"share":0.5}')
    b'event: progress\\ndata: {"share":0.5}\\n\\n'
    """
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)
