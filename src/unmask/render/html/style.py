"""The style sheet: one text for all pages, and the colors of a palette in light and in dark surroundings."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ..colored_spans import LEVELS
from ..palettes import Color, Palette, palette

VIEWS = 20  # outputs that a page can be switched to


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The colors of all that is not a unit."""

    paper: str
    ink: str
    quiet: str  # what is read second
    line: str  # only separates: nothing depends on seeing it
    accent: str  # links, and what has the focus
    bar: str


LIGHT = Surroundings("#ffffff", "#1c1e22", "#585e68", "#dcdfe4", "#0b57d0", "#6b7280")
DARK = Surroundings("#16181d", "#e6e8eb", "#a9b0bb", "#3b414b", "#8ab4f8", "#9aa2ae")

# The theme of a notebook says more than that of the system around it.
LIGHT_THEMES = ('[data-jp-theme-light="true"]', ".vscode-light", '[theme="light"]')
DARK_THEMES = ('[data-jp-theme-light="false"]', ".vscode-dark", '[theme="dark"]')


@cache
def resource(name: str, package: str = __package__) -> str:
    """The text of a file beside this one, or in another package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def sheet(colors: str) -> str:
    """All rules of a page or a fragment, in the colors of that palette."""
    chosen = palette(colors)
    light, dark = _variables(LIGHT, chosen), _variables(DARK, after_dark(chosen))
    themes = [
        _rule([".um"], light, "light"),
        f"@media (prefers-color-scheme: dark) {{ {_rule(['.um'], dark, 'dark')} }}",
        _rule([f"{theme} .um" for theme in LIGHT_THEMES], light, "light"),
        _rule([f"{theme} .um" for theme in DARK_THEMES], dark, "dark"),
        f"@media print {{ {_rule(['.um.um'], light, 'light')} }}",
    ]
    return "\n".join([*themes, *_levels(), resource("parts.css"), _switched()])


def after_dark(chosen: Palette) -> Palette:
    """The palette where the surroundings are dark, so that the stronger color still is the one that stands out."""
    return Palette(_after_dark(chosen.speaks_for), _after_dark(chosen.speaks_against))


def _after_dark(colors: tuple[Color, ...]) -> tuple[Color, ...]:
    _, second, third, strongest = colors
    return Color("#ffffff", _between(strongest.paper, DARK.paper)), strongest, third, second


def _between(one: str, other: str) -> str:
    parts = [(int(one[at : at + 2], 16) + int(other[at : at + 2], 16)) // 2 for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _variables(around: Surroundings, colors: Palette) -> dict[str, str]:
    named = {name: getattr(around, name) for name in Surroundings.__slots__}
    for level in (*range(-LEVELS, 0), *range(1, LEVELS + 1)):
        color = colors.color(level)
        named |= {level_name(level): color.paper, f"{level_name(level)}-ink": color.ink}
    return named


def level_name(level: int) -> str:
    """The name of a level in classes and variables.

    >>> level_name(3), level_name(-1)
    ('f3', 'a1')
    """
    return f"{'f' if level > 0 else 'a'}{abs(level)}"


def _rule(selectors: list[str], variables: dict[str, str], scheme: str) -> str:
    settings = "; ".join(f"--um-{name}: {value}" for name, value in variables.items())
    return f"{', '.join(selectors)} {{ color-scheme: {scheme}; {settings} }}"


def _levels() -> list[str]:
    names = [level_name(level) for level in (*range(-LEVELS, 0), *range(1, LEVELS + 1))]
    return [
        f".um.um.um .um-{name} {{ background: var(--um-{name}); color: var(--um-{name}-ink); fill: var(--um-{name}) }}"
        for name in names
    ]


def _switched() -> str:
    """The chosen view alone; where a browser cannot tell which one that is, all of them."""
    chosen = ",\n".join(f".um-one:has(> .um-switches .um-o{at}:checked) .um-v{at}" for at in range(VIEWS))
    return (
        "@supports selector(:has(a)) {\n.um.um.um .um-switched .um-view { display: none }\n"
        f"{chosen.replace('.um-one', '.um.um.um .um-switched')} {{ display: block }}\n}}"
    )
