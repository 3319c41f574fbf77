"""`evaluate` for every head: comprehensiveness from the definition."""

from typing import Any

import numpy as np
import pytest
from support import tiny_heads

from unmask import Request
from unmask.errors import ArgumentError

PAIR = Request("what is not bad?", text_pair="the film is not bad at all")
CHOICES = Request(segments=[("prompt", "the film is"), ("choice 1", "not bad"), ("choice 2", "dull")])
CASES: list[tuple[str, str, Any]] = [
    ("token_classification", "bert", "the film is not bad at all"),
    ("question_answering", "bert", PAIR),
    ("fill_mask", "bert", "the film is [MASK] bad at all"),
    ("multiple_choice", "bert", CHOICES),
    ("similarity", "mpnet", PAIR),
    ("text2text", "bart", Request("the film is not bad at all", continuation="dull")),
]


@pytest.mark.parametrize(("task", "architecture", "text"), CASES, ids=[case[0] for case in CASES])
def test_comprehensiveness_is_what_the_top_units_are_worth(task: str, architecture: str, text: Any) -> None:
    explainer = tiny_heads.explainer(task, architecture)
    found = explainer.evaluate([text], methods=["sig"], operators=["mask"], top=0.01, controls=["random"])
    (row,) = [row for row in found.rows if row.name == "sig"]
    (value,) = next(values for measure, values in row.values.items() if str(measure.metric) == "comprehensiveness")
    scores = explainer.explain(text, scale="auto" if task != "multiple_choice" else "probability", sets="none").scores
    # One unit is masked: the one with the largest score loses just that, on the scale of the metric.
    expected = float(np.max(scores))
    if task == "fill_mask":
        whole = explainer.explain(text, scale="probability")
        expected = whole.scores[int(np.argmax(scores))]
    if task == "multiple_choice":
        best = int(np.argmax(explainer.explain(text, sets="none").scores))
        expected = scores[best]
    assert value == pytest.approx(expected, abs=1e-9)


def test_removing_words_that_are_read_is_refused() -> None:
    with pytest.raises(ArgumentError, match="operator 'remove' removes words whose outputs are needed"):
        tiny_heads.explainer("token_classification", "bert").evaluate(["the film"], operators=["remove"])
