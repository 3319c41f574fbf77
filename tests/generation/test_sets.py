"""Deciding sets of a language model: the fewest units whose masking makes its next token another one."""

from itertools import combinations
from typing import Any

import pytest
import torch
from support import tiny_causal

from unmask import Contrast, Explanation
from unmask.render.answer_view import view_answer

PROMPT = "the film is not bad, a lovely friendship"


@torch.no_grad()
def greedy(explainer: Any, masked: tuple[int, ...], place: int, answer: str) -> int:
    """The token that the plain model would write in the place of one of the answer's."""
    ids = torch.tensor([explainer.tokenizer(PROMPT + answer)["input_ids"]])
    ids[0, list(masked)] = explainer.tokenizer.pad_token_id
    start = len(explainer.tokenizer(PROMPT)["input_ids"])
    return int(explainer.model(input_ids=ids).logits[0, start + place - 1].argmax())


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "qwen3"])
def test_the_necessary_set_changes_the_next_token_and_no_smaller_one_does(architecture: str) -> None:
    explainer = tiny_causal.explainer(architecture)
    found = explainer.explain(PROMPT, max_new_tokens=3, sets=4000)
    assert found.sets is not None
    assert found.sets.necessary is not None
    tokens = explainer.tokenizer(PROMPT, return_offsets_mapping=True)["offset_mapping"]
    units = [
        [at for at, span in enumerate(tokens) if span[0] < unit.end and unit.start < span[1]] for unit in found.units
    ]
    answer = found.continuation or ""

    def with_masked(chosen: tuple[int, ...]) -> int:
        return greedy(explainer, tuple(token for unit in chosen for token in units[unit]), 0, answer)

    necessary = found.sets.necessary
    assert necessary.question == "label"
    before = with_masked(())
    assert before == found.output_tokens[0].id
    after = with_masked(necessary.units)
    assert after != before
    assert necessary.label == explainer.tokenizer.decode([after])
    assert found.sets.token == explainer.tokenizer.decode([before])
    smaller = [one for size in range(1, len(necessary.units)) for one in combinations(range(len(units)), size)]
    assert all(with_masked(one) == before for one in smaller)
    assert Explanation.from_dict(found.to_dict()) == found


def test_sets_are_found_on_request_and_of_the_chosen_span() -> None:
    explainer = tiny_causal.explainer("llama")
    plain = explainer.explain(PROMPT, continuation=" not bad at all")
    assert (plain.sets, plain.passes.forward) == (None, len(plain.units) + 2)
    found = explainer.explain(PROMPT, continuation=" not bad at all", target="at", sets="auto")
    assert found.target_outputs is not None
    assert found.sets is not None
    for one in (found.sets.necessary, found.sets.sufficient):
        assert one is None or len(one.steps[0].outputs) == len(found.outputs)
    contrast = explainer.explain(PROMPT, target=Contrast(" bad", " dull"), sets="auto")
    assert contrast.sets is None
    assert "in parts" in (contrast.sets_note or "")


def test_sets_of_a_given_answer_are_about_what_the_model_would_write_there() -> None:
    explainer = tiny_causal.explainer("llama")
    answer = " not bad at all"
    found = explainer.explain(PROMPT, continuation=answer, target="at", sets="auto")
    assert found.sets is not None
    assert found.target_outputs is not None
    (place,) = found.target_outputs
    written = explainer.tokenizer.decode([greedy(explainer, (), place, answer)])
    assert written.strip() != "at"
    assert found.sets.token == written
    decisions = view_answer(found).decisions
    assert decisions
    for kind, sentence in zip(("necessary", "sufficient"), decisions, strict=True):
        verb = "instead of" if kind == "necessary" else "still writes"
        assert f'{verb} "{written.strip()}"' in sentence
        assert ', where the answer has "at"' in sentence
