"""Requests to explain a text, and texts that could not be explained."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import ArgumentError, TextError, UnmaskError
from .units import GivenSpans

if TYPE_CHECKING:
    from ..tasks.targets import TargetName

NAMES = {1: ("text",), 2: ("first text", "second text")}  # for segments without given names
MESSAGE = {"role", "content"}  # the keys of a chat message


@dataclass(frozen=True, slots=True)
class Segment:
    """One of a request's texts, such as a document, a question or a chat message.

    Args:
        role: The speaker of a chat message, such as `user`.
        fixed: Whether the segment is never masked.
    """

    text: str
    name: str
    role: str | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True, init=False)
class Request:
    """One text, a pair, several named texts or the messages of a chat, with settings of its own.

    Args:
        text: A text, or messages such as [{"role": "user", "content": "Hello!"}].
        target: The target for this text; by default, the target passed to `explain`.
        text_pair: The second text of a pair.
        spans: Your own units, as (start, end) in characters, or (start, end, segment) for a text other than the first.
            Text outside these spans is never masked. A span that cuts through a token is widened to the whole token.
        fixed: Spans that are never masked.
        segments: Instead of `text`: Segments, or names and texts such as [("question", "..."), ("context", "...")].
        continuation: The language model's answer, if it should not be generated.
        line: The line in a file or the row in a parquet file, counted from 1.
        columns: The other columns of the text's row in a file, as JSON values.
        label: The gold label: an output's name (ignoring case) or its index.
    """

    segments: tuple[Segment, ...]
    target: "TargetName | None"
    spans: GivenSpans | None
    fixed: GivenSpans
    line: int | None
    columns: Mapping[str, Any] = field(hash=False)
    label: str | float | None
    continuation: str | None

    def __init__(
        self,
        text: "str | Messages | None" = None,
        target: "TargetName | None" = None,
        text_pair: str | None = None,
        spans: GivenSpans | None = None,
        fixed: GivenSpans = (),
        *,
        segments: "Iterable[Segment | Sequence[str]] | None" = None,
        line: int | None = None,
        columns: Mapping[str, Any] | None = None,
        label: str | float | None = None,
        continuation: str | None = None,
    ) -> None:
        values = {
            "segments": _segments(text, text_pair, segments),
            "target": target,
            "spans": None if spans is None else _span_tuple("spans", spans),
            "fixed": _span_tuple("fixed", fixed),
            "line": line,
            "columns": columns or {},
            "label": None if label == "" else label,
            "continuation": continuation,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def text(self) -> str:
        """The first text."""
        return self.segments[0].text

    @property
    def text_pair(self) -> str | None:
        """The second text, if there is one."""
        return self.segments[1].text if len(self.segments) > 1 else None

    @property
    def texts(self) -> list[str]:
        """All texts, in order."""
        return [segment.text for segment in self.segments]

    @property
    def names(self) -> list[str]:
        """The segments' names, in order."""
        return [segment.name for segment in self.segments]

    def column(self, name: str | None) -> Any:
        """The value of one of the other columns; None if the value is empty or missing."""
        value = None if name is None else self.columns.get(name)
        return None if value == "" else value


def _segments(text: Any, text_pair: Any, segments: "Iterable[Segment | Sequence[str]] | None") -> tuple[Segment, ...]:
    """The segments of a request. Their texts are validated later, when the model reads them."""
    if segments is None:
        if isinstance(text, list | tuple) and any(isinstance(one, Mapping) for one in text):
            return messages_as_segments(text)
        texts = [text] if text_pair is None else [text, text_pair]
        return tuple(Segment(text, name) for name, text in zip(NAMES[len(texts)], texts, strict=True))
    if text is not None or text_pair is not None:
        raise ArgumentError("give a text or segments, not both")
    try:
        made = tuple(one if isinstance(one, Segment) else _named(*one) for one in segments)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            'segments must be names and texts such as [("question", "..."), ("context", "...")]'
        ) from error
    names = [segment.name for segment in made]
    if not made or not all(isinstance(name, str) and name for name in names):
        raise ArgumentError("a request needs at least one segment, and every segment needs a name")
    if len(set(names)) < len(names):
        raise ArgumentError(f"segments must have different names, not {', '.join(names)}")
    return made


def _named(name: str, text: str) -> Segment:
    return Segment(text, name)


def messages_as_segments(messages: Sequence[Any]) -> tuple[Segment, ...]:
    """Turn chat messages into segments, named after their roles, with a number if a role occurs more than once."""
    for message in messages:
        is_message = isinstance(message, Mapping) and set(message) >= MESSAGE
        if not is_message or not all(isinstance(message[key], str) for key in MESSAGE):
            raise TextError(
                f"a chat message must have a role and a string as content, not {message!r:.80}",
                hint='a chat is a list such as [{"role": "user", "content": "Hello!"}]',
            )
    roles, counts = [message["role"] for message in messages], Counter[str]()
    segments = []
    for message in messages:
        role = message["role"]
        counts[role] += 1
        name = role if roles.count(role) == 1 else f"{role} {counts[role]}"
        segments.append(Segment(message["content"], name, role))
    return tuple(segments)


def _span_tuple(name: str, spans: object) -> tuple[Sequence[int], ...]:
    """The spans as a tuple, since an iterator could be read only once."""
    if isinstance(spans, str) or not isinstance(spans, Iterable):
        raise ArgumentError(f"{name} must be spans such as [(3, 9), (12, 20)], not {spans!r}")
    return tuple(spans)


Messages: TypeAlias = Sequence[Mapping[str, str]]  # the messages of a chat
AnyText: TypeAlias = str | Messages | Request
TextLike: TypeAlias = str | Messages | Request | UnmaskError  # an error stands for a text that could not be read


def with_pair(text: "str | Messages | Request", text_pair: str | None) -> "str | Messages | Request":
    """Combine a text with the second text of a pair, if there is one."""
    if text_pair is None:
        return text
    if isinstance(text, Request):
        raise ArgumentError("text_pair does not apply to a Request; use Request(text, text_pair=...)")
    return Request(text, text_pair=text_pair)


def as_request(text: "str | Messages | Request") -> Request:
    """Turn a text or chat messages into a request; a request is returned unchanged."""
    return text if isinstance(text, Request) else Request(text)


@dataclass(frozen=True, slots=True)
class Failure:
    """A text that could not be explained, and why."""

    index: int
    text: str
    error: UnmaskError
