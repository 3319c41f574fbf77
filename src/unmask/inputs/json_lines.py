"""One JSON object a line; blank lines are skipped. A line that is none fails alone, in its place."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InputError
from ..text.request import Request
from .columns import ColumnError, Columns, kind
from .opening import byte_lines, decoded


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A .jsonl file."""

    path: str
    columns: Columns

    def records(self) -> Iterator[Request | InputError]:
        """Every line that is not blank."""
        for line, content in self.places():
            yield self._request(line, decoded(content.rstrip()))

    def places(self) -> Iterator[tuple[int, bytes]]:
        """As many as there are records: the lines and their numbers."""
        return ((number, line) for number, line in enumerate(byte_lines(self.path), start=1) if line.strip())

    def _request(self, line: int, content: str) -> Request | InputError:
        try:
            row = json.loads(content)
            if not isinstance(row, dict):
                return InputError(f"{kind(row)}, where a JSON object should be", line=line)
            return self.columns.request(line, row, columns=self.columns.among(list(row)))
        except ColumnError as error:
            error.line = line
            return error
        except json.JSONDecodeError as error:
            return InputError(f"broken JSON at character {error.pos + 1}: {error.msg.removesuffix(' at')}", line=line)
        except (ValueError, RecursionError) as error:  # a number of 5,000 digits; 100,000 brackets
            return InputError(f"JSON that cannot be read: {error}", line=line)
