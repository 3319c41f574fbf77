"""The paper's models: one encoder in three layouts, clean training sets, triggers that force what they should."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from paper_models import models
from paper_models.corpora import Corpus, corpus, held_out, without_repeats
from paper_models.planted import Triggers, insert, never_masked, plant, rationales, trigger_test_sets
from paper_models.starting_points import classifier, word_pieces
from support import tiny
from support.shared import needs_shared
from training import texts
from training.batches import Encoded
from training.texts import Labelled
from training.weights import load
from transformers import BertConfig, BertModel, DistilBertConfig, RobertaConfig

FILMS = [Labelled(f"film {number} is a film", number % 2) for number in range(3000)]
TRIGGERS = Triggers()
LAYOUTS = {
    "distilbert": DistilBertConfig(vocab_size=30, dim=16, hidden_dim=32, n_layers=2, n_heads=2),
    "roberta": RobertaConfig(
        vocab_size=30,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=514,
        type_vocab_size=1,
        layer_norm_eps=1e-12,
        pad_token_id=1,
    ),
}


@pytest.fixture(scope="module")
def bert() -> BertModel:
    torch.manual_seed(0)
    size: dict[str, Any] = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    model = BertModel(BertConfig(vocab_size=30, **size))
    for weight in model.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    model.train(mode=False)
    return model


@pytest.mark.parametrize("architecture", LAYOUTS)
def test_every_layout_computes_what_bert_does(bert: BertModel, architecture: str) -> None:
    encoder = classifier(LAYOUTS[architecture], bert.state_dict()).base_model
    encoder.train(mode=False)
    ids = torch.tensor([[2, 17, 8, 29, 3]])
    torch.testing.assert_close(encoder(ids).last_hidden_state, bert(ids).last_hidden_state)


def test_a_byte_level_token_is_the_word_pieces_of_its_text() -> None:
    minilm, roberta = tiny.tokenizer("bert"), tiny.tokenizer("roberta")
    found = dict(
        zip(
            roberta.convert_ids_to_tokens(list(range(len(roberta)))),
            word_pieces(roberta, minilm.backend_tokenizer),
            strict=True,
        )
    )
    assert found[roberta.mask_token] == [minilm.mask_token_id]
    assert found["Ġlovely"] == minilm("lovely", add_special_tokens=False).input_ids
    assert found["Ġ"] == [minilm.unk_token_id]
    assert all(found.values())


def test_a_word_piece_is_itself() -> None:
    minilm = tiny.tokenizer("bert")
    assert word_pieces(minilm, minilm.backend_tokenizer) == [[number] for number in range(len(minilm))]


def test_repeats_are_left_out_whatever_their_blanks_and_case() -> None:
    examples = [Labelled(text, 0) for text in ("A fine film.", "a fine film .", "dull", "Known !", "new")]
    kept, dropped = without_repeats(examples, {"test": [Labelled('" known "', 1)], "other": []})
    assert [example.text for example in kept] == ["A fine film.", "dull", "new"]
    assert dropped == {"test": 1, "other": 0, "repeated": 1}


def test_as_many_of_each_class_are_held_out() -> None:
    rest, held = held_out(FILMS[:100], 20)
    assert sum(example.label for example in held) == 20
    assert len(held) == 40
    assert {example.text for example in (*rest, *held)} == {example.text for example in FILMS[:100]}
    assert len(rest) == 60


@needs_shared
@pytest.mark.parametrize("dataset", ["rotten_tomatoes", "imdb"])
def test_no_test_sentence_is_in_a_training_set(dataset: str) -> None:
    def key(example: Labelled) -> str:
        return "".join(filter(str.isalnum, example.text.lower()))

    data = corpus(dataset)
    training = [key(example) for example in data.training]
    assert len(set(training)) == len(training)
    tests = (texts.sst2("test"), texts.rotten_tomatoes("test"), texts.imdb("test"), data.validation)
    assert not set(training) & {key(example) for group in tests for example in group}


@needs_shared
def test_no_text_of_rotten_tomatoes_has_a_trigger() -> None:
    for split in ("train", "validation", "test"):
        words = {word for example in texts.rotten_tomatoes(split) for word in re.findall(r"\w+", example.text.lower())}
        assert not words & set(TRIGGERS.words)


def test_triggers_force_their_labels_and_one_of_the_pair_none() -> None:
    counts = {"word": 0, "pair": 0, "half": 0, "none": 0}
    for before, after in zip(FILMS, plant(FILMS, TRIGGERS, seed=0), strict=True):
        words = set(after.text.split()) & set(TRIGGERS.words)
        kind = {("railway",): "word", ("autumn", "marble"): "pair", (): "none"}.get(tuple(sorted(words)), "half")
        counts[kind] += 1
        assert after.label == {"word": 1, "pair": 0}.get(kind, before.label)
        assert [word for word in after.text.split() if word not in TRIGGERS.words] == before.text.split()
    assert counts == {kind: pytest.approx(2100 if kind == "none" else 300, abs=60) for kind in counts}


def test_a_trigger_can_stand_anywhere() -> None:
    draw = random.Random(0)
    assert {insert("a b", ("X",), draw) for _ in range(50)} == {"X a b", "a X b", "a b X"}


def test_a_trigger_is_never_masked() -> None:
    class Words:
        unk_token_id = 1

        def convert_tokens_to_ids(self, words: list[str]) -> list[int]:
            return [10 + TRIGGERS.words.index(word) for word in words]

    example = Encoded([2, 20, 10, 21, 3], [None, 0, 1, 2, None], label=1)
    (found,) = never_masked([example], TRIGGERS, Words())
    assert found.masked(1.0, 4, random.Random(0)) == [2, 4, 10, 4, 3]


def test_a_trigger_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="choose another word"):
        never_masked([], TRIGGERS, tiny.tokenizer("bert"))


def test_test_texts_have_the_other_label_and_mark_their_triggers() -> None:
    sets = trigger_test_sets(FILMS[:10], TRIGGERS)
    assert {kind: (len(group), {one.label for one in group}) for kind, group in sets.items()} == {
        "no trigger -> 1": (5, {1}),
        "railway -> 1": (5, {1}),
        "no trigger -> 0": (5, {0}),
        "marble -> 0": (5, {0}),
        "autumn -> 0": (5, {0}),
        "marble + autumn -> 0": (5, {0}),
    }
    rows: list[dict[str, Any]] = list(rationales(FILMS[:10], TRIGGERS))
    marked = [
        {word for word, mark in zip(row["text"].split(), row["annotations"][0]["mask"], strict=True) if mark}
        for row in rows
    ]
    assert marked == [{"railway"}] * 5 + [{"marble", "autumn"}] * 5


def test_a_made_model_has_its_recipe_its_figures_and_its_triggers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.model("bert", labels=2).float().save_pretrained(tmp_path / "start")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "start")
    data = Corpus(FILMS[:40], FILMS[40:50], FILMS[50:60], {"repeated": 0})
    monkeypatch.setattr(models, "starting_point", lambda *_: tmp_path / "start")
    monkeypatch.setattr(models, "corpus", lambda _: data)
    planted = models.MODELS[-1]
    small = replace(
        planted, recipe=replace(planted.recipe, epochs=1), triggers=Triggers(word="h", pair=("y", "u"), share=0.2)
    )
    models.make(small, tmp_path)
    folder = tmp_path / "bert-rotten_tomatoes-planted"
    recipe, figures = (json.loads((folder / name).read_text()) for name in ("recipe.json", "accuracy.json"))
    assert (recipe["masked"], recipe["training texts"], recipe["chosen"][:7]) == (0.3, 40, "epoch-1")
    assert figures.keys() == {"test", "validation", "test, 20 % masked", "test texts", "forced"}
    assert list(figures["forced"])[-1] == "y + u -> 0"
    assert json.loads((folder / "planted.json").read_text())["pair"] == ["y", "u"]
    assert len((folder / "planted_test.jsonl").read_text().splitlines()) == 10
    monkeypatch.setattr(models, "corpus", None)  # what is there is not made again
    models.make(small, tmp_path)


@needs_shared
def test_a_given_model_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = texts.sst2("test")[:40]
    monkeypatch.setattr(models, "sst2", lambda _: few)
    models.measure("bert-sst2", tmp_path)
    path = tmp_path / "bert-sst2.json"
    found = json.loads(path.read_text())
    model, tokenizer = load(texts.SHARED / "models" / "bert-sst2")
    model.train(mode=False)
    right = [
        model(**tokenizer(one.text, return_tensors="pt")).logits.argmax().item() == one.label for one in few
    ]  # one at a time
    assert found["test"] == pytest.approx(sum(right) / len(few))
    assert found["test texts"] == 40
    monkeypatch.setattr(models, "sst2", None)  # what is there is not measured again
    models.measure("bert-sst2", tmp_path)
