"""Spans of characters in the original text, and a test for visible characters."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import TextError

LONGEST_TEXT = 10_000_000  # in characters; a tokenizer needs about 200 bytes per character
TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of the original text."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Whether the two spans share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Token:
    """A token that the model reads; `special` is True if the tokenizer's template added it, whatever its id."""

    span: Span
    special: bool = False
    segment: int = 0  # the index of the text that the token belongs to
    unknown: bool = False  # whether it represents text outside the tokenizer's vocabulary


@dataclass(frozen=True, slots=True)
class EncodedSegment:
    """One of a request's texts, and the part of it that the model reads."""

    text: str
    read: Span
    is_cut: bool = False  # whether it was truncated, even if only by part of a character
    name: str = "text"  # such as "question" or "context"
    role: str | None = None  # the speaker, in a chat

    @property
    def unread(self) -> int:
        """The number of characters truncated."""
        return len(self.text) - (self.read.end - self.read.start)


def check_text(text: str) -> None:
    """Reject a value that is not valid Unicode text, or a text that is too long.

    >>> check_text("caf" + chr(0xDCE9))
    Traceback (most recent call last):
    unmask.errors.TextError: the byte 0xE9 at character 4 is not UTF-8
    hint: convert the file first, for example: iconv -f latin1 -t utf-8 FILE
    """
    if not isinstance(text, str):
        raise TextError(
            f"a text must be a str, not {type(text).__name__}",
            hint="for a pair of texts, use Request(text, text_pair=...)" if isinstance(text, list | tuple) else None,
        )
    if len(text) > LONGEST_TEXT:
        raise TextError(
            f"the text has {len(text):,} characters; the limit is {LONGEST_TEXT:,}",
            hint="split the text: no model reads that much at once",
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code, place = ord(text[error.start]), error.start + 1
        if 0xDC80 <= code <= 0xDCFF:  # how Python represents bytes that are not UTF-8
            raise TextError(
                f"the byte 0x{code - 0xDC00:02X} at character {place} is not UTF-8",
                hint="convert the file first, for example: iconv -f latin1 -t utf-8 FILE",
            ) from error
        raise TextError(f"the lone surrogate U+{code:04X} at character {place} is not Unicode text") from error
    if (place := text.find("\0")) >= 0:
        raise TextError(
            f"character {place + 1} of the text is NUL, which is not allowed",
            hint="if the text comes from a UTF-16 file, convert that first: iconv -f UTF-16LE -t UTF-8 FILE > NEW_FILE",
        )


def shorten(text: str, size: int = 40) -> str:
    """The beginning of a text, for messages.

    >>> shorten("a film that does not end", 6)
    'a film…'
    """
    return text if len(text) <= size else f"{text[:size]}…"


def is_visible(character: str) -> bool:
    """Whether a character is neither white space nor a control or format character."""
    return not character.isspace() and unicodedata.category(character) not in {"Cc", "Cf", "Cs"}


def trim(text: str, span: Span) -> Span:
    """The span without invisible characters at its ends; empty if nothing is visible.

    Unicode tag characters at the end are kept, because they belong to a flag (England's is a black flag and six tags).
    """
    start, end = span
    while start < end and not is_visible(text[start]):
        start += 1
    while end > start and not is_visible(text[end - 1]) and text[end - 1] not in TAGS:
        end -= 1
    return Span(start, end)


def merge_overlapping(spans: Iterable[Span]) -> list[Span]:
    """Sort the spans and merge overlapping ones."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def overlapping(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """The spans that overlap any span in `others`, which are in order and disjoint.

    >>> overlapping([Span(0, 2), Span(2, 5), Span(6, 9)], [Span(1, 2), Span(8, 9)])
    [Span(start=0, end=2), Span(start=6, end=9)]
    """
    ends = [other.end for other in others]

    def is_hit(span: Span) -> bool:
        at = bisect_right(ends, span.start)
        return at < len(others) and span.overlaps(others[at])

    return [span for span in spans if is_hit(span)]


def gaps(within: Span, spans: Iterable[Span]) -> list[Span]:
    """The parts of `within` that no span covers; the spans are in order and disjoint.

    >>> gaps(Span(0, 9), [Span(2, 4), Span(8, 9)])
    [Span(start=0, end=2), Span(start=4, end=8)]
    """
    left, start = [], within.start
    for taken in spans:
        left.append(Span(start, min(taken.start, within.end)))
        start = max(start, taken.end)
    left.append(Span(start, within.end))
    return [span for span in left if span.start < span.end]
