"""From the names of colors and style to what a drawing is drawn with."""

from collections.abc import Callable
from typing import cast, get_args

from ..errors import unknown
from .advance import advance as estimated
from .layout import Room, Style
from .palettes import palette
from .typeset import Look


def look(colors: str, style: str, *, room: Room = "needed", advance: Callable[[str], float] = estimated) -> Look:
    """The look of these names; unknown ones are refused."""
    if style not in get_args(Style):
        raise unknown("style", style, get_args(Style))
    return Look(palette=palette(colors), style=cast(Style, style), room=room, advance=advance)
