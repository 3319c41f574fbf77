"""Prompts of a given length from children's stories, and models of the story model's shape with a longer context."""

import gzip
import itertools
import json
from dataclasses import dataclass
from typing import Any

import torch
from timing import SHARED
from transformers import AutoModelForCausalLM

from unmask import Explainer, Request

ANSWER = 32  # tokens


@dataclass(frozen=True)
class StoryPrompt:
    """The beginning of a story, and its continuation."""

    text: str
    continuation: str
    ends: tuple[int, ...]  # in characters, of the prompt's tokens

    @property
    def tokens(self) -> int:
        """The number of tokens of prompt and answer."""
        return len(self.ends) + ANSWER

    def request(self, *, protected: int = 0, of: int = 1) -> Request:
        """The prompt in units of several tokens each, after tokens that are never masked."""
        borders = [self.ends[protected - 1] if protected else 0, *self.ends[protected + of - 1 :: of]]
        spans = [(start, end) for start, end in itertools.pairwise(borders) if start < end]
        return Request(self.text, spans=spans, continuation=self.continuation)


def stories() -> str:
    """Four hundred stories as one text."""
    with gzip.open(SHARED / "data" / "lm" / "tinystories_400.jsonl.gz", "rt", encoding="utf-8") as lines:
        return " ".join(" ".join(json.loads(line)["text"].split()) for line in lines)


def story_prompt(tokenizer: Any, tokens: int) -> StoryPrompt:
    """A prompt of that many tokens, including the begin-of-text token, and the 32 tokens that follow it."""
    text = stories()[: 12 * (tokens + ANSWER)]
    found = tokenizer(text, return_offsets_mapping=True)
    ends = [end for _, end in found["offset_mapping"]]
    first, last = ends[tokens - 1], ends[tokens + ANSWER - 1]
    prompt, whole = tokenizer(text[:first])["input_ids"], tokenizer(text[:last])["input_ids"]
    assert (len(prompt), len(whole)) == (tokens, tokens + ANSWER)
    assert whole[:tokens] == prompt
    return StoryPrompt(text[:first], text[first:last], tuple(ends[:tokens]))


def longer_model(*, positions: int = 2_048, vocabulary: int | None = None) -> Explainer:
    """Create a model of the story model's shape with random weights and a longer context."""
    known = Explainer.default(task="generation", device="cpu")
    config = known.model.config.__class__(**known.model.config.to_dict())
    config.max_position_embeddings = positions
    config.vocab_size = config.vocab_size if vocabulary is None else vocabulary
    torch.manual_seed(0)
    tokenizer = known.tokenizer
    tokenizer.model_max_length = positions
    return Explainer(AutoModelForCausalLM.from_config(config).eval(), tokenizer)
