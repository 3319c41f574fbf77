"""Splits long texts into windows, and collects what the result stores about each window."""

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from torch import Tensor

from ..errors import ArgumentError, TextError
from ..methods.base import Method
from ..models.adapter import Adapter, Encoded
from ..questions import Perturbation, Question, Scores, ask_windows
from ..results.windows import Window, Windows
from ..tasks.generation import Generation
from ..tasks.task import Task
from ..text.request import Request
from ..text.spans import EncodedSegment, Span, trim
from ..text.windows import split_windows

if TYPE_CHECKING:
    from .attribute import PreparedText

Long: TypeAlias = Literal["cut", "windows"]
UNCUT = 10**9  # a number of tokens that no text exceeds
SMALLER = 0.9  # safety factor: a part of a text may have more tokens on its own than inside the text


def check_long(long: object, *, method: Method, task: Task) -> Long:
    """Check the setting `long` and return it."""
    if long == "cut":
        return "cut"
    if long != "windows":
        raise ArgumentError(f"long={long!r}: expected 'cut' or 'windows'")
    if isinstance(task, Generation):
        raise ArgumentError("long='windows' is for classifiers; a language model reads its prompt as a whole")
    if method.needs != "outputs":
        raise ArgumentError(
            f"long='windows' does not work with method {method.name!r}, which needs {method.needs}",
            hint="use a method that masks or removes units, such as sig, or long='cut'",
        )
    return "windows"


def read_in_windows(
    adapter: Adapter, request: Request, cut: Encoded, *, limit: int | None
) -> tuple[Encoded, tuple[Encoded, ...]]:
    """Return the concatenated tokens of all windows, with their spans in the whole text, and the windows themselves.

    Args:
        cut: The text truncated to the model's limit.
        limit: The maximum number of tokens, if below the model's limit.
    """
    if len(request.segments) > 1:
        raise TextError(
            f"the pair has more than the {len(cut.ids):,} tokens that this model reads, and long='windows' does not "
            "support pairs",
            hint="shorten the texts, or use long='cut'",
        )
    whole = adapter.encode(request.text, max_length=UNCUT)
    tokens = [token.span for token in whole.tokens if not token.special]
    room = len(cut.ids) - sum(token.special for token in cut.tokens)
    while room > 0:
        spans = [trim(request.text, span) for span in split_windows(request.text, tokens, room)]
        windows = tuple(_window(adapter, request, span, limit) for span in spans)
        if not any(window.is_cut for window in windows):
            return _in_a_row(request, windows), windows
        room = int(SMALLER * room)
    raise TextError("the text cannot be split into windows: single characters have more tokens than the model reads")


def _window(adapter: Adapter, request: Request, span: Span, limit: int | None) -> Encoded:
    """Encode a part of the text; the tokens' spans refer to the whole text."""
    alone = adapter.encode(request.text[slice(*span)], max_length=limit)
    segment = EncodedSegment(request.text, span, alone.is_cut, request.names[0])
    tokens = [
        token
        if token.special
        else replace(token, span=Span(token.span.start + span.start, token.span.end + span.start))
        for token in alone.tokens
    ]
    return replace(alone, segments=(segment,), tokens=tuple(tokens))


def _in_a_row(request: Request, windows: tuple[Encoded, ...]) -> Encoded:
    segment = EncodedSegment(request.text, Span(0, len(request.text)), False, request.names[0])
    ids = tuple(token for window in windows for token in window.ids)
    return Encoded((segment,), ids, tuple(token for window in windows for token in window.tokens))


def ask_window_scores(
    prepared: "PreparedText", scores: Scores, *, removes: bool
) -> Generator[Question, Tensor, Windows | None]:
    """Collect the outputs of each window for the result; asks only for inputs that the method has already run."""
    if not prepared.windows:
        return None
    central = [_central(unit, prepared) for unit in prepared.units]
    (whole,) = yield from ask_windows([Perturbation()])
    kept = None
    if (without := scores.without) is not None:
        known = [at for at in range(len(central)) if not without[at].isnan().any()]
        kept = without.clone()
        if known:
            rows = [_perturbation(prepared.units[at], removes=removes) for at in known]
            parts = yield from ask_windows(rows)
            for row, at in enumerate(known):
                kept[at] = parts[row, central[at]]
    windows = [
        Window(*window.segments[0].read, len(window.ids), tuple(outputs.tolist()))
        for window, outputs in zip(prepared.windows, whole, strict=True)
    ]
    return Windows(tuple(windows), tuple(central), None if kept is None else tuple(map(tuple, kept.tolist())))


def _perturbation(unit: tuple[int, ...], *, removes: bool) -> Perturbation:
    return Perturbation(dropped=unit) if removes else Perturbation(unit)


def _central(unit: tuple[int, ...], prepared: "PreparedText") -> int:
    """Return the window in which a unit is farthest from both ends, in tokens; ties go to the first window."""
    start, best, central = 0, -1, 0
    for at, window in enumerate(prepared.windows):
        inside = [token - start for token in unit if 0 <= token - start < len(window.ids)]
        if inside and (margin := min(inside[0], len(window.ids) - 1 - inside[-1])) > best:
            best, central = margin, at
        start += len(window.ids)
    return central


def window_warning(prepared: "PreparedText") -> str | None:
    """Build the note that the model read the text in windows."""
    if not (count := len(prepared.windows)):
        return None
    longest = max(len(window.ids) for window in prepared.windows)
    averaged = "values are averaged"
    if prepared.head.activation != "none":
        averaged = "log-probabilities are averaged and renormalized"
    return (
        f"the text exceeds the model's limit, so the model was applied to {count} windows of up to {longest:,} tokens; "
        f"their {averaged}"
    )
