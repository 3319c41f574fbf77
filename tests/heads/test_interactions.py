"""Interactions of words for other heads: against the plain model, and against the matrix of pairs."""

import pytest
from support import slow_heads, tiny_heads

from unmask import Request
from unmask.results.interactions import Interactions

TEXT = "the film is not bad"
PAIR = Request(TEXT, text_pair="it isn't dull")


def test_pairs_of_two_similar_texts_are_those_of_the_matrix() -> None:
    explainer = tiny_heads.explainer("similarity", "mpnet")
    found, matrix = explainer.interactions(PAIR, top=16), explainer.explain(PAIR)
    scores, first = matrix.pair_scores, sum(unit.segment == 0 for unit in matrix.units)
    assert scores is not None
    across = [pair for pair in found.pairs if pair.first < first <= pair.second]
    assert len(across) == first * (len(matrix.units) - first)
    expected = [scores[pair.first][pair.second - first] for pair in across]
    assert [pair.interaction for pair in across] == pytest.approx(expected, abs=1e-9)


def test_pairs_of_a_tagged_text_are_those_of_the_plain_model() -> None:
    model, tokenizer = tiny_heads.model("token_classification", "bert"), tiny_heads.tokenizer("bert")
    found = tiny_heads.explainer("token_classification", "bert").interactions(TEXT, target="film", top=3)
    read = tokenizer(TEXT, return_offsets_mapping=True)
    film = next(at for at, (start, _) in enumerate(read["offset_mapping"]) if start == 4)
    label = int(slow_heads.run(model, tokenizer, read["input_ids"], TEXT).logits[0, film].argmax())

    def value(*units: int) -> float:
        spans = [(found.explanation.units[at].start, found.explanation.units[at].end) for at in units]
        ids = [
            tokenizer.mask_token_id if any(begin < last and first < end for first, last in spans) else one
            for one, (begin, end) in zip(read["input_ids"], read["offset_mapping"], strict=True)
        ]
        return float(slow_heads.run(model, tokenizer, ids, TEXT).logits[0, film].log_softmax(-1)[label])

    for pair in found.pairs:
        one, other = pair.first, pair.second
        assert pair.cost == pytest.approx(value() - value(one, other), abs=1e-9)
        assert pair.interaction == pytest.approx(value() - value(one) - value(other) + value(one, other), abs=1e-9)


@pytest.mark.parametrize("task", ["token_classification", "question_answering", "fill_mask"])
def test_they_are_saved_and_drawn(task: str) -> None:
    texts = {"fill_mask": Request("the film is [MASK] bad"), "question_answering": PAIR}
    found = tiny_heads.explainer(task, "bert").interactions(texts.get(task, Request(TEXT)), top=3)
    assert Interactions.from_dict(found.to_dict()).pairs == found.pairs
    assert "um-arc" in found.to_html()
    assert found.by_output.shape == (3, len(found.explanation.outputs))
