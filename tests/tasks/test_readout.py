"""A task's readout: outputs are reduced inside the batch, differ from text to text, and nothing else is kept."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import torch
from support import tiny
from support.answers import Answering, FirstWords, LanguageModel, answer_tokens, logits, question, vocabulary_bytes
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel

from unmask import Explainer, Explanation
from unmask.errors import ArgumentError
from unmask.models.adapter import Encoded
from unmask.tasks import task
from unmask.tasks.targets import Head
from unmask.tasks.task import BaseTask

PROMPT = "so not good film so bad film not so good"
ANSWERS = [question("so good", "not bad"), question("so bad film", "good film so"), question("not so", "bad " * 5)]


def test_the_tokens_of_an_answer_are_outputs_with_names_and_spans() -> None:
    explanation = Explainer.from_adapter(LanguageModel()).explain(question("so not", "good film good"), target="film")
    assert explanation.outputs == ("good (0)", "film", "good (2)")
    assert explanation.output_spans == ((0, 4, 1), (5, 9, 1), (10, 14, 1))
    assert [unit.text for unit in explanation.units] == ["so", "not"]
    assert explanation.scores_by_output is not None
    assert explanation.scores_by_output.shape == (2, 3)
    assert Explanation.from_dict(explanation.to_dict()) == explanation


def test_scores_are_differences_of_log_probabilities() -> None:
    adapter, request = LanguageModel(), question("so not", "good film")
    encoded = adapter.encode(*request.texts, max_length=None)
    ids = torch.tensor([encoded.ids])

    def log_probability(ids: Tensor) -> float:
        shares = logits(adapter.embed(ids), torch.ones_like(ids)).log_softmax(-1)
        at = answer_tokens(encoded)[0]
        return float(shares[0, at - 1, encoded.ids[at]])

    masked = [ids.clone() for _ in range(2)]
    masked[0][0, 0] = masked[1][0, 1] = 1  # the mask's id
    expected = [log_probability(ids) - log_probability(one) for one in masked]
    found = Explainer.from_adapter(adapter).explain(request, target="good")
    assert found.scores == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("method", ["sig", "ig:steps=4"])
def test_nothing_of_the_vocabulary_outlives_its_batch(method: str) -> None:
    adapter = LanguageModel()
    explainer = Explainer.from_adapter(adapter, batch_tokens=60)
    explainer.explain(question("so", "bad"))
    before, adapter.is_watched = vocabulary_bytes(), True
    explanation = explainer.explain(question(PROMPT, "good not film"), method=method, target=0)
    assert len(explanation.outputs) == 3
    assert len(adapter.alive) >= 3
    assert max(adapter.alive) <= before
    assert vocabulary_bytes() <= before


@pytest.mark.slow
def test_a_readout_that_is_a_view_keeps_nothing_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = LanguageModel()
    task = type(adapter.task)
    monkeypatch.setattr(task, "readout", lambda _, encoded: FirstWords((len(encoded.ids) - 1,)))
    before, adapter.is_watched = vocabulary_bytes(), True
    Explainer.from_adapter(adapter, batch_tokens=60).explain(question(PROMPT, "good not film"), target=0)
    assert max(adapter.alive[6:]) <= before  # behind the gate, which compares whole outputs
    assert vocabulary_bytes() <= before


@pytest.mark.parametrize("method", ["sig", "ig:steps=4", "leave_one_out"])
def test_texts_with_different_numbers_of_outputs_share_a_batch(method: str) -> None:
    adapter = LanguageModel()
    explainer = Explainer.from_adapter(adapter, batch_tokens=100_000)
    alone = [explainer.explain(request, method=method, target=1) for request in ANSWERS]
    adapter.rows.clear()
    together = list(explainer.explain_many(ANSWERS, method=method, target=1))
    assert max(adapter.rows) > max(one.passes.forward for one in alone)
    assert [len(one.outputs) for one in together] == [2, 3, 5]
    for one, other in zip(alone, together, strict=True):
        assert other.scores == pytest.approx(one.scores, rel=1e-12, abs=1e-15)
        assert other.whole == pytest.approx(one.whole, rel=1e-12)
        assert other.passes == one.passes


def test_dropped_tokens_shift_where_a_readout_reads() -> None:
    explainer = Explainer.from_adapter(LanguageModel())
    shorter = explainer.explain(question("not so", "good film"), target="film")
    found = explainer.explain(question("bad not so", "good film"), method="leave_one_out", target="film")
    whole = found.whole[1]
    assert found.scores[0] == pytest.approx(whole - shorter.whole[1], rel=1e-12)


def test_outputs_that_differ_have_no_common_names() -> None:
    with pytest.raises(ArgumentError, match="differ from text to text"):
        Explainer.from_adapter(LanguageModel()).evaluate(["good film"], methods=["sig"])


@dataclass(frozen=True)
class AtPosition:
    positions: tuple[int, ...]

    def reduce(self, raw: Tensor) -> Tensor:
        return raw[:, 0, [7, 8, 9]]


@dataclass(frozen=True)
class MaskedWord(BaseTask):
    """Three words in the place of a mask."""

    name: ClassVar[str] = "masked_word"
    model_classes: ClassVar[tuple[str, ...]] = ("ForMaskedLM",)
    head: ClassVar[Head] = Head(("seven", "eight", "nine"))
    mask: int

    @classmethod
    def for_model(cls, model: Any) -> "MaskedWord":
        return cls(model.config.vocab_size - 1)

    def text_head(self, encoded: Encoded) -> Head:
        return self.head

    def readout(self, encoded: Encoded) -> AtPosition:
        return AtPosition((len(encoded.ids) - 2,))


def test_a_task_is_one_entry_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny.explainer("bert").tokenizer
    sizes: dict[str, Any] = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 8}
    model = BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), **sizes)).double().eval()
    monkeypatch.setitem(task.TASKS, "fill_mask", MaskedWord)  # in the place of the task of such models
    found = Explainer(model, tokenizer).explain("the film is bad", target="eight", scale="logit")
    ids = tokenizer("the film is bad", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        whole = model(input_ids=ids).logits[0, -2, [7, 8, 9]]
        ids[0, 1] = tokenizer.mask_token_id
        without = model(input_ids=ids).logits[0, -2, 8]
    assert found.whole == pytest.approx(whole.tolist(), rel=1e-9)
    assert found.scores[0] == pytest.approx(float(whole[1] - without), abs=1e-9)


class NextWord(Answering):
    """The tokens of an answer, for language models of Hugging Face."""

    model_classes: ClassVar[tuple[str, ...]] = ("LMHeadModel",)


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(task.TASKS, "generation", NextWord)
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"n_positions": 64, "n_embd": 8, "n_layer": 2, "n_head": 2}
    return GPT2LMHeadModel(GPT2Config(vocab_size=len(tiny.tokenizer("gpt2")), **sizes)).double().eval()


@pytest.mark.parametrize("method", ["sig", "ig:steps=3", "leave_one_out"])
def test_logits_at_some_positions_are_those_of_the_full_path(
    method: str, language_model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = [question("the film is", " not bad"), question("a lovely depiction of", " dull friendship")]
    explainer = Explainer(language_model, tiny.tokenizer("gpt2"))
    some = list(explainer.explain_many(requests, method=method, target=0))
    monkeypatch.setattr("unmask.models.huggingface.adapter.KEPT", "no such argument")
    for one, full in zip(some, explainer.explain_many(requests, method=method, target=0), strict=True):
        assert any(one.scores)
        assert one.scores == pytest.approx(full.scores, rel=1e-9, abs=1e-12)
        assert one.whole == pytest.approx(full.whole, rel=1e-12)


@pytest.mark.parametrize("method", ["sig", "ig:steps=3"])
def test_the_head_of_a_language_model_sees_the_asked_positions_only(method: str, language_model: Any) -> None:
    request, tokenizer = question("the film is", " not bad"), tiny.tokenizer("gpt2")
    explainer = Explainer(language_model, tokenizer)
    explainer.explain(request)  # past the gate, which compares whole outputs
    positions: list[int] = []
    language_model.lm_head.register_forward_pre_hook(lambda _head, inputs: positions.append(inputs[0].shape[1]))
    explainer.explain(request, method=method, target=0)
    assert set(positions) == {len(tokenizer(" not bad")["input_ids"])}
