"""Methods by name; a module is imported only when its method is asked for."""

import dataclasses
from importlib import import_module
from typing import Any

from ..errors import ArgumentError, unknown
from ..probes import Method

METHODS = {
    "sig": "unmask.methods.sig:SIG",
    "random": "unmask.methods.random:Random",
}
ALIASES = {
    "sequential_integrated_gradients": "sig",
}


def method_class(name: str) -> Any:
    """The class behind a method's name or alias."""
    name = ALIASES.get(name, name)
    if name not in METHODS:
        raise unknown("method", name, METHODS)
    module, _, attribute = METHODS[name].partition(":")
    return getattr(import_module(module), attribute)


def method_named(method: str | Method, *, seed: int | None = None) -> Method:
    """The method of that name with its default settings; a method object comes back as it is.

    Args:
        seed: For methods that draw at random; the others give the same numbers whatever the seed.
    """
    chosen: Any = method_class(method)() if isinstance(method, str) else method
    if not callable(getattr(chosen, "ask", None)) or isinstance(chosen, type):
        raise ArgumentError(f"method {method!r} is neither a name nor a method object such as unmask.methods.SIG()")
    if seed is not None and "seed" in {field.name for field in dataclasses.fields(chosen)}:
        chosen = dataclasses.replace(chosen, seed=seed)
    return chosen  # type: ignore[no-any-return]  # a class from the table, or whatever has an `ask`
