"""Interactions to draw, with exactly known numbers."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from unmask import Explainer, Interactions, Request
from unmask.models.formula import FormulaModel
from unmask.results.metadata import ModelInfo
from unmask.tasks.targets import Head

WORDS = ("gripping", "beautifully", "shot", "Never", "dull", "סרט", "נהדר", "מרתק")
TEXT = "A gripping, beautifully shot film. Never dull."
HEBREW = "זה סרט נהדר, ממש מרתק."


def logit(vectors: Tensor, attention: Tensor) -> Tensor:
    """A logit with two redundant words, one independent word and two that need each other; the same in Hebrew."""
    gripping, beautifully, shot, never, dull, film, great, thrilling = vectors.sum(1).clip(0, 1).T
    english = 3 * (gripping + beautifully).clip(0, 1) + 0.5 * shot + 4 * never * dull - 1.5 * dull
    value: Tensor = english + 3 * (great + thrilling).clip(0, 1) + film * great
    return value


def explainer(head: Head | None = None) -> Explainer:
    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        value = logit(vectors, attention)
        return value[:, None] if len(adapter.head.labels) == 1 else torch.stack([torch.zeros_like(value), value], -1)

    identity = torch.eye(len(WORDS)).tolist()
    adapter = FormulaModel(dict(zip(WORDS, identity, strict=True)), formula, name="pairs-of-words")
    adapter.head = head or adapter.head
    return Explainer.from_adapter(adapter)


def interactions(text: str | Request = TEXT, head: Head | None = None, **settings: Any) -> Interactions:
    """The interactions of a text, the same on every machine."""
    found = explainer(head).interactions(text, **settings)
    model, versions = ModelInfo("pairs-of-words", "sha256:0123456789abcdef"), {"unmask": "0"}
    return replace(found, explanation=replace(found.explanation, model=model, seconds=0.0, versions=versions))


def cases() -> dict[str, Interactions]:
    """Every kind of text and output."""
    long = f"{TEXT} " + "It is a film about a film that is about films. " * 6
    return {
        "short": interactions(),
        "two": interactions("Never dull"),
        "one": interactions("gripping"),
        "additive": interactions("shot in a house"),
        "long": interactions(long),
        "pair": interactions(Request("A gripping film.", text_pair="Never dull, beautifully shot.")),
        "hebrew": interactions(HEBREW),
        "sentences": interactions(f"{TEXT} A gripping film. Shot at night.", unit="sentence"),
        "hostile": interactions("gripping\x1b[31m\x07 <b>beautifully</b>\u202e [bold]Never[/bold]\ndull & 'shot'"),
        "labels": interactions(head=Head(("comedy", "<drama>"), "sigmoid"), target="<drama>"),
        "value": interactions(head=Head(("value",), "none")),
    }
