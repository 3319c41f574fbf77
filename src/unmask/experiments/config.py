"""What can be asked of an evaluation, checked and resolved before anything runs."""

from collections.abc import Container, Iterable, Sequence
from typing import Any, Literal, TypedDict, get_args

from ..attribution.session import ModelSession
from ..errors import ArgumentError, UnmaskError, unknown
from ..methods.base import Method
from ..methods.checks import check_seed
from ..methods.registry import resolve_methods
from ..methods.spec import format_spec
from ..metrics.faithfulness import CURVE, FaithfulnessConfig
from ..metrics.perturbations import check_operator
from ..metrics.protocols import Protocol, resolve_protocol
from ..metrics.random_deletion import SEVERAL
from ..models.huggingface.adapter import HuggingFaceAdapter
from ..results.rows import CONTROLS, WORDS, find_row
from ..studies.sig2023.double_embedding import DistilBert, DoubleEmbedding
from ..tasks.targets import TargetName
from .evaluate import EvaluatedMethod, EvaluationConfig
from .examples import Example

METHODS = {
    "corrected": ("sig", "ig", "grad_x_input", "leave_one_in", "shapley"),
    "paper": (
        "grad_x_input",
        "deeplift",
        "gradient_shap:samples=5,pool=baseline_and_text",
        "ig",
        "dig",
        "sig_path:steps=50",
    ),
}
OPERATORS = ("remove", "mask")


class EvaluationOptions(TypedDict, total=False):
    """How methods are judged; see docs/evaluation.md for the values of each.

    `baseline`: one or several, for the attributions. `operators`: by what the metrics take words away. `top`: the share
    of a text's units that is looked at; `curve`: the shares of an area. `controls`: of random, greedy, random words.
    `plausibility`: `all` counts texts that the model gets wrong too. `rationale_length`: the units that a method may
    choose against people's marks, else as many as people mark. `distilbert`: how often the protocol `paper` embeds it.
    `given`: the name of the row of scores from elsewhere. `reference`: the row that the others are compared with.
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
    distilbert: DistilBert
    given: str
    reference: str
    rationale_length: int


def resolve_evaluation(
    session: ModelSession, methods: Sequence[str | Method], settings: EvaluationOptions
) -> tuple[ModelSession, EvaluationConfig]:
    """The model as the protocol has it, and what is judged."""
    _check_known(settings)
    protocol, seed = resolve_protocol(settings.get("protocol", "corrected")), settings.get("seed", 0)
    check_seed(seed)
    session = _under(session, protocol, settings)
    asked = _asked(protocol, settings)
    baselines = _listed(settings.get("baseline", "auto"))
    if protocol.operators and len(baselines) > 1:
        raise ArgumentError("under the protocol 'paper' a metric takes the attribution's baseline: give one baseline")
    found = resolve_methods(methods or METHODS[protocol.name], seed=seed if "seed" in settings else None)
    given = settings.get("given", "given")
    contenders = tuple(_contenders(session, found, baselines, asked))
    controls = frozenset(_one_of("control", name, CONTROLS) for name in _several(settings.get("controls", CONTROLS)))
    is_several = session.head.activation == "sigmoid"
    _check_names([*controls, given, *(one.name for one in contenders)])
    config = session.resolve_config(**asked, baseline=baselines[0])
    return session, EvaluationConfig(
        contenders=contenders,
        config=config,
        baselines=tuple(session.adapter.baseline(name).name for name in baselines),
        exam=FaithfulnessConfig(
            protocol, _operators(session, protocol, settings), _share(settings.get("top", 0.2)), _curve(settings)
        ),
        controls=controls - ({WORDS} if is_several else set()),
        seed=seed,
        plausibility=_one_of("plausibility", settings.get("plausibility", "correct"), ("correct", "all")),
        given=given,
        rationale_length=_length(settings.get("rationale_length")),
        notes=(SEVERAL,) if is_several and WORDS in controls else (),
        reference=find_row(settings.get("reference"), [*(one.name for one in contenders), given, *_floors(controls)]),
    )


def check_reference(contest: EvaluationConfig, examples: Iterable[Example | UnmaskError]) -> None:
    """Refuse a comparison with scores from elsewhere where no text has any."""
    has_scores = any(isinstance(one, Example) and one.scores is not None for one in examples)
    if contest.reference == contest.given and not has_scores:
        raise ArgumentError(
            f"reference={contest.given!r}: no text has scores from elsewhere, so there will be no such row",
            hint="name a method, or give the scores: --scores FILE, or Example(..., scores=...)",
        )


def _floors(controls: Container[str]) -> list[str]:
    """The controls that were asked for and have the measures of methods: not what the model says without words."""
    return [name for name in CONTROLS if name in controls and name != WORDS]


def _check_known(settings: EvaluationOptions) -> None:
    """Refuse a setting that does not exist: Python takes any name for one."""
    for name in settings:
        if name not in EvaluationOptions.__annotations__:
            raise unknown("setting", name, [*EvaluationOptions.__annotations__, "methods", "progress"])


def _under(session: ModelSession, protocol: Protocol, settings: EvaluationOptions) -> ModelSession:
    """The function that the protocol explains and judges."""
    if session.head.activation == "none":
        raise ArgumentError("the metrics are of probabilities, and a regression has none")
    if not protocol.has_special_units:
        if "distilbert" in settings:
            raise ArgumentError("distilbert says how often the protocol 'paper' embeds; 'corrected' embeds once")
        return session
    if not isinstance(session.adapter, HuggingFaceAdapter):
        raise ArgumentError("the protocol 'paper' is for models of Hugging Face's: BERT, DistilBERT and RoBERTa")
    _one_of("distilbert", times := settings.get("distilbert", "once"), get_args(DistilBert))
    adapter = DoubleEmbedding(*session.adapter.parts, distilbert=times)
    return session.with_adapter(adapter, every_token=True)


def _asked(protocol: Protocol, settings: EvaluationOptions) -> dict[str, Any]:
    """Unit, target and scale: the protocol's own, or those that are asked for."""
    if protocol.target is None:
        return {name: settings[name] for name in ("unit", "target", "scale") if name in settings}
    for name in ("unit", "target", "scale", "operators"):
        if settings.get(name) is not None:
            raise ArgumentError(f"the protocol {protocol.name!r} says {name} itself: leave it away")
    return {"unit": "token", "target": protocol.target, "scale": protocol.scale}


