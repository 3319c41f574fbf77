"""`unmask methods`: list the values of --method."""

import dataclasses
import inspect
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from ..errors import UnmaskError
from ..methods.base import Method
from ..methods.registry import ALIASES, known_methods, method_class
from ..methods.spec import NONE
from ..render.escape import one_line, shown
from .printing import print_drawing

USAGE = "Give settings as --method NAME:setting=value,setting=value."
OF_ANSWERS = (
    "Language models support all methods except deeplift. With --baseline ignored, methods that follow a path from the "
    "baseline are not supported."
)
GENERAL = {
    "quantity": "log-odds of the target",
    "scale": "log-odds",
    "unit": "unit",
    "baseline": "the baseline",
    "text": "text",
}  # general terms for the values that an explanation would fill in


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Describe this method only.", show_default=False)
    ] = None,
) -> None:
    """List the methods with their cost for a text of N units, or print one method's definition and settings."""
    if name is not None:
        print_drawing(_defined(ALIASES.get(name, name), method_class(name)))
        return
    for known in known_methods():
        try:
            print_drawing(_described(known, method_class(known)))
        except UnmaskError as error:  # a broken plugin; list the others anyway
            print_drawing(
                Group(Text(one_line(known), style="bold"), Padding(Text(one_line(str(error))), (0, 0, 0, 2)), "")
            )
    print_drawing(Text(f"{USAGE} For one method's definition: unmask methods NAME."))
    print_drawing(Text(OF_ANSWERS))


def _described(name: str, method: type[Method]) -> Group:
    lines = [
        Text(one_line(_first_line(method))),
        Text(one_line(" · ".join([*_facts(method), *_settings(method)])), style="dim"),
    ]
    return Group(_head(name), *(Padding(line, (0, 0, 0, 2)) for line in lines), "")


def _defined(name: str, method: type[Method]) -> Group:
    """The definition, cost and settings of a method."""
    definition = method.summary
    for key, value in GENERAL.items():
        definition = definition.replace(f"{{{key}}}", value)
    described = inspect.getdoc(method) or ""
    meanings = inspect.cleandoc(described.partition("Args:\n")[2])
    texts = [_first_line(method), definition, " · ".join(_facts(method)), *_settings(method)]
    paragraphs = [Padding(Text(one_line(text)), (0, 0, 1, 2)) for text in filter(None, texts)]
    if meanings:
        paragraphs += [Padding(Text(shown(meanings)), (0, 0, 1, 4)), Padding(Text(USAGE, "dim"), (0, 0, 0, 2))]
    return Group(_head(name), *paragraphs)


def _head(name: str) -> Text:
    aliases = "".join(f"  also {alias}" for alias, named in ALIASES.items() if named == name)
    return Text.assemble((one_line(name), "bold"), (aliases, "dim"))


def _first_line(method: type[Method]) -> str:
    return (method.__doc__ or "").strip().partition("\n")[0]


def _facts(method: type[Method]) -> Iterator[str]:
    yield f"passes: {method.passes}"
    yield "exact" if method.exact else "approximate"
    yield f"needs {method.needs}"
    if method.source:
        yield method.source


def _settings(method: type[Method]) -> Iterator[str]:
    settings = [f"{one.name}={NONE if one.default is None else one.default}" for one in dataclasses.fields(method)]
    if settings:
        yield f"settings: {', '.join(settings)}"
