"""From the names of colors and style to what a drawing is drawn with."""

from collections.abc import Callable

from .advance import advance as estimated
from .layout import Room
from .palettes import palette
from .styles import checked
from .typeset import Look


def look(colors: str, style: str, *, room: Room = "needed", advance: Callable[[str], float] = estimated) -> Look:
    """The look of these names; unknown ones are refused."""
    return Look(palette=palette(colors), style=checked(style), room=room, advance=advance)
