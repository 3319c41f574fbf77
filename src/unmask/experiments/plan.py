"""A plan: which methods to evaluate, on which models and datasets. Imports no torch and opens no model."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

from ..errors import ArgumentError, as_written, check_known, unknown
from ..inputs.opening import STANDARD_INPUT
from ..methods.base import check_count
from ..methods.spec import parse_specs
from ..metrics.faithfulness import CURVE
from ..metrics.perturbations import OPERATORS
from ..metrics.protocols import known_protocols, protocol_choices, resolve_protocol
from ..results.atomic_io import is_path
from ..results.rows import CONTROLS, GREEDY, RANDOM
from ..tasks.targets import SCALES
from ..text.segmentation import check_unit
from .pair import Pair
from .plan_file import check_written, naming_place, plan_values, read_plan_file
from .plan_parts import Check, DatasetPlan, ModelPlan, check_fields, check_some, check_text, check_texts, to_table

__all__ = ["DatasetPlan", "ModelPlan", "Pair", "Plan"]

# Copied from the models layer, which imports torch; a test compares them.
BASELINES = ("auto", "mask", "pad", "unk", "eos", "zero", "ignored")
TOKEN = "token:"  # prefix of a baseline that is any other token
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Models x datasets x methods, and how to evaluate the methods. Defaults are those of `Explainer.evaluate`.

    Args:
        methods: Method specs for each protocol.
        operators: How the metrics delete units. Like unit, target and scale, only for the protocol `corrected`.
        top: The share of a text's units that is deleted or kept.
        curve: The shares for AOPC.
        dtype: The models' dtype; float32 by default.
        max_length: Truncate texts to this many tokens; by default, the model's limit.
        max_units: Skip texts with more units than this, by method name.
        rationale_length: The number of units that a method selects as its rationale; by default, the annotators' mean.
        protocol_settings: Settings that a protocol declares in its `choices`.
    """

    name: str
    methods: Mapping[str, tuple[str, ...]]
    datasets: tuple[DatasetPlan, ...]
    models: tuple[ModelPlan, ...]
    protocol: str = "corrected"
    baselines: tuple[str, ...] = ("auto",)
    operators: tuple[str, ...] = ()
    top: float = 0.2
    curve: tuple[float, ...] = CURVE
    controls: tuple[str, ...] = (RANDOM, GREEDY)
    unit: str | None = None
    target: str | int | None = None
    scale: str | None = None
    seed: int = 0
    dtype: str | None = None
    max_length: int | None = None
    max_units: Mapping[str, int] = field(default_factory=dict)
    rationale_length: int | None = None
    protocol_settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self, CHECKS)
        _check_methods(self)
        _check_pairs(self)
        object.__setattr__(self, "top", float(self.top))  # 1 and 1.0 are the same share
        object.__setattr__(self, "curve", tuple(sorted(set(map(float, self.curve)))))

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Self:
        """Load a plan from a TOML file, or a shipped plan by name: `paper`, `paper-steps`."""
        tables, shown, folder = read_plan_file(os.fspath(name))
        with naming_place(shown):
            plan = cls.from_dict(tables)
            check_written(tables, plan)
            if folder is not None:
                plan = plan._with_parts(lambda part: part.located(folder))
            for dataset in plan.datasets:
                with naming_place(f"datasets.{dataset.name}"):
                    if dataset.source == STANDARD_INPUT:
                        raise ArgumentError("standard input cannot be reread when the run resumes; use a file")
                    dataset.check_source()
        return plan

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`. Accepts methods that are not installed."""
        return cls(**plan_values(tables, cls.__dataclass_fields__))

    def to_dict(self) -> dict[str, Any]:
        """Convert to TOML and JSON values, with presets expanded and without unset keys."""
        table = {"name": self.name, **to_table(self), "controls": list(self.controls)}  # [] means no controls
        table |= table.pop("protocol_settings", {})
        models = {one.name: to_table(one) for one in self.models}
        return table | {
            "methods": {protocol: list(methods) for protocol, methods in self.methods.items()},
            "datasets": {one.name: to_table(one) for one in self.datasets},
            "models": {name: model.pop("sources") | model for name, model in models.items()},
        }

    def pairs(self) -> Iterator[Pair]:
        """Yield every pair of a dataset and a model, dataset by dataset."""
        for dataset in self.datasets:
            for model in self.models:
                if dataset.name in model.sources:
                    yield Pair(
                        dataset, model.name, model.sources[dataset.name], model.labels, model.revision, model.task
                    )

    def setting(self, name: str) -> Any:
        """A setting of the plan or of its protocol; None if not set."""
        return getattr(self, name, self.protocol_settings.get(name))

    def evaluation_options(self) -> dict[str, Any]:
        """Keyword arguments for `Explainer.evaluate`, without methods, baselines and curve."""
        own = {name: self.setting(name) for name in resolve_protocol(self.protocol).settings}
        said = {name: value for name, value in own.items() if value not in (None, ())}
        return {"protocol": self.protocol, "top": self.top, "controls": self.controls, "seed": self.seed} | said

    def mapped(self, places: Mapping[str, str]) -> Self:
        """Replace sources with local folders and files.

        Args:
            places: Paths by dataset name, model name (for all its sources) or source.
        """
        sources = [source for model in self.models for source in model.sources.values()]
        shared = Counter(dataset.source for dataset in self.datasets)
        names = [*(one.name for one in self.datasets), *(one.name for one in self.models)]
        known = {*names, *(one for one in (*sources, *shared) if not is_path(one))}
        check_known("name", places, known)
        for name, place in places.items():
            if not place:
                raise ArgumentError(f"{name!r}: the path is empty; give a folder or a file")
            if shared[name] > 1 and name not in names:
                raise ArgumentError(f"{shared[name]} datasets share the source {name!r}; use a dataset's name instead")
        return self._with_parts(lambda part: part.mapped(places))

    def limited(self, limit: int) -> Self:
        """Use at most `limit` texts of each dataset."""
        check_count("limit", limit)
        return replace(
            self, datasets=tuple(replace(one, limit=min(limit, one.limit or limit)) for one in self.datasets)
        )

    def only(self, chosen: Iterable[str]) -> Self:
        """Keep only these pairs: `sst2/bert`, `imdb` (all its models), `*/bert` (all its datasets)."""
        known = defaultdict[str, set[tuple[str, str]]](set)
        for pair in self.pairs():
            for name in (pair.name, pair.dataset.name, f"*/{pair.model}"):
                known[name].add((pair.dataset.name, pair.model))
        names = [chosen] if isinstance(chosen, str) else list(chosen)
        check_known("pair", names, known)
        kept = {pair for name in names for pair in known[name]}
        if not kept:
            raise ArgumentError("no pairs given; use a name such as sst2/bert, sst2 or */bert")
        sources = {
            model.name: {name: source for name, source in model.sources.items() if (name, model.name) in kept}
            for model in self.models
        }
        return replace(
            self,
            datasets=tuple(one for one in self.datasets if one.name in {dataset for dataset, _ in kept}),
            models=tuple(replace(one, sources=sources[one.name]) for one in self.models if sources[one.name]),
        )

    def under(self, protocol: str) -> Self:
        """Switch to another protocol, for which the plan must have methods."""
        return replace(self, protocol=resolve_protocol(protocol).name)

    def _with_parts(self, change: Callable[[Any], Any]) -> Self:
        return replace(self, datasets=tuple(map(change, self.datasets)), models=tuple(map(change, self.models)))


def one_of(kind: str, known: Collection[str]) -> Check:
    """Make a check that rejects unknown names."""
    return lambda _, name: check_known(kind, [name], known)


def check_share(name: str, value: object) -> None:
    """Reject a value that is not a share of a text's units."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ArgumentError(f"{name}={as_written(value)}: expected a share of the units, above 0 and at most 1")


def _check_curve(name: str, given: Any) -> None:
    shares = () if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not shares:
        raise ArgumentError(f"{name}={as_written(given)}: expected a list of shares, such as [0.1, 0.2, 0.5]")
    for share in shares:
        check_share(name, share)


def _check_baseline(_: str, name: str) -> None:
    if name not in BASELINES and (not name.startswith(TOKEN) or name == TOKEN):
        raise unknown("baseline", name, [*BASELINES, f"{TOKEN}WORD"])


def _check_target(_: str, target: Any) -> None:
    if isinstance(target, bool) or not isinstance(target, str | int):
        raise ArgumentError(f"target={as_written(target)}: expected predicted, max, a label or its index")


def _check_units(name: str, limits: Mapping[str, Any]) -> None:
    for method, most in limits.items():
        check_count(f"{name}.{method}", most)


def _check_protocol_settings(_: str, settings: Mapping[str, Any]) -> None:
    known = protocol_choices()
    check_known("protocol setting", settings, known)
    for name, value in settings.items():
        check_known(name, [value], known[name])


CHECKS: Mapping[str, Check] = {
    "name": check_text,
    "protocol": lambda _, name: resolve_protocol(name),
    "baselines": partial(check_some, each=_check_baseline),
    "operators": partial(check_texts, each=one_of("operator", OPERATORS)),
    "top": check_share,
    "curve": _check_curve,
    "controls": partial(check_texts, each=one_of("control", CONTROLS)),
    "unit": lambda _, unit: check_unit(unit),
    "target": _check_target,
    "scale": one_of("scale", ("auto", *SCALES)),
    "seed": lambda _, seed: check_count("seed", seed, least=0),
    "dtype": one_of("dtype", DTYPES),
    "max_length": check_count,
    "max_units": _check_units,
    "rationale_length": check_count,
    "protocol_settings": _check_protocol_settings,
}


def _check_methods(plan: Plan) -> None:
    check_known("protocol", plan.methods, known_protocols())
    for protocol, methods in plan.methods.items():
        check_some(f"methods.{protocol}", methods)
        for method in methods:
            if len(parse_specs(method)) != 1:
                raise ArgumentError(f"methods.{protocol}: {method!r} names several methods; list them separately")
            if method in plan.controls:
                raise ArgumentError(
                    f"{method!r} is both a method and a control", hint="remove it from the methods or from the controls"
                )
    if plan.protocol not in plan.methods:
        raise ArgumentError(
            f"the plan has no methods for the protocol {plan.protocol!r}, only for {', '.join(plan.methods) or 'none'}",
            hint=f"add {plan.protocol} = [...] under [methods]",
        )


def _check_pairs(plan: Plan) -> None:
    datasets, models = [one.name for one in plan.datasets], [one.name for one in plan.models]
    for kind, names in (("dataset", datasets), ("model", models)):
        if not names:
            raise ArgumentError(f"the plan has no {kind}; add one under [{kind}s]")
    for name, times in Counter([*datasets, *models]).items():
        if times > 1:
            raise ArgumentError(f"duplicate name {name!r}; datasets and models need distinct names")
    used = {name for model in plan.models for name in model.sources}
    check_known("dataset", used, datasets)
    for name in datasets:
        if name not in used:
            raise ArgumentError(f"dataset {name!r} has no model; add one, or remove the dataset")
