"""Splits texts into chunks. The split depends only on the texts, not on timing, the machine or earlier results.

A batch never mixes chunks, so a chunk's results are the same wherever and whenever they are computed. Needs no torch.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import UnmaskError
from ..text.request import Request, TextLike, as_request

TEXTS = 64  # at most, per chunk
WORK = 2_000_000  # squared characters per chunk: passes times tokens grow with the square of a text's length
FileText: TypeAlias = tuple[str | None, TextLike]  # a text, and its file if there are several


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive texts of one file; `first` is the index of the first one among all texts."""

    first: int
    texts: tuple[Request | UnmaskError, ...]
    file: str | None = None

    @property
    def end(self) -> int:
        """The index of the first text after the chunk."""
        return self.first + len(self.texts)

    @property
    def halves(self) -> "tuple[Chunk, Chunk] | None":
        """Split the chunk in two; None for a single text."""
        middle = len(self.texts) // 2
        if not middle:
            return None
        left, right = self.texts[:middle], self.texts[middle:]
        return Chunk(self.first, left, self.file), Chunk(self.first + middle, right, self.file)


def cut(texts: Iterable[FileText], *, first: int = 0) -> Iterator[Chunk]:
    """Split texts into chunks, starting at the index `first`, which must be a chunk boundary.

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
    """Return the text as a request, or the error that explains why it cannot be one."""
    if isinstance(given, UnmaskError):
        return given
    try:
        return as_request(given)
    except UnmaskError as error:
        return error


class TextDigest:
    """A digest of a sequence of texts, with everything their results depend on."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=8)

    def after(self, texts: Iterable[TextLike]) -> "TextDigest":
        """Return a new digest that also covers these texts."""
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
