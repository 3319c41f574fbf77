"""Everything that unmask raises on purpose.

Each error is also the built-in that a caller would expect:

    UnmaskError
    ├── ArgumentError (ValueError)      an option that does not exist or does not apply
    ├── TextError (ValueError)          a text that cannot be explained
    ├── InputError (OSError)            a file that cannot be read or written
    ├── ModelError (RuntimeError)       a model that cannot be loaded, trusted or run
    │   └── GateError                   altered embeddings do not do what altered words do
    ├── MemoryLimitError (MemoryError)  one row alone does not fit
    └── SchemaError (ValueError)        a stored explanation that this version cannot read

and what it warns of, an `UnmaskWarning` (UserWarning): a result that is there, but not as one would expect it.
"""

import difflib
from collections.abc import Iterable


class UnmaskError(Exception):
    """The root of all errors that unmask raises on purpose.

    Args:
        hint: What to do about it, for people at a terminal.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class ArgumentError(UnmaskError, ValueError):
    """An option that does not exist or does not apply here."""


class TextError(UnmaskError, ValueError):
    """A text that cannot be explained."""


class InputError(UnmaskError, OSError):
    """A file that cannot be read or written; with a line, one text in it, and the others can be read."""

    def __init__(self, message: str, *, hint: str | None = None, line: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.line = line


class ModelError(UnmaskError, RuntimeError):
    """A model that cannot be loaded, trusted or run."""


class GateError(ModelError):
    """The model does not answer to altered embeddings as it does to altered words."""


class MemoryLimitError(UnmaskError, MemoryError):
    """One altered text alone does not fit in memory."""


class SchemaError(UnmaskError, ValueError):
    """A stored explanation that this version cannot read."""


class UnmaskWarning(UserWarning):
    """A result is there, but not as one would expect it."""


def first_line(error: BaseException) -> str:
    """What an error of another library says, without its essay."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def unknown(kind: str, name: object, known: Iterable[str]) -> ArgumentError:
    """The error for a name that is not in a list, with the nearest one that is.

    >>> print(unknown("method", "sgi", ["sig", "ig"]))
    unknown method 'sgi'; did you mean 'sig'? known methods: ig, sig
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return ArgumentError(f"unknown {kind} {name!r}; {guess}known {kind}s: {', '.join(names)}")
