"""Method specs, as used on the command line and in tables: `ig:steps=250,rule=trapezoid`.

Commas also separate several methods: `ig:steps=250,rule=trapezoid,sig_path:steps=10`.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from ..errors import ArgumentError, brief, check_known
from .base import Method, settings

NONE = "none"
MOST_DIGITS = 4300  # the longest integer that Python parses
WORDS = {NONE: None, "true": True, "false": False}


@dataclasses.dataclass(frozen=True, slots=True)
class MethodSpec:
    """A method's name and its settings as text."""

    name: str
    settings: Mapping[str, str]

    def __str__(self) -> str:
        settings = ",".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{self.name}:{settings}" if settings else self.name


def parse_specs(text: str) -> list[MethodSpec]:
    """Parse the specs in a text.

    >>> parse_specs("ig:steps=250,rule=trapezoid,sig")
    [MethodSpec(name='ig', settings={'steps': '250', 'rule': 'trapezoid'}), MethodSpec(name='sig', settings={})]
    """
    specs: list[MethodSpec] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, colon, setting = part.partition(":")
        if not colon and "=" in part:  # another setting of the preceding method
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
    """The spec of a method, with only the settings that differ from the defaults."""
    usual = {field.name: field.default for field in dataclasses.fields(method)}
    given = {name: value for name, value in settings(method).items() if value != usual[name]}
    return str(MethodSpec(method.name, {name: _text(value) for name, value in given.items()}))


def format_value(method: Any, name: str, text: str) -> Any:
    """Parse the value of a setting: a number, None, true, false or a string. The method itself validates the value."""
    names = {field.name: field.type for field in dataclasses.fields(method)}
    if not names:
        raise ArgumentError(f"method {method.name!r} has no settings; remove {name!r}")
    check_known(f"{method.name} setting", [name], names)
    return parse_value(text)


def parse_value(text: str) -> Any:
    """Parse a number, None, true, false or a string.

    >>> [parse_value(text) for text in ("3", "0.5", "none", "True", "spline")]
    [3, 0.5, None, True, 'spline']
    """
    if text.strip("+-").isdecimal() and len(text) > MOST_DIGITS:  # Python refuses longer integers
        raise ArgumentError(f"a number of {len(text):,} digits is too long: {brief(text)}")
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return WORDS.get(text.lower(), text)


def _text(value: Any) -> str:
    return next((word for word, meaning in WORDS.items() if value is meaning), str(value))


def _setting(text: str) -> dict[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise ArgumentError(f"{text!r} is not a setting; write name=value, such as ig:steps=250")
    return {name: value}
