"""Checks every request before its route runs: Host, Origin, token, content type and size.

Responses get headers that keep the page from loading or running anything but its own files.
"""

import ipaddress
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import problem, problem_response

POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "font", "connect")),
        "img-src 'self' data: blob:",
        *(f"{what} 'none'" for what in ("base-uri", "form-action", "frame-ancestors")),
        "require-trusted-types-for 'script'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PUBLIC = ("/", "/healthz")  # no token needed, as for the page's files: none of them reveals anything about a text
SAFE = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may use the server.

    Args:
        host: The address that the server listens on.
        token: The token that a request must carry if other machines can reach the server.
    """

    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = field(default=None, repr=False)

    @property
    def cookie(self) -> str:
        """The name of the token's cookie, which includes the port because cookies do not distinguish ports."""
        return f"unmask-{self.port}"

    def knows(self, host: str) -> bool:
        """Whether a Host header names this server; a foreign name that resolves to it is rejected (DNS rebinding)."""
        name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "80")
        name = name.removeprefix("[").removesuffix("]").lower()
        if self.port and port != str(self.port):
            return False
        return name in (*LOOPBACK, self.host.lower()) or (not is_loopback(self.host) and _is_own_name(name))

    def admits(self, given: str | None) -> bool:
        """Whether this is the right token, compared in constant time."""
        return self.token is None or (
            given is not None and secrets.compare_digest(given.encode(errors="replace"), self.token.encode())
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_own_name(name: str) -> bool:
    """Whether the name is an IP address, which nobody can make resolve elsewhere, or this machine's name."""
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return name in (socket.gethostname().lower(), socket.getfqdn().lower())


class TooLargeError(Exception):
    """A body that exceeds the limit."""


class Protection:
    """The middleware."""

    def __init__(self, app: ASGIApp, *, access: Access, body_limit: int) -> None:
        self._app, self._access, self._limit = app, access, body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject requests that are not allowed, and add headers to responses."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers(scope=scope)
        if self._access.token and (given := _query_token(scope)) is not None and self._access.admits(given):
            await self._give_cookie(scope, receive, send)
        elif (refused := self._refusal(scope, headers)) is not None:
            await problem_response(*problem(*refused))(scope, receive, send)
        else:
            await self._limited(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Why a request is rejected (status, code and sentence); None if it is allowed."""
        host = headers.get("host", "")
        path, method = scope["path"], scope["method"]
        if not self._access.knows(host):
            return 403, "host", "this is not an address of this server; use the one that unmask serve printed"
        if not _is_same_site(headers, host, is_page=method in SAFE and not path.startswith("/api/")):
            return 403, "origin", "this request comes from another site"
        is_public = path in PUBLIC or path.startswith("/static/")
        if not is_public and not self._access.admits(self._given_token(headers)):
            return 401, "token", "this server needs the token that unmask serve printed; open the printed address"
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "media_type", "the body must be application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit:
            return 413, "too_large", self._sentence
        return None

    @property
    def _sentence(self) -> str:
        return f"the body is larger than {self._limit:,} bytes"

    def _given_token(self, headers: Headers) -> str | None:
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return bearer.strip()
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._access.cookie)
        except CookieError:
            return None
        return None if cookie is None else cookie.value

    async def _give_cookie(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Store the token from the printed address in a cookie, and redirect to the page without the token."""
        response = RedirectResponse("/", 303)
        response.set_cookie(self._access.cookie, self._access.token or "", httponly=True, samesite="strict")
        await response(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; the size of a body without a Content-Length is counted as it arrives."""
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit:
                raise TooLargeError
            return message

        async def unless_too_large(message: Message) -> None:
            if received <= self._limit:
                await send(message)

        with suppress(TooLargeError):
            await self._app(scope, counted, unless_too_large)
        if received > self._limit:
            await problem_response(*problem(413, "too_large", self._sentence))(scope, receive, send)


def _query_token(scope: Scope) -> str | None:
    if scope["path"] != "/" or scope["method"] != "GET":
        return None
    return next(iter(parse_qs(scope["query_string"].decode("latin-1")).get("token", ())), None)


def _is_same_site(headers: Headers, host: str, *, is_page: bool) -> bool:
    """Whether a request comes from the page itself or from no page; other sites may only link to the page."""
    origin = headers.get("origin")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return False
    return is_page or headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
