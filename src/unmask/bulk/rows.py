"""Converts the result of a text to a line of JSON, and lines to part files (JSON Lines or parquet). Needs no torch."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any

from ..errors import SchemaError, UnmaskError
from ..render.escape import escaped
from ..render.unit_rows import collection_rows, write_parquet
from ..results.explanation import Explanation
from ..results.records import read_result, result_record
from ..text.request import Failure, Request

FORMS = ("jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one text; `line` is the JSON that is stored in a part."""

    index: int
    place: int | None  # line number in the file
    line: bytes
    error: UnmaskError | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowFormat:
    """What a part stores for each text.

    Args:
        form: `jsonl` for complete explanations, `parquet` for one row per unit.
        keep: Whether to keep the file's other columns.
    """

    form: str
    keep: bool = False

    def row(
        self, index: int, text: Request | UnmaskError, outcome: Explanation | Failure, file: str | None = None
    ) -> ResultRow:
        """Convert a result to a row. A row contains no times, so recomputing it gives the same row."""
        columns = text.columns if isinstance(text, Request) else {}
        kept = columns if self.keep or columns else None
        place = getattr(text, "line", None)
        origin = {} if file is None else {"file": file}
        if isinstance(outcome, Explanation):
            outcome = replace(outcome, seconds=nan)
        if self.form == "jsonl":
            record: Any = origin | result_record(text, outcome, kept)
        else:
            units = collection_rows([(place, outcome)], [] if kept is None else [kept])
            record = [origin | unit for unit in units]
        line = json_line(record, allow_nan=self.form != "jsonl")
        if isinstance(outcome, Failure):
            return ResultRow(index, place, line, outcome.error)
        return ResultRow(index, place, line, warnings=outcome.warnings)

    def part(self, lines: Iterable[bytes]) -> bytes:
        """Return the content of a part."""
        if self.form == "jsonl":
            return b"".join(lines)
        return write_parquet([unit for line in lines for unit in json.loads(line)])


def read_line(line: bytes, index: int) -> Explanation | Failure:
    """Parse the result in a line of a JSON Lines part."""
    record = parse(line)
    try:
        return read_result(record, index)
    except ValueError as error:
        raise SchemaError(f"a stored result is damaged: {error}") from error


def parse(line: bytes) -> Any:
    """Parse a line of a part; without damage, it is JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"a stored result is damaged: {error}") from error


def unit_rows(lines: Sequence[bytes]) -> Iterator[dict[str, Any]]:
    """Convert JSON Lines to rows, one per unit."""
    for at, line in enumerate(lines):
        record = parse(line)
        kept = [record["kept"]] if "kept" in record else []
        origin = {"file": record["file"]} if "file" in record else {}
        yield from (origin | unit for unit in collection_rows([(record.get("line"), read_line(line, at))], kept))


def json_line(record: Any, *, allow_nan: bool) -> bytes:
    """Write JSON values as one line."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=allow_nan) + "\n"
    return escaped(text).encode(errors="backslashreplace")  # a lone surrogate
