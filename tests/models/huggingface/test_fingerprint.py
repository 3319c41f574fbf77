"""Which model gave the numbers."""

from pathlib import Path
from typing import Any

import pytest
import torch
from support import tiny

from unmask import Explainer
from unmask.models.huggingface.fingerprint import public_name


def test_the_hash_follows_the_content() -> None:
    explainer = tiny.explainer("bert")
    first = explainer.explain("a film").model
    assert first.hash.startswith("sha256:")
    assert tiny.explainer("bert").explain("a film").model == first
    with torch.no_grad():
        next(explainer.model.parameters())[0, 0] += 1e-3
    changed = explainer.explain("a film").model
    assert changed.hash != first.hash
    assert changed.name == first.name


def test_the_hash_sees_replaced_weights_and_configuration() -> None:
    explainer = tiny.explainer("bert")
    seen = {explainer.explain("a film").model.hash}
    for count in range(1, 20):
        explainer.model.classifier.weight = torch.nn.Parameter(-explainer.model.classifier.weight.detach() - count)
        seen.add(explainer.explain("a film").model.hash)
    explainer.model.config.hidden_dropout_prob = 0.5
    seen.add(explainer.explain("a film").model.hash)
    assert len(seen) == 21


def test_the_hash_sees_configuration_tokenizer_and_dtype() -> None:
    model, tokenizer = tiny.model("bert"), tiny.word_piece()
    seen = {Explainer(model, tokenizer).explain("a film").model.hash}
    tokenizer.add_tokens(["extraordinary"])
    seen.add(Explainer(model, tokenizer).explain("a film").model.hash)
    model.config.id2label = {0: "a", 1: "b", 2: "c"}
    seen.add(Explainer(model, tokenizer).explain("a film").model.hash)
    model.float()
    seen.add(Explainer(model, tokenizer).explain("a film").model.hash)
    assert len(seen) == 4


def test_a_name_is_never_a_path(tmp_path: Path) -> None:
    model: Any = tiny.model("bert")
    for name, shown in [
        (str(tmp_path / "secret" / "my-model"), "my-model"),
        ("../private/my-model", "my-model"),
        ("C:\\Users\\me\\my-model", "my-model"),
        ("org/my-model", "org/my-model"),
        ("bert-base", "bert-base"),
        ("", "BertForSequenceClassification"),
    ]:
        model.config._name_or_path = name
        assert public_name(model) == shown


def test_a_relative_folder_stays_a_folder_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.model("bert").save_pretrained(tmp_path / "alice" / "client")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "alice" / "client")
    monkeypatch.chdir(tmp_path)
    explainer = Explainer.from_pretrained("alice/client", device="cpu")
    monkeypatch.chdir("/")
    assert explainer.explain("a film").model.name == "client"


def test_a_model_from_a_folder_is_named_by_it(tmp_path: Path) -> None:
    folder = tmp_path / "private" / "my-model"
    tiny.model("bert").save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    explanation = Explainer.from_pretrained(folder, device="cpu").explain("a film")
    assert explanation.model.name == "my-model"
    assert str(tmp_path) not in str(explanation.to_dict())
