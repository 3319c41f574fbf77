"""One of many texts, explained or not: what it is listed, filtered and ordered by."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...results.explanation import Explanation
from ..formats import Item, Unexplained

FAILED, NO_LABEL, VALUE = "failed", "no label", "value"
BEGINNING = 90  # characters of a text that stand in the index


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index says of a text."""

    place: int
    line: int | None
    labels: tuple[str, ...]  # by which it is filtered
    confidence: float | None
    figure: str
    beginning: str
    found: Explanation | Unexplained

    @property
    def number(self) -> int:
        """Its line, or where it has none its place."""
        return self.place if self.line is None else self.line


def entries(items: Sequence[Item]) -> list[Entry]:
    """The texts in their order."""
    return [_entry(place, line, one) for place, (line, one) in enumerate(items, start=1)]


def _entry(place: int, line: int | None, found: Explanation | Unexplained) -> Entry:
    if isinstance(found, Unexplained):
        return Entry(place, line, (FAILED,), None, "", beginning(found.text or found.why), found)
    starts, prediction = beginning(" / ".join(found.texts)), found.prediction
    if prediction.value is not None:
        return Entry(place, line, (VALUE,), prediction.value, f"{prediction.value:.4g}", starts, found)
    largest = max(prediction.probabilities.values())
    return Entry(place, line, tuple(prediction.labels) or (NO_LABEL,), largest, f"{largest:.1%}", starts, found)


def beginning(text: str, *, length: int = BEGINNING) -> str:
    """The text in one line, cut at that length.

    >>> beginning("so  it goes", length=5)
    'so it…'
    """
    start = " ".join(text[: 2 * length].split())
    return start if len(start) <= length and len(text) <= 2 * length else f"{start[:length].rstrip()}…"
