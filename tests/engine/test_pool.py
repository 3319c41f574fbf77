"""Jobs of many callers on one engine."""

from collections.abc import Sequence

import pytest

from unmask.attribution.attribute import to_explanation
from unmask.attribution.session import ModelSession
from unmask.engine import Job, JobPool
from unmask.errors import GateError, ModelError
from unmask.models import equivalence
from unmask.models.formula import FormulaModel
from unmask.questions import Perturbation, ask_outputs
from unmask.text.request import Request

WEIGHTS = {"good": 2.0, "fine": 1.0, "bad": -3.0}
TEXTS = ("a good film", "fine", "not so good but fine and far too long", "bad bad film")


def session(*, batch_tokens: int | None = None) -> ModelSession:
    return ModelSession(FormulaModel.weighted_words(WEIGHTS), batch_tokens=batch_tokens)


def test_results_are_those_of_a_run() -> None:
    opened = session(batch_tokens=8)
    config = opened.resolve_config(sets="auto", target="positive")
    prepared = [opened.prepare(Request(text), config) for text in TEXTS]
    jobs = [opened.job(Request(text), one, config) for text, one in zip(TEXTS, prepared, strict=True)]
    pool = JobPool(opened.engine)
    added = [pool.add([job]) for job in jobs]
    while len(pool):
        pool.step(added[::-1])
    for text, one, pooled in zip(TEXTS, prepared, added, strict=True):
        (result,) = pooled.results()
        scores = to_explanation(one, config, result).scores
        assert scores == tuple(WEIGHTS.get(word, 0.0) for word in text.split())


def outputs_job(opened: ModelSession, text: str, units: Sequence[int]) -> Job[object]:
    prepared = opened.prepare(Request(text), opened.resolve_config())
    return Job(prepared, ask_outputs([Perturbation((unit,)) for unit in units]))


def test_the_first_row_is_in_the_next_batch_and_others_fill_it() -> None:
    opened = session(batch_tokens=16)  # four rows of four tokens
    pool = JobPool(opened.engine)
    long = pool.add([outputs_job(opened, "a b c d", [0, 1, 2, 3]) for _ in range(4)])
    short = pool.add([outputs_job(opened, "a good good film", [1])])
    assert pool.step([short, long]) == [short]
    assert long.rows == 3
    assert not long.is_done


def test_removed_jobs_run_no_more() -> None:
    opened = session(batch_tokens=4)
    pool = JobPool(opened.engine)
    pooled = pool.add([outputs_job(opened, "a b c d", [0, 1, 2, 3])])
    pool.step()
    pool.remove(pooled)
    assert pool.step() == []
    assert (len(pool), pooled.rows) == (0, 1)


def test_a_refused_model_fails_the_jobs_of_the_batch_and_not_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise GateError("refused")

    monkeypatch.setattr(equivalence, "check_equivalence", refuse)
    opened = session()
    pool = JobPool(opened.engine)
    pooled = pool.add([outputs_job(opened, "a b", [0])])
    assert pool.step() == [pooled]
    assert isinstance(pooled.results()[0].error, GateError)


def test_a_fault_in_a_generator_fails_its_own_jobs() -> None:
    def faulty() -> object:
        yield from ask_outputs([Perturbation((0,))])
        raise ValueError("a bug")

    opened = session()
    prepared = opened.prepare(Request("a b"), opened.resolve_config())
    pool = JobPool(opened.engine)
    pooled = pool.add([Job(prepared, faulty())])  # type: ignore[arg-type]  # a faulty one
    assert pool.step() == [pooled]
    assert isinstance(pooled.results()[0].error, ModelError)
    assert pool.step() == []
