"""How a text is drawn: colored by strength, or marked as in the paper's tables."""

from ..errors import unknown

STYLES = ("shades", "paper")


def checked(style: str) -> str:
    """The style, if there is such a one."""
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    return style
