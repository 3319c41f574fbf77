"""What can be asked of an evaluation, checked and resolved before anything runs."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict

from .errors import ArgumentError, unknown
from .evaluating import Contender, Contest
from .evaluation import GREEDY, RANDOM, WORDS
from .methods.spelling import spelled
from .methods.table import methods_named
from .metrics.faithfulness import CURVE, Exam
from .metrics.operators import check_operator
from .metrics.protocols import Protocol, protocol_named
from .models.hugging_face import HuggingFaceAdapter
from .models.twice_embedded import DistilBert, TwiceEmbedded
from .opened import Opened
from .probes import Method
from .targets import TargetName

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
CONTROLS = (RANDOM, GREEDY, WORDS)


class Judging(TypedDict, total=False):
    """How methods are judged; see docs/evaluation.md for the values of each.

    `baseline`: one or several, for the attributions. `operators`: by what the metrics take words away. `top`: the share
    of a text's units that is looked at. `controls`: of random, greedy, random words. `plausibility`: if texts
    that the model gets wrong count too. `distilbert`: under the protocol `paper`, how often it is embedded. `given`:
    the name of the row of scores from elsewhere. `reference`: the row that the others are compared with.
    `rationale_length`: the units that a method may choose against people's marks, else as many as people mark.
    """

    unit: str
    target: TargetName
    scale: str
    baseline: str | Sequence[str]
    operators: str | Sequence[str] | None
    protocol: str
    top: float
    seed: int
    controls: Iterable[str]
    plausibility: Literal["correct", "all"]
    distilbert: DistilBert
    given: str
    reference: str
    rationale_length: int


def contest(opened: Opened, methods: Sequence[str | Method], settings: Judging) -> tuple[Opened, Contest]:
    """The model as the protocol has it, and what is judged."""
    protocol, seed = protocol_named(settings.get("protocol", "corrected")), settings.get("seed", 0)
    opened = _under(opened, protocol, settings)
    asked = _asked(protocol, settings)
    baselines = _listed(settings.get("baseline", "auto"))
    if protocol.operators and len(baselines) > 1:
        raise ArgumentError("under the protocol 'paper' a metric takes the attribution's baseline: give one baseline")
    found = methods_named(methods or METHODS[protocol.name], seed=seed if "seed" in settings else None)
    given = settings.get("given", "given")
    contenders = tuple(_contenders(opened, found, baselines, asked))
    controls = frozenset(settings.get("controls", CONTROLS))
    for name in controls - set(CONTROLS):
        raise unknown("control", name, CONTROLS)
    _check_names([*controls, given, *(one.name for one in contenders)])
    return opened, Contest(
        contenders=contenders,
        wanted=opened.wanted(**asked, baseline=baselines[0]),
        exam=Exam(protocol, _operators(opened, protocol, settings), _share(settings.get("top", 0.2)), CURVE),
        controls=controls,
        seed=seed,
        only_correct=_only_correct(settings.get("plausibility", "correct")),
        given=given,
        rationale_length=settings.get("rationale_length"),
        reference=_reference(settings.get("reference"), [*(one.name for one in contenders), given, *CONTROLS]),
    )


def _under(opened: Opened, protocol: Protocol, settings: Judging) -> Opened:
    """The function that the protocol explains and judges."""
    if opened.head.activation == "none":
        raise ArgumentError("the metrics are of probabilities, and a regression has none")
    if not protocol.has_special_units:
        if "distilbert" in settings:
            raise ArgumentError("distilbert says how often the protocol 'paper' embeds; 'corrected' embeds once")
        return opened
    if not isinstance(opened.adapter, HuggingFaceAdapter):
        raise ArgumentError("the protocol 'paper' is for models of Hugging Face's: BERT, DistilBERT and RoBERTa")
    adapter = TwiceEmbedded(*opened.adapter.parts, distilbert=settings.get("distilbert", "once"))
    return opened.read_by(adapter, every_token=True)


def _asked(protocol: Protocol, settings: Judging) -> dict[str, Any]:
    """Unit, target and scale: the protocol's own, or those that are asked for."""
    if protocol.target is None:
        return {name: settings[name] for name in ("unit", "target", "scale") if name in settings}
    for name in ("unit", "target", "scale", "operators"):
        if settings.get(name) is not None:
            raise ArgumentError(f"the protocol {protocol.name!r} says {name} itself: leave it away")
    return {"unit": "token", "target": protocol.target, "scale": protocol.scale}


def _contenders(
    opened: Opened, methods: Sequence[Method], baselines: Sequence[str], asked: dict[str, Any]
) -> Iterable[Contender]:
    """Every method under every baseline; one that has no use for a baseline once."""
    for method in methods:
        uses = getattr(method, "uses_baseline", True)
        for baseline in baselines if uses else baselines[:1]:
            wanted = opened.wanted(**asked, method=method, baseline=baseline)
            name = spelled(method) + (f" ({wanted.baseline.name})" if uses and len(baselines) > 1 else "")
            yield Contender(name, wanted)


def _operators(opened: Opened, protocol: Protocol, settings: Judging) -> tuple[str, ...]:
    if protocol.operators:
        return (protocol.name,)
    given = settings.get("operators")
    if given is None:
        return tuple(name for name in OPERATORS if _has(opened, name))
    for name in (names := _listed(given)):
        check_operator(name)
        if name != "remove":
            opened.adapter.baseline(name)  # refused where the model has no such token
    return tuple(dict.fromkeys(names))


def _has(opened: Opened, operator: str) -> bool:
    """Whether a model has what an operator needs: not every one knows a mask."""
    try:
        return operator == "remove" or opened.adapter.baseline(operator) is not None
    except ArgumentError:
        return False


def _share(top: float) -> float:
    if isinstance(top, bool) or not isinstance(top, int | float) or not 0 < top <= 1:
        raise ArgumentError(f"top={top!r}: a share of the units was expected, above 0 and at most 1")
    return float(top)


def _only_correct(name: str) -> bool:
    if name not in ("correct", "all"):
        raise unknown("plausibility", name, ("correct", "all"))
    return name == "correct"


def _listed(values: str | Sequence[str]) -> list[str]:
    found = [values] if isinstance(values, str) else list(values)
    if not found:
        raise ArgumentError("an empty list leaves nothing to judge: name at least one")
    return found


def _reference(name: str | None, rows: Sequence[str]) -> str | None:
    """The row of that name, else the first of that method."""
    if name is None or name in rows:
        return name
    for row in rows:
        if row.startswith((f"{name} (", f"{name}:")):
            return row
    raise unknown("reference", name, rows)


def _check_names(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ArgumentError(f"there would be two rows {name!r}: each row needs a name of its own")
