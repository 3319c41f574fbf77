"""From a text and its tokens to the units that move: spans always point into the original text.

Knows nothing of models; tokens are given as character spans.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import regex

from .errors import TextError, unknown


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of the original text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Token:
    """One token as the model reads it; `special` where the tokenizer's template added it, whatever its id."""

    span: Span
    special: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Characters that move as a whole, and the positions of their tokens."""

    span: Span
    tokens: tuple[int, ...]


def check_unit(unit: str) -> None:
    """Refuse a unit that does not exist."""
    if unit not in UNITS:
        raise unknown("unit", unit, UNITS)


def check_text(text: str) -> None:
    """Refuse what is no text, or cannot be one.

    >>> check_text("caf" + chr(0xDCE9))
    Traceback (most recent call last):
    unmask.errors.TextError: the byte 0xE9 at character 4 is not UTF-8
    """
    if not isinstance(text, str):
        raise TextError(f"a text must be a str, not {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code, place = ord(text[error.start]), error.start + 1
        if 0xDC80 <= code <= 0xDCFF:  # how Python reads bytes that are not UTF-8
            raise TextError(
                f"the byte 0x{code - 0xDC00:02X} at character {place} is not UTF-8",
                hint="convert the file first, for example: iconv -f latin1 -t utf-8 FILE",
            ) from error
        raise TextError(f"the lone surrogate U+{code:04X} at character {place} is not Unicode text") from error


def grouped(text: str, tokens: Sequence[Token], *, unit: str, read: Span) -> tuple[Group, ...]:
    """The units of a text, in order.

    Every visible character within `read`, the part that the tokenizer did not cut off, is in exactly one of them.
    A unit moves every content token that it overlaps; units that would share a token are merged.
    """
    spans = {position: _trimmed(text, token.span) for position, token in enumerate(tokens) if not token.special}
    moving = {position: span for position, span in spans.items() if span.start < span.end}
    if not moving:
        raise TextError("the text has no unit to explain: the model reads no visible character of it")
    tokens_alone = _merged(moving.values())
    seen = [_trimmed(text, span) for span in UNITS[unit](text, read, tokens_alone)]
    return _with_tokens(_merged([*seen, *tokens_alone]), moving)


def words(text: str, read: Span, _tokens: Sequence[Span] = ()) -> list[Span]:
    """Words and punctuation as people see them.

    A word is a run of letters, digits and marks, with hyphens and apostrophes inside it, and with points and commas
    inside a number. Any other sign stands alone, or with its own repetition.

    >>> text = "A well-made film, isn't it? 3.5 stars..."
    >>> [text[start:end] for start, end in words(text, Span(0, len(text)))]
    ['A', 'well-made', 'film', ',', "isn't", 'it', '?', '3.5', 'stars', '...']
    """
    return [Span(*match.span()) for match in WORD.finditer(text, *read)]


def dropped(text: str, read: Span, tokens: Sequence[Span]) -> list[Span]:
    """The visible characters that no token covers: with the tokens themselves, all that `token` units are made of."""
    gaps = zip([read.start, *(span.end for span in tokens)], [*(span.start for span in tokens), read.end], strict=True)
    return [Span(at, at + 1) for start, end in gaps for at in range(start, end) if is_visible(text[at])]


def is_visible(character: str) -> bool:
    """Whether a person can see it: not white space, not a control or format character."""
    return not character.isspace() and unicodedata.category(character) not in {"Cc", "Cf", "Cs"}


UNITS: dict[str, Callable[[str, Span, Sequence[Span]], list[Span]]] = {"token": dropped, "word": words}

WORD = regex.compile(
    r"""
    [\p{L}\p{N}_][\p{L}\p{N}\p{M}\xad\u200c\u200d_]*         # letters, digits and what belongs to them,
    (?: (?: ['’ʼ‐‑-] | (?<=\p{N})[.,](?=\p{N}) )              # a hyphen, an apostrophe or a number's point
        [\p{L}\p{N}_][\p{L}\p{N}\p{M}\xad\u200c\u200d_]* )*  # only with more of the word behind it
    | (?=\S)(?![\p{Cc}\p{Cf}\p{Cs}]) (\X)\1*                  # or one sign, or a run of it
    """,
    regex.VERBOSE,
)


def _trimmed(text: str, span: Span) -> Span:
    """The span without the invisible characters at its ends; empty where nothing can be seen."""
    start, end = span
    while start < end and not is_visible(text[start]):
        start += 1
    while end > start and not is_visible(text[end - 1]):
        end -= 1
    return Span(start, end)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans made one, in order."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def _with_tokens(spans: list[Span], moving: dict[int, Span]) -> tuple[Group, ...]:
    """Each span with its tokens; one without any, dropped by the tokenizer, joins the one before it, else the next."""
    starts = [span.start for span in spans]
    owned: list[list[int]] = [[] for _ in spans]
    for position, span in moving.items():
        owned[bisect_right(starts, span.start) - 1].append(position)
    groups: list[Group] = []
    waiting: int | None = None
    for span, positions in zip(spans, owned, strict=True):
        if positions:
            groups.append(Group(Span(span.start if waiting is None else waiting, span.end), tuple(positions)))
            waiting = None
        elif groups:
            groups[-1] = Group(Span(groups[-1].span.start, span.end), groups[-1].tokens)
        elif waiting is None:
            waiting = span.start
    return tuple(groups)
