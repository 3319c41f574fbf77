"""A plan: what a long evaluation asks, of which models, on which texts. Imports no torch and opens no model."""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from ..errors import ArgumentError, unknown
from ..methods.checks import check_count, check_seed
from ..methods.spec import parse_specs
from ..metrics.faithfulness import CURVE
from ..metrics.perturbations import check_operator
from ..metrics.protocols import PROTOCOLS, resolve_protocol
from ..results.rows import CONTROLS, GREEDY, RANDOM
from ..tasks.targets import SCALES
from ..text.segmentation import check_unit
from . import mapping
from .plan_file import (
    check_written,
    dataset_table,
    model_table,
    naming_place,
    plain_value,
    read_plan_file,
    values,
)
from .plan_parts import DatasetPlan, ModelPlan, Pair, check_share, check_text, check_texts

__all__ = ["DatasetPlan", "ModelPlan", "Pair", "Plan"]


# The models' layer has these names too; it imports torch, and tests compare.
BASELINES = ("auto", "mask", "pad", "unk", "eos", "zero")
TOKEN = "token:"  # before a word of one's own as a baseline
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")


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
        _check_plan(self)
        object.__setattr__(self, "top", float(self.top))  # 1 and 1.0 are one share
        object.__setattr__(self, "curve", tuple(sorted(set(map(float, self.curve)))))

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Self:
        """The plan in a TOML file, or one that is shipped, by its name: `paper`, `paper-steps`."""
        file = read_plan_file(os.fspath(name))
        with naming_place(file.shown):
            plan = cls.from_dict({"name": file.name, **file.tables})
            check_written(file.tables, plan)
            if file.folder is not None:
                plan = replace(
                    plan,
                    datasets=tuple(mapping.located(one, file.folder) for one in plan.datasets),
                    models=tuple(mapping.located_model(one, file.folder) for one in plan.models),
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
            "models": {one.name: model_table(one) for one in self.models},
        }
        settings = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in tables}
        empty = {name for name in ("operators", "max_units") if not settings[name]}  # controls may be none on purpose
        given = {name: value for name, value in settings.items() if value is not None and name not in empty}
        return {name: plain_value(value) for name, value in given.items()} | tables

    def pairs(self) -> Iterator[Pair]:
        """Every dataset with every model that goes with it, dataset by dataset."""
        for dataset in self.datasets:
            for model in self.models:
                if dataset.name in model.sources:
                    yield Pair(dataset, model.name, model.sources[dataset.name], model.labels, model.revision)

    def judging(self) -> dict[str, Any]:
        """What this plan says of how methods are judged, as `Explainer.evaluate` takes it: what its protocol takes.

        Methods and baselines are not in it, nor the curve, which `Explainer.evaluate` does not take.
        """
        own = {name: getattr(self, name) for name in resolve_protocol(self.protocol).settings}
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


def _check_plan(plan: Plan) -> None:
    """Refuse values that no plan can have."""
    check_text("name", plan.name)
    resolve_protocol(plan.protocol)
    check_seed(plan.seed)
    check_share("top", plan.top)
    for share in plan.curve:
        check_share("curve", share)
    if not plan.curve:
        raise ArgumentError("curve is empty: name a share of the units at least, or remove it")
    _check_names(plan)
    _check_settings(plan)
    _check_methods(plan)
    _check_pairs(plan)


def _check_names(plan: Plan) -> None:
    for key in ("baselines", "operators", "controls"):
        check_texts(key, getattr(plan, key), may_be_empty=key != "baselines")
    for name in plan.baselines:
        if name not in BASELINES and (not name.startswith(TOKEN) or name == TOKEN):
            raise unknown("baseline", name, [*BASELINES, f"{TOKEN}WORD"])
    for name in plan.operators:
        check_operator(name)
    for name in plan.controls:
        _check_known("control", name, CONTROLS)


def _check_settings(plan: Plan) -> None:
    if plan.unit is not None:
        check_unit(plan.unit)
    if plan.target is not None and (isinstance(plan.target, bool) or not isinstance(plan.target, str | int)):
        raise ArgumentError(f"target={plan.target!r}: predicted, max, a label or its index was expected")
    _check_known("scale", plan.scale, ("auto", *SCALES))
    _check_known("dtype", plan.dtype, DTYPES)
    _check_known("distilbert", plan.distilbert, ("once", "twice"))
    for name in ("max_length", "rationale_length"):
        if getattr(plan, name) is not None:
            check_count(name, getattr(plan, name))


def _check_known(kind: str, name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise unknown(kind, name, known)


def _check_methods(plan: Plan) -> None:
    for protocol, methods in plan.methods.items():
        _check_known("protocol", protocol, PROTOCOLS)
        check_texts(f"methods.{protocol}", methods)
        for method in methods:
            if len(parse_specs(method)) != 1:
                raise ArgumentError(f"methods.{protocol}: {method!r} is several methods: give each its place")
            if method in plan.controls:
                raise ArgumentError(
                    f"methods.{protocol}: {method!r} is a control too, and there would be two rows of that name",
                    hint="remove it from methods, or from controls",
                )
    if plan.protocol not in plan.methods:
        raise ArgumentError(
            f"the plan has no methods for the protocol {plan.protocol!r}, only for {', '.join(plan.methods) or 'none'}",
            hint=f"[methods] has a list for each protocol: {plan.protocol} = [...]",
        )
    for name, most in plan.max_units.items():
        check_count(f"max_units.{name}", most)


def _check_pairs(plan: Plan) -> None:
    datasets, models = [one.name for one in plan.datasets], [one.name for one in plan.models]
    for kind, names in (("dataset", datasets), ("model", models)):
        if not names:
            raise ArgumentError(f"the plan has no {kind}: add one under [{kind}s]")
    for name, times in Counter([*datasets, *models]).items():
        if times > 1:
            raise ArgumentError(f"two datasets or models are called {name!r}: each needs a name of its own")
    used = {name: model.name for model in plan.models for name in model.sources}
    for name in used:
        _check_known("dataset", name, datasets)
    for name in datasets:
        if name not in used:
            raise ArgumentError(f"no model goes with the dataset {name!r}: add one, or remove the dataset")
