"""How a text is drawn: colored by strength, or marked as in the paper's tables."""

from typing import Literal, cast, get_args

from ..errors import unknown

Style = Literal["shades", "paper"]


def checked(style: str) -> Style:
    """The style, if there is such a one."""
    if style not in get_args(Style):
        raise unknown("style", style, get_args(Style))
    return cast(Style, style)
