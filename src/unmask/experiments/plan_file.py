"""A plan as it is written: from a TOML file, or from what a run keeps of one, to the values of a plan.

Keys: docs/reference/plans.md. A plan that is kept has the same form, with presets and lists spelled out.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, InputError, unknown
from ..methods.registry import make_method
from ..methods.spec import parse_specs
from ..metrics.protocols import PARTICULAR, PROTOCOLS, resolve_protocol
from ..results.atomic_io import read_whole
from .plan_parts import PRESETS, DatasetPlan, ModelPlan, check_texts
from .studies import STUDIES

if TYPE_CHECKING:
    from .plan import Plan

SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class PlanFile:
    """A plan's tables, as they stand in a file."""

    name: str
    tables: Mapping[str, Any]
    shown: str  # how messages call it
    folder: Path | None  # to which its paths are relative; None: the package, where there are none


def read_plan_file(name: str) -> PlanFile:
    """The tables of a plan that is shipped, by its name, or of a file."""
    plans = shipped_plans()
    if name in plans:
        return PlanFile(name, _tables(plans[name].read_bytes(), name), f"the plan {name!r}", None)
    path = Path(name).expanduser()
    if path.suffix != SUFFIX and len(path.parts) == 1 and not path.exists():
        error = unknown("plan", name, plans)
        raise ArgumentError(str(error), hint=f"the name of a file of your own ends in {SUFFIX}")
    return PlanFile(path.stem, _tables(read_whole(path), name), repr(name), path.absolute().parent)


def shipped_plans() -> dict[str, Traversable]:
    """The plans of all studies, by name."""
    folders = [files(package).joinpath("plans") for package in STUDIES.values()]
    plans = [file for folder in folders for file in folder.iterdir() if file.name.endswith(SUFFIX)]
    return {file.name.removesuffix(SUFFIX): file for file in plans}


def _tables(content: bytes, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8, as TOML must be: see byte {error.start + 1}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name!r} is not TOML: {error}", hint="texts stand in quotes, lists in [ ]") from error


