"""Threads that explain models with a tokenizer or a configuration in common take turns where they must."""

import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from support import tiny
from transformers import GPT2ForSequenceClassification

from unmask import Explainer
from unmask.models.huggingface.locks import lock


@pytest.mark.slow
def test_one_tokenizer_of_two_models() -> None:
    tokenizer = tiny.tokenizer("bert")
    short, whole = Explainer(tiny.model("bert"), tokenizer, max_length=8), Explainer(tiny.model("bert"), tokenizer)
    expected = [len(explainer.explain(tiny.TEXTS[0]).units) for explainer in (short, whole)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(lambda one: len(one.explain(tiny.TEXTS[0]).units), one) for one in (short, whole) * 60]
    assert [job.result() for job in jobs] == expected * 60


@pytest.mark.slow
def test_one_configuration_of_two_models() -> None:
    model = tiny.model("gpt2-without-pad")
    torch.manual_seed(1)
    other = GPT2ForSequenceClassification(model.config).double()
    explainers = [Explainer(one, tiny.tokenizer("gpt2-without-pad")) for one in (model, other)]
    before = copy.deepcopy(model.config.to_dict())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda at: explainers[at % 2].explain(tiny.TEXTS[at % 3]).scores, range(60)))
    assert model.config.to_dict() == before


def test_a_lock_is_its_objects_own() -> None:
    one, other = [], []  # type: ignore[var-annotated]
    kept = lock(one)
    assert lock(one) is kept
    assert lock(other) is not kept
