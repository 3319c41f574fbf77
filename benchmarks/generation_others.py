"""A prompt and its answer as Captum and inseq explain them, token by token of the prompt."""

import copy
import time
from typing import Any

import torch
from story_prompts import StoryPrompt

from unmask import Explainer


def captum_ablation(explainer: Explainer, prompt: StoryPrompt, *, tokens: int | None = None, **settings: Any) -> Any:
    """Captum's LLMAttribution with FeatureAblation: one feature for each token of the prompt.

    Args:
        tokens: So many of the answer's tokens, from the first on; all if None.
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
    return LLMAttribution(FeatureAblation(explainer.model), tokenizer).attribute(text, target=target, **settings)


def inseq_seconds(explainer: Explainer, prompt: StoryPrompt, steps: int) -> float:
    """Processor time of inseq's SIG for the first token of the answer; on copies: it alters model and tokenizer."""
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
