"""What an evaluation computes: its options, checked and resolved before anything runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ..errors import ArgumentError, UnmaskError, unknown
from ..methods.base import Method
from ..methods.checks import check_seed
from ..methods.registry import resolve_methods
from ..metrics.faithfulness import CURVE, FaithfulnessConfig
from ..metrics.perturbations import check_operator
from ..metrics.protocols import Protocol, resolve_protocol
from ..results.rows import CONTROLS, WORDS, find_row
from ..tasks.targets import TargetName
from .examples import Example
from .identity import ModelRecord

if TYPE_CHECKING:
    from ..attribution.attribute import AttributionConfig
    from ..attribution.session import ModelSession
    from .plan import Pair, Plan

OPERATORS = ("remove", "mask")


class EvaluationOptions(TypedDict, total=False):
    """How methods are evaluated; see docs/reference/metrics.md for the values of each.

    `baseline`: one or several, for the attributions. `operators`: how the metrics perturb words. `top`: the share of a
    text's units that is removed or kept; `curve`: the shares of an area. `controls`: of random, greedy, random words.
    `plausibility`: `all` counts texts that the model gets wrong too. `rationale_length`: the units that a method may
    choose against people's marks, else as many as people mark. `distilbert`: how often the protocol `paper` embeds it.
    `given`: the row name of scores from elsewhere. `reference`: the row that the others are compared with.
    """

    unit: str
    target: TargetName
    scale: str
    baseline: str | Sequence[str]
    operators: str | Sequence[str] | None
    protocol: str
    top: float
    curve: Sequence[float]
    seed: int
    controls: Iterable[str]
    plausibility: Literal["correct", "all"]
    distilbert: Literal["once", "twice"]
    given: str
    reference: str
    rationale_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """One evaluation of one model, in plain values: all that its results depend on but the texts."""

    models: tuple[ModelRecord, ...]  # the model under each baseline
    methods: tuple[Method, ...]
    protocol: Protocol
    top: float
    curve: tuple[float, ...]
    controls: tuple[str, ...]
    seed: int
    target: str | int | None  # None: the protocol's
    max_length: int | None
    rationale_length: int | None  # None: as many as people mark on average
    has_rationales: bool = False
    given: str | None = None  # the row of scores from elsewhere
    max_units: Mapping[str, int] = field(default_factory=dict)  # by a method's name
    plausibility: str = "correct"  # of which texts: those that the model gets right, or `all`
    reference: str | None = None

    @property
    def faithfulness(self) -> FaithfulnessConfig:
        """How the metrics are computed."""
        return FaithfulnessConfig(self.protocol, self.models[0].operators, self.top, self.curve)


@dataclass(frozen=True, slots=True)
class OpenEvaluation:
    """An evaluation whose model is open."""

    session: "ModelSession"  # the model as the protocol explains it
    baselines: Mapping[str, "AttributionConfig"]  # by the baseline's name; of no method in particular
    config: EvaluationConfig


def resolve_evaluation(
    session: "ModelSession",
    methods: Sequence[str | Method],
    options: EvaluationOptions,
    *,
    examples: Sequence[Example | UnmaskError] = (),
    signature: str = "",
) -> OpenEvaluation:
    """Check the options and apply the protocol to the model."""
    from .work_items import score_items

    for name in options:
        if name not in EvaluationOptions.__annotations__:
            raise unknown("setting", name, [*EvaluationOptions.__annotations__, "methods", "progress"])
    protocol, seed = resolve_protocol(options.get("protocol", "corrected")), options.get("seed", 0)
    check_seed(seed)
    protocol.check_settings(name for name, value in options.items() if value is not None)
    if session.head.activation == "none":
        raise ArgumentError("the metrics are of probabilities, and a regression has none")
    session = protocol.adapt_session(session, options)
    names = _non_empty(options.get("baseline", "auto"))
    if protocol.operators and len(names) > 1:
        raise ArgumentError(f"under the protocol {protocol.name!r} a metric takes the baseline: give one baseline")
    asked: dict[str, Any] = {name: options[name] for name in ("unit", "target", "scale") if name in options}
    attributions = [session.resolve_config(**asked | dict(protocol.fixed or {}), baseline=name) for name in names]
    operators = _operators(session, protocol, options)
    controls = {_one_of("control", name, CONTROLS) for name in _several(options.get("controls", CONTROLS))}
    target: Any = asked.get("target")
    config = EvaluationConfig(
        models=tuple(ModelRecord.of(session, one, operators, signature) for one in attributions),
        methods=tuple(resolve_methods(methods or protocol.methods, seed=seed if "seed" in options else None)),
        protocol=protocol,
        top=_share(options.get("top", 0.2)),
        curve=_curve(options),
        controls=tuple(name for name in CONTROLS if name in controls),
        seed=seed,
        target=target if target is None or isinstance(target, str | int) else str(target),
        max_length=session.max_length,
        plausibility=_one_of("plausibility", options.get("plausibility", "correct"), ("correct", "all")),
        rationale_length=_length(options.get("rationale_length")),
        given=options.get("given", "given"),
        has_rationales=any(isinstance(one, Example) and one.annotations for one in examples),
    )
    rows = [item.row for item in score_items(config)]
    _check_names([*config.controls, *rows])
    floors = [name for name in config.controls if name != WORDS]
    reference = find_row(options.get("reference"), [*rows, *floors])
    has_given = any(isinstance(one, Example) and one.scores is not None for one in examples)
    if reference is not None and reference == config.given and not has_given:
        raise ArgumentError(
            f"reference={reference!r}: no text has scores from elsewhere, so there will be no such row",
            hint="name a method, or give the scores: --scores FILE, or Example(..., scores=...)",
        )
    config = replace(config, reference=reference, given=config.given if has_given else None)
    return OpenEvaluation(session, {one.baseline.name: one for one in attributions}, config)


def plan_config(plan: "Plan", pair: "Pair", record: ModelRecord) -> EvaluationConfig:
    """What a plan asks of one pair under one baseline."""
    return EvaluationConfig(
        models=(record,),
        methods=tuple(resolve_methods(plan.methods[plan.protocol], seed=plan.seed)),
        protocol=resolve_protocol(plan.protocol),
        top=plan.top,
        curve=plan.curve,
        controls=plan.controls,
        seed=plan.seed,
        target=plan.target,
        max_length=plan.max_length,
        rationale_length=plan.rationale_length,
        has_rationales=pair.dataset.rationale is not None,
        given=pair.dataset.given,
        max_units=plan.max_units,
    )


def _operators(session: "ModelSession", protocol: Protocol, options: EvaluationOptions) -> tuple[str, ...]:
    if protocol.operators:
        return (protocol.name,)
    given = options.get("operators")
    if given is None:
        return tuple(name for name in OPERATORS if _has(session, name))
    for name in (names := _non_empty(given)):
        if token := check_operator(name).token:
            session.adapter.baseline(token)  # refused where the model has no such token
    return tuple(dict.fromkeys(names))


def _has(session: "ModelSession", operator: str) -> bool:
    """Whether a model has what an operator needs: not every one knows a mask."""
    try:
        token = check_operator(operator).token
        return token is None or session.adapter.baseline(token) is not None
    except ArgumentError:
        return False


def _share(value: float, name: str = "top") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ArgumentError(f"{name}={value!r}: a share of the units was expected, above 0 and at most 1")
    return float(value)


def _curve(options: EvaluationOptions) -> tuple[float, ...]:
    given: Any = options.get("curve", CURVE)
    shares = () if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not shares:
        raise ArgumentError(f"curve={given!r}: several shares of the units were expected, such as [0.1, 0.2, 0.5]")
    return tuple(sorted(_share(one, "curve") for one in shares))


def _length(given: int | None) -> int | None:
    if given is not None and (not isinstance(given, int) or given < 1):
        raise ArgumentError(f"rationale_length={given!r}: a number of units of at least 1 was expected")
    return given


def _one_of(kind: str, name: str, known: Sequence[str]) -> str:
    if name not in known:
        raise unknown(kind, name, known)
    return name


def _several(values: str | Iterable[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _non_empty(values: str | Sequence[str]) -> list[str]:
    names = _several(values)
    if not names:
        raise ArgumentError("an empty list leaves nothing to evaluate: name at least one")
    return names


def _check_names(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ArgumentError(
                f"there would be two rows {name!r}: each row needs a name of its own",
                hint="controls are always evaluated: remove it from the methods" if name in CONTROLS else None,
            )
