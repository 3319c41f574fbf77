"""The work items of an evaluation, with their digests and costs. Needs no model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from ..methods.base import Method, settings
from ..methods.spec import format_spec
from ..metrics.controls import DRAWS, GREEDY_UNITS, SHARES, UNSHOWN
from ..metrics.faithfulness import SEEDS, FaithfulnessConfig, first_seed
from ..metrics.perturbations import OPERATORS, share_left
from ..results.rows import GREEDY, HEADLINE, RANDOM, WORDS, Kind
from .config import EvaluationConfig
from .identity import TextKey, metrics_digest
from .store import Table

CONTROLS = {RANDOM: 1, GREEDY: 2, WORDS: 1}
RATIONALES = "people's marks"  # part of digests, never shown
Size: TypeAlias = tuple[int, int]  # a text's units and tokens

GRADIENT = 2  # the cost of a pass with a gradient, relative to a pass without
GRADIENT_TIME = 2.5  # the approximate time of such a pass, relative to one without; used to estimate the time left


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreItem:
    """The scores of a method with one baseline, or imported scores."""

    table: ClassVar[Table] = "scores"

    row: str
    method: Method | None  # None: imported scores
    digest: bytes
    rank: int
    baseline: str | None  # what replaces a masked unit
    max_units: int | None = None  # longer texts are skipped
    keyed_by: TextKey = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricItem:
    """The metrics of a row for one operator. Controls have no scores; rationales have no operator."""

    table: ClassVar[Table] = "judgments"

    row: str
    digest: bytes
    operator: str | None = None
    rank: int = 0
    scores: ScoreItem | None = None
    kind: Kind = "control"
    keyed_by: TextKey = "text"

    @property
    def operator_used(self) -> str | None:
        """The operator. If the protocol has its own operators, random deletion removes words instead."""
        is_own = self.kind == "robustness" and self.operator not in OPERATORS
        return HEADLINE if is_own else self.operator

    @property
    def max_units(self) -> int | None:
        """The maximum number of units; longer texts have no scores."""
        return None if self.scores is None else self.scores.max_units


WorkItem: TypeAlias = ScoreItem | MetricItem


def work_items(config: EvaluationConfig) -> list[WorkItem]:
    """Return all work items, cheap methods first."""
    scores = sorted(score_items(config), key=lambda item: item.rank)
    return [*scores, *metric_items(config, scores), *([rationale_item(config)] if config.has_rationales else [])]


def score_items(config: EvaluationConfig) -> Iterator[ScoreItem]:
    """Yield an item for each method and baseline it uses, then one for imported scores."""
    for method in config.methods:
        models = config.models if method.uses_baseline else config.models[:1]
        for model in models:
            yield ScoreItem(
                row=format_spec(method) + (f" ({model.baseline})" if len(models) > 1 else ""),
                method=method,
                digest=model.scores_digest(method.name, settings(method), _target(config)),
                rank=method.rank,
                baseline=method.removes_by(model.baseline),
                max_units=config.max_units.get(method.name),
            )
    if config.given is not None:
        digest = _control(config, "given")
        yield ScoreItem(row=config.given, method=None, digest=digest, rank=0, baseline=None, keyed_by="given")


def metric_items(config: EvaluationConfig, scores: Sequence[ScoreItem]) -> Iterator[MetricItem]:
    """Yield an item for each method and operator, and for the controls."""
    model = config.models[0]
    end = model.baseline_id if config.protocol.operators else None  # the paper's log-odds use the baseline
    asked: dict[str, Any] = {"end": end, "top": config.top, "curve": list(config.curve), **config.protocol.revised}
    for operator in model.operators:
        by: dict[str, Any] = {"protocol": config.protocol.name, "operator": operator}
        by["id"] = model.operator_ids[operator]
        for one in scores:
            yield MetricItem(
                row=one.row,
                operator=operator,
                digest=metrics_digest(one.digest, **by, **asked),
                rank=one.rank,
                scores=one,
                kind="given" if one.method is None else "method",
                keyed_by=one.keyed_by,
            )
        for name in (name for name in CONTROLS if name in config.controls):
            if name == WORDS and model.activation in UNSHOWN:
                continue
            unused = {RANDOM: (), GREEDY: ("curve",), WORDS: tuple(asked)}[name]  # settings the control does not use
            yield MetricItem(
                row=name,
                operator=operator,
                digest=metrics_digest(
                    _control(config, name), **by, **{key: asked[key] for key in asked if key not in unused}
                ),
                rank=CONTROLS[name],
                kind="robustness" if name == WORDS else "control",
                keyed_by="labelled" if name == WORDS else "text",
            )


def rationale_item(config: EvaluationConfig) -> MetricItem:
    """Return the item that converts rationales to a model's units."""
    digest = metrics_digest(_control(config, RATIONALES), protocol=config.protocol.name, operator=RATIONALES)
    return MetricItem(row=RATIONALES, digest=digest, keyed_by="marked")


def _control(config: EvaluationConfig, name: str) -> bytes:
    """Return the digest of a control or of imported scores; neither depends on the baseline or the scale."""
    chance = {"seed": first_seed(config.seed), "draws": SEEDS}
    drawn = {RANDOM: chance, RATIONALES: chance, WORDS: {"seed": config.seed, "draws": DRAWS}}.get(name, {})
    return config.models[0].scores_digest(
        name, drawn, _target(config), scale="probability", baseline=None, baseline_id=None
    )


def _target(config: EvaluationConfig) -> str | int:
    """Return the requested target, or else the protocol's."""
    return config.models[0].target if config.target is None else config.target


@dataclass(frozen=True, slots=True)
class RowCount:
    """A number of passes for one text, each on an input that is as long as a share of the text."""

    count: float
    share: float = 1.0
    has_gradient: bool = False


def cost(rows: Iterator[RowCount], *, gradient: float = GRADIENT) -> float:
    """Return the cost, in passes over the whole text without a gradient."""
    return sum(one.count * one.share * (gradient if one.has_gradient else 1) for one in rows)


def row_counts(item: WorkItem, size: Size, faithfulness: FaithfulnessConfig) -> Iterator[RowCount]:
    """Count the passes of a work item for a text of this size. Duplicate inputs are counted twice."""
    units, _ = size
    if isinstance(item, ScoreItem):
        if item.method is None:
            return
        yield RowCount(2)  # the text, and all units masked
        cost = item.method.cost(*size)
        yield RowCount(cost.forward)
        yield RowCount(cost.backward, has_gradient=True)
        return
    yield RowCount(1)
    if item.operator is None:
        return
    if item.row == WORDS:
        yield from (RowCount(DRAWS, share_left(share, item.operator)) for share in SHARES if share)
    elif item.row == GREEDY:  # tries every remaining unit at each step
        choices = faithfulness.protocol.count(units, faithfulness.top) if units <= GREEDY_UNITS else 0
        for chosen in range(1, choices + 1):
            yield from _deletions(units - chosen + 1, chosen / units, faithfulness.taken(item.operator))
    else:
        for count in {faithfulness.protocol.count(units, share) for share in faithfulness.shares} - {0}:
            yield from _deletions(SEEDS if item.row == RANDOM else 1, count / units, faithfulness.taken(item.operator))


def _deletions(count: int, share: float, operators: tuple[str, str, str]) -> Iterator[RowCount]:
    """Count the passes that delete a share of the units (with one or two operators) or keep only those units."""
    for_odds, for_loss, for_rest = operators
    yield from (RowCount(count, share_left(share, one)) for one in {for_odds, for_loss})
    yield RowCount(count, share_left(1 - share, for_rest))
