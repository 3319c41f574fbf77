"""Results for a file of texts as JSON values: an explanation or a failure, with its line number and other columns."""

from collections.abc import Mapping
from typing import Any

from .. import errors
from ..errors import SchemaError, UnmaskError
from ..text.request import Failure, Request
from .explanation import Explanation


def result_record(
    text: Request | UnmaskError, outcome: Explanation | Failure, columns: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Convert a result to JSON values: the line number first, the kept columns last."""
    number = getattr(text, "line", None)
    line = {} if number is None else {"line": number}
    values = outcome.to_dict() if isinstance(outcome, Explanation) else _failure(text, outcome.error)
    return line | values | ({} if columns is None else {"kept": dict(columns)})


def read_result(record: Mapping[str, Any], index: int) -> Explanation | Failure:
    """Restore the result that `result_record` wrote for the text with that index."""
    if "error" not in record:
        return Explanation.from_dict(record)
    try:
        kind, message = record["error"]["kind"], record["error"]["message"]
        return Failure(index, record["text"] or "", getattr(errors, kind)(message))
    except (KeyError, TypeError, AttributeError) as error:
        raise SchemaError(f"this is neither an explanation nor a failure: {error}") from error


def _failure(text: Request | UnmaskError, error: UnmaskError) -> dict[str, Any]:
    """Convert a failure to JSON values; the text is null if it could not be read."""
    texts: dict[str, Any] = {"text": text.text if isinstance(text, Request) else None}
    if isinstance(text, Request) and text.text_pair is not None and text.segments[1].role is None:
        texts["text_pair"] = text.text_pair
    kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == UnmaskError.__module__)
    return {**texts, "error": {"kind": kind, "message": str(error)}}
