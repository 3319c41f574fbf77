"""Bundles the view's ES modules into one text, because a notebook or a page opened from disk cannot import files.

The page of `unmask serve` imports the files of `view/` as they are.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from .document import sheet
from .parts import resource

MODULES = files(__package__) / "view"
VIEW = "view"  # the module with the widget's contract
STYLES = ("document.css", "answer.css", "heads.css", "pairs.css", "view.css")  # beside the sheet of all drawings
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export const (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (.*);$", re.MULTILINE)


@cache
def view_module() -> str:
    """The whole view as an ES module."""
    return f"{_written(VIEW)}\nexport default {VIEW}_module.default;\n"


@cache
def view_style(colors: str = "default") -> str:
    """The style sheet of the view: the rules for all drawings, plus those for the view."""
    return "\n".join([sheet(colors), *(resource(name).rstrip() for name in STYLES)]) + "\n"


@cache
def page_script(*names: str) -> str:
    """Bundle these modules and their imports into a script; each module attaches itself to its elements on the page."""
    calls = "".join(f"{name}_module.connect();\n" for name in names)
    return f"(() => {{\n{_written(*names)}\n{calls}}})();" if names else ""


def _written(*names: str) -> str:
    """Wrap each module in a function that returns its exports; a module comes after those that it imports."""
    written = dict[str, str]()
    _add(names, written)
    return "\n".join(written.values())


def _add(names: Iterable[str], written: dict[str, str]) -> None:
    for name in names:
        if name in written:
            continue
        source = (MODULES / f"{name}.js").read_text(encoding="utf-8")
        _add([imported for _, imported in _IMPORT.findall(source)], written)
        body = _IMPORT.sub(r"const \1 = \2_module;\n", source)
        body = _EXPORT.sub(r"const \1", _DEFAULT.sub(r"const result = \1;", body))
        results = [*_EXPORT.findall(source), *(["default: result"] if _DEFAULT.search(source) else [])]
        written[name] = f"const {name}_module = (() => {{\n{body}return {{ {', '.join(results)} }};\n}})();\n"
