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
        seconds: How long a request may take, from its arrival.
        masked: Masked sets in one request.
        max_new_tokens: Tokens of a generated answer.
        queue: Requests that wait or run at once, for each model.
    """

    text: int = 50_000
    body: int = 1_000_000
    rows: int = 20_000
    seconds: float = 60.0
    masked: int = 512
    max_new_tokens: int = 256
    queue: int = 64


class LimitError(UnmaskError):
    """A request beyond a limit; `status` and `code` are those of the answer."""

    def __init__(self, message: str, *, status: int, code: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status, self.code = status, code
