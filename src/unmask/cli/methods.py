"""`unmask methods`: the values of --method."""

import dataclasses
from collections.abc import Iterator

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from ..errors import UnmaskError
from ..methods.base import Method
from ..methods.registry import ALIASES, known_methods, method_class
from ..methods.spec import NONE
from .writers import OurConsole


def methods() -> None:
    """List the methods with their cost for a text of N units, requirements and settings."""
    console = OurConsole(highlight=False)
    for name in known_methods():
        try:
            console.print(_described(name, method_class(name)))
        except UnmaskError as error:  # of an installed package; list the others anyway
            console.print(Group(Text(name, style="bold"), Padding(Text(str(error)), (0, 0, 0, 2)), ""))
    console.print(Text("Give settings as --method NAME:setting=value,setting=value."))


def _described(name: str, method: type[Method]) -> Group:
    aliases = [f"also {alias}" for alias, named in ALIASES.items() if named == name]
    head = Text.assemble((name, "bold"), ("".join(f"  {alias}" for alias in aliases), "dim"))
    lines = [Text((method.__doc__ or "").strip().partition("\n")[0]), Text(" · ".join(_facts(method)), style="dim")]
    return Group(head, *(Padding(line, (0, 0, 0, 2)) for line in lines), "")


def _facts(method: type[Method]) -> Iterator[str]:
    yield f"passes: {method.passes}"
    yield "exact" if method.exact else "approximate"
    yield f"needs {method.needs}"
    if method.source:
        yield method.source
    settings = [f"{one.name}={NONE if one.default is None else one.default}" for one in dataclasses.fields(method)]
    if settings:
        yield f"settings: {', '.join(settings)}"
