"""Outputs of encoder-decoder models and of sentence encoders, beyond their scores."""

from typing import Any

import pytest
from support import tiny_heads

from unmask import Request
from unmask.errors import TextError
from unmask.progress import Progress
from unmask.render.html import page


def test_progress_counts_the_tokens_of_an_output() -> None:
    seen = list[Progress]()
    explainer = tiny_heads.explainer("text2text", "t5")
    found = explainer.explain("the film is bad", max_new_tokens=3, include_stop=True, progress=seen.append)
    counts = [one.generated for one in seen if one.generated]
    assert counts == list(range(1, len(found.outputs) + 1))


def test_compare_generates_an_output_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explainer = tiny_heads.explainer("text2text", "t5")
    calls, generate = list[Any](), explainer.model.generate

    def counted(*args: Any, **settings: Any) -> Any:
        calls.append(args)
        return generate(*args, **settings)

    monkeypatch.setattr(explainer.model, "generate", counted)
    explainer.compare("the film is bad", methods=["sig", "random"], max_new_tokens=3)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("pair", "which"), [(("the film", ""), "second text is empty"), ((" ", "it"), "first text is blank")]
)
def test_a_similarity_with_nothing_is_refused(pair: tuple[str, str], which: str) -> None:
    with pytest.raises(TextError, match=which):
        tiny_heads.explainer("similarity", "mpnet").explain(pair[0], text_pair=pair[1])


def test_a_similarity_without_words_to_mask_on_one_side_is_drawn() -> None:
    fixed = Request("the film", text_pair="it is", fixed=[(0, 5, 1)])
    found = tiny_heads.explainer("similarity", "mpnet").explain(fixed)
    assert {unit.segment for unit in found.units} == {0}
    assert 'class="um-matrix"' not in page(found)


def test_a_truncated_source_is_counted_without_its_output() -> None:
    explainer = tiny_heads.explainer("text2text", "bart", max_length=12)
    found = explainer.explain("the film is not bad " * 5, continuation="lovely", unit="sentence")
    (note,) = (one for one in found.warnings if "truncated" in one)
    assert note.startswith("the source was truncated to 12 tokens: its last ")
    assert note.endswith(" characters were not read and are not explained")


@pytest.mark.parametrize("forced", [None, 5])
def test_an_output_is_no_longer_than_the_decoder_reads(forced: int | None) -> None:
    explainer = tiny_heads.explainer("text2text", "bart")  # 64 positions
    room = 63 if forced is None else 62
    settings: dict[str, Any] = {"suppress_tokens": [2], **({} if forced is None else {"forced_bos_token_id": forced})}
    found = explainer.explain("the film", max_new_tokens=100, unit="sentence", **settings)
    assert len(found.outputs) == room
    assert f"the output stops after {room} tokens, the most that this model can write" in found.warnings
    full = explainer.explain("the film", max_new_tokens=room, unit="sentence", **settings)
    assert full.outputs == found.outputs
    assert not any("the output stops" in warning for warning in full.warnings)


def test_a_given_output_is_no_longer_than_the_decoder_reads() -> None:
    explainer = tiny_heads.explainer("text2text", "bart")
    with pytest.raises(TextError, match=r"the continuation has \d+ tokens, but this model writes at most 63") as error:
        explainer.explain("the film", continuation="lovely " * 200)
    assert error.value.hint == "shorten the continuation"
    relative = tiny_heads.explainer("text2text", "t5").explain("the film", continuation="lovely " * 40, unit="sentence")
    assert len(relative.outputs) > 64


def test_messages_are_refused() -> None:
    for messages in ([("user", "the film")], [("system", "be kind"), ("user", "the film")]):
        chat = [{"role": role, "content": content} for role, content in messages]
        with pytest.raises(TextError, match="reads a source text, so it cannot read messages"):
            tiny_heads.explainer("text2text", "bart").explain(chat)
