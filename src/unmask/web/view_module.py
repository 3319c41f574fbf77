"""Joins the view's files into one ES module: a notebook needs a single script, while the page imports the files."""

import re
from functools import cache
from importlib.resources import files

STATIC = files(__package__) / "static"
ENTRY = "view"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export const (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (.*);$", re.MULTILINE)


@cache
def view_module() -> str:
    """All modules of the view, each wrapped in a function and placed after the modules that it imports."""
    written = dict[str, str]()
    _write(ENTRY, written)
    return "\n".join([*written.values(), f"export default {ENTRY}.default;\n"])


@cache
def view_style() -> str:
    """The style sheet of the view: the rules of all drawings, then those that the view adds."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("look.css", "view.css"))


def _write(name: str, written: dict[str, str]) -> None:
    source = (STATIC / "view" / f"{name}.js").read_text(encoding="utf-8")
    for imported in dict.fromkeys(_IMPORT.findall(source)):
        if imported[1] not in written:
            _write(imported[1], written)
    names = ", ".join(_EXPORT.findall(source))
    body = _IMPORT.sub(r"const \1 = \2_module;\n", source)
    body = _EXPORT.sub(r"const \1", _DEFAULT.sub(r"return { default: \1 };", body))
    result = "" if name == ENTRY else f"return {{ {names} }};\n"
    written[name] = f"const {name if name == ENTRY else f'{name}_module'} = (() => {{\n{body}{result}}})();\n"
