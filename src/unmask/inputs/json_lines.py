"""One JSON object a line; blank lines are skipped. A line that is none fails alone, in its place."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InputError
from .columns import ColumnError, Columns
from .opening import byte_lines, decoded
from .records import BadRecord, Record
from .values import kind


@dataclass(frozen=True, slots=True)
class JsonLines:
    """A .jsonl file."""

    path: str
    wanted: Columns

    def records(self) -> Iterator[Record | BadRecord]:
        """Every line that is not blank."""
        for number, line in self.places():
            yield self._record(number, decoded(line.rstrip()))

    def places(self) -> Iterator[tuple[int, bytes]]:
        """As many as there are records: the lines and their numbers."""
        return ((number, line) for number, line in enumerate(byte_lines(self.path), start=1) if line.strip())

    def _record(self, number: int, line: str) -> Record | BadRecord:
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                return BadRecord(number, InputError(f"{kind(row)}, where a JSON object should be"))
            return self.wanted.record(number, row, columns=self.wanted.among(list(row)))
        except ColumnError as error:
            return BadRecord(number, error)
        except json.JSONDecodeError as error:
            wrong = error.msg.removesuffix(" at")
            return BadRecord(number, InputError(f"broken JSON at character {error.pos + 1}: {wrong}"))
        except (ValueError, RecursionError) as error:  # a number of 5,000 digits; 100,000 brackets
            return BadRecord(number, InputError(f"JSON that cannot be read: {error}"))
