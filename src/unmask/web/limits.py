"""Limits on the size of one request, and on how many requests may wait."""

from dataclasses import dataclass

from ..errors import UnmaskError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the server.

    Args:
        text: The maximum number of characters in all texts of a request.
        body: The maximum number of bytes in a request's body.
        rows: The maximum number of model inputs that a request is expected to need.
        seconds: The maximum model time of a request, in seconds; waiting for other requests does not count.
        wait: The maximum expected wait in seconds; a request that would wait longer for others is refused at once.
        masked: The maximum number of masked sets in one request.
        max_new_tokens: The maximum number of tokens in a generated answer.
        queue: The maximum number of requests that wait or run at the same time, for each model.
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
