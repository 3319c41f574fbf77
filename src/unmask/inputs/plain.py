"""One text a line. A blank line is an empty text, which keeps its place among the others."""

from collections.abc import Iterator
from dataclasses import dataclass

from .opening import byte_lines, text_lines
from .records import Record


@dataclass(frozen=True, slots=True)
class Plain:
    """A .txt file."""

    path: str

    def records(self) -> Iterator[Record]:
        """Every line."""
        for number, line in enumerate(text_lines(self.path), start=1):
            yield Record(number, line)

    def places(self) -> Iterator[object]:
        """As many as there are records."""
        return byte_lines(self.path)
