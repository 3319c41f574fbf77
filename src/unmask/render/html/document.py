"""The HTML document around a page, and the style sheet with a palette's colors for light and dark.

The content security policy allows only the document's own style and script.
"""

import base64
import hashlib
import html
from dataclasses import asdict
from functools import cache
from importlib.resources import files

from ..colored_spans import LEVELS
from ..escape import shown
from ..theme import BACKGROUNDS, PALETTES, Mode

# A notebook's theme takes precedence over the system's.
LIGHT_THEMES = ('[data-jp-theme-light="true"]', ".vscode-light", '[theme="light"]')
DARK_THEMES = ('[data-jp-theme-light="false"]', ".vscode-dark", '[theme="dark"]')
VIEWS = 20  # most classes of a page
COLORED = (*range(-LEVELS, 0), *range(1, LEVELS + 1))


def escaped(text: str) -> str:
    """Escape a text for an element or a quoted attribute, and spell out control characters.

    >>> escaped("<b title='x'>" + chr(0))
    '&lt;b title=&#x27;x&#x27;&gt;\\\\x00'
    """
    return html.escape(shown(text), quote=True)


def level_name(level: int) -> str:
    """The name of a color level in CSS.

    >>> level_name(3), level_name(-1)
    ('f3', 'a1')
    """
    return f"{'f' if level > 0 else 'a'}{abs(level)}"


def document(content: str, *, title: str, colors: str, style: str = "", script: str = "") -> str:
    """A self-contained document; `style` adds rules to those of all pages."""
    rules = "\n".join(filter(None, [sheet(colors), resource("document.css"), style]))
    allowed = [f"style-src {_hash(rules)}", *([f"script-src {_hash(script)}"] if script else [])]
    policy = "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escaped(title)}</title>\n<style>{rules}</style>\n</head>\n"
        f'<body class="um um-document">\n{content}\n'
        f"{f'<script>{script}</script>' if script else ''}</body>\n</html>\n"
    )


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@cache
def resource(name: str, package: str = __package__) -> str:
    """The text of a file in this package or another one."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def sheet(colors: str) -> str:
    """The style sheet of a page or fragment in a palette."""
    themes = [
        _rule([".um"], colors, "light"),
        f"@media (prefers-color-scheme: dark) {{ {_rule(['.um'], colors, 'dark')} }}",
        _rule([f"{theme} .um" for theme in LIGHT_THEMES], colors, "light"),
        _rule([f"{theme} .um" for theme in DARK_THEMES], colors, "dark"),
        f"@media print {{ {_rule(['.um.um'], colors, 'light')} }}",
    ]
    levels = [
        f".um.um.um .um-{name} {{ background: var(--um-{name}); color: var(--um-{name}-ink); fill: var(--um-{name}) }}"
        for name in map(level_name, COLORED)
    ]
    return "\n".join([*themes, *levels, resource("parts.css"), _switched()])


def _rule(selectors: list[str], colors: str, mode: Mode) -> str:
    """The CSS variables of a palette for light or dark."""
    palette = PALETTES[colors].on_dark if mode == "dark" else PALETTES[colors]
    variables = asdict(BACKGROUNDS[mode])
    for level in COLORED:
        color = palette.color(level)
        variables |= {level_name(level): color.paper, f"{level_name(level)}-ink": color.ink}
    settings = "; ".join(f"--um-{name}: {value}" for name, value in variables.items())
    return f"{', '.join(selectors)} {{ color-scheme: {mode}; {settings} }}"


def _switched() -> str:
    """Show the chosen class only; browsers without :has() show all of them."""
    switched = ".um.um.um .um-switched"
    chosen = ",\n".join(f"{switched}:has(> .um-switches .um-o{at}:checked) .um-v{at}" for at in range(VIEWS))
    return f"@supports selector(:has(a)) {{\n{switched} .um-view {{ display: none }}\n{chosen} {{ display: block }}\n}}"
