"""A server with closed-form models, and a client for it."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import torch
import uvicorn
from starlette.testclient import TestClient
from torch import Tensor

from unmask.attribution.session import ModelSession
from unmask.models.formula import FormulaModel
from unmask.web.app import create_app
from unmask.web.limits import Limits
from unmask.web.protection import Access
from unmask.web.server import access_to, address_of, listen

WEIGHTS = {"good": 2.0, "fine": 1.0, "bad": -3.0, "not": -0.5}
ADDRESS = "http://127.0.0.1:8000"


class GatedModel(FormulaModel):
    """A weighted-words model that runs a batch only while `gate` is open; the first batch sets `has_begun`."""

    def __init__(self) -> None:
        super().__init__({word: [weight] for word, weight in WEIGHTS.items()}, self.total, name="gated")
        self.gate, self.has_begun, self.batches = Event(), Event(), list[int]()
        self.gate.set()

    def total(self, vectors: Tensor, attention: Tensor) -> Tensor:
        self.has_begun.set()
        assert self.gate.wait(30)
        self.batches.append(len(vectors))
        positive = (vectors[..., 0] * attention).sum(-1)
        return torch.stack([torch.zeros_like(positive), positive], -1)


def weighted_words() -> ModelSession:
    return ModelSession(FormulaModel.weighted_words(WEIGHTS))


@contextmanager
def client_of(
    *sessions: ModelSession, limits: Limits | None = None, access: Access | None = None
) -> Iterator[TestClient]:
    """A client for a server in this process; the first model is the default."""
    named = {f"model {at}": session for at, session in enumerate(sessions)}
    app = create_app(named, limits=limits, access=access or Access(port=8000))
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


def events_of(content: str) -> list[tuple[str, Any]]:
    """The names and values of the events in a stream."""
    blocks = [block.split("\n") for block in content.strip().split("\n\n") if not block.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


class RunningServer:
    """A real server on loopback, in a thread."""

    def __init__(self, session: ModelSession, *, limits: Limits | None = None) -> None:
        listening = listen("127.0.0.1", 0)
        access = access_to(listening, "127.0.0.1")
        self.address, self.port = address_of(access), access.port
        self.app = create_app({"model 0": session}, limits=limits, access=access)
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="critical", timeout_graceful_shutdown=5))
        self.thread = Thread(target=self.server.run, args=([listening],))

    def __enter__(self) -> "RunningServer":
        self.thread.start()
        until(lambda: self.server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(20)

    def connect(self, route: str, body: dict[str, Any], *headers: str) -> socket.socket:
        """Open a connection and send a request on it."""
        content = json.dumps(body).encode()
        head = [f"POST /api/{route} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Content-Type: application/json"]
        head += [f"Content-Length: {len(content)}", *headers, "", ""]
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        opened.sendall("\r\n".join(head).encode() + content)
        return opened


def until(is_reached: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    end = time.monotonic() + 20
    while not is_reached():
        assert time.monotonic() < end
        time.sleep(0.01)
