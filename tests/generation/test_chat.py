"""Chats: messages are found in what the model's own template writes, and only their words are explained."""

from typing import Any

import numpy as np
import pytest
import torch
from support import slow_generation, tiny_causal
from support.chat_templates import TEMPLATES

from unmask import Explainer, Explanation, Request, Segment
from unmask.errors import ArgumentError, TextError
from unmask.text.chat import find_messages, lay_out

SYSTEM = {"role": "system", "content": "not dull"}
CHAT = [
    {"role": "user", "content": "is the film bad?"},
    {"role": "assistant", "content": "not at all"},
    {"role": "user", "content": "lovely, isn't it"},
]
HAND = {
    "chatml": "<|im_start|>user\nis the film bad?<|im_end|>\n<|im_start|>assistant\nnot at all<|im_end|>\n"
    "<|im_start|>user\nlovely, isn't it<|im_end|>\n<|im_start|>assistant\n",
    "llama3": "<s><|start_header_id|>user<|end_header_id|>\n\nis the film bad?<|eot_id|><|start_header_id|>assistant"
    "<|end_header_id|>\n\nnot at all<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nlovely, isn't it<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "gemma": "<s><start_of_turn>user\nis the film bad?<end_of_turn>\n<start_of_turn>model\nnot at all<end_of_turn>\n"
    "<start_of_turn>user\nlovely, isn't it<end_of_turn>\n<start_of_turn>model\n",
    "mistral": "<s> [INST] is the film bad? [/INST] not at all</s> [INST] lovely, isn't it [/INST]",
    "qwen3": "<|im_start|>user\nis the film bad?<|im_end|>\n<|im_start|>assistant\nnot at all<|im_end|>\n"
    "<|im_start|>user\nlovely, isn't it<|im_end|>\n<|im_start|>assistant\n",
}


def chat_explainer(template: str) -> Explainer:
    return Explainer(tiny_causal.chat_model(), tiny_causal.chat_tokenizer(TEMPLATES.get(template, template)))


@pytest.fixture(params=list(TEMPLATES))
def template(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_scores_are_those_of_the_prompt_rendered_by_hand(template: str) -> None:
    explainer = chat_explainer(template)
    found = explainer.explain(CHAT, continuation="the film is dull")
    tokenizer, model = explainer.tokenizer, explainer.model
    encoding = tokenizer(HAND[template] + "the film is dull", add_special_tokens=False, return_offsets_mapping=True)
    start = len(tokenizer(HAND[template], add_special_tokens=False)["input_ids"])
    places = [HAND[template].index(message["content"]) for message in CHAT]
    units = []
    for unit in found.units:
        begin, end = places[unit.segment] + unit.start, places[unit.segment] + unit.end
        assert HAND[template][begin:end] == unit.text
        units.append([at for at, span in enumerate(encoding["offset_mapping"]) if span[0] < end and begin < span[1]])
    expected = slow_generation.scores(model, encoding["input_ids"], start, units, tokenizer.pad_token_id)
    assert torch.tensor(found.scores_by_output).sub(expected).abs().max() < 1e-9
    assert [segment.role for segment in found.segments] == ["user", "assistant", "user", "answer"]
    assert [segment.name for segment in found.segments] == ["user 1", "assistant", "user 2", "answer"]
    assert {unit.text for unit in found.units} >= {"film", "lovely", "isn't", "at"}
    assert not {"user", "im_start", "assistant"} & {unit.text for unit in found.units}


def test_a_message_is_one_unit(template: str) -> None:
    found = chat_explainer(template).explain(CHAT, continuation="dull", unit="message")
    assert [unit.text for unit in found.units] == [message["content"] for message in CHAT]


def test_blanks_at_the_ends_may_be_trimmed() -> None:
    spaced = [{"role": "user", "content": "  is it dull?\n"}]
    for template in TEMPLATES:
        found = chat_explainer(template).explain(spaced, continuation="not bad")
        assert [unit.text for unit in found.units] == ["is", "it", "dull", "?"]
        assert [spaced[0]["content"][unit.start : unit.end] for unit in found.units] == ["is", "it", "dull", "?"]


def test_a_system_message_is_found_or_refused(template: str) -> None:
    explainer = chat_explainer(template)
    if template == "gemma":
        with pytest.raises(TextError, match="the chat template rejects these messages: System role not supported"):
            explainer.explain([SYSTEM, *CHAT])
        return
    found = explainer.explain([SYSTEM, *CHAT], continuation="bad")
    assert [unit.text for unit in found.units if unit.segment == 0] == ["not", "dull"]


def test_a_message_whose_thoughts_are_deleted_is_refused() -> None:
    thinking = [CHAT[0], {"role": "assistant", "content": "<think>\nhm\n</think>\n\nnot at all"}, CHAT[2]]
    with pytest.raises(TextError, match=r"the chat template alters a message \(assistant: '<think>"):
        chat_explainer("qwen3").explain(thinking)
    assert chat_explainer("chatml").explain(thinking, continuation="bad").continuation == "bad"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{% for m in messages %}{{ m['content'] | upper }}{% endfor %}", "alters a message"),
        ("{% for m in messages[1:] %}{{ m['content'] }}{% endfor %}", r"leaves out message 1 \(user: 'is the film bad"),
        ("{% for m in messages %}{{ m['content'] }}|{{ m['content'] }}{% endfor %}", "repeats message 1"),
        (
            "{{ messages[1]['content'] | replace('a', 'b') }}{{ messages[0]['content'] }}{{ messages[2]['content'] }}",
            "alters",
        ),
    ],
)
def test_what_a_template_alters_is_refused(template: str, message: str) -> None:
    explainer = chat_explainer(template)
    with pytest.raises(TextError, match=message):
        explainer.explain(CHAT)


