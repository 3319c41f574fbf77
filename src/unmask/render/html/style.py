"""The style sheet: one text for all pages, and the colors of a palette in light and in dark surroundings."""

from functools import cache
from importlib.resources import files

from ..colored_spans import LEVELS
from ..theme import BACKGROUNDS, PALETTES, Palette, variables

VIEWS = 20  # outputs that a page can be switched to


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
    chosen = PALETTES[colors]
    light = variables(BACKGROUNDS["light"]) | _levels_of(chosen)
    dark = variables(BACKGROUNDS["dark"]) | _levels_of(chosen.on_dark)
    themes = [
        _rule([".um"], light, "light"),
        f"@media (prefers-color-scheme: dark) {{ {_rule(['.um'], dark, 'dark')} }}",
        _rule([f"{theme} .um" for theme in LIGHT_THEMES], light, "light"),
        _rule([f"{theme} .um" for theme in DARK_THEMES], dark, "dark"),
        f"@media print {{ {_rule(['.um.um'], light, 'light')} }}",
    ]
    return "\n".join([*themes, *_levels(), resource("parts.css"), _switched()])


def _levels_of(colors: Palette) -> dict[str, str]:
    named: dict[str, str] = {}
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
