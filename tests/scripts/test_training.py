"""Training goes on from its last checkpoint as if nothing had happened, and masks whole words."""

import random
from pathlib import Path
from typing import Any

import pytest
import torch
from support import tiny
from training import train as module
from training.batches import Encoded, encoded, shuffled
from training.files import write_json
from training.measure import accuracy
from training.texts import Labelled
from training.train import Figures, Recipe, Training, best_candidate, train
from training.weights import load, store

EXAMPLES = [Labelled(text, number % 2) for number, text in enumerate(tiny.TEXTS * 3)]
RECIPE = Recipe(epochs=2, batch=2, masked=0.5)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    tiny.model("bert", labels=2).float().save_pretrained(tmp_path / "start")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "start")
    return tmp_path / "start"


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECKPOINT_STEPS", 4)


def validate(model: Any, tokenizer: Any) -> Figures:
    return {"clean": accuracy(model, tokenizer, EXAMPLES)}


def trained(start: Path, folder: Path) -> dict[str, dict[str, torch.Tensor]]:
    torch.manual_seed(0)
    training = Training(start, folder, RECIPE)
    train(training, encoded(training.tokenizer, EXAMPLES), validate)
    return {name: load(folder / name)[0].state_dict() for name in ("epoch-1", "epoch-2", "epoch-2-average")}


@pytest.mark.parametrize("last", [2, 5, 6, 9])  # before the first checkpoint, after it, at the epoch's end, in the next
def test_a_killed_training_ends_with_the_same_weights(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    expected = trained(start, tmp_path / "whole")
    learn = Training.learn

    def dying(self: Training, *args: Any) -> float:
        if self.step == last:
            raise KeyboardInterrupt
        return learn(self, *args)

    monkeypatch.setattr(Training, "learn", dying)
    with pytest.raises(KeyboardInterrupt):
        trained(start, tmp_path / "killed")
    monkeypatch.setattr(Training, "learn", learn)
    found = trained(start, tmp_path / "killed")
    for candidate, weights in expected.items():
        assert all(torch.equal(weight, found[candidate][name]) for name, weight in weights.items())


def test_a_training_killed_while_it_validates_keeps_the_right_weights(start: Path, tmp_path: Path) -> None:
    def dying(model: Any, tokenizer: Any) -> Figures:
        raise KeyboardInterrupt

    expected = trained(start, tmp_path / "whole")
    torch.manual_seed(0)
    training = Training(start, tmp_path / "killed", RECIPE)
    with pytest.raises(KeyboardInterrupt):
        train(training, encoded(training.tokenizer, EXAMPLES), dying)
    found = trained(start, tmp_path / "killed")
    assert all(torch.equal(weight, found["epoch-1"][name]) for name, weight in expected["epoch-1"].items())


def test_another_recipe_does_not_resume(start: Path, tmp_path: Path) -> None:
    Training(start, tmp_path / "work", RECIPE).save()
    with pytest.raises(ValueError, match="started with another recipe"):
        Training(start, tmp_path / "work", Recipe(epochs=2, batch=2, masked=0.0))


def test_the_best_candidate_has_the_highest_mean_and_comes_first(tmp_path: Path) -> None:
    for name, figures in {
        "epoch-1": {"clean": 0.9, "masked": 0.5},
        "epoch-1-average": {"clean": 0.75, "masked": 0.75},
        "epoch-2": {"clean": 0.75, "masked": 0.75},
    }.items():
        (tmp_path / name).mkdir()
        write_json(tmp_path / name / "validation.json", figures)
    (tmp_path / "epoch-2-average").mkdir()  # not yet validated
    assert best_candidate(tmp_path) == (tmp_path / "epoch-1-average", {"clean": 0.75, "masked": 0.75})


def test_words_are_masked_with_all_their_pieces() -> None:
    example = Encoded([2, 10, 11, 12, 13, 3], [None, 0, 0, 1, 2, None], label=1)
    for seed in range(20):
        masked = example.masked(1 / 3, 4, random.Random(seed))
        assert masked in ([2, 4, 4, 12, 13, 3], [2, 10, 11, 4, 13, 3], [2, 10, 11, 12, 4, 3])
    assert example.masked(1.0, 4, random.Random(0)) == [2, 4, 4, 4, 4, 3]
    assert example.masked(0.0, 4, random.Random(0)) == example.ids


def test_an_epoch_holds_every_example_once() -> None:
    examples = [Encoded([number], [0], number) for number in range(23)]
    batches = list(shuffled(examples, 4, random.Random(0)))
    assert sorted(example.label for batch in batches for example in batch) == list(range(23))
    assert max(map(len, batches)) == 4


def test_texts_are_cut_at_max_tokens() -> None:
    rows = encoded(tiny.tokenizer("bert"), EXAMPLES, max_tokens=6)
    assert {len(row.ids) for row in rows} <= set(range(7))
    assert max(len(row.ids) for row in encoded(tiny.tokenizer("bert"), EXAMPLES)) > 6


def test_accuracy_is_the_share_of_right_answers(start: Path) -> None:
    model, tokenizer = load(start)
    model.train(mode=False)
    said = [int(model(**tokenizer(text, return_tensors="pt")).logits.argmax()) for text in tiny.TEXTS]
    one_wrong = [Labelled(text, label) for text, label in zip(tiny.TEXTS, [1 - said[0], *said[1:]], strict=True)]
    assert accuracy(model, tokenizer, one_wrong) == 1 - 1 / len(said)


def test_a_model_is_stored_in_half_precision(start: Path, tmp_path: Path) -> None:
    store(start, tmp_path / "stored")
    stored, tokenizer = load(tmp_path / "stored")
    weights = load(start)[0].state_dict()
    assert all(torch.equal(weight, weights[name].half().float()) for name, weight in stored.state_dict().items())
    assert tokenizer("a lovely film").input_ids == tiny.tokenizer("bert")("a lovely film").input_ids
