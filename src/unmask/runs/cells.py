"""What a plan asks of one model under one baseline, cell by cell, each with its identity; no model is needed for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..evaluation import GREEDY, RANDOM, WORDS
from ..methods.spelling import spelled
from ..metrics.faithfulness import Exam
from ..probes import Method
from .identity import Asked, Function, judgments_digest, method_settings, scores_digest
from .models import About

SEEDS = 10  # of the random row
RANKS = {  # cheap ones first, so that a first table is there early
    **dict.fromkeys(("random", "grad_x_input", "saliency", "deeplift", "sig", "leave_one_in", "leave_one_out"), 0),
    **dict.fromkeys(("ig", "gradient_shap", "dig"), 1),
    **dict.fromkeys(("shapley", "sig_path"), 2),
    "sdig": 3,
}
USUAL_RANK = 1
CONTROLS = {RANDOM: 1, WORDS: 1, GREEDY: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """A method under one baseline."""

    row: str
    method: Method
    digest: bytes
    rank: int
    baseline: str | None  # by which the method takes units away


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCell:
    """A row by one operator; a control has no scores."""

    row: str
    operator: str
    digest: bytes
    rank: int
    scores: ScoreCell | None
    kind: Literal["method", "control", "robustness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of every text of a cell."""

    unit: str
    target: str
    scale: str
    baseline: str  # as the plan calls it
    max_length: int | None
    exam: Exam
    seed: int
    controls: tuple[str, ...]


def score_cells(about: About, methods: Sequence[Method], question: Question) -> Iterator[ScoreCell]:
    """The methods, cheap ones first."""
    name, token = about.baselines[question.baseline]
    for method in sorted(methods, key=_rank):
        uses = getattr(method, "uses_baseline", True)
        asked = Asked(
            function=_function(about, question),
            method=method.name,
            settings=method_settings(method),
            target=question.target,
            scale=question.scale,
            baseline=name if uses else None,
            baseline_id=token if uses else None,
        )
        taken_by = name if uses else getattr(method, "operator", None)
        digest = scores_digest(asked)
        yield ScoreCell(row=spelled(method), method=method, digest=digest, rank=_rank(method), baseline=taken_by)


def judge_cells(about: About, scores: Sequence[ScoreCell], question: Question) -> Iterator[JudgeCell]:
    """Every method by every operator, and the controls."""
    exam, end = question.exam, about.baselines[question.baseline] if question.exam.protocol.operators else None
    for operator in exam.operators:
        for one in scores:
            digest = judgments_digest(one.digest, exam, operator, end=end)
            yield JudgeCell(row=one.row, operator=operator, digest=digest, rank=one.rank, scores=one, kind="method")
        for name in (name for name in (RANDOM, GREEDY, WORDS) if name in question.controls):
            whole = Asked(
                function=_function(about, question),
                method=name,
                settings={"seed": question.seed, "draws": SEEDS},
                target=question.target,
                scale="probability",  # which the scale of the attributions does not change
                baseline=None,
                baseline_id=None,
            )
            digest = judgments_digest(scores_digest(whole), exam, operator, end=end)
            kind: Literal["control", "robustness"] = "robustness" if name == WORDS else "control"
            rank = CONTROLS[name]
            yield JudgeCell(row=name, operator=operator, digest=digest, rank=rank, scores=None, kind=kind)


def _function(about: About, question: Question) -> Function:
    return Function(
        model=about.hash,
        dtype=about.dtype,
        function=about.function,
        labels=about.labels,
        unit=question.unit,
        max_length=question.max_length,
    )


def _rank(method: Method) -> int:
    return RANKS.get(method.name, USUAL_RANK)
