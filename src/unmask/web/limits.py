"""Limits on the size of one request, and on how many requests may wait."""

from dataclasses import dataclass

from ..errors import UnmaskError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the server.

    Args:
        text: Most characters in all texts of a request.
        body: Most bytes in a request's body.
        rows: Most model inputs that a request is expected to need.
        seconds: Most seconds of the model's time that a request may take; waiting for other requests does not count.
        wait: Most seconds that a request may be expected to wait for others; beyond that, it is refused at once.
        masked: Most masked sets in one request.
        max_new_tokens: Most tokens in a generated answer.
        queue: Most requests that wait or run at the same time, for each model.
    """

    text: int = 50_000
    body: int = 1_000_000
    rows: int = 20_000
    seconds: float = 60.0
    wait: float = 30.0
    masked: int = 512
    max_new_tokens: int = 256
    queue: int = 64


class LimitError(UnmaskError):
    """A request that exceeds a limit; `status` and `code` are the response's, `retry_after` is in whole seconds."""

    def __init__(
        self, message: str, *, status: int, code: str, hint: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.status, self.code, self.retry_after = status, code, retry_after