def test_messages_in_another_order_are_found() -> None:
    def render(messages: Any) -> str:
        return "".join(f"<{message['content']}>" for message in reversed(messages))

    text, places = find_messages(CHAT, render)
    assert [text[slice(*place.span)] for place in places] == [message["content"] for message in CHAT]


def test_private_characters_in_a_message_are_no_places() -> None:
    def render(messages: Any) -> str:
        return "".join(f"<{message['content']}>" for message in messages)

    messages = [{"role": "user", "content": "\ue000\ue001\ue000"}, {"role": "user", "content": "x"}]
    text, places = find_messages(messages, render)
    assert [text[slice(*place.span)] for place in places] == ["\ue000\ue001\ue000", "x"]


def test_a_string_never_gets_the_template(template: str) -> None:
    with_template, without = chat_explainer(template), chat_explainer("")
    one, other = (each.explain("the film is", continuation=" bad") for each in (with_template, without))
    assert one.scores == other.scores
    assert one.whole == other.whole


def test_a_model_without_a_template_refuses_messages() -> None:
    with pytest.raises(ArgumentError, match="this model has no chat template, so it cannot read messages"):
        tiny_causal.explainer("llama").explain(CHAT)


def test_a_classifier_refuses_messages(embedded: Explainer) -> None:
    with pytest.raises(TextError, match="a chat needs a language model"):
        embedded.explain(CHAT)


@pytest.mark.parametrize(
    "bad", [[{"role": "user"}], [{"content": "x"}], [{"role": "user", "content": 3}], [CHAT[0], "x"]]
)
def test_malformed_messages_are_refused(bad: Any) -> None:
    with pytest.raises(TextError, match="a chat message must have a role and a string as content"):
        chat_explainer("chatml").explain(bad)


def test_a_fixed_message_is_never_masked() -> None:
    segments = [Segment("not dull", "rules", "system", fixed=True), Segment("is it bad?", "question", "user")]
    found = chat_explainer("chatml").explain(Request(segments=segments), continuation="not bad")
    assert {unit.segment for unit in found.units} == {1}
    assert [span.text for span in found.fixed] == ["not dull"]


