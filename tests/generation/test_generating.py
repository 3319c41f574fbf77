"""Generating an answer: it is reported while it goes on, shared by the rows of a comparison, and not done for units."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_generation, tiny_causal
from transformers import Gemma3Config, Gemma3ForConditionalGeneration

from unmask import Explainer
from unmask.progress import Progress, bar

PROMPT = "the film is not bad"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> tuple[Explainer, list[int]]:
    """An explainer, and the lengths of the prompts that its model was asked to continue."""
    explainer, asked = tiny_causal.explainer("llama"), list[int]()
    generate = explainer.model.generate

    def counting(ids: Any, **settings: Any) -> Any:
        asked.append(ids.shape[1])
        return generate(ids, **settings)

    monkeypatch.setattr(explainer.model, "generate", counting)
    return explainer, asked


def test_every_token_is_reported(counted: tuple[Explainer, list[int]]) -> None:
    explainer, _ = counted
    seen = list[Progress]()
    silent = explainer.explain(PROMPT, max_new_tokens=5)
    found = explainer.explain(PROMPT, max_new_tokens=5, progress=seen.append)
    assert found.scores == silent.scores
    assert [one.generated for one in seen if one.generated] == list(range(1, len(found.outputs) + 1))
    assert (seen[-1].generated, seen[-1].texts) == (0, 1)
    settings: Any = {"max_new_tokens": 5, "num_beams": 2}
    beams = explainer.explain(PROMPT, progress=seen.append, **settings)
    assert beams.continuation == explainer.explain(PROMPT, **settings).continuation


def test_the_bar_says_how_far_the_answer_is(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(2) as report:
        report(Progress(1, 10, generated=7))
    with bar(None) as report:
        report(Progress(0, 0, generated=3))
    shown = capsys.readouterr().err
    assert "1/2 texts, 10 passes, answer: 7 tokens" in shown
    assert "0 texts, 0 passes, answer: 3 tokens" in shown


def test_a_comparison_generates_once(counted: tuple[Explainer, list[int]]) -> None:
    explainer, asked = counted
    rows = explainer.compare(PROMPT, methods=["sig", "leave_one_out", "two_sided"], max_new_tokens=4)
    assert len(asked) == 1
    assert len({one.continuation for one in rows.explanations}) == 1
    explainer.compare(PROMPT, units=["word", "token"], max_new_tokens=4)
    assert len(asked) == 2  # nothing is kept between two calls: the model may have changed
    explainer.explain(PROMPT, max_new_tokens=4)
    assert len(asked) == 3


def test_units_are_known_without_an_answer(counted: tuple[Explainer, list[int]]) -> None:
    explainer, asked = counted
    units = explainer.units(PROMPT, max_new_tokens=4)
    assert asked == []
    assert units == explainer.explain(PROMPT, max_new_tokens=4).units
    assert len(explainer.units(PROMPT, max_new_tokens=4, attribute_to="all")) > len(units)
    assert len(asked) == 2


def test_a_decoder_with_an_image_tower_is_a_language_model(tmp_path: Path) -> None:
    tokenizer, sizes = tiny_causal.tokenizer("gemma3"), {"hidden_size": 8, "intermediate_size": 8}
    text = tiny_causal.recipe("gemma3").configuration(tokenizer, labels=2).to_dict()
    tower = {**sizes, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 16, "patch_size": 8}
    torch.manual_seed(0)
    made: Any = Gemma3ForConditionalGeneration(
        Gemma3Config(text_config=text, vision_config=tower, mm_tokens_per_image=4)
    )
    made.save_pretrained(tmp_path / "gemma")
    tokenizer.save_pretrained(tmp_path / "gemma")
    explainer = Explainer.from_pretrained(tmp_path / "gemma", device="cpu", dtype="float64")
    found = explainer.explain("the film is", continuation=" bad", unit="token")
    ids = tokenizer("the film is bad")["input_ids"]
    start = len(ids) - len(found.outputs)
    expected = slow_generation.plain(explainer.model, ids, start)
    assert found.task == "generation"
    assert -np.log1p(np.exp(-np.array(found.whole))) == pytest.approx(expected.numpy(), abs=1e-9)
    rows = slow_generation.scores(
        explainer.model, ids, start, [[at] for at in range(start - 3, start)], tokenizer.pad_token_id
    )
    assert found.scores[-3:] == pytest.approx(rows.sum(1).tolist(), abs=1e-9)
