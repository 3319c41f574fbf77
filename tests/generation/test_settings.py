"""Settings of answers, and what is told or refused of them."""

from typing import Any

import pytest
from support import tiny_causal

from unmask import Contrast, Explainer, Request
from unmask.errors import ArgumentError, TextError

PROMPT = "the film is not bad"


def test_characters_may_be_given_as_text(stories: Explainer) -> None:
    found = stories.explain("Tom ran.", continuation=" not bad, not bad at 10:30")
    assert (
        found.toward("14:17").target_outputs
        == found.toward((14, 17)).target_outputs
        != found.toward((5, 8)).target_outputs
    )
    assert found.toward("10:30").target == "10:30", "a phrase of the answer comes first"
    with pytest.raises(ArgumentError, match="are not inside the answer"):
        found.toward("14:99")


@pytest.mark.parametrize(
    ("prompt", "continuation", "word"),
    [
        ("The king is", "big", "isbig"),
        ("The king is ", "big", None),
        ("The king is", ", big", None),
        ("王", "大", None),
    ],
)
def test_one_word_of_prompt_and_continuation_is_told(
    stories: Explainer, prompt: str, continuation: str, word: str | None
) -> None:
    told = [one for one in stories.explain(prompt, continuation=continuation).warnings if "form one word" in one]
    assert told == ([] if word is None else [one for one in told if repr(word) in one])
    assert bool(told) == (word is not None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperature": 0.7}, "temperature applies only to sampled answers; add do_sample=True"),
        ({"top_k": 5, "do_sample": False}, "top_k applies only to sampled answers"),
        ({"do_sample": "yes"}, "do_sample must be True or False, not 'yes'"),
        ({"target": "next", "max_new_tokens": 5}, "target='next' explains one token; remove max_new_tokens"),
        (
            {"target": Contrast(" bad", " lovely"), "continuation": " at all"},
            "a contrast names its own two continuations; the continuation ' at all' would be ignored",
        ),
        ({"include_stop": True, "continuation": " at all"}, "include_stop applies to generated answers"),
        ({"include_stop": True, "target": Contrast(" bad", " lovely")}, "include_stop applies to generated answers"),
    ],
)
def test_settings_without_effect_are_refused(settings: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        tiny_causal.explainer("gpt2").explain(PROMPT, **settings)


def test_a_request_with_a_continuation_is_not_contrasted() -> None:
    explainer = tiny_causal.explainer("gpt2")
    with pytest.raises(ArgumentError, match="the continuation ' at all' would be ignored"):
        explainer.explain(Request(PROMPT, continuation=" at all", target=Contrast(" bad", " lovely")))
    with pytest.raises(ArgumentError, match="include_stop applies to generated answers"):
        explainer.explain(Request(PROMPT, continuation=" at all"), include_stop=True)


def test_a_prompt_with_a_second_text_is_refused() -> None:
    with pytest.raises(TextError, match="a prompt is one text, but a second text was given"):
        tiny_causal.explainer("gpt2").explain(PROMPT, text_pair="it is")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"target": Contrast(" bad", " lovely")},
        {"detail": "sentence+word", "detail_rows": 2},
        {"attribute_to": "all"},
        {"method": "two_sided"},
        {"sets": 4},
    ],
)
def test_an_estimate_counts_the_passes_that_an_explanation_takes(settings: Any) -> None:
    explainer = tiny_causal.explainer("gpt2")
    if "target" not in settings:
        settings["continuation"] = " at all"
    expected, found = explainer.estimate([PROMPT], **settings), explainer.explain(PROMPT, **settings)
    assert (expected.texts, expected.failed, expected.units) == (1, 0, len(found.units))
    assert expected.passes == found.passes.forward or (expected.is_most and expected.passes > found.passes.forward)
    assert expected.seconds > 0


def test_the_task_has_a_name(stories: Explainer, embedded: Explainer) -> None:
    assert (stories.task, embedded.task) == ("generation", "classification")
