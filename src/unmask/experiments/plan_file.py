"""Reads a plan from a TOML file, or from the copy that a run stores. docs/reference/plans.md describes the keys."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, InputError, check_known, unknown, why_unreadable
from ..inputs.columns import PAIR, Columns
from ..methods.registry import make_method
from ..methods.spec import parse_specs
from ..metrics.protocols import known_protocols, protocol_choices, setting_protocols
from ..results.atomic_io import expand_user, path_kind, read_whole
from ..studies import all_studies
from .plan_parts import PRESETS, DatasetPlan, ModelPlan, check_some

if TYPE_CHECKING:
    from .plan import Plan

SUFFIX = ".toml"
EXAMPLES = {
    "name": 'name = "reviews"',
    "methods": 'methods = ["sig", "ig:steps=50"]',
    "datasets": '[datasets.reviews] with source = "reviews.csv"',
    "models": '[models] with bert = "a/folder"',
    "max_units": "max_units = { shapley = 64 }",
}
NEEDED, TABLES = ("name", "methods", "datasets", "models"), ("datasets", "models", "max_units")
LISTS = ("baselines", "operators", "controls", "curve", "column", "labels")
_DEEP_KEY = re.compile(rb"^[\w \t\"'\[-]*(?:\.[\w \t\"'-]*){100}", re.MULTILINE)
MODEL_KEYS = ("source", "labels", "revision", "task")
DATASET_KEYS = ("preset", *(field.name for field in fields(DatasetPlan) if field.name != "name"))


def read_plan_file(name: str) -> tuple[dict[str, Any], str, Path | None]:
    """Return a plan's tables, its name for messages, and the folder that its paths are relative to."""
    plans = shipped_plans()
    if name in plans:
        return {"name": name, **_tables(plans[name].read_bytes(), name)}, f"the plan {name!r}", None
    path = expand_user(name)
    if path.suffix != SUFFIX and len(path.parts) == 1 and path_kind(path) == "missing":
        error = unknown("plan", name, plans)
        raise ArgumentError(str(error), hint=f"plan file names end in {SUFFIX}")
    return {"name": path.stem, **_tables(read_whole(path), name)}, repr(name), path.absolute().parent


def shipped_plans() -> dict[str, Traversable]:
    """The plan files of all studies, by name."""
    packages = filter(None, (study.plans for study in all_studies()))
    folders = [files(package).joinpath("plans") for package in packages]
    plans = [file for folder in folders for file in folder.iterdir() if file.name.endswith(SUFFIX)]
    return {file.name.removesuffix(SUFFIX): file for file in plans}


def _tables(content: bytes, name: str) -> dict[str, Any]:
    try:
        if _DEEP_KEY.search(content):  # tomllib's time and memory grow with the square of a key's parts
            raise RecursionError
        tables = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8 (at byte {error.start + 1}), which TOML requires") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name!r} is not TOML: {error}", hint="put strings in quotes and lists in [ ]") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name!r} is not TOML: {why_unreadable(error)}") from error
    _check_values(tables, name)
    return tables


