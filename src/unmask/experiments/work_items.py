"""What a plan asks of one model under one baseline, cell by cell, each with its identity; no model is needed for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..methods.base import Method
from ..methods.spec import format_spec
from ..metrics.faithfulness import SEEDS, FaithfulnessConfig, first_seed
from ..metrics.protocols import resolve_protocol
from ..metrics.random_deletion import DRAWS
from ..results.report import HEADLINE
from ..results.rows import GREEDY, RANDOM, WORDS
from .identity import ExplainedFunction, ScoreQuery, judgments_digest, method_settings, scores_digest
from .model_record import ModelRecord
from .plan import Plan

CONTROLS = {RANDOM: 1, WORDS: 1, GREEDY: 2}
PEOPLE = "people's marks"  # and whether they count: no row of a table, but what all rows are compared with


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreItem:
    """A method under one baseline."""

    row: str
    method: Method
    digest: bytes
    rank: int
    baseline: str | None  # by which the method takes units away
    max_units: int | None = None  # texts of more are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricItem:
    """A row by one operator; a control has no scores, and what people marked no operator."""

    row: str
    operator: str | None
    digest: bytes
    rank: int
    scores: ScoreItem | None
    kind: Literal["method", "control", "robustness"]

    @property
    def taken_by(self) -> str | None:
        """By what units are taken away: those that are missing at random are removed under the paper's protocol."""
        return HEADLINE if self.kind == "robustness" and self.operator == "paper" else self.operator

    @property
    def max_units(self) -> int | None:
        """What is not scored cannot be judged."""
        return None if self.scores is None else self.scores.max_units


WorkItem = ScoreItem | MetricItem


def score_items(about: ModelRecord, plan: Plan, methods: Sequence[Method]) -> Iterator[ScoreItem]:
    """The methods, cheap ones first."""
    for method in sorted(methods, key=lambda method: method.rank):
        asked = ScoreQuery(
            function=_function(about, plan),
            method=method.name,
            settings=method_settings(method),
            target=_target(about, plan),
            scale=about.scale,
            baseline=about.baseline,  # also where the method has no use for it: Delta has
            baseline_id=about.baseline_id,
        )
        yield ScoreItem(
            row=format_spec(method),
            method=method,
            digest=scores_digest(asked),
            rank=method.rank,
            baseline=method.removes_by(about.baseline),
            max_units=plan.max_units.get(method.name),
        )


def metric_items(about: ModelRecord, plan: Plan, scores: Sequence[ScoreItem]) -> Iterator[MetricItem]:
    """Every method by every operator, and the controls."""
    exam = faithfulness_config(about, plan)
    end = about.baseline_id if exam.protocol.operators else None  # by which the paper's log-odds are taken
    for operator in exam.operators:
        by: dict[str, Any] = {"protocol": plan.protocol, "operator": operator, "id": about.operator_ids[operator]}
        for one in scores:
            digest = judgments_digest(one.digest, **by, end=end, top=plan.top, curve=list(plan.curve))
            yield MetricItem(row=one.row, operator=operator, digest=digest, rank=one.rank, scores=one, kind="method")
        for name, rank in CONTROLS.items():
            if name in plan.controls and not (name == WORDS and about.activation == "sigmoid"):
                digest = judgments_digest(_control(about, plan, name), **by, **_asked_of(name, plan, end))
                kind: Literal["control", "robustness"] = "robustness" if name == WORDS else "control"
                yield MetricItem(row=name, operator=operator, digest=digest, rank=rank, scores=None, kind=kind)


def rationale_item(about: ModelRecord, plan: Plan) -> MetricItem:
    """What people marked, in the units of a model."""
    digest = judgments_digest(_control(about, plan, PEOPLE), protocol=plan.protocol, operator=PEOPLE)
    return MetricItem(row=PEOPLE, operator=None, digest=digest, rank=0, scores=None, kind="control")


def faithfulness_config(about: ModelRecord, plan: Plan) -> FaithfulnessConfig:
    """How the plan judges this model."""
    return FaithfulnessConfig(resolve_protocol(plan.protocol), about.operators, plan.top, plan.curve)


def _asked_of(control: str, plan: Plan, end: int | None) -> dict[str, Any]:
    """What changes a control: greedy choices end at the top, and words that are missing have shares of their own."""
    asked: dict[str, Any] = {"end": end, "top": plan.top, "curve": list(plan.curve)}
    kept = {RANDOM: ("end", "top", "curve"), GREEDY: ("end", "top"), WORDS: ()}[control]
    return {name: asked[name] for name in kept}


def _control(about: ModelRecord, plan: Plan, name: str) -> bytes:
    """A control has no scores of its own; the scale of the attributions does not change it."""
    chance = {"seed": first_seed(plan.seed), "draws": SEEDS}
    drawn = {RANDOM: chance, PEOPLE: chance, WORDS: {"seed": plan.seed, "draws": DRAWS}, GREEDY: {}}
    asked = ScoreQuery(
        function=_function(about, plan),
        method=name,
        settings=drawn[name],
        target=_target(about, plan),
        scale="probability",
        baseline=None,
        baseline_id=None,
    )
    return scores_digest(asked)


def _function(about: ModelRecord, plan: Plan) -> ExplainedFunction:
    return ExplainedFunction(
        model=about.hash,
        dtype=about.dtype,
        function=about.function,
        labels=about.labels,
        unit=about.unit,
        max_length=about.max_length,
    )


def _target(about: ModelRecord, plan: Plan) -> str | int:
    """As the plan has it, else as the protocol does."""
    return about.target if plan.target is None else plan.target
