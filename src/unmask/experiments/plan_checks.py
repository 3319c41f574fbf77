"""Whether the values of a plan can be what they say. Nothing here opens a model or a file."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import ArgumentError, unknown
from ..methods.checks import check_count, check_seed
from ..methods.spec import parse_specs
from ..metrics.perturbations import check_operator
from ..metrics.protocols import PROTOCOLS, resolve_protocol
from ..results.rows import CONTROLS
from ..tasks.targets import SCALES
from ..text.segmentation import check_unit

if TYPE_CHECKING:
    from .plan import Plan


# The models' layer has these names too; it imports torch, and tests compare.
BASELINES = ("auto", "mask", "pad", "unk", "eos", "zero")
WORD = "token:"  # before a word of one's own as a baseline
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")
EMBEDDED = ("once", "twice")  # how often the protocol `paper` embeds DistilBERT

# The settings that one protocol takes and the other says itself.
OWN = {"corrected": ("operators", "unit", "target", "scale"), "paper": ("distilbert",)}


def check_plan(plan: "Plan") -> None:
    """Refuse values that no plan can have."""
    check_text("name", plan.name)
    resolve_protocol(plan.protocol)
    check_seed(plan.seed)
    check_share("top", plan.top)
    for share in plan.curve:
        check_share("curve", share)
    if not plan.curve:
        raise ArgumentError("curve is empty: name a share of the units at least, or leave it away")
    _check_names(plan)
    _check_settings(plan)
    _check_methods(plan)
    _check_pairs(plan)


def check_text(name: str, value: object) -> None:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ArgumentError(f"{name}={value!r}: a text was expected")


def check_texts(name: str, values: object, *, may_be_empty: bool = False) -> None:
    """Several texts, none of them twice."""
    if not isinstance(values, tuple | list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise ArgumentError(f"{name}={values!r}: a list of texts was expected")
    if not values and not may_be_empty:
        raise ArgumentError(f"{name} is empty: name one at least, or leave it away")
    for value, times in Counter(values).items():
        if times > 1:
            raise ArgumentError(f"{name} has {value!r} twice")


def check_name(kind: str, name: object) -> None:
    """A name by which a dataset or a model is called."""
    check_text(f"the name of a {kind}", name)
    if set("/*=") & set(str(name)):
        raise ArgumentError(f"the {kind} {name!r}: a name has none of / * =")


def check_share(name: str, value: object) -> None:
    """A share of a text's units."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ArgumentError(f"{name}={value!r}: a share of the units was expected, above 0 and at most 1")


def _check_names(plan: "Plan") -> None:
    for key in ("baselines", "operators", "controls"):
        check_texts(key, getattr(plan, key), may_be_empty=key != "baselines")
    for name in plan.baselines:
        if name not in BASELINES and (not name.startswith(WORD) or name == WORD):
            raise unknown("baseline", name, [*BASELINES, f"{WORD}WORD"])
    for name in plan.operators:
        check_operator(name)
    for name in plan.controls:
        _check_known("control", name, CONTROLS)


def _check_settings(plan: "Plan") -> None:
    if plan.unit is not None:
        check_unit(plan.unit)
    if plan.target is not None and (isinstance(plan.target, bool) or not isinstance(plan.target, str | int)):
        raise ArgumentError(f"target={plan.target!r}: predicted, max, a label or its index was expected")
    _check_known("scale", plan.scale, ("auto", *SCALES))
    _check_known("dtype", plan.dtype, DTYPES)
    _check_known("distilbert", plan.distilbert, EMBEDDED)
    for name in ("max_length", "rationale_length"):
        if getattr(plan, name) is not None:
            check_count(name, getattr(plan, name))


def _check_known(kind: str, name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise unknown(kind, name, known)


def _check_methods(plan: "Plan") -> None:
    for protocol, methods in plan.methods.items():
        _check_known("protocol", protocol, PROTOCOLS)
        check_texts(f"methods.{protocol}", methods)
        for method in methods:
            if len(parse_specs(method)) != 1:
                raise ArgumentError(f"methods.{protocol}: {method!r} is several methods: give each its place")
            if method in plan.controls:
                raise ArgumentError(
                    f"methods.{protocol}: {method!r} is a control too, and there would be two rows of that name",
                    hint="leave it away from the methods, or from the controls",
                )
    if plan.protocol not in plan.methods:
        raise ArgumentError(
            f"the plan has no methods for the protocol {plan.protocol!r}, only for {', '.join(plan.methods) or 'none'}",
            hint=f"[methods] has a list for each protocol: {plan.protocol} = [...]",
        )
    for name, most in plan.max_units.items():
        check_count(f"max_units.{name}", most)


def _check_pairs(plan: "Plan") -> None:
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
            raise ArgumentError(f"no model goes with the dataset {name!r}: add one, or leave the dataset away")
