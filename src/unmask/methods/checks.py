"""Checks of method settings."""

from ..errors import ArgumentError


def check_positive(name: str, value: object) -> None:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ArgumentError(f"{name}={value!r}: expected a number above 0")


def check_count(name: str, value: object, *, least: int = 1) -> None:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{name}={value!r}: expected a whole number of at least {least}")


def check_seed(value: object) -> None:
    """A whole number from 0."""
    check_count("seed", value, least=0)
