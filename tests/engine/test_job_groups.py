"""One text, several jobs: their results become one, in order; one failure fails its group alone."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from support.engine_texts import engine_text
from torch import Tensor

from unmask import Explainer, Explanation, Failure, Request
from unmask.engine import Engine, Job, JobGroup
from unmask.errors import TextError, UnmaskError
from unmask.models.formula import FormulaModel
from unmask.questions import Perturbation, Question, Scores, ask_outputs
from unmask.results.metadata import Passes
from unmask.tasks.classification import Classification
from unmask.tasks.task import Parts
from unmask.text.units import AlignedUnit

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


@dataclass(frozen=True, slots=True)
class Windows(Classification):
    """A text is scored in windows of so many units, each a text of its own; a unit's score is its mean over them."""

    size: int = 3

    def split(self, request: Request, units: Sequence[AlignedUnit]) -> "Parts | None":
        if len(units) <= self.size:
            return None
        starts = range(len(units) - self.size + 1)
        ends = [units[start + self.size - 1].span.end for start in starts]
        texts = [request.text[units[start].span.start : end] for start, end in zip(starts, ends, strict=True)]
        if "unreadable" in request.text:
            texts[1] = " "

        def combine(parts: Sequence[Scores]) -> Scores:
            totals, counts = torch.zeros(2, len(units), dtype=torch.float64)
            for start, part in zip(starts, parts, strict=True):
                totals[start : start + self.size] += part.values
                counts[start : start + self.size] += 1
            return replace(parts[0], values=totals / counts, without=None)

        return [Request(text) for text in texts], combine


class WindowedModel(FormulaModel):
    @property
    def task(self) -> Windows:
        return Windows(self.head)


@pytest.fixture
def windowed() -> Explainer:
    return Explainer.from_adapter(WindowedModel.weighted_words(WEIGHTS))


def test_windows_of_one_text_become_one_explanation(windowed: Explainer) -> None:
    explanation = windowed.explain("a good film not bad", target="positive")
    assert [unit.text for unit in explanation.units] == ["a", "good", "film", "not", "bad"]
    assert explanation.scores == pytest.approx((0.0, 2.0, 0.25, 0.5, -3.0))
    assert explanation.passes == Passes(3 * 5)
    assert Explanation.from_dict(explanation.to_dict()) == explanation


def test_a_request_that_is_not_split_is_one_job(windowed: Explainer) -> None:
    explanation = windowed.explain("not good", target="positive")
    assert explanation.scores == pytest.approx((0.5, 2.0))
    assert explanation.passes == Passes(4)


def test_a_part_that_cannot_be_read_fails_its_text_alone(windowed: Explainer) -> None:
    failed, fine = windowed.attempts(["an unreadable good film", "a good film not bad"])
    assert isinstance(failed, Failure)
    assert "blank" in str(failed.error)
    assert isinstance(fine, Explanation)