DOCUMENTS = [
    Segment("the film is bad.", "a.txt"),
    Segment("lovely friendship.", "b.txt"),
    Segment("is it dull", "question"),
]


def test_documents_and_a_question_are_one_message_or_plain() -> None:
    text = "Document 1:\nthe film is bad.\n\nDocument 2:\nlovely friendship.\n\nQuestion: is it dull"
    assert lay_out(DOCUMENTS, None).text == text
    prompt = lay_out(DOCUMENTS, lambda messages: f"<{messages[0]['role']}>{messages[0]['content']}</>")
    assert prompt.text == f"<user>{text}</>"
    assert [prompt.text[slice(*place.span)] for place in prompt.places] == [segment.text for segment in DOCUMENTS]
    for explainer in (chat_explainer("chatml"), chat_explainer("")):
        found = explainer.explain(Request(segments=DOCUMENTS), continuation=" not bad", unit="sentence")
        assert [unit.text for unit in found.units] == ["the film is bad.", "lovely friendship.", "is it dull"]
        assert [segment.name for segment in found.segments] == ["a.txt", "b.txt", "question", "answer"]


TWO = "Document 1:\nthe film is bad.\n\nDocument 2:\nlovely friendship."
ASKED = "Question: is it dull"


@pytest.mark.parametrize("template", ["chatml", ""])
@pytest.mark.parametrize(
    ("order", "text", "gone"),
    [
        ((0, 1, 2), f"{TWO}\n\n{ASKED}", [f"{TWO}\n\n"]),
        ((2, 0, 1), f"{ASKED}\n\n{TWO}", [f"\n\n{TWO}"]),
        (
            (0, 2, 1),
            TWO.replace("Document 2", f"{ASKED}\n\nDocument 2"),
            ["Document 1:\nthe film is bad.\n\n", "\n\nDocument 2:\nlovely friendship."],
        ),
    ],
)
def test_the_answer_without_its_documents(order: tuple[int, ...], text: str, gone: list[str], template: str) -> None:
    prompt = f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n" if template else text
    explainer, request = chat_explainer(template), Request(segments=[DOCUMENTS[at] for at in order])
    found = explainer.explain(request, continuation=" not bad", unit="message")
    tokenizer, special = explainer.tokenizer, not template
    both = tokenizer(prompt + " not bad", add_special_tokens=special, return_offsets_mapping=True)
    places = {at for part in gone for at in range(prompt.index(part), prompt.index(part) + len(part))}
    is_gone = [start < end and {*range(start, end)} <= places for start, end in both["offset_mapping"]]
    is_gone[: int(special)] = [False] * int(special)  # its first token is at no place of the text
    ids = [one for one, left_out in zip(both["input_ids"], is_gone, strict=True) if not left_out]
    start = len(tokenizer(prompt, add_special_tokens=special)["input_ids"]) - sum(is_gone)
    expected = slow_generation.plain(explainer.model, ids, start)
    assert sum(is_gone) > 20
    assert found.without_context is not None
    assert found.without_context.value == pytest.approx(float(expected.sum()), abs=1e-9)
    whole = -np.log1p(np.exp(-np.array(found.whole)))
    assert found.without_context.lost == pytest.approx(whole.sum() - float(expected.sum()), abs=1e-9)
    first = found.toward(0)
    assert first.without_context is not None
    assert first.without_context.value == pytest.approx(float(expected[0]), abs=1e-9)
    assert Explanation.from_dict(first.to_dict()) == first


def test_documents_without_a_question() -> None:
    explainer = chat_explainer("")
    alone = explainer.explain("the film", continuation=" is bad")
    assert (alone.without_context, alone.warnings) == (None, ())
    found = explainer.explain(Request(segments=DOCUMENTS[:2]), continuation=" not bad", unit="message")
    assert found.without_context is None
    assert found.warnings == (
        "no part of the prompt is named 'question', so the answer without its documents is not computed",
    )