def values(tables: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan is made of, out of its tables."""
    for name in tables:
        if name not in KEYS:
            raise unknown("key", name, KEYS)
    for name, example in NEEDED.items():
        if not tables.get(name):
            raise ArgumentError(f"the plan has no {name}", hint=f"such as {example}")
    found = {name: KEYS[name](name, value) for name, value in tables.items()}
    names = [one.name for one in found["datasets"]]
    return found | {"models": tuple(_model(name, value, names) for name, value in found["models"].items())}


def dataset_table(part: DatasetPlan) -> dict[str, Any]:
    """A dataset as its table; what is not said is left away."""
    found = {field.name: getattr(part, field.name) for field in fields(part) if field.name != "name"}
    return {name: plain_value(value) for name, value in found.items() if value not in (None, ())}


def plain_value(value: Any) -> Any:
    """A value as TOML and JSON have it."""
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


@contextmanager
def naming_place(place: str) -> Iterator[None]:
    """Say in an error where the value stands that is wrong."""
    try:
        yield
    except ArgumentError as error:
        raise ArgumentError(f"{place}: {error}", hint=error.hint) from error


def _as_it_is(_: str, value: Any) -> Any:
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list, or a single text in its place; only controls may be none at all."""
    found = [value] if isinstance(value, str) else value
    check_texts(name, found, may_be_empty=name == "controls")
    return tuple(found)


def _numbers(name: str, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ArgumentError(f"{name}={value!r}: a list of numbers was expected")
    return tuple(value)


def _table(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ArgumentError(f"{name}={value!r}: a table was expected, such as {TABLES[name]}")
    return value


def _methods(name: str, value: Any) -> dict[str, tuple[str, ...]]:
    """A list for each protocol, or one for all of them."""
    if not isinstance(value, Mapping):
        return dict.fromkeys(PROTOCOLS, _spelled(name, value))
    return {protocol: _spelled(f"{name}.{protocol}", methods) for protocol, methods in value.items()}


def _spelled(place: str, methods: Any) -> tuple[str, ...]:
    found = _texts(place, methods)
    with naming_place(place):
        return tuple(str(one) for text in found for one in parse_specs(text))


def _datasets(name: str, value: Any) -> tuple[DatasetPlan, ...]:
    return tuple(_dataset(one, table) for one, table in _table(name, value).items())


def _dataset(name: str, table: Any) -> DatasetPlan:
    with naming_place(f"datasets.{name}"):
        if not isinstance(table, Mapping):
            raise ArgumentError(f"{table!r} is no table; write source = ... or preset = ... under [datasets.{name}]")
        for key in table:
            if key not in DATASET_KEYS:
                raise unknown("dataset key", key, DATASET_KEYS)
        given: dict[str, Any] = {
            **table,
            **({"column": _texts("column", table["column"])} if "column" in table else {}),
        }
        preset = given.pop("preset", None)
        if preset is None and "source" not in given:
            raise ArgumentError("there is no source: say a file, a name on the hub, or a preset")
        return DatasetPlan(name=name, **given) if preset is None else _preset(name, preset, given)


def _preset(name: str, preset: Any, given: dict[str, Any]) -> DatasetPlan:
    if preset not in PRESETS:
        raise unknown("preset", preset, PRESETS)
    for key in ("source", "config", "form", "quoting"):
        if key in given:
            raise ArgumentError(f"the preset {preset!r} says where its texts are: leave {key} away, or the preset")
    return replace(PRESETS[preset].dataset, name=name, **given)


def _model(name: str, value: Any, datasets: list[str]) -> ModelPlan:
    """A model's sources for some datasets, or one for all of them; in a table beside labels and revision."""
    with naming_place(f"models.{name}"):
        table = {"source": value} if isinstance(value, str) else value
        if not isinstance(table, Mapping):
            raise ArgumentError(f"{value!r} is neither a folder or hub name nor a table with one for each dataset")
        settings: dict[str, Any] = {key: table[key] for key in MODEL_KEYS if key in table and key not in datasets}
        sources = {key: source for key, source in table.items() if key not in settings}
        for dataset in sources:
            if dataset not in datasets:
                raise unknown("dataset", dataset, [*datasets, *MODEL_KEYS])
        if "source" in settings:
            sources = dict.fromkeys(datasets, settings.pop("source")) | sources
        if "labels" in settings:
            settings["labels"] = _texts("labels", settings["labels"])
        return ModelPlan(name=name, sources=sources, **settings)


def model_table(model: ModelPlan) -> dict[str, Any]:
    """A model as its table."""
    settings = {"labels": model.labels, "revision": model.revision}
    return dict(model.sources) | {name: plain_value(value) for name, value in settings.items() if value is not None}


def check_written(tables: Mapping[str, Any], plan: "Plan") -> None:
    """Refuse methods that cannot be made here, and settings of a protocol for which there are no methods."""
    given = tables["methods"]
    for protocol, methods in plan.methods.items():
        with naming_place(f"methods.{protocol}" if isinstance(given, Mapping) else "methods"):
            _check_made(methods)
    known = {parse_specs(method)[0].name for methods in plan.methods.values() for method in methods}
    with naming_place("max_units"):
        for name in set(plan.max_units) - known:
            raise unknown("method", name, known)
    protocols = list(given) if isinstance(given, Mapping) else [plan.protocol]
    for name in PARTICULAR:
        takers = [protocol for protocol in PROTOCOLS if name in resolve_protocol(protocol).settings]
        if name in tables and not set(takers) & set(protocols):
            raise ArgumentError(
                f"{name} is for the protocol {takers[0]!r}, and the methods are for {protocols[0]!r}",
                hint=f"remove {name}, or give [methods] a list for {takers[0]}",
            )


def _check_made(methods: Iterable[str]) -> None:
    seen: list[tuple[str, Any]] = []
    for spelled in methods:
        method = make_method(parse_specs(spelled)[0])
        for before, other in seen:
            if other == method:
                raise ArgumentError(f"{spelled!r} is {before!r} again")
        seen.append((spelled, method))


NEEDED = {
    "name": 'name = "reviews"',
    "methods": 'methods = ["sig", "ig:steps=50"]',
    "datasets": '[datasets.reviews] with source = "reviews.csv"',
    "models": '[models] with bert = "a/folder"',
}
TABLES = {**NEEDED, "max_units": "max_units = { shapley = 64 }"}
MODEL_KEYS = ("source", "labels", "revision")
DATASET_KEYS = ("preset", *(field.name for field in fields(DatasetPlan) if field.name != "name"))
KEYS: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("name", "protocol", "top", "unit", "target", "scale", "seed"), _as_it_is),
    **dict.fromkeys(("dtype", "max_length", "rationale_length", "distilbert"), _as_it_is),
    **dict.fromkeys(("baselines", "operators", "controls"), _texts),
    "curve": _numbers,
    "methods": _methods,
    "datasets": _datasets,
    **dict.fromkeys(("models", "max_units"), _table),
}
