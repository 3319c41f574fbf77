"""The loop over the model: order, dedup, failures, memory, the seam's arithmetic."""

import gc
import resource
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest
import torch
from support.engine_texts import engine_text
from torch import Tensor

from unmask import Explainer, Explanation, Failure, Progress
from unmask.engine import Engine, Job
from unmask.errors import MemoryLimitError, ModelError, TextError
from unmask.models.adapter import Batch
from unmask.models.formula import FormulaModel
from unmask.questions import Perturbation, Question, ask_outputs
from unmask.results.metadata import Passes

WEIGHTS = {"good": 2.0, "bad": -3.0, "film": 0.25}


class Watched(FormulaModel):
    """Counts what goes through; can fail on purpose."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sizes: list[tuple[int, int]] = []
        self.largest = 10**9  # tokens in a batch before memory runs out
        self.error: Exception = torch.OutOfMemoryError("out of memory, on purpose")
        self.failures = 0
        self.poison: int | None = None  # an id that makes the model raise

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        rows, length = batch.ids.shape
        if rows * length > self.largest:
            self.failures += 1
            raise self.error
        if self.poison is not None and bool((batch.ids == self.poison).any()):
            raise ValueError("poison, on purpose")
        self.sizes.append((rows, length))
        return super().outputs(batch, vectors)


@pytest.fixture
def watched() -> Watched:
    made = Watched.weighted_words(WEIGHTS)
    assert isinstance(made, Watched)
    return made


def rows_run(watched: Watched) -> int:
    return sum(rows for rows, _ in watched.sizes)


def job(adapter: FormulaModel, text: str, asking: Generator[Question, Tensor, Any]) -> Job[Any]:
    return Job(engine_text(adapter, text), asking)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.25, 1.0])
@pytest.mark.parametrize("baseline", ["mask", "zero"])
def test_a_probe_stands_between_the_baseline_and_the_word(alpha: float, baseline: str) -> None:
    adapter = FormulaModel({"good": [2.0], "bad": [-3.0]}, lambda v, a: (v[..., 0] * a).sum(-1, keepdim=True))
    text = engine_text(adapter, "good bad good", baseline=baseline)

    def asking() -> Generator[Question, Tensor, list[float]]:
        found = yield from ask_outputs([Perturbation((0,), alpha), Perturbation((1, 2), alpha), Perturbation()])
        return found[:, 0].tolist()

    (outcome,) = Engine(adapter).run([Job(text, asking())])
    assert outcome.result == pytest.approx([2 * alpha - 1, 2 - alpha, 1.0], rel=1e-14)


def test_rows_are_n_plus_two_and_two_for_one_unit(watched: Watched) -> None:
    explainer = Explainer.from_adapter(watched)
    explainer.explain("warm up")  # the gate's rows are not a text's
    before = rows_run(watched)
    assert explainer.explain("a good film", sets="none").passes.forward == 5
    assert rows_run(watched) - before == 5
    assert explainer.explain("good", sets="none").passes.forward == 2
    assert rows_run(watched) - before == 7


def test_a_formula_is_computed_in_double_precision() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 0.1, "film": 0.3}))
    assert explainer.explain("good film", target="positive").scores == pytest.approx((0.1, 0.3), rel=1e-14)


def test_the_same_probe_is_run_once(watched: Watched) -> None:
    def asking() -> Generator[Question, Tensor, int]:
        first = yield from ask_outputs([Perturbation((0,)), Perturbation((0,)), Perturbation()])
        again = yield from ask_outputs([Perturbation(), Perturbation((0,))])
        assert first[0].equal(again[1])
        assert first[2].equal(again[0])
        return 1

    (outcome,) = Engine(watched).run([job(watched, "good film", asking())])
    assert outcome.result == 1
    assert outcome.passes == Passes(2)


def test_a_generator_may_refine_its_questions(watched: Watched) -> None:
    def asking() -> Generator[Question, Tensor, float]:
        total = 0.0
        for step in range(5):
            (found,) = yield from ask_outputs([Perturbation((0,), step / 4)])
            total += float(found[1])
        return total

    (outcome,) = Engine(watched).run([job(watched, "good", asking())])
    assert outcome.result == pytest.approx(2.0 * (0 + 0.25 + 0.5 + 0.75 + 1))


def test_results_come_lazily_and_in_order(watched: Watched) -> None:
    drawn = 0

    def texts() -> Iterator[str]:
        nonlocal drawn
        for count in range(500):
            drawn += 1
            yield "good " * (1 + count % 17)

    results = Explainer.from_adapter(watched, batch_tokens=64).explain_many(texts())
    assert drawn == 0
    lengths = [len(next(results).units) for _ in range(20)]
    assert lengths == [1 + count % 17 for count in range(20)]
    assert drawn < 200


def test_texts_share_batches(watched: Watched) -> None:
    list(Explainer.from_adapter(watched).explain_many(["good film"] * 100))
    assert len(watched.sizes) < 10


def test_batches_keep_to_the_budget(watched: Watched) -> None:
    list(Explainer.from_adapter(watched, batch_tokens=30).explain_many(["good " * n for n in range(1, 20)]))
    assert all(rows * length <= 30 or rows == 1 or (rows, length) == watched.sizes[0] for rows, length in watched.sizes)


@pytest.mark.parametrize("budget", [1, 7, 64, 100_000])
def test_the_budget_does_not_change_scores(budget: int) -> None:
    texts = ["a good film", "bad bad film", "film", "good , good , bad film good film"]
    adapter = FormulaModel.weighted_words(WEIGHTS)
    found = [one.scores for one in Explainer.from_adapter(adapter, batch_tokens=budget).explain_many(texts)]
    assert found[0] == (0.0, 2.0, 0.25)
    assert found == [one.scores for one in Explainer.from_adapter(adapter).explain_many(texts)]


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB."),
        RuntimeError("MPS backend out of memory (MPS allocated: 1 GB)"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory: you tried"),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 1 bytes."),
        MemoryError(),
    ],
)
def test_a_batch_that_does_not_fit_is_halved_and_the_run_goes_on(watched: Watched, error: Exception) -> None:
    explainer = Explainer.from_adapter(watched)
    watched.largest, watched.error = 24, error
    found = list(explainer.explain_many(["good film and bad film", "good"] * 10, target="positive"))
    assert len(found) == 20
    assert found[0].scores == (2.0, 0.25, 0.0, -3.0, 0.25)
    assert max(rows * length for rows, length in watched.sizes) <= 24
    failures = watched.failures
    list(explainer.explain_many(["good film and bad film"] * 10))
    assert watched.failures == failures  # the budget has been learnt


def test_one_row_that_does_not_fit_fails_alone(watched: Watched) -> None:
    watched.largest = 12
    long, short = Explainer.from_adapter(watched).attempts(["good " * 13, "good"])
    assert isinstance(long, Failure)
    assert isinstance(long.error, MemoryLimitError)
    assert "13 tokens does not fit" in str(long.error)
    assert isinstance(short, Explanation)


def test_a_failing_text_fails_alone(watched: Watched) -> None:
    explainer = Explainer.from_adapter(watched)
    explainer.explain("good film")
    watched.poison = watched.encode("bad", max_length=None).ids[0]
    found = list(explainer.attempts(["good film", "bad film", "film", "", "good"]))
    assert [isinstance(one, Failure) for one in found] == [False, True, False, True, False]
    failed, blank = found[1], found[3]
    assert isinstance(failed, Failure)
    assert isinstance(failed.error, ModelError)
    assert "poison, on purpose" in str(failed.error)
    assert (failed.index, failed.text) == (1, "bad film")
    assert isinstance(blank, Failure)
    assert isinstance(blank.error, TextError)


def test_explain_many_raises_at_the_first_that_fails(watched: Watched) -> None:
    results = Explainer.from_adapter(watched).explain_many(["good", "", "film"])
    assert next(results).scores == (2.0,)
    with pytest.raises(TextError):
        next(results)


def test_a_failure_is_thrown_to_its_asker(watched: Watched) -> None:
    watched.poison = watched.encode("bad", max_length=None).ids[0]

    def asking() -> Generator[Question, Tensor, str]:
        try:
            yield from ask_outputs([Perturbation()])
        except ModelError:
            return "caught"
        return "answered"

    found = Engine(watched).run([job(watched, "good", asking()), job(watched, "bad", asking())])
    assert [outcome.result for outcome in found] == ["answered", "caught"]


def test_a_failure_of_an_abandoned_question_does_not_reach_the_next(watched: Watched) -> None:
    watched.poison = watched.encode("bad", max_length=None).ids[0]

    def asking() -> Generator[Question, Tensor, str]:
        try:
            yield from ask_outputs([Perturbation((0,)), Perturbation((1,)), Perturbation((0, 1))])
        except ModelError:
            watched.poison = None
            yield from ask_outputs([Perturbation()])
            return "fallback"
        return "answered"

    (outcome,) = Engine(watched).run([job(watched, "bad film", asking())])
    assert outcome.result == "fallback"


def test_a_source_that_breaks_keeps_what_came_before(watched: Watched) -> None:
    def texts() -> Iterator[str]:
        yield from ["good film"] * 100
        raise OSError("the source broke")

    found: list[Explanation] = []
    with pytest.raises(OSError, match="the source broke"):
        found.extend(Explainer.from_adapter(watched).explain_many(texts()))
    assert len(found) == 100


def test_an_explainer_can_be_used_while_it_is_in_use(watched: Watched) -> None:
    explainer = Explainer.from_adapter(watched)
    for outer in explainer.explain_many(["good film"] * 20):
        assert explainer.explain("bad film").scores == (3.0, -0.25)
        assert outer.scores == (2.0, 0.25)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_outputs_that_are_not_finite_are_an_error(number: float) -> None:
    adapter = FormulaModel.weighted_words({"good": 1.0, "awful": number})
    fine, broken = Explainer.from_adapter(adapter).attempts(["good film", "awful film"])
    assert isinstance(fine, Explanation)
    assert isinstance(broken, Failure)
    assert "not finite" in str(broken.error)


def test_progress_is_told(watched: Watched) -> None:
    seen: list[Progress] = []
    list(Explainer.from_adapter(watched, batch_tokens=20).explain_many(["good film"] * 30, progress=seen.append))
    assert seen[-1] == Progress(texts=30, rows=30 * 4)
    assert [one.rows for one in seen] == sorted(one.rows for one in seen)


def rss() -> int:
    """This process's memory in bytes."""
    with open("/proc/self/statm") as file:  # noqa: PTH123  a file of the kernel's
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads this process's memory from Linux's /proc")
def test_memory_is_flat_over_ten_thousand_texts() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))
    texts = (f"a good film number {count} , not a bad one" for count in range(10_000))
    sizes = []
    for count, _ in enumerate(explainer.explain_many(texts)):
        if count % 1000 == 999:
            gc.collect()
            sizes.append(rss())
    assert len(sizes) == 10
    assert max(sizes[2:]) - sizes[1] < 10_000_000