def _contenders(
    session: ModelSession, methods: Sequence[Method], baselines: Sequence[str], asked: dict[str, Any]
) -> Iterable[EvaluatedMethod]:
    """Every method under every baseline; one that has no use for a baseline once."""
    for method in methods:
        uses = method.uses_baseline
        for baseline in baselines if uses else baselines[:1]:
            config = session.resolve_config(**asked, method=method, baseline=baseline)
            name = format_spec(method) + (f" ({config.baseline.name})" if uses and len(baselines) > 1 else "")
            yield EvaluatedMethod(name, config)


def _operators(session: ModelSession, protocol: Protocol, settings: EvaluationOptions) -> tuple[str, ...]:
    if protocol.operators:
        return (protocol.name,)
    given = settings.get("operators")
    if given is None:
        return tuple(name for name in OPERATORS if _has(session, name))
    for name in (names := _listed(given)):
        if token := check_operator(name).token:
            session.adapter.baseline(token)  # refused where the model has no such token
    return tuple(dict.fromkeys(names))


def _has(session: ModelSession, operator: str) -> bool:
    """Whether a model has what an operator needs: not every one knows a mask."""
    try:
        token = check_operator(operator).token
        return token is None or session.adapter.baseline(token) is not None
    except ArgumentError:
        return False


def _share(value: float, what: str = "top") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ArgumentError(f"{what}={value!r}: a share of the units was expected, above 0 and at most 1")
    return float(value)


def _curve(settings: EvaluationOptions) -> tuple[float, ...]:
    given: Any = settings.get("curve", CURVE)
    shares = () if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not shares:
        raise ArgumentError(f"curve={given!r}: several shares of the units were expected, such as [0.1, 0.2, 0.5]")
    return tuple(sorted(_share(one, "curve") for one in shares))


def _length(given: int | None) -> int | None:
    if given is not None and (not isinstance(given, int) or given < 1):
        raise ArgumentError(f"rationale_length={given!r}: a number of units of at least 1 was expected")
    return given


def _one_of(what: str, name: str, known: Sequence[str]) -> str:
    if name not in known:
        raise unknown(what, name, known)
    return name


def _several(values: str | Iterable[str]) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


def _listed(values: str | Sequence[str]) -> list[str]:
    found = _several(values)
    if not found:
        raise ArgumentError("an empty list leaves nothing to judge: name at least one")
    return found


def _check_names(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ArgumentError(
                f"there would be two rows {name!r}: each row needs a name of its own",
                hint="a control is there without being asked for: leave it away" if name in CONTROLS else None,
            )
