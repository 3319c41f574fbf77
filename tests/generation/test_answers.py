"""Answers: generated or given, their tokens, and targets among them."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_generation, tiny_causal
from transformers import GPT2Config, GPT2ForSequenceClassification

from unmask import Contrast, Explainer, Explanation, Request
from unmask.errors import ArgumentError, KeywordError, ModelError, TextError
from unmask.models.huggingface.loading import embedded_model
from unmask.tasks.generation import AnswerReadout

LILY = "Once upon a time, Lily lost her ball."


def test_the_answer_is_greedy_and_its_tokens_are_outputs(stories: Explainer, lily: Explanation) -> None:
    model, tokenizer = stories.model, stories.tokenizer
    prompt = tokenizer(LILY, return_tensors="pt")["input_ids"]
    made = model.generate(prompt, max_new_tokens=12, do_sample=False)[0]
    assert lily.continuation == tokenizer.decode(made, skip_special_tokens=True)[len(LILY) :]
    assert [token.id for token in lily.output_tokens] == made[prompt.shape[1] :].tolist()
    assert "".join(lily.outputs) == lily.continuation
    assert [lily.continuation[token.start : token.end] for token in lily.output_tokens] == list(lily.outputs)
    expected = slow_generation.plain(model, made.tolist(), prompt.shape[1]).exp()
    assert [token.probability for token in lily.output_tokens] == pytest.approx(expected.tolist(), rel=1e-4)
    assert lily.scores == pytest.approx(np.array(lily.scores_by_output).sum(1))
    assert lily.baseline == "unk"
    assert lily.passes.forward == len(lily.units) + 2
    assert repr(lily).startswith(f"<Explanation of {LILY!r}: ' She was")
    assert Explanation.from_dict(json.loads(json.dumps(lily.to_dict(), allow_nan=False))) == lily
    assert lily.to_dict()["outputs"]["tokens"][0] == {
        "id": lily.output_tokens[0].id,
        "text": " She",
        "start": 0,
        "end": 4,
        "probability": lily.output_tokens[0].probability,
    }


def test_a_seed_repeats_a_sampled_answer(stories: Explainer) -> None:
    state = torch.random.get_rng_state()
    settings: dict[str, Any] = {"max_new_tokens": 8, "do_sample": True, "temperature": 1.5, "unit": "sentence"}
    first, again, other = (stories.explain(LILY, seed=seed, **settings).continuation for seed in (1, 1, 2))
    assert first == again != other
    assert torch.equal(torch.random.get_rng_state(), state)


def test_the_model_keeps_its_own_settings(stories: Explainer) -> None:
    before = stories.model.generation_config.to_dict()
    settings: dict[str, Any] = {"max_new_tokens": 2, "num_beams": 2, "unit": "sentence"}
    stories.explain(LILY, **settings)
    assert stories.model.generation_config.to_dict() == before
    with pytest.raises(KeywordError, match="no keyword 'max_tokens'; did you mean 'max_new_tokens'"):
        stories.explain(LILY, max_tokens=3)  # type: ignore[call-arg]


@pytest.fixture(scope="module")
def precise() -> Explainer:
    return Explainer.from_pretrained(embedded_model("generation"), device="cpu", dtype="float64")


@pytest.mark.parametrize("target", ["very sad", (9, 17), 2, 0])
def test_toward_is_as_running_anew(precise: Explainer, lily: Explanation, target: Any) -> None:
    found = precise.explain(LILY, continuation=lily.continuation)
    anew = precise.explain(LILY, continuation=lily.continuation, target=target)
    seen = found.toward(target)
    assert seen.scores == pytest.approx(anew.scores, abs=1e-9 * max(map(abs, anew.scores)))
    assert (seen.target, seen.target_outputs) == (anew.target, anew.target_outputs)
    assert seen.passes == found.passes
    columns = np.array(found.scores_by_output)[:, list(seen.target_outputs or ())]
    assert seen.scores == pytest.approx(columns.sum(1))
    assert Explanation.from_dict(seen.to_dict()) == seen


def test_other_methods_take_targets_too(stories: Explainer) -> None:
    settings: dict[str, Any] = {"continuation": " She was very sad.", "unit": "word"}
    for method in ("leave_one_out", "shapley:permutations=4", "leave_one_in"):
        found = stories.explain("Lily lost her ball.", method=method, **settings)
        anew = stories.explain("Lily lost her ball.", method=method, target="very sad", **settings)
        assert found.toward("very sad").scores == pytest.approx(anew.scores, abs=1e-4)
    ig = stories.explain("Lily lost her ball.", method="ig:steps=8", target="sad", **settings)
    assert ig.target_outputs == (3,)
    with pytest.raises(ArgumentError, match="explain again with target='very'"):
        ig.toward("very")


def test_phrases_that_are_not_there_or_twice() -> None:
    explainer = tiny_causal.explainer("gpt2")
    found = explainer.explain("the film is", continuation=" not bad, not bad at all")
    with pytest.raises(
        ArgumentError, match=r"'bad' occurs 2 times in the answer, at the characters \(5, 8\) and \(14, 17\)"
    ):
        found.toward("bad")
    with pytest.raises(ArgumentError, match="does not contain 'lovely'"):
        found.toward("lovely")
    with pytest.raises(ArgumentError, match="the answer's tokens are 0 to"):
        found.toward(99)
    with pytest.raises(ArgumentError, match=r"\(20, 90\) are not inside the answer; give \(start, end\) up to 24"):
        found.toward((20, 90))
    assert found.toward((13, 17)).target_outputs is not None
    assert found.toward("ALL").target == "ALL"


def test_a_phrase_inside_another_word_counts_as_an_occurrence() -> None:
    found = tiny_causal.explainer("gpt2").explain("the film is", continuation=" redder and red, Red")
    with pytest.raises(
        ArgumentError, match=r"'red' occurs 2 times in the answer, at the characters \(1, 4\) and \(12, 15\)"
    ) as error:
        found.toward("red")
    assert error.value.hint == "choose one by its character range: 1:4"
    with pytest.raises(ArgumentError, match="'RED' occurs 3 times"):
        found.toward("RED")
    assert found.toward("redde").target == "redde"
    assert found.toward("Red").target_outputs == found.toward((17, 20)).target_outputs


def test_scales_of_one_token_and_of_several(stories: Explainer, lily: Explanation) -> None:
    with pytest.raises(ArgumentError, match="scale 'probability' applies to one token, but the target has 12"):
        stories.explain(LILY, continuation=lily.continuation, scale="probability")
    share = lily.toward(1, "probability")
    assert share.prediction.probabilities[lily.continuation or ""] > 0
    whole, without = np.array(share.whole)[1], np.array(share.without)[:, 1]
    logistic = 1 / (1 + np.exp(-whole)) - 1 / (1 + np.exp(-without))
    assert share.scores == pytest.approx(logistic, rel=1e-9)
    assert lily.toward(1, "log_odds").scores == pytest.approx(whole - without, rel=1e-9)


def test_a_readout_is_exact_near_certainty() -> None:
    logits = torch.tensor([[[60.0, 0.0, -3.0]], [[-60.0, 0.0, 2.0]]])
    row = AnswerReadout((0,), (0,)).reduce(logits)
    others = math.log(1 + math.exp(-3)), math.log(1 + math.exp(2))
    assert row[:, 0].tolist() == pytest.approx([60 - others[0], -60 - others[1]], rel=1e-6)
    assert row[:, 1].tolist() == [0.0, 2.0]
    assert row[1, 2].item() == pytest.approx(2 - others[1], rel=1e-5)
    assert AnswerReadout((0,), (0,)).reduce(logits.bfloat16()).dtype is torch.float32


def test_a_given_continuation_that_joins_the_prompt(stories: Explainer) -> None:
    found = stories.explain("The cap", continuation="ital city is big")
    (warning,) = found.warnings
    assert warning.endswith("the answer begins at token ' capital'")
    assert found.continuation == " capital city is big"
    assert [unit.text for unit in found.units] == ["The"]
    assert found.text == "The cap"
    assert found.outputs[0] == " capital"


def test_next_is_one_token(stories: Explainer) -> None:
    found = stories.explain("Once upon a", target="next")
    assert (found.outputs, found.continuation) == ((" time",), " time")
    given = stories.explain("Once upon a", target="next", continuation=" time there was")
    assert given.scores == pytest.approx(found.scores, abs=1e-5)
    assert given.target == " time"


@pytest.mark.parametrize("normalize", ["sum", "mean"])
def test_a_contrast_of_two_continuations(normalize: Any) -> None:
    explainer, prompt = tiny_causal.explainer("gpt2"), "the film is"
    found = explainer.explain(prompt, target=Contrast(" not bad", " lovely", normalize))
    same = explainer.explain(prompt, target=Contrast(" not bad", " lovely"), normalize=normalize)
    assert same.scores == found.scores
    tokenizer, columns, lengths = explainer.tokenizer, [], []
    ids = tokenizer(prompt, return_offsets_mapping=True)
    units = [
        [at for at, span in enumerate(ids["offset_mapping"]) if span[0] < unit.end and unit.start < span[1]]
        for unit in found.units
    ]
    for text in (" not bad", " lovely"):
        both = tokenizer(prompt + text)["input_ids"]
        rows = slow_generation.scores(explainer.model, both, len(ids["input_ids"]), units, tokenizer.pad_token_id)
        columns.append(rows.mean(1) if normalize == "mean" else rows.sum(1))
        lengths.append(rows.shape[1])
    expected = torch.stack(columns, 1).numpy()
    assert found.scores_by_output == pytest.approx(expected, abs=1e-9)
    assert found.scores == pytest.approx(expected[:, 0] - expected[:, 1], abs=1e-9)
    assert (found.outputs, found.output_lengths) == ((" not bad", " lovely"), tuple(lengths))
    assert found.target == Contrast(" not bad", " lovely", normalize)
    assert found.toward(" lovely").scores == pytest.approx(expected[:, 1], abs=1e-9)
    assert Explanation.from_dict(found.to_dict()) == found
    assert ("per token" in found.quantity) == (normalize == "mean")


def test_contrasts_that_make_no_sense() -> None:
    explainer = tiny_causal.explainer("gpt2")
    with pytest.raises(ArgumentError, match="with itself is always 0"):
        explainer.explain("the film", target=Contrast(" bad", " bad"))
    with pytest.raises(ArgumentError, match="'saliency' has unsigned scores"):
        explainer.explain("the film", target=Contrast(" bad", " dull"), method="saliency")
    with pytest.raises(ArgumentError, match="needs new passes"):
        explainer.explain("the film", continuation=" is bad").toward(Contrast(" bad", " dull"))


def test_earlier_tokens_of_the_answer_form_a_triangle(stories: Explainer) -> None:
    settings: dict[str, Any] = {"continuation": " She was very sad.", "unit": "token"}
    prompt = stories.explain("Lily lost her ball.", **settings)
    found = stories.explain("Lily lost her ball.", attribute_to="all", **settings)
    matrix, before = np.array(found.scores_by_output), len(prompt.units)
    assert [unit.text for unit in found.units[before:]] == ["She", "was", "very", "sad"]
    assert matrix[:before] == pytest.approx(np.array(prompt.scores_by_output), abs=1e-5)
    assert np.isnan(matrix[before:]).tolist() == np.tri(4, 5, dtype=bool).tolist()
    tokenizer, model = stories.tokenizer, stories.model
    ids = tokenizer("Lily lost her ball. She was very sad.")["input_ids"]
    start = len(ids) - 5
    expected = slow_generation.scores(model, ids, start, [[start + at] for at in range(4)], tokenizer.unk_token_id)
    assert np.nan_to_num(matrix[before:]) == pytest.approx(expected.triu(1).numpy(), abs=1e-4)
    assert found.scores[before:] == pytest.approx(expected.triu(1).sum(1).tolist(), abs=1e-4)
    first = found.toward(0)
    assert all(math.isnan(score) for score in first.scores[before:])
    assert not any(math.isnan(score) for score in first.scores[:before])
    record = json.loads(json.dumps(first.to_dict(), allow_nan=False))
    assert [unit["score"] for unit in record["units"]][before:] == [None] * 4
    assert record["units"][-1]["scores"][:4] == [None] * 4
    assert Explanation.from_dict(record) == first
    assert "NaN" not in repr(first.top(3))


def stopping(stop: bool) -> Explainer:
    return Explainer(*tiny_causal.stopping(stop))


def test_a_model_that_stops_at_once() -> None:
    with pytest.raises(TextError, match=r"answer is empty: its first token is the stop token <\|endoftext\|>") as error:
        stopping(True).explain("the film")
    assert "include_stop" in str(error.value.hint)
    found = stopping(True).explain("the film", include_stop=True)
    assert (found.outputs, found.continuation) == (("<|endoftext|>",), "")
    assert [(token.start, token.end) for token in found.output_tokens] == [(0, 0)]


def test_prompts_and_answers_that_do_not_fit() -> None:
    explainer = tiny_causal.explainer("gpt2")  # reads 64 tokens
    with pytest.raises(TextError, match=r"first token of its answer have \d+ tokens, but this model reads at most 64"):
        explainer.explain("the film is bad " * 40)
    with pytest.raises(TextError, match=r"its continuation have [\d,]+ tokens, but this model reads at most 64"):
        explainer.explain("the film", continuation=" is bad" * 1000)
    found = stopping(False).explain("the film is bad", max_new_tokens=100, unit="sentence")
    assert any("the answer stops after" in warning and "at most 64" in warning for warning in found.warnings)
    assert len(found.outputs) + len(explainer.tokenizer("the film is bad")["input_ids"]) == 64


@pytest.mark.parametrize("prompt", ["", "  \n"])
def test_an_empty_prompt_is_refused(prompt: str) -> None:
    with pytest.raises(TextError, match="it is empty"):
        tiny_causal.explainer("gpt2").explain(prompt)


def test_settings_of_answers_are_refused_by_classifiers(embedded: Explainer) -> None:
    with pytest.raises(ArgumentError, match="max_new_tokens, temperature: only for language models"):
        embedded.explain("a film", max_new_tokens=3, temperature=1.0)  # type: ignore[call-arg]
    bad: list[dict[str, Any]] = [
        {"max_new_tokens": 0},
        {"attribute_to": "x"},
        {"prefix_cache": 1},
        {"continuation": ""},
    ]
    for settings in bad:
        with pytest.raises(ArgumentError, match=next(iter(settings))):
            tiny_causal.explainer("gpt2").explain("the film", **settings)


def test_a_request_has_its_own_continuation_and_target() -> None:
    explainer = tiny_causal.explainer("gpt2")
    requests = [Request("the film", continuation=" is bad", target="bad"), Request("a lovely", continuation=" film")]
    one, other = explainer.explain_many(requests)
    assert (one.continuation, one.target, other.continuation, other.target) == (" is bad", "bad", " film", "answer")
    alone = explainer.explain(replace(requests[0], target=None), target="bad")
    assert one.scores == pytest.approx(alone.scores, abs=1e-12)


def test_a_model_of_another_task_is_refused(tmp_path: Any) -> None:
    sizes: dict[str, Any] = {"n_positions": 64, "n_embd": 8, "n_layer": 1, "n_head": 2}
    tokenizer = tiny_causal.tokenizer("gpt2")
    GPT2ForSequenceClassification(GPT2Config(vocab_size=len(tokenizer), **sizes)).save_pretrained(tmp_path / "judge")
    tokenizer.save_pretrained(tmp_path / "judge")
    with pytest.raises(ModelError, match=r"'judge' is a sequence classifier \(.*\), not a causal language model"):
        Explainer.from_pretrained(tmp_path / "judge", task="generation")
    tiny_causal.model("gpt2").save_pretrained(tmp_path / "writer")
    tokenizer.save_pretrained(tmp_path / "writer")
    with pytest.raises(
        ModelError, match=r"'writer' is a causal language model \(GPT2LMHeadModel\), not a sequence classifier"
    ):
        Explainer.from_pretrained(tmp_path / "writer", task="classification")
    assert "task='generation'" in repr(Explainer.from_pretrained(tmp_path / "writer"))
    with pytest.raises(ArgumentError, match="unknown task 'writing'"):
        Explainer.from_pretrained(tmp_path / "writer", task="writing")
