"""Several texts of one drawing, explained or not."""

from dataclasses import dataclass
from typing import TypeAlias

from ..results.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A text that could not be explained, and why; no text where none could be read."""

    why: str
    text: str = ""


Item: TypeAlias = tuple[int | None, Explanation | Unexplained]  # its line, and what was found
