"""Interactions between pairs of units in one text: asks the questions and builds the result."""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypedDict

from torch import Tensor

from ..engine import Job, JobResult
from ..errors import ArgumentError
from ..methods.base import check_count
from ..progress import Reporting, reporting
from ..questions import Perturbation, Question, Scores, ask_outputs
from ..results.interactions import Interactions
from ..tasks.targets import TargetName
from ..text.request import Request
from .attribute import ENDS, AttributionConfig, PreparedText, attribute, to_explanation

if TYPE_CHECKING:
    from .session import ModelSession


class ValueSettings(TypedDict, total=False):
    """Settings of computations that mask units but have no `method`, such as interactions; see `Settings`."""

    unit: str
    target: TargetName
    scale: str
    baseline: str


@dataclass(frozen=True, slots=True)
class PairScores:
    """The scores of all units, the chosen units, and the raw outputs with each pair masked, [pairs, outputs]."""

    scores: Scores
    chosen: tuple[int, ...]
    without_pairs: tuple[tuple[float, ...], ...]


def ask_pairs(
    prepared: PreparedText, config: AttributionConfig, *, top: int
) -> Generator[Question, Tensor, PairScores]:
    """Run the method, then the text with each pair of the top units masked."""
    scores = yield from attribute(prepared, config)
    chosen = tuple(scores.values.abs().argsort(descending=True, stable=True)[:top].tolist())
    units = prepared.units
    pairs = [units[first] + units[second] for first, second in combinations(sorted(chosen), 2)]
    without = (yield from ask_outputs(Perturbation(tuple(sorted(pair))) for pair in pairs)) if pairs else ()
    return PairScores(scores, chosen, tuple(tuple(prepared.head.values(row).tolist()) for row in without))


def find_interactions(
    session: "ModelSession", request: Request, settings: ValueSettings, *, top: int, progress: Reporting = None
) -> Interactions:
    """Compute the interactions of one text."""
    check_classifier(session)
    config = session.resolve_config(method="two_sided", **settings)
    prepared = session.prepare(request, config)
    with reporting(progress, total=1) as report:
        (outcome,) = session.engine.run([pairs_job(prepared, config, top=top)], progress=report)
    return to_interactions(prepared, config, outcome)


def check_classifier(session: "ModelSession") -> None:
    """Reject a language model."""
    if session.is_generative:
        raise ArgumentError(
            "interactions are not supported for language models",
            hint="unmask.compat.shapiq.game works with language models too",
        )


def pairs_job(prepared: PreparedText, config: AttributionConfig, *, top: int) -> Job[PairScores]:
    """Create the job that computes the interactions of one text."""
    check_count("top", top, least=2)
    units = len(prepared.groups)
    chosen = min(top, units)
    return Job(prepared, ask_pairs(prepared, config, top=top), ENDS + 2 * units + chosen * (chosen - 1) / 2)


def to_interactions(prepared: PreparedText, config: AttributionConfig, outcome: JobResult[PairScores]) -> Interactions:
    """Build interactions that record everything their numbers depend on; raise the error of a failed job."""
    found = outcome.unwrap()
    explanation = to_explanation(prepared, config, JobResult(found.scores, None, outcome.passes, outcome.seconds))
    return Interactions(explanation=explanation, chosen=found.chosen, without_pairs=found.without_pairs)
