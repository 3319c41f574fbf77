"""Cuts texts into chunks that depend on the texts alone: not on time, machine, or what is already done.

A batch never crosses a chunk, so a chunk's results are the same whoever computes it, and whenever. Needs no torch.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import UnmaskError
from ..text.request import Request, TextLike, as_request

TEXTS = 64  # in a chunk, at most
WORK = 2_000_000  # squared characters in a chunk: rows times tokens grow with the square of a text's length
FileText: TypeAlias = tuple[str | None, TextLike]  # a text, and its file if there are several


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive texts of one file, beginning with the text number `first` of all."""

    first: int
    texts: tuple[Request | UnmaskError, ...]
    file: str | None = None

    @property
    def end(self) -> int:
        """The number of the first text after it."""
        return self.first + len(self.texts)

    @property
    def halves(self) -> "tuple[Chunk, Chunk] | None":
        """The chunk in two; None for one text."""
        middle = len(self.texts) // 2
        if not middle:
            return None
        left, right = self.texts[:middle], self.texts[middle:]
        return Chunk(self.first, left, self.file), Chunk(self.first + middle, right, self.file)


def cut(texts: Iterable[FileText], *, first: int = 0) -> Iterator[Chunk]:
    """Chunks of texts, from the number `first` on, which must be the end of a chunk.

    >>> [chunk.end for chunk in cut([(None, "short")] * 65 + [(None, "long " * 400)])]
    [64, 66]
    """
    waiting, work, file = list[Request | UnmaskError](), 0, None
    for origin, given in texts:
        if waiting and (len(waiting) == TEXTS or work >= WORK or origin != file):
            yield Chunk(first, tuple(waiting), file)
            first, waiting, work = first + len(waiting), [], 0
        text = as_text(given)
        file = origin
        waiting.append(text)
        work += 0 if isinstance(text, UnmaskError) else sum(len(str(one)) for one in text.texts) ** 2
    if waiting:
        yield Chunk(first, tuple(waiting), file)


def as_text(given: TextLike) -> Request | UnmaskError:
    """A request, or the reason why there is none."""
    if isinstance(given, UnmaskError):
        return given
    try:
        return as_request(given)
    except UnmaskError as error:
        return error


class TextDigest:
    """A digest of texts with everything that their results depend on, in order."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=8)

    def after(self, texts: Iterable[TextLike]) -> "TextDigest":
        """The digest of the texts so far and these; this one stays as it is."""
        later = TextDigest()
        later._hash = self._hash.copy()
        for text in map(as_text, texts):
            later._hash.update(_identity(text).encode(errors="backslashreplace") + b"\0")
        return later

    def __str__(self) -> str:
        return self._hash.hexdigest()


def _identity(text: Request | UnmaskError) -> str:
    if isinstance(text, UnmaskError):
        return f"error {text}"
    segments = [(one.name, one.role, one.fixed, one.text) for one in text.segments]
    own = (text.target, text.spans, text.fixed, text.label, text.continuation)
    return repr((segments, own, text.line, dict(text.columns)))