def _check_values(tables: dict[str, Any], name: str) -> None:
    """Reject integers that TOML does not allow but Python's parser accepts, and strings with a NUL.

    A name or path cannot contain a NUL.
    """
    left: list[Any] = [tables]
    while left:
        value = left.pop()
        left += [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise InputError(f"{name!r} is not TOML: an integer has more than 64 bits")
        if isinstance(value, str) and "\0" in value:
            raise InputError(f"{name!r}: {value!r} contains a NUL, which no name or path can contain")


@contextmanager
def naming_place(place: str) -> Iterator[None]:
    """Prefix errors with the location of the wrong value."""
    try:
        yield
    except ArgumentError as error:
        raise ArgumentError(f"{place}: {error}", hint=error.hint) from error


def plan_values(tables: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """Convert the tables of a plan to the fields of `Plan`."""
    declared = protocol_choices()
    check_known("key", tables, {*keys, *declared} - {"protocol_settings"})
    for name in NEEDED:
        if not tables.get(name):
            raise ArgumentError(f"the plan has no {name}", hint=f"add it, for example: {EXAMPLES[name]}")
    for name in TABLES:
        if not isinstance(table := tables.get(name, {}), Mapping):
            raise ArgumentError(f"{name}={table!r}: expected a table, such as {EXAMPLES[name]}")
    datasets = tables["datasets"]
    has_task = any(isinstance(one, Mapping) and "task" in one for one in tables["models"].values())
    most = None if has_task else PAIR  # classifiers read one text or a pair; other tasks check their columns themselves
    return {name: _value(name, value) for name, value in tables.items() if name not in declared} | {
        "protocol_settings": {name: value for name, value in tables.items() if name in declared},
        "methods": _methods(tables["methods"]),
        "datasets": tuple(_dataset(name, table, most) for name, table in datasets.items()),
        "models": tuple(_model(name, table, list(datasets)) for name, table in tables["models"].items()),
    }


def _value(name: str, value: Any) -> Any:
    """Convert a list, or a single string given instead of a list, to a tuple. Only controls may be empty."""
    if name not in LISTS:
        return value
    if value == [] and name not in ("controls", "curve"):
        check_some(name, value)
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


def _methods(value: Any) -> dict[str, tuple[str, ...]]:
    """Read one list per protocol, or a single list for all protocols."""
    if not isinstance(value, Mapping):
        return dict.fromkeys(known_protocols(), _specs("methods", value))
    return {protocol: _specs(f"methods.{protocol}", methods) for protocol, methods in value.items()}


def _specs(place: str, methods: Any) -> tuple[str, ...]:
    texts = [methods] if isinstance(methods, str) else methods
    check_some(place, texts)
    with naming_place(place):
        return tuple(str(spec) for text in texts for spec in parse_specs(text))


def _dataset(name: str, table: Any, most: int | None) -> DatasetPlan:
    with naming_place(f"datasets.{name}"):
        if not isinstance(table, Mapping):
            raise ArgumentError(f"expected a table, not {table!r}; set source or preset under [datasets.{name}]")
        check_known("dataset key", table, DATASET_KEYS)
        given = {key: _value(key, value) for key, value in table.items()}
        preset = given.pop("preset", None)
        if preset is None:
            if "source" not in given:
                raise ArgumentError("no source; set source to a file or a hub dataset, or set a preset")
            made = DatasetPlan(name=name, **given)
            Columns(made.column, most=most)
            return made
        check_known("preset", [preset], PRESETS)
        for key in ("source", "config", "form", "quoting"):
            if key in given:
                raise ArgumentError(f"preset {preset!r} fixes {key}; remove {key} or the preset")
        return replace(PRESETS[preset], name=name, **given)


def _model(name: str, value: Any, datasets: list[str]) -> ModelPlan:
    """Read a model: one source for all datasets, or a table of sources, labels, revision and task."""
    with naming_place(f"models.{name}"):
        table = {"source": value} if isinstance(value, str) else value
        if not isinstance(table, Mapping):
            raise ArgumentError(f"{value!r}: expected a folder, a hub name, or a table of these by dataset")
        settings = {key: _value(key, table[key]) for key in MODEL_KEYS if key in table and key not in datasets}
        sources = {key: source for key, source in table.items() if key not in settings}
        check_known("dataset", sources, [*datasets, *MODEL_KEYS])
        if "source" in settings:
            sources = dict.fromkeys(datasets, settings.pop("source")) | sources
        return ModelPlan(name=name, sources=sources, **settings)


def check_written(tables: Mapping[str, Any], plan: "Plan") -> None:
    """Reject methods that are not installed, and settings of a protocol that has no methods."""
    has_lists = isinstance(tables["methods"], Mapping)
    for protocol, methods in plan.methods.items():
        with naming_place(f"methods.{protocol}" if has_lists else "methods"):
            _check_made(methods)
    with naming_place("max_units"):
        known = {parse_specs(method)[0].name for methods in plan.methods.values() for method in methods}
        check_known("method", plan.max_units, known)
    protocols = list(tables["methods"]) if has_lists else [plan.protocol]
    for name, takers in setting_protocols().items():
        if name in tables and not set(takers) & set(protocols):
            raise ArgumentError(
                f"{name} applies to the protocol {takers[0]!r}, but the methods are for {protocols[0]!r}",
                hint=f"remove {name}, or add {takers[0]} = [...] under [methods]",
            )


def _check_made(methods: Iterable[str]) -> None:
    made: list[tuple[str, Any]] = []
    for spec in methods:
        method = make_method(parse_specs(spec)[0])
        for before in (other for other, earlier in made if earlier == method):
            raise ArgumentError(f"duplicate method: {spec!r} is the same as {before!r}")
        made.append((spec, method))
