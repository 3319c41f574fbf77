"""Runs the web application: loads the models, opens a socket, announces the address, and shuts down cleanly."""

import os
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import urlencode

import uvicorn

from ..attribution.session import ModelSession
from ..errors import InputError
from ..models.huggingface.loading import embedded_model, load
from ..models.huggingface.opening import open_model
from .app import create_app
from .limits import Limits
from .protection import Access, is_loopback

DRAINING = 10  # seconds that running requests get to finish after Ctrl-C
BACKLOG = 128
TASKS = "classification", "generation"  # tasks of the embedded models


def open_sessions(names: Sequence[str], *, device: str | None = None) -> dict[str, ModelSession]:
    """Load the models, by the names that clients use (never paths); without names, load the embedded models."""
    loaded = (
        [load(name, device=device) for name in names]
        if names
        else [load(embedded_model(task), device=device, task=task) for task in TASKS]
    )
    sessions = dict[str, ModelSession]()
    for model, tokenizer in loaded:
        session = ModelSession(open_model(model, tokenizer))
        name = session.adapter.model_info().name
        same = sum(known == name or known.startswith(f"{name} (") for known in sessions)
        sessions[f"{name} ({same + 1})" if same else name] = session
    return sessions


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 means any free port."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _cannot(host, port, error) from error
    try:
        if os.name != "nt":  # on Windows, this option would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _cannot(host, port, error) from error
    return listening


def _cannot(host: str, port: int, error: OSError) -> InputError:
    return InputError(
        f"cannot listen on {host} port {port}: {error.strerror or error}",
        hint="choose another port with --port; --port 0 takes any free port",
    )


def access_to(listening: socket.socket, host: str) -> Access:
    """Who may use a server on this socket; other machines need a token."""
    token = None if is_loopback(host) else secrets.token_urlsafe(32)
    return Access(host=host, port=listening.getsockname()[1], token=token)


def address_of(access: Access) -> str:
    """The address to open in a browser, with the token if one is needed."""
    host = f"[{access.host}]" if ":" in access.host else access.host
    query = "" if access.token is None else f"?{urlencode({'token': access.token})}"
    return f"http://{host}:{access.port}/{query}"


class AnnouncedServer(uvicorn.Server):
    """A server that invokes a callback once it is ready to answer requests."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then invoke the callback."""
        await super().startup(sockets)
        if self.started:
            self._announce()


def serve(
    sessions: dict[str, ModelSession],
    listening: socket.socket,
    *,
    access: Access,
    announce: Callable[[str], None],
    limits: Limits | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM; running requests are answered first."""
    app = create_app(sessions, limits=limits, access=access)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,  # a log would contain the token
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=DRAINING,
    )
    server = AnnouncedServer(config, lambda: announce(address_of(access)))
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after a clean shutdown
        server.run([listening])
