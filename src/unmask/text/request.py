"""Requests to explain a text, and failures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import ArgumentError, UnmaskError
from .units import GivenSpans

if TYPE_CHECKING:
    from ..tasks.targets import TargetName

NAMES = {1: ("text",), 2: ("first text", "second text")}  # of segments that were given without names


@dataclass(frozen=True, slots=True, init=False)
class Request:
    """One text, a pair or several named texts, with settings of their own.

    Args:
        target: The target of this text; by default that of the call.
        text_pair: The second text of a pair.
        spans: Your own units, as (start, end) in characters, or (start, end, segment) for another text than the first.
            Text outside them is never masked. A span that cuts a token is widened to it.
        fixed: Spans that are never masked.
        segments: Instead of `text`: names and texts, such as [("question", "..."), ("context", "...")].
        line: The line in a file, or the row of a parquet file, from 1.
        columns: The other columns of its row in a file, as JSON values.
        label: The gold label: the name of an output in any case, or its index.
    """

    segments: tuple[tuple[str, str], ...]  # names and texts
    target: "TargetName | None"
    spans: GivenSpans | None
    fixed: GivenSpans
    line: int | None
    columns: Mapping[str, Any] = field(hash=False)
    label: str | float | None

    def __init__(
        self,
        text: str | None = None,
        target: "TargetName | None" = None,
        text_pair: str | None = None,
        spans: GivenSpans | None = None,
        fixed: GivenSpans = (),
        *,
        segments: Iterable[Sequence[str]] | None = None,
        line: int | None = None,
        columns: Mapping[str, Any] | None = None,
        label: str | float | None = None,
    ) -> None:
        values = {
            "segments": _segments(text, text_pair, segments),
            "target": target,
            "spans": None if spans is None else _span_tuple("spans", spans),
            "fixed": _span_tuple("fixed", fixed),
            "line": line,
            "columns": columns or {},
            "label": None if label == "" else label,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def text(self) -> str:
        """The first text."""
        return self.segments[0][1]

    @property
    def text_pair(self) -> str | None:
        """The second text, if there is one."""
        return self.segments[1][1] if len(self.segments) > 1 else None

    @property
    def texts(self) -> list[str]:
        """All texts, in order."""
        return [text for _, text in self.segments]

    @property
    def names(self) -> list[str]:
        """The segments' names, in order."""
        return [name for name, _ in self.segments]

    def column(self, name: str | None) -> Any:
        """The value of another column; None if it is empty or missing."""
        value = None if name is None else self.columns.get(name)
        return None if value == "" else value


def _segments(text: Any, text_pair: Any, segments: Iterable[Sequence[str]] | None) -> tuple[tuple[str, str], ...]:
    """Names and texts; whether the texts are any is checked when they are read."""
    if segments is None:
        texts = [text] if text_pair is None else [text, text_pair]
        return tuple(zip(NAMES[len(texts)], texts, strict=True))
    if text is not None or text_pair is not None:
        raise ArgumentError("give a text or segments, not both")
    try:
        pairs = [(name, text) for name, text in segments]
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            'segments must be names and texts such as [("question", "..."), ("context", "...")]'
        ) from error
    names = [name for name, _ in pairs]
    if not pairs or not all(isinstance(name, str) and name for name in names):
        raise ArgumentError("a request needs at least one segment, and every segment a name")
    if len(set(names)) < len(names):
        raise ArgumentError(f"segments must have different names, not {', '.join(names)}")
    return tuple(pairs)


def _span_tuple(name: str, spans: object) -> tuple[Sequence[int], ...]:
    """The spans as a tuple: an iterator could be read only once."""
    if isinstance(spans, str) or not isinstance(spans, Iterable):
        raise ArgumentError(f"{name} must be spans such as [(3, 9), (12, 20)], not {spans!r}")
    return tuple(spans)


TextLike: TypeAlias = str | Request | UnmaskError  # an error stands for a text that could not be read


@dataclass(frozen=True, slots=True)
class Failure:
    """A text that could not be explained, and why."""

    index: int
    text: str
    error: UnmaskError
