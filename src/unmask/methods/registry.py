"""The registry of methods. Classes are imported on first use; packages add methods as `unmask.methods` entry points."""

import dataclasses
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import ArgumentError, match_case, unknown
from .base import Method, as_method, check_count, derive
from .spec import MethodSpec, format_value, parse_specs

METHODS = {
    "sig": "unmask.methods.sig:SIG",
    "two_sided": "unmask.methods.two_sided:TwoSided",
    "recursive_sig": "unmask.methods.recursive_sig:RecursiveSIG",
    "sig_path": "unmask.methods.sig_path:SIGPath",
    "ig": "unmask.methods.ig:IG",
    "grad_x_input": "unmask.methods.gradient:GradXInput",
    "saliency": "unmask.methods.gradient:Saliency",
    "gradient_shap": "unmask.methods.gradient_shap:GradientShap",
    "dig": "unmask.methods.dig:DIG",
    "sdig": "unmask.methods.dig:SDIG",
    "deeplift": "unmask.methods.deeplift:DeepLift",
    "leave_one_in": "unmask.methods.leave_one:LeaveOneIn",
    "leave_one_out": "unmask.methods.leave_one:LeaveOneOut",
    "shapley": "unmask.methods.shapley:Shapley",
    "random": "unmask.methods.random:Random",
}
ALIASES = {
    "sequential_integrated_gradients": "sig",
    "integrated_gradients": "ig",
    "input_x_gradient": "grad_x_input",
    "discretized_integrated_gradients": "dig",
}
GROUP = "unmask.methods"


def known_methods() -> dict[str, str]:
    """The location of each method's class, by name: built-in methods first, then those of other packages."""
    return METHODS | {one.name: one.value for one in entry_points(group=GROUP) if one.name not in METHODS}


def method_class(name: str) -> type[Method]:
    """The class of a method, by its name or alias, ignoring case."""
    methods, own = METHODS, [*METHODS, *ALIASES]
    if (found := match_case(name, own)) not in own:
        methods = known_methods()  # slow: reads the metadata of every installed package
        found = match_case(name, [*methods, *ALIASES])
    name = ALIASES.get(found, found)
    if name not in methods:
        raise unknown("method", name, methods)
    try:
        return derive(EntryPoint(name, methods[name], GROUP).load())
    except (ImportError, AttributeError) as error:
        raise ArgumentError(f"method {name!r} cannot be loaded from {methods[name]!r}: {error}") from error


def resolve_method(method: str | Method, *, seed: int | None = None) -> Method:
    """The method for a spec such as `ig` or `ig:steps=250,rule=trapezoid`; a method object is returned unchanged.

    Args:
        seed: The seed for methods that draw at random; other methods ignore it.
    """
    if isinstance(method, str) and (count := len(parse_specs(method))) != 1:
        raise ArgumentError(
            f"{method!r} names {count} methods; expected one",
            hint="to compare several, use unmask compare or explainer.compare",
        )
    return resolve_methods([method], seed=seed)[0]


def own_method(name: str) -> type[Method] | None:
    """The class of a built-in method, to fill in what results of earlier versions did not store about the method."""
    return method_class(name) if name in METHODS else None


def resolve_methods(methods: Iterable[str | Method], *, seed: int | None = None) -> list[Method]:
    """The methods for some specs. One spec may name several methods: `ig:steps=250,sig_path:steps=10`."""
    if seed is not None:
        check_count("seed", seed, least=0)
    resolved: list[Method] = []
    for method in methods:
        if isinstance(method, str):
            resolved += [make_method(spec, seed=seed) for spec in parse_specs(method)]
        elif isinstance(method, type) or not callable(getattr(method, "ask", None)):
            raise ArgumentError(f"method {method!r} is neither a name nor a method object such as unmask.methods.SIG()")
        else:
            known = as_method(method)
            changes = _seed(known, seed)
            resolved.append(dataclasses.replace(known, **changes) if changes else known)
    return resolved


def make_method(spec: MethodSpec, *, seed: int | None = None) -> Method:
    """Create the method with the settings in the spec; a seed in the spec takes precedence over `seed`."""
    cls = method_class(spec.name)
    given = {name: format_value(cls, name, value) for name, value in spec.settings.items()}
    return cls(**_seed(cls, seed) | given)


def _seed(method: Any, seed: int | None) -> dict[str, Any]:
    """The seed as a setting, for methods that draw at random; a method object keeps its own seed."""
    defaults = {field.name: field.default for field in dataclasses.fields(method)}
    if seed is None or "seed" not in defaults:
        return {}
    is_own = not isinstance(method, type) and method.seed != defaults["seed"]
    return {} if is_own else {"seed": seed}
