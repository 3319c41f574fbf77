"""The model inside the package: its size, its labels, its accuracy, its notices."""

import json
import random

import pytest
import torch
from support.shared import needs_shared, sst2

from unmask import Explainer
from unmask.models.huggingface.loading import embedded_model as embedded_folder

FILES = {
    "LICENSE",
    "NOTICE",
    "README.md",
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
}


def test_its_files_and_size() -> None:
    assert {file.name for file in embedded_folder().iterdir()} == FILES
    assert (embedded_folder() / "model.safetensors").stat().st_size <= 40_000_000
    assert json.loads((embedded_folder() / "config.json").read_text())["dtype"] == "float16"


def test_it_is_a_bert_in_float32_with_two_labels(embedded: Explainer) -> None:
    assert type(embedded.model).__name__ == "BertForSequenceClassification"
    assert embedded.model.dtype is torch.float32
    assert embedded.model.config.id2label == {0: "negative", 1: "positive"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A gripping, beautifully shot film.", "positive"),
        ("Dull, lifeless and far too long.", "negative"),
        ("Not bad at all.", "positive"),
        ("It is a terrible waste of a good cast.", "negative"),
    ],
)
def test_it_understands(embedded: Explainer, text: str, label: str) -> None:
    assert embedded.explain(text).prediction.label == label


def masked(text: str, share: float, draw: random.Random) -> str:
    """The text with that share of its blank-separated words replaced by the mask."""
    words = text.split()
    count = int(share * len(words) + draw.random())
    chosen = set(draw.sample(range(len(words)), min(count, len(words))))
    return " ".join("[MASK]" if index in chosen else word for index, word in enumerate(words))


@needs_shared
@pytest.mark.slow
def test_its_accuracy_on_sst2(embedded: Explainer) -> None:
    """Through the tokenizer and the model alone, word masks drawn here: not by the script that made the card."""
    model, tokenizer = embedded.model, embedded.tokenizer
    rows = sst2("test")

    def accuracy(share: float) -> float:
        draw = random.Random(1)
        right = 0
        for start in range(0, len(rows), 64):
            part = rows[start : start + 64]
            texts = [masked(row["text"], share, draw) if share else row["text"] for row in part]
            with torch.inference_mode():
                logits = model(**tokenizer(texts, padding=True, return_tensors="pt")).logits
            right += sum(
                int(row["label"]) == guess for row, guess in zip(part, logits.argmax(-1).tolist(), strict=True)
            )
        return right / len(rows)

    assert accuracy(0.0) >= 0.895
    assert accuracy(0.2) >= 0.84
