"""An explanation as PNG, for which the extra `plot` is needed.

It is drawn in fonts of this computer; a note in the picture and a warning name the characters that none of them has.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType

from ..errors import ArgumentError, UnmaskWarning
from ..results.explanation import Explanation
from . import sheet
from .direction import KINDS, RIGHT
from .layout import Room, spelled
from .looks import look
from .typeset import PAPER, Look
from .view import ExplanationView, Rows, picture

NAMED = 8  # characters without a glyph that the note names


def drawing(
    explanation: Explanation, *, colors: str = "default", style: str = "shades", width: float = 760, scale: float = 2
) -> bytes:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    drawn = picture(explanation)
    text, plot = _written([drawn]), _plot()
    chosen = plot.families(text)
    placed = sheet.sheet(drawn, _look(colors, style, "needed", plot, chosen), width=width, note=_note(text, plot))
    return bytes(plot.png(placed, chosen, scale=_scale(scale), paper=PAPER))


def comparison(
    rows: Rows, *, colors: str = "default", style: str = "shades", width: float = 760, scale: float = 2
) -> bytes:
    """Several explanations of a text below each other, each with its name and what it took."""
    text, plot = _written([row.picture for row in rows.rows]) + _names(rows), _plot()
    chosen = plot.families(text)
    placed = sheet.comparison(rows, _look(colors, style, "even", plot, chosen), width=width, note=_note(text, plot))
    return bytes(plot.png(placed, chosen, scale=_scale(scale), paper=PAPER))


def missing(text: str) -> tuple[str, ...]:
    """The characters of a text for which this computer has no font: a PNG shows boxes for them."""
    plot, safe = _plot(), spelled(text)
    found: tuple[str, ...] = plot.lacking(safe, plot.families(safe))
    return found


def _plot() -> ModuleType:
    try:
        from . import plot
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ArgumentError(
            "a PNG is drawn by matplotlib, which is not installed", hint="pip install 'unmask[plot]'"
        ) from error
    return plot


def _look(colors: str, style: str, room: Room, plot: ModuleType, chosen: tuple[str, ...]) -> Look:
    return look(colors, style, room=room, advance=partial(plot.measured, chosen=chosen))


def _scale(scale: float) -> float:
    if not 0 < scale <= 8:
        raise ArgumentError(f"scale {scale:g} is not between 0 and 8: 1 is a pixel for each unit of the width")
    return scale


def _written(pictures: list[ExplanationView]) -> str:
    """All that the pictures write."""
    return spelled("".join(part for drawn in pictures for part in _texts(drawn)))


def _texts(drawn: ExplanationView) -> Iterator[str]:
    yield from (shade.text for shades in drawn.texts for shade in shades)
    yield from (one.label for one in drawn.shares)
    yield from (drawn.sentence or "", *drawn.warnings, drawn.meaning, *drawn.facts.values())


def _names(rows: Rows) -> str:
    return spelled("".join(row.name for row in rows.rows))


def _note(text: str, plot: ModuleType) -> str:
    """What this picture cannot show; who asked for it is warned too."""
    notes, lacked = [], missing(text)
    if lacked:
        warnings.warn(f"{_lacking(lacked, _with_itself)}: the picture shows boxes", UnmaskWarning, stacklevel=2)
        notes.append(f"Note: {_lacking(lacked, _with_name)}.")
    if not plot.SHAPES_TEXT and any(KINDS.get(unicodedata.bidirectional(character)) == RIGHT for character in text):
        notes.append("This matplotlib neither joins nor orders right-to-left letters; 3.11 does, and so does SVG.")
    return " ".join(notes)


def _lacking(characters: tuple[str, ...], named: Callable[[str], str]) -> str:
    more = f", and {len(characters) - NAMED} more" if len(characters) > NAMED else ""
    return f"no font of this computer has {', '.join(map(named, characters[:NAMED]))}{more}"


def _with_name(character: str) -> str:
    """A character by its name, for the picture that cannot show it; those of one script share a name."""
    name, code = unicodedata.name(character, ""), _code(character)
    return f"{code} ({name.removesuffix(f'-{ord(character):04X}').lower()})" if name else code


def _with_itself(character: str) -> str:
    return f"{_code(character)} {character}" if character.isprintable() else _code(character)


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
