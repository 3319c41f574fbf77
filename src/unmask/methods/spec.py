"""How a method and its settings are spelled, on the command line and in tables alike: `ig:steps=250,rule=trapezoid`.

Several methods stand behind each other with commas: `ig:steps=250,rule=trapezoid,sig_path:steps=10`.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from ..errors import ArgumentError, unknown
from .base import Method, settings

NONE = "none"


@dataclasses.dataclass(frozen=True, slots=True)
class MethodSpec:
    """A method's name and its settings, as they are written."""

    name: str
    settings: Mapping[str, str]

    def __str__(self) -> str:
        """As `read` takes it."""
        settings = ",".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{self.name}:{settings}" if settings else self.name


def parse_specs(text: str) -> list[MethodSpec]:
    """The methods that a text spells.

    >>> parse_specs("ig:steps=250,rule=trapezoid,sig")
    [MethodSpec(name='ig', settings={'steps': '250', 'rule': 'trapezoid'}), MethodSpec(name='sig', settings={})]
    """
    specs: list[MethodSpec] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, colon, setting = part.partition(":")
        if not colon and "=" in part:  # one more setting of the method before
            if not specs:
                raise ArgumentError(f"{part!r} is a setting; write METHOD:{part}")
            if (more := _setting(part)).keys() & specs[-1].settings.keys():
                raise ArgumentError(f"duplicate setting {next(iter(more))!r} of {specs[-1].name}")
            specs[-1] = MethodSpec(specs[-1].name, {**specs[-1].settings, **more})
        else:
            specs.append(MethodSpec(name.strip(), _setting(setting) if colon else {}))
    if not specs:
        raise ArgumentError("no method given")
    return specs


def format_spec(method: Method) -> str:
    """A method with the settings that are not the usual ones, as `read` takes it."""
    usual = {field.name: field.default for field in dataclasses.fields(method)}
    given = {name: value for name, value in settings(method).items() if value != usual[name]}
    return method.name + "".join(
        f"{',' if at else ':'}{name}={NONE if value is None else value}"
        for at, (name, value) in enumerate(given.items())
    )


def format_value(method: Any, name: str, text: str) -> Any:
    """A setting's value: a number, `none`, or a word; the method itself judges whether it fits."""
    names = {field.name: field.type for field in dataclasses.fields(method)}
    if not names:
        raise ArgumentError(f"method {method.name!r} has no settings; remove {name!r}")
    if name not in names:
        raise unknown(f"{method.name} setting", name, names)
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None if text.lower() == NONE else text


def _setting(text: str) -> dict[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise ArgumentError(f"{text!r} is not a setting; write name=value, such as ig:steps=250")
    return {name: value}
