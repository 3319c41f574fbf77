"""What a run will cost: counted exactly, timed roughly."""

import pytest
import torch
from support import tiny
from torch import Tensor

from unmask import Estimate, Explainer, Explanation, Request
from unmask.errors import ArgumentError, InputError, ModelError, UnmaskError
from unmask.models.adapter import Batch
from unmask.models.formula import FormulaModel


@pytest.mark.parametrize("unit", ["word", "token", "sentence"])
def test_units_and_passes_are_those_of_the_run(unit: str) -> None:
    explainer = tiny.explainer("bert")
    texts: list[str | Request] = [*tiny.TEXTS, "", Request("the film", text_pair="is not bad")]
    expected = [one for one in explainer.attempts(texts, unit=unit) if isinstance(one, Explanation)]
    found = explainer.estimate(texts, unit=unit)
    assert (found.texts, found.failed) == (6, 1)
    assert found.units == sum(len(one.units) for one in expected)
    assert found.passes == sum(one.passes.forward for one in expected)
    assert 0 < found.seconds < 600


def test_seconds_grow_with_the_texts() -> None:
    explainer = tiny.explainer("bert")
    few, many = explainer.estimate(tiny.TEXTS), explainer.estimate(tiny.TEXTS * 50)
    assert many.passes == 50 * few.passes
    assert many.seconds > 5 * few.seconds  # fifty times, but for a noisy machine


def test_nothing_is_explained() -> None:
    rows = []

    class Counted(FormulaModel):
        def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
            rows.append(len(vectors))
            return super().outputs(batch, vectors)

    counted = Counted({"good": [1.0]}, lambda vectors, _: vectors.sum(1) * torch.tensor([0.0, 1.0]))
    found = Explainer.from_adapter(counted, batch_tokens=64).estimate(["good film"] * 1000)
    assert found.passes == 4000
    assert sum(rows) < 300


def test_no_texts_and_texts_that_fail_take_no_time() -> None:
    explainer = tiny.explainer("bert")
    assert explainer.estimate([]) == Estimate(0, 0, 0, 0, 0.0)
    failing: list[str | Request | UnmaskError] = [
        "",
        Request("a film", target="nothing"),
        InputError("line 3 is broken"),
    ]
    assert explainer.estimate(failing) == Estimate(3, 3, 0, 0, 0.0)


def test_bad_settings_are_refused_as_in_a_run() -> None:
    with pytest.raises(ArgumentError, match="unknown unit"):
        tiny.explainer("bert").estimate(tiny.TEXTS, unit="wrod")


def test_a_machine_with_little_memory_and_a_model_that_fails() -> None:
    class Small(FormulaModel):
        def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
            if len(vectors) > 3:
                raise RuntimeError("out of memory, on purpose")
            return super().outputs(batch, vectors)

    class Broken(FormulaModel):
        def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
            raise RuntimeError("a layer that fails")

    def formula(vectors: Tensor, _: Tensor) -> Tensor:
        return vectors.sum(1) * torch.tensor([0.0, 1.0])

    assert Explainer.from_adapter(Small({"good": [1.0]}, formula)).estimate(["a good film"]).seconds > 0
    with pytest.raises(ModelError, match="a layer that fails"):
        Explainer.from_adapter(Broken({"good": [1.0]}, formula)).estimate(["a good film"])
