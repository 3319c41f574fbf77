"""Explain a prompt and its answer with Captum and inseq, with prompt tokens as features."""

import copy
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from story_prompts import StoryPrompt

from unmask import Explainer


@contextmanager
def sliced_inputs(model: Any) -> Iterator[None]:
    """Make the model's cache work as Captum 0.9 expects; otherwise, transformers 5 reads the whole prompt again.

    Without this, `use_cached_outputs=True` is slower than False, and only the scores of the first token are right.
    """
    prepare = model.prepare_inputs_for_generation

    def prepare_new(input_ids: torch.Tensor, past_key_values: Any = None, **more: Any) -> Any:
        known = 0 if past_key_values is None else past_key_values.get_seq_length()
        return prepare(
            input_ids, next_sequence_length=input_ids.shape[1] - known, past_key_values=past_key_values, **more
        )

    model.prepare_inputs_for_generation = prepare_new
    try:
        yield
    finally:
        del model.prepare_inputs_for_generation


def captum_ablation(explainer: Explainer, prompt: StoryPrompt, *, tokens: int | None = None, **settings: Any) -> Any:
    """Captum's LLMAttribution with FeatureAblation: one feature for each token of the prompt.

    Args:
        tokens: Only the first tokens of the answer; all if None.
    """
    from captum.attr import FeatureAblation, LLMAttribution, TextTokenInput

    tokenizer = explainer.tokenizer
    text = TextTokenInput(
        prompt.text,
        tokenizer,
        baselines=tokenizer.unk_token_id,
        skip_tokens=[tokenizer.bos_token_id],
    )
    ids = tokenizer(prompt.text + prompt.continuation)["input_ids"]
    target = torch.tensor(ids[len(prompt.ends) :][:tokens])
    with sliced_inputs(explainer.model), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Skipping this token")  # about the names of tokens
        return LLMAttribution(FeatureAblation(explainer.model), tokenizer).attribute(text, target=target, **settings)


def inseq_seconds(explainer: Explainer, prompt: StoryPrompt, steps: int) -> float:
    """Time inseq's SIG for the first token of the answer, on copies, because inseq alters model and tokenizer."""
    import inseq

    model, tokenizer = copy.deepcopy(explainer.model), copy.deepcopy(explainer.tokenizer)
    attributed = inseq.load_model(model, "sequential_integrated_gradients", tokenizer=tokenizer)
    at, started = len(prompt.ends), time.process_time()
    attributed.attribute(
        prompt.text,
        prompt.text + prompt.continuation,
        n_steps=steps,
        attr_pos_start=at,
        attr_pos_end=at + 1,
        skip_special_tokens=False,
        show_progress=False,
    )
    return time.process_time() - started
