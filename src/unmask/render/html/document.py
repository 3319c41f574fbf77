"""The HTML document around a page's content, and the style sheet with a palette's light and dark colors."""

from dataclasses import asdict
from functools import cache

from ..theme import Mode, Theme
from .parts import COLORED, level_name, render, resource

VIEWS = 20  # the most classes on a page


def document(content: str, *, title: str, colors: str, style: str = "", script: str = "") -> str:
    """A self-contained document; `style` adds CSS rules to those that all pages have."""
    rules = "\n".join(filter(None, [sheet(colors), resource("document.css"), style]))
    return render("document.html", content=content, title=title, rules=rules, script=script)


@cache
def sheet(colors: str) -> str:
    """The style sheet of a page or fragment, with the colors of a palette."""
    variables = {"light": _variables(colors, "light"), "dark": _variables(colors, "dark")}
    return render("sheet.css", variables=variables, views=VIEWS).rstrip()


def _variables(colors: str, mode: Mode) -> dict[str, str]:
    """The CSS variables of a palette for light or dark."""
    theme = Theme(colors, mode=mode)
    variables = asdict(theme.background)
    for level in COLORED:
        color, name = theme.colors.color(level), level_name(level)
        variables |= {name: color.paper, f"{name}-ink": color.ink}
    return variables
