"""What is lost without a whole message or document: one row each, against the plain model and runs in larger units."""

import pytest
import torch
from support import slow_generation, tiny_causal

from unmask import Contrast, Explanation, Request, Segment

SEGMENTS = (
    Segment("the film is bad. not dull.", "a.txt"),
    Segment("lovely friendship.", "b.txt"),
    Segment("is it dull", "question"),
)
ANSWER = " not bad at all"
REQUEST = Request(segments=SEGMENTS)


def losses(found: Explanation) -> list[float]:
    assert found.segment_scores is not None
    return [score for score in found.segment_scores if score is not None]


def test_a_block_is_masked_as_a_whole() -> None:
    explainer = tiny_causal.explainer("llama")
    found = explainer.explain(REQUEST, continuation=ANSWER)
    text = "".join(f"Document {at}:\n{one.text}\n\n" for at, one in enumerate(SEGMENTS[:2], 1)) + "Question: is it dull"
    tokens = explainer.tokenizer(text + ANSWER, return_offsets_mapping=True)
    spans = [(text.index(one.text), text.index(one.text) + len(one.text)) for one in SEGMENTS]
    units = [
        tuple(at for at, (start, end) in enumerate(tokens["offset_mapping"]) if start < last and first < end)
        for first, last in spans
    ]
    prompt = len(explainer.tokenizer(text)["input_ids"])
    pad = explainer.tokenizer.pad_token_id
    expected = slow_generation.scores(tiny_causal.model("llama"), tokens["input_ids"], prompt, units, pad)
    assert losses(found) == pytest.approx(expected.sum(-1).tolist(), rel=1e-9)
    sums = [sum(score for unit, score in found if unit.segment == at) for at in range(3)]
    assert losses(found) != pytest.approx(sums, rel=0.01)


@pytest.mark.parametrize("method", ["sig", "leave_one_out", "shapley:permutations=4"])
def test_a_block_is_absent_as_the_methods_units_are(method: str) -> None:
    explainer = tiny_causal.explainer("qwen3")
    found = explainer.explain(REQUEST, continuation=ANSWER, method=method)
    larger = "leave_one_out" if method == "leave_one_out" else "sig"
    messages = explainer.explain(REQUEST, continuation=ANSWER, method=larger, unit="message")
    assert losses(found) == pytest.approx(messages.scores, rel=1e-9)
    assert losses(messages) == pytest.approx(messages.scores, rel=1e-9)
    assert messages.passes.forward == 2 + 3 + 1  # ends, messages, without documents: blocks take no row again


def test_blocks_follow_the_target_and_are_stored() -> None:
    explainer = tiny_causal.explainer("llama")
    found = explainer.explain(REQUEST, continuation=ANSWER)
    anew = explainer.explain(REQUEST, continuation=ANSWER, target="bad")
    assert losses(found.toward("bad")) == pytest.approx(losses(anew), rel=1e-9)
    record = found.to_dict()
    assert [one.get("score") for one in record["segments"]] == [*losses(found), None]
    assert Explanation.from_dict(record) == found
    contrast = explainer.explain(REQUEST, target=Contrast(" bad", " dull"))
    both = [explainer.explain(REQUEST, continuation=one) for one in (" bad", " dull")]
    assert losses(contrast) == pytest.approx([one - other for one, other in zip(*map(losses, both), strict=True)])


def test_what_is_never_masked_has_no_score_and_one_prompt_no_blocks() -> None:
    explainer = tiny_causal.explainer("llama")
    request = Request(segments=[*SEGMENTS[:2], Segment("is it dull", "question", fixed=True)])
    found = explainer.explain(request, continuation=ANSWER)
    assert found.segment_scores is not None
    assert [score is None for score in found.segment_scores] == [False, False, True, True]
    alone = explainer.explain("is it dull", continuation=ANSWER)
    assert alone.segment_scores is None
    assert alone.passes.forward == len(alone.units) + 2


@pytest.mark.parametrize("method", ["sig", "leave_one_out"])
def test_the_answer_so_far_is_a_block_that_the_first_token_does_not_see(method: str) -> None:
    explainer = tiny_causal.explainer("gpt2")
    found = explainer.explain("is it dull", continuation=ANSWER, attribute_to="all", method=method)
    assert found.without_segments is not None
    prompt, answer = (torch.tensor(row) - torch.tensor(found.whole) for row in found.without_segments)
    assert float(answer[0].abs()) < 1e-9
    assert float(answer[1:].abs().min()) > 1e-6
    assert float(prompt.abs().min()) > 1e-6
