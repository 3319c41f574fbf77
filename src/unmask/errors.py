"""unmask's exceptions and warnings.

Each error is also the built-in exception you would expect:

    UnmaskError
    ├── ArgumentError (ValueError)      an option that does not exist or does not apply here
    │   └── KeywordError (TypeError)    a keyword that a method does not accept
    ├── TextError (ValueError)          a text that cannot be explained
    ├── InputError (OSError)            a file that cannot be read or written
    ├── ModelError (RuntimeError)       a model that cannot be loaded, trusted or run
    │   ├── GateError                   replacing an embedding and replacing the word give different outputs
    │   └── MethodError                 a method that this model does not support
    ├── MemoryLimitError (MemoryError)  a single perturbation does not fit in memory
    └── SchemaError (ValueError)        a stored explanation that this version cannot read

`UnmaskWarning` (UserWarning) marks a result that may surprise you.
"""

import datetime
import difflib
from collections.abc import Collection, Iterable
from importlib import import_module

BRIEF = 60  # characters


class UnmaskError(Exception):
    """Base class of unmask's errors; `hint` says how to fix the problem."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def hint(self) -> str | None:
        """How to fix the problem; also added as an exception note, so tracebacks show it."""
        return self._hint

    @hint.setter
    def hint(self, hint: str | None) -> None:
        self._hint = hint
        self.__notes__ = []
        if hint:
            self.add_note(f"hint: {hint}")


class ArgumentError(UnmaskError, ValueError):
    """An option that does not exist or does not apply here."""


class KeywordError(ArgumentError, TypeError):
    """A keyword that a method does not accept."""


class TextError(UnmaskError, ValueError):
    """A text that cannot be explained."""


class InputError(UnmaskError, OSError):
    """A file that cannot be read or written, or (if `line` is set) one line of a file that cannot be read."""

    def __init__(self, message: str, *, hint: str | None = None, line: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.line = line


class ModelError(UnmaskError, RuntimeError):
    """A model that cannot be loaded, trusted or run."""


class GateError(ModelError):
    """Replacing an embedding and replacing the word give different outputs."""


class MethodError(ModelError):
    """A method that this model does not support."""


class MemoryLimitError(UnmaskError, MemoryError):
    """A single perturbation does not fit in memory."""


class SchemaError(UnmaskError, ValueError):
    """A stored explanation that this version cannot read."""


class UnmaskWarning(UserWarning):
    """A result that may surprise you."""


def first_line(error: BaseException) -> str:
    """The first line of another library's error message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def brief(value: object) -> str:
    """Format a value for a message, shortened if it is long.

    >>> brief(250), brief("x" * 100)
    ('250', "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...")
    """
    try:
        text = repr(value)
    except ValueError:  # Python does not print integers of more than 4,300 digits
        return "an integer of thousands of digits"
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 3]}..."


def why_unreadable(error: ValueError | RecursionError) -> str:
    """Explain why a JSON or TOML parser failed, including on well-formed text that exceeds a parser limit.

    >>> why_unreadable(RecursionError()), why_unreadable(ValueError("Exceeds the limit (4300 digits)"))
    ('it is nested too deeply', 'a number has more than 4,300 digits')
    """
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return "a number has more than 4,300 digits" if "4300 digits" in str(error) else str(error)


def as_written(value: object) -> str:
    """Format a plan's value for a message, as it is written in the file.

    >>> as_written(datetime.date(1979, 5, 27)), as_written(([], "a"))
    ('1979-05-27', "[[], 'a']")
    """
    if isinstance(value, datetime.date | datetime.time):
        return str(value)
    return brief(list(value) if isinstance(value, tuple) else value)


def match_case(name: str, known: Iterable[str]) -> str:
    """Return the name if it is known, else the only known name that differs just in case, else the name unchanged.

    >>> match_case("POSITIVE", ["negative", "positive"])
    'positive'
    >>> match_case("POSITIVE", ["Positive", "positive"])
    'POSITIVE'
    """
    names = list(known)
    alike = [] if name in names else [one for one in names if one.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else name


def unknown(kind: str, name: object, known: Iterable[str]) -> ArgumentError:
    """Build the error for an unknown name; the message suggests the closest known name.

    >>> print(unknown("method", "sgi", ["sig", "ig"]))
    unknown method 'sgi'; did you mean 'sig'? known methods: ig, sig
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return ArgumentError(f"unknown {kind} {brief(name)}; {guess}known {kind}s: {', '.join(names)}")


def check_known(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """Reject unknown names."""
    listed = list(known)  # not a set: a name from a plan may be a list, which cannot be hashed
    for name in names:
        if name not in listed:
            raise unknown(kind, name, known)


def check_installed(module: str, *, what: str) -> None:
    """Raise an error if a module of the extra `data` is not installed."""
    try:
        import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise InputError(f"{what} need {package}, which is not installed", hint="pip install 'unmask[data]'") from error
