"""The options of an evaluation, checked and resolved before anything runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ..attribution.keywords import keyword_error
from ..attribution.method_support import check_method
from ..errors import ArgumentError, UnmaskError
from ..methods.base import Method
from ..methods.registry import resolve_methods
from ..metrics.faithfulness import CURVE, FaithfulnessConfig
from ..metrics.perturbations import check_operator
from ..metrics.protocols import Protocol, known_protocols, protocol_choices, resolve_protocol
from ..results.rows import CONTROLS, WORDS, find_row
from ..tasks.generation import Generation
from ..tasks.targets import TargetName
from ..tasks.text2text import Text2Text
from .examples import Example
from .identity import ModelRecord
from .plan import CHECKS, Pair, Plan, one_of
from .plan_parts import Check

if TYPE_CHECKING:
    from ..attribution.attribute import AttributionConfig
    from ..attribution.session import ModelSession

OPERATORS = ("remove", "mask")
ANSWER_METHODS = ("sig", "leave_one_in", "two_sided", "shapley")  # the default for language models
OWN_KEYWORDS = ("methods", "progress")  # keywords of `Explainer.evaluate` in addition to its options


class EvaluationOptions(TypedDict, total=False):
    """How to evaluate methods; docs/reference/metrics.md lists the values.

    `baseline`: one or more baselines. `operators`: how the metrics delete words. `top`: the share of a text's units to
    delete or keep. `curve`: the shares for AOPC. `controls`: random, greedy, random words. `plausibility`: `all`
    includes texts that the model gets wrong. `rationale_length`: the number of units that a method selects as its
    rationale; by default, the annotators' mean. `given`: the row label for imported scores. `reference`: the row that
    the others are compared with. A protocol may declare further options, also given as keywords.
    """

    unit: str
    target: TargetName
    scale: str
    baseline: str | Sequence[str]
    operators: str | Sequence[str] | None
    protocol: str | Protocol
    top: float
    curve: Sequence[float]
    seed: int
    controls: Iterable[str]
    plausibility: Literal["correct", "all"]
    given: str
    reference: str
    rationale_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """Everything that the results of one model depend on, except for the texts, as plain values."""

    models: tuple[ModelRecord, ...]  # the model under each baseline
    methods: tuple[Method, ...]
    protocol: Protocol
    top: float
    curve: tuple[float, ...]
    controls: tuple[str, ...]
    seed: int
    target: str | int | None  # None: the protocol's default
    max_length: int | None
    rationale_length: int | None  # None: the mean over annotators
    has_rationales: bool = False
    given: str | None = None  # row label for imported scores
    max_units: Mapping[str, int] = field(default_factory=dict)  # by method name
    plausibility: str = "correct"  # texts that the model gets right, or `all`
    reference: str | None = None

    @property
    def faithfulness(self) -> FaithfulnessConfig:
        """The settings of the metrics."""
        return FaithfulnessConfig(self.protocol, self.models[0].operators, self.top, self.curve)


@dataclass(frozen=True, slots=True)
class OpenEvaluation:
    """An evaluation with its open model."""

    session: "ModelSession"  # adapted by the protocol
    baselines: Mapping[str, "AttributionConfig"]  # by baseline name
    config: EvaluationConfig


def resolve_evaluation(
    session: "ModelSession",
    methods: Sequence[str | Method],
    options: EvaluationOptions,
    *,
    examples: Sequence[Example | UnmaskError] = (),
    signature: str = "",
) -> OpenEvaluation:
    """Check the options and adapt the model to the protocol."""
    from .work_items import score_items

    known = [*EvaluationOptions.__annotations__, *protocol_choices()]
    for name, value in options.items():
        if name not in known:
            listed = [*EvaluationOptions.__annotations__, *_choices(options), *OWN_KEYWORDS]
            raise keyword_error("Explainer.evaluate", name, value, listed)
    given: Any = {name: list(value) if isinstance(value, Iterator) else value for name, value in options.items()}
    options = given  # with lists instead of iterators, because they are read twice
    protocol, seed = resolve_protocol(options.get("protocol", "corrected")), options.get("seed", 0)
    for name, value in options.items():
        if name in OPTION_CHECKS and value is not None:
            OPTION_CHECKS[name](name, value)
    protocol.check_settings(name for name, value in options.items() if value is not None)
    task = session.adapter.task.name
    if session.text_heads.activation == "none" and task != "similarity":
        raise ArgumentError("the metrics need probabilities, which a regression model does not output")
    session = protocol.adapt_session(session, options)
    names = _non_empty(options.get("baseline", "auto"))
    if protocol.operators and len(names) > 1:
        raise ArgumentError(f"the protocol {protocol.name!r} supports one baseline at a time, not {len(names)}")
    asked: dict[str, Any] = {name: options[name] for name in ("unit", "target", "scale") if name in options}
    attributions = [session.resolve_config(**asked | dict(protocol.fixed or {}), baseline=name) for name in names]
    operators, usual = _operators(session, protocol, options), default_methods(protocol, session.adapter.task.name)
    controls = _several(options.get("controls", CONTROLS))
    target: Any = asked.get("target")
    config = EvaluationConfig(
        models=tuple(ModelRecord.of(session, one, operators, signature) for one in attributions),
        methods=_methods(session, methods or usual, attributions, seed=seed if "seed" in options else None),
        protocol=protocol,
        top=float(options.get("top", 0.2)),
        curve=tuple(sorted(map(float, options.get("curve", CURVE)))),
        controls=tuple(name for name in CONTROLS if name in controls),
        seed=seed,
        target=target if target is None or isinstance(target, str | int) else str(target),
        max_length=session.max_length,
        plausibility=options.get("plausibility", "correct"),
        rationale_length=options.get("rationale_length"),
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
            f"reference={reference!r}: no text has imported scores",
            hint="name a method, or import scores with --scores FILE or Example(..., scores=...)",
        )
    config = replace(config, reference=reference, given=config.given if has_given else None)
    return OpenEvaluation(session, {one.baseline.name: one for one in attributions}, config)


def plan_config(plan: Plan, pair: Pair, record: ModelRecord) -> EvaluationConfig:
    """Return the configuration for one pair of a plan (a dataset and a model) and one baseline."""
    names = ("top", "curve", "controls", "seed", "target", "max_length", "rationale_length", "max_units")
    return EvaluationConfig(
        models=(record,),
        methods=tuple(resolve_methods(plan.methods[plan.protocol], seed=plan.seed)),
        protocol=resolve_protocol(plan.protocol),
        has_rationales=pair.dataset.rationale is not None,
        given=pair.dataset.given,
        **{name: getattr(plan, name) for name in names},
    )


def _choices(options: EvaluationOptions) -> Iterable[str]:
    """Return the options that the protocol itself declares; empty if the protocol is unknown."""
    name = options.get("protocol", "corrected")
    is_known = not isinstance(name, str) or name in known_protocols()
    return resolve_protocol(name).choices if is_known else ()


def default_methods(protocol: Protocol, task: str) -> tuple[str, ...]:
    """Return the default methods; for language models, these are exact and follow no path."""
    return ANSWER_METHODS if task in (Generation.name, Text2Text.name) else protocol.methods


def _methods(
    session: "ModelSession",
    given: Sequence[str | Method],
    attributions: "Sequence[AttributionConfig]",
    *,
    seed: int | None,
) -> tuple[Method, ...]:
    """Return the methods after checking that they support the baselines and the task."""
    found = tuple(resolve_methods(given, seed=seed))
    for method in found:
        for one in attributions:
            check_method(method, one.baseline, task=session.adapter.task)
    return found


def _operators(session: "ModelSession", protocol: Protocol, options: EvaluationOptions) -> tuple[str, ...]:
    if protocol.operators:
        return (protocol.name,)
    names = options.get("operators")
    known = []
    is_read = session.adapter.task.spans is not None  # each word has its output
    for name in OPERATORS if names is None else dict.fromkeys(_non_empty(names)):
        try:
            if token := check_operator(name).token:
                session.adapter.baseline(token)
            elif is_read:
                raise ArgumentError(f"operator {name!r} removes words whose outputs are needed; use mask, pad or unk")
            known.append(name)
        except ArgumentError:  # not every model has a mask token
            if names is not None:
                raise
    return tuple(known)


def _several(values: str | Iterable[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _non_empty(values: str | Sequence[str]) -> list[str]:
    names = _several(values)
    if not names:
        raise ArgumentError("empty list; name at least one value")
    return names


OPTION_CHECKS: Mapping[str, Check] = {
    **{name: CHECKS[name] for name in ("top", "curve", "seed", "rationale_length")},
    "controls": lambda name, values: [one_of("control", CONTROLS)(name, one) for one in _several(values)],
    "plausibility": one_of("plausibility", ("correct", "all")),
}


def _check_names(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ArgumentError(
                f"duplicate method {name!r}",
                hint="remove it from --method, or turn the control off" if name in CONTROLS else None,
            )
