"""Texts are read in the task's order, whatever the order of a request's named segments."""

from pathlib import Path

import pytest
from support import tiny_heads

from unmask import Request
from unmask.errors import ArgumentError

QUESTION, CONTEXT = ("question", "what is bad?"), ("context", "the film is not bad at all")
DOCUMENT = ("d1.txt", CONTEXT[1])


@pytest.mark.parametrize(
    "segments",
    [[CONTEXT, QUESTION], [DOCUMENT, QUESTION], [CONTEXT, ("query", QUESTION[1])]],
    ids=["both", "one", "other"],
)
def test_a_question_is_read_before_its_context(segments: list[tuple[str, str]]) -> None:
    explainer = tiny_heads.explainer("question_answering", "bert")
    found = explainer.explain(Request(segments=segments))
    expected = explainer.explain(Request(segments=[QUESTION, CONTEXT]))
    assert found.scores == expected.scores
    assert [unit.segment for unit in found.units] == [unit.segment for unit in expected.units]
    assert [one.name for one in found.segments] == [one[0] for one in reversed(segments)]


def test_a_prompt_is_read_before_its_choices() -> None:
    texts = [("choice 2", "dull"), ("prompt", "the film is"), ("choice 1", "not bad")]
    explainer = tiny_heads.explainer("multiple_choice", "bert")
    expected = explainer.explain(Request(segments=[texts[1], texts[2], texts[0]]))
    assert explainer.explain(Request(segments=texts)).scores == expected.scores


def test_choices_with_names_of_their_own_keep_their_order() -> None:
    texts = [("prompt", "the film is"), ("choice 0", "not bad"), ("choice 1", "dull"), ("choice 2", "lovely")]
    found = tiny_heads.explainer("multiple_choice", "bert").explain(Request(segments=texts))
    assert [one.text for one in found.segments] == [text for _, text in texts]


@pytest.mark.parametrize("spans", [{"fixed": [(0, 3)]}, {"spans": [(0, 3), (4, 8, 1)]}], ids=["fixed", "units"])
def test_spans_of_texts_in_another_order_are_refused(spans: dict[str, list[tuple[int, ...]]]) -> None:
    explainer = tiny_heads.explainer("question_answering", "bert")
    with pytest.raises(ArgumentError, match="reads question, context in this order, but the request, which has spans"):
        explainer.explain(Request(segments=[CONTEXT, QUESTION], **spans))  # type: ignore[arg-type]  # either of two
    assert explainer.explain(Request(segments=[QUESTION, CONTEXT], **spans)).units  # type: ignore[arg-type]


def test_results_of_swapped_texts_are_stored_apart(tmp_path: Path) -> None:
    explainer = tiny_heads.explainer("question_answering", "bert")
    swapped = [("question", CONTEXT[1]), ("context", QUESTION[1])]
    requests = [Request(segments=[CONTEXT, QUESTION]), Request(segments=swapped)]
    stored = list(explainer.explain_many(requests, into=tmp_path / "results"))
    assert [one.scores for one in stored] == [explainer.explain(one, sets="none").scores for one in requests]
