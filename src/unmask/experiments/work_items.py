"""What an evaluation computes, item by item, each with its identity; no model is needed for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..methods.base import Method, settings
from ..methods.spec import format_spec
from ..metrics.faithfulness import SEEDS, first_seed
from ..metrics.random_deletion import DRAWS
from ..results.report import HEADLINE
from ..results.rows import GREEDY, RANDOM, WORDS, Kind
from .config import EvaluationConfig
from .identity import metrics_digest

CONTROLS = {RANDOM: 1, GREEDY: 2, WORDS: 1}
RATIONALES = "people's marks"  # and whether they count: no row of a table, but what all rows are compared with
TextKey: TypeAlias = Literal["text", "labelled", "marked", "given"]  # what a text is known by in an item


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreItem:
    """A method under one baseline, or scores from elsewhere."""

    row: str
    method: Method | None  # None: scores from elsewhere
    digest: bytes
    rank: int
    baseline: str | None  # by which the method takes units away
    max_units: int | None = None  # texts of more are left out
    keyed_by: TextKey = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricItem:
    """A row by one operator; a control has no scores, and rationales have no operator."""

    row: str
    operator: str | None
    digest: bytes
    rank: int
    scores: ScoreItem | None
    kind: Kind
    keyed_by: TextKey = "text"

    @property
    def operator_used(self) -> str | None:
        """Units that are missing at random are removed where a protocol has operators of its own."""
        is_own = self.kind == "robustness" and self.operator not in ("remove", "mask", "pad", "unk")
        return HEADLINE if is_own else self.operator

    @property
    def max_units(self) -> int | None:
        """What is not scored has no metrics."""
        return None if self.scores is None else self.scores.max_units


WorkItem: TypeAlias = ScoreItem | MetricItem


def work_items(config: EvaluationConfig) -> list[WorkItem]:
    """All that an evaluation computes, cheap methods first."""
    scores = sorted(score_items(config), key=lambda item: item.rank)
    return [*scores, *metric_items(config, scores), *([rationale_item(config)] if config.has_rationales else [])]


def score_items(config: EvaluationConfig) -> Iterator[ScoreItem]:
    """Every method under every baseline, one that has no use for a baseline once; scores from elsewhere last."""
    for method in config.methods:
        uses = method.uses_baseline
        for model in config.models if uses else config.models[:1]:
            yield ScoreItem(
                row=row_name(method, model.baseline if uses and len(config.models) > 1 else None),
                method=method,
                digest=model.scores_digest(method.name, settings(method), _target(config)),
                rank=method.rank,
                baseline=method.removes_by(model.baseline),
                max_units=config.max_units.get(method.name),
            )
    if config.given is not None:
        digest = config.models[0].control_digest("given", {}, _target(config))
        yield ScoreItem(row=config.given, method=None, digest=digest, rank=0, baseline=None, keyed_by="given")


def row_name(method: Method, baseline: str | None) -> str:
    """What the row of a method is called; with its baseline where there are several."""
    return format_spec(method) + (f" ({baseline})" if baseline is not None else "")


def metric_items(config: EvaluationConfig, scores: Sequence[ScoreItem]) -> Iterator[MetricItem]:
    """Every method by every operator, and the controls."""
    model = config.models[0]
    end = model.baseline_id if config.protocol.operators else None  # by which the paper's log-odds are taken
    asked: dict[str, Any] = {"end": end, "top": config.top, "curve": list(config.curve)}
    for operator in model.operators:
        by: dict[str, Any] = {"protocol": config.protocol.name, "operator": operator}
        by["id"] = model.operator_ids[operator]
        for one in scores:
            kind: Kind = "method" if one.method is not None else "given"
            digest = metrics_digest(one.digest, **by, **asked)
            yield MetricItem(
                row=one.row, operator=operator, digest=digest, rank=one.rank, scores=one, kind=kind,
                keyed_by=one.keyed_by,
            )  # fmt: skip
        for name in (name for name in CONTROLS if name in config.controls):
            if name == WORDS and model.activation == "sigmoid":
                continue
            kept = {RANDOM: ("end", "top", "curve"), GREEDY: ("end", "top"), WORDS: ()}[name]  # what changes it
            digest = metrics_digest(_control(config, name), **by, **{key: asked[key] for key in kept})
            yield MetricItem(
                row=name, operator=operator, digest=digest, rank=CONTROLS[name], scores=None,
                kind="robustness" if name == WORDS else "control",
                keyed_by="labelled" if name == WORDS else "text",
            )  # fmt: skip


def rationale_item(config: EvaluationConfig) -> MetricItem:
    """What people marked, in the units of a model."""
    digest = metrics_digest(_control(config, RATIONALES), protocol=config.protocol.name, operator=RATIONALES)
    return MetricItem(
        row=RATIONALES, operator=None, digest=digest, rank=0, scores=None, kind="control", keyed_by="marked"
    )


def _control(config: EvaluationConfig, name: str) -> bytes:
    chance = {"seed": first_seed(config.seed), "draws": SEEDS}
    drawn = {RANDOM: chance, RATIONALES: chance, WORDS: {"seed": config.seed, "draws": DRAWS}, GREEDY: {}}
    return config.models[0].control_digest(name, drawn[name], _target(config))


def _target(config: EvaluationConfig) -> str | int:
    """As it was asked for, else as the protocol has it."""
    return config.models[0].target if config.target is None else config.target
