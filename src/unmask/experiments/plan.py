"""A plan: what a long evaluation asks, of which models, on which texts. Imports no torch and opens no model."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from ..errors import ArgumentError, unknown
from ..methods.checks import check_count
from ..methods.registry import make_method
from ..methods.spec import parse_specs
from ..metrics.faithfulness import CURVE
from ..metrics.protocols import resolve_protocol
from ..results.rows import GREEDY, RANDOM
from . import mapping
from .plan_checks import OWN, check_plan
from .plan_file import PlanFile, dataset_table, naming_place, plain_value, read_plan_file, values
from .plan_parts import DatasetPlan, ModelPlan, Pair

__all__ = ["DatasetPlan", "ModelPlan", "Pair", "Plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a long evaluation asks: models, datasets, methods, and how they are judged.

    Args:
        methods: For each protocol, the methods as they are spelled.
        baselines: Of the attributions.
        operators: By what the metrics of `corrected` take units away. None: what an evaluation takes by itself, as for
            unit, target and scale, which are for `corrected` too.
        top: The share of a text's units that is taken or left.
        curve: The shares of AOPC.
        dtype: Of the models; None: float32.
        max_length: Tokens that are read of a text; None: as many as the model reads.
        max_units: By a method's name, the most units of a text for which it is computed.
        rationale_length: Units that a method may choose against people's marks; None: as many as they mark on average.
        distilbert: Under `paper`, how often DistilBERT is embedded.
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
    distilbert: Literal["once", "twice"] | None = None

    def __post_init__(self) -> None:
        """Refuse values that no plan can have."""
        check_plan(self)
        object.__setattr__(self, "top", float(self.top))  # 1 and 1.0 are one share
        object.__setattr__(self, "curve", tuple(sorted(set(map(float, self.curve)))))

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Self:
        """The plan in a TOML file, or one that is shipped, by its name: `paper`, `paper-steps`."""
        found = read_plan_file(os.fspath(name))
        with naming_place(found.shown):
            plan = cls.from_dict({"name": found.name, **found.tables})
            _check_written(found, plan)
            if found.folder is not None:
                plan = replace(
                    plan,
                    datasets=tuple(mapping.located(one, found.folder) for one in plan.datasets),
                    models=tuple(mapping.located_model(one, found.folder) for one in plan.models),
                )
            for dataset in plan.datasets:
                with naming_place(f"datasets.{dataset.name}"):
                    dataset.check()
        return plan

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any]) -> Self:
        """The plan that `to_dict` wrote; methods that are not installed here are no hindrance."""
        return cls(**values(tables))

    def to_dict(self) -> dict[str, Any]:
        """The plan as TOML and JSON can hold it, presets spelled out; what is not said is left away."""
        tables = {
            "methods": {protocol: list(methods) for protocol, methods in self.methods.items()},
            "datasets": {one.name: dataset_table(one) for one in self.datasets},
            "models": {one.name: dict(one.sources) for one in self.models},
        }
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in tables}
        unsaid = {name for name in ("operators", "max_units") if not found[name]}  # controls may be none on purpose
        said = {name: plain_value(value) for name, value in found.items() if value is not None and name not in unsaid}
        return said | tables

    def pairs(self) -> Iterator[Pair]:
        """Every dataset with every model that goes with it, dataset by dataset."""
        for dataset in self.datasets:
            for model in self.models:
                if dataset.name in model.sources:
                    yield Pair(dataset, model.name, model.sources[dataset.name])

    def judging(self) -> dict[str, Any]:
        """What this plan says of how methods are judged, as `Explainer.evaluate` takes it: what its protocol takes.

        Methods and baselines are not in it, nor the curve, which `Explainer.evaluate` does not take.
        """
        own = {name: getattr(self, name) for name in OWN[self.protocol]}
        said = {name: value for name, value in own.items() if value not in (None, ())}
        return {"protocol": self.protocol, "top": self.top, "controls": self.controls, "seed": self.seed} | said

    def mapped(self, places: Mapping[str, str]) -> Self:
        """The plan with local folders and files in the place of names.

        Args:
            places: For a model's name in the plan (all its sources), a source's name (that one), or a dataset's name.
        """
        mapping.check_names(self.datasets, self.models, places)
        return replace(
            self,
            datasets=tuple(mapping.mapped_dataset(one, places) for one in self.datasets),
            models=tuple(mapping.mapped_model(one, places) for one in self.models),
        )

    def limited(self, limit: int) -> Self:
        """The plan with at most so many texts of each dataset; a seed draws them, as it does without this."""
        check_count("limit", limit)
        return replace(
            self, datasets=tuple(replace(one, limit=min(limit, one.limit or limit)) for one in self.datasets)
        )

    def only(self, chosen: Iterable[str]) -> Self:
        """The plan with these pairs alone: `sst2/bert`, `imdb` (with all its models), `*/bert` (with all datasets)."""
        known = defaultdict[str, set[str]](set)
        for pair in self.pairs():
            for name in (pair.name, pair.dataset.name, f"*/{pair.model}"):
                known[name].add(pair.name)
        kept = set[str]()
        for name in [chosen] if isinstance(chosen, str) else chosen:
            if name not in known:
                raise unknown("pair", name, known)
            kept |= known[name]
        if not kept:
            raise ArgumentError("no pair was named: say sst2/bert, sst2 or */bert")
        return self._with(kept)

    def under(self, protocol: str) -> Self:
        """The plan under another protocol, for which it must have methods."""
        return replace(self, protocol=resolve_protocol(protocol).name)

    def _with(self, pairs: set[str]) -> Self:
        models = [
            (model, {name: source for name, source in model.sources.items() if f"{name}/{model.name}" in pairs})
            for model in self.models
        ]
        used = {name for _, sources in models for name in sources}
        return replace(
            self,
            datasets=tuple(one for one in self.datasets if one.name in used),
            models=tuple(replace(model, sources=sources) for model, sources in models if sources),
        )


def _check_written(found: PlanFile, plan: Plan) -> None:
    """Refuse methods that cannot be made here, and settings of a protocol for which there are no methods."""
    given = found.tables["methods"]
    for protocol, methods in plan.methods.items():
        with naming_place(f"methods.{protocol}" if isinstance(given, Mapping) else "methods"):
            _check_made(methods)
    known = {parse_specs(method)[0].name for methods in plan.methods.values() for method in methods}
    with naming_place("max_units"):
        for name in set(plan.max_units) - known:
            raise unknown("method", name, known)
    protocols = list(given) if isinstance(given, Mapping) else [plan.protocol]
    for protocol, names in OWN.items():
        for name in names:
            if name in found.tables and protocol not in protocols:
                raise ArgumentError(
                    f"{name} is for the protocol {protocol!r}, and the methods are for {protocols[0]!r}",
                    hint=f"leave {name} away, or give [methods] a list for {protocol}",
                )


def _check_made(methods: Iterable[str]) -> None:
    seen: list[tuple[str, Any]] = []
    for spelled in methods:
        method = make_method(parse_specs(spelled)[0])
        for before, other in seen:
            if other == method:
                raise ArgumentError(f"{spelled!r} is {before!r} again")
        seen.append((spelled, method))
