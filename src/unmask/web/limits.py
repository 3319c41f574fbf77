"""What one request may ask for, and how many may wait."""

from dataclasses import dataclass

from ..errors import UnmaskError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the server.

    Args:
        text: Characters of all texts of a request.
        body: Bytes of a request's body.
        rows: Rows through the model that a request may be expected to take.
        seconds: The model's time that a request may take; its waiting for others does not count.
        wait: Seconds that a request may be expected to wait for others; beyond that it is refused at the door.
        masked: Masked sets in one request.
        max_new_tokens: Tokens of a generated answer.
        queue: Requests that wait or run at once, for each model.
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
    """A request beyond a limit; `status` and `code` are those of the answer, `retry_after` are whole seconds."""

    def __init__(
        self, message: str, *, status: int, code: str, hint: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.status, self.code, self.retry_after = status, code, retry_after
