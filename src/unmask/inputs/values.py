"""Names the JSON types of values for messages, and converts values read from files to JSON."""

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

KINDS: dict[type, str] = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
KINDS |= {dict: "an object", bytes: "bytes"}


def kind(value: object) -> str:
    """Name the JSON type of a value, for messages."""
    return "null" if value is None else KINDS.get(type(value), type(value).__name__)


def json_value(value: Any) -> Any:
    r"""Return the value if JSON can represent it. Dates, decimals, NaN and infinities become strings.

    Bytes are decoded as UTF-8; invalid bytes become \xNN.

    >>> json_value({"when": __import__("datetime").date(2024, 2, 1), "raw": b"\xff ok", "share": float("nan")})
    {'when': '2024-02-01', 'raw': '\\xff ok', 'share': 'nan'}
    """
    match value:
        case None | bool() | int() | str():
            return value
        case Real():  # NumPy's float16 too
            return float(value) if math.isfinite(value) else str(value)
        case bytes():
            return value.decode("utf-8", errors="backslashreplace")
        case Mapping():
            return {str(key): json_value(inner) for key, inner in value.items()}
        case list() | tuple():
            return [json_value(inner) for inner in value]
        case _:
            return str(value)
