"""One text, several jobs: their results become one, in order; one failure fails its group alone."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from support.engine_texts import engine_text
from torch import Tensor

from unmask import Explanation, Request
from unmask.attribution.attribute import AttributionConfig, PreparedText, attribution_job, to_explanation
from unmask.attribution.session import ModelSession
from unmask.engine import Engine, Job, JobGroup
from unmask.errors import TextError, UnmaskError
from unmask.models.formula import FormulaModel
from unmask.questions import Perturbation, Question, Scores, ask_outputs
from unmask.results.metadata import Passes

WEIGHTS = {"good": 2.0, "bad": -3.0, "film": 0.25, "not": 0.5}
ADAPTER = FormulaModel.weighted_words(WEIGHTS)


def logit() -> Generator[Question, Tensor, float]:
    (outputs,) = yield from ask_outputs([Perturbation()])
    return float(outputs[1])


def failing() -> Generator[Question, Tensor, float]:
    yield from ask_outputs([Perturbation()])
    raise TextError("no, on purpose")


def test_results_are_combined_in_order_and_costs_add_up() -> None:
    jobs = [Job(engine_text(ADAPTER, word), logit()) for word in ("good", "bad", "film")]
    single = Job(engine_text(ADAPTER, "not"), logit())
    entries: list[Job[Any] | JobGroup[Any] | UnmaskError] = [JobGroup(jobs, list), single, TextError("unreadable")]
    first, second, third = Engine(ADAPTER).run(entries)
    assert first.result == [2.0, -3.0, 0.25]
    assert first.passes == Passes(3)
    assert second.result == 0.5
    assert isinstance(third.error, TextError)


def test_a_failing_job_fails_its_group_alone() -> None:
    text = engine_text(ADAPTER, "good")
    group: JobGroup[float] = JobGroup([Job(text, logit()), Job(text, failing())], sum)
    entries: list[Job[float] | JobGroup[float]] = [group, Job(text, logit())]
    failed, fine = Engine(ADAPTER).run(entries)
    assert failed.result is None
    assert "on purpose" in str(failed.error)
    assert fine.result == 2.0


def test_a_combination_that_fails_is_the_groups_error() -> None:
    def refuse(results: Sequence[float]) -> float:
        raise TextError(f"{len(results)} results do not fit")

    text = engine_text(ADAPTER, "good")
    (outcome,) = Engine(ADAPTER).run([JobGroup([Job(text, logit()), Job(text, logit())], refuse)])
    with pytest.raises(TextError, match="2 results do not fit"):
        outcome.unwrap()


def windows(session: ModelSession, prepared: PreparedText, config: AttributionConfig, size: int) -> JobGroup[Scores]:
    """Windows of so many units, each a text of its own; a unit's score is its mean over them."""
    (segment,), groups = prepared.encoded.segments, prepared.groups
    starts = range(len(groups) - size + 1)
    texts = [segment.text[groups[at].span.start : groups[at + size - 1].span.end] for at in starts]
    jobs = [attribution_job(session.prepare(Request(text), config), config) for text in texts]

    def combine(parts: Sequence[Scores]) -> Scores:
        totals, counts = torch.zeros(2, len(groups), dtype=torch.float64)
        for start, part in zip(starts, parts, strict=True):
            totals[start : start + size] += part.values
            counts[start : start + size] += 1
        return replace(parts[0], values=totals / counts, without=None)

    return JobGroup(jobs, combine)


def test_windows_of_one_text_become_one_explanation() -> None:
    session = ModelSession(ADAPTER)
    config = session.resolve_config(target="positive")
    prepared = session.prepare(Request("a good film not bad"), config)
    (outcome,) = session.engine.run([windows(session, prepared, config, 3)])
    explanation = to_explanation(prepared, config, outcome)
    assert [unit.text for unit in explanation.units] == ["a", "good", "film", "not", "bad"]
    assert explanation.scores == pytest.approx((0.0, 2.0, 0.25, 0.5, -3.0))
    assert explanation.passes == Passes(3 * 5)
    assert Explanation.from_dict(explanation.to_dict()) == explanation
