"""Prepare a text for Captum and time-interpret (the author's package): vectors, baseline vectors, and a function.

Both get the word embeddings as `inputs_embeds`, one text at a time, as they are meant to be called. The weights are
frozen, so that no package computes gradients that are not needed.
"""

from collections.abc import Callable
from typing import Any

import torch
from captum.attr import IntegratedGradients
from torch import Tensor

from unmask import Explainer

TARGET = 1  # the output whose logit is explained


class OthersText:
    """One text and its baseline, in which content tokens are masked and special tokens are kept."""

    def __init__(self, explainer: Explainer, text: str) -> None:
        self._model = explainer.model.requires_grad_(False)
        found = explainer.tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
        words, ids = self._model.get_input_embeddings(), found["input_ids"]
        content = (found["special_tokens_mask"] == 0)[..., None]
        masked = words(torch.full_like(ids, explainer.tokenizer.mask_token_id))
        self.written: Tensor = words(ids)
        self.baseline: Tensor = torch.where(content, masked, self.written)  # [1, tokens, width]

    @property
    def length(self) -> int:
        """The number of tokens, including special ones."""
        return self.written.shape[1]

    def author_sig(self, *, steps: int, rows: int | None = None) -> Tensor:
        """SIG by time-interpret, [tokens, width], with `rows` points of a path per batch; None: all points."""
        from tint.attr import SequentialIntegratedGradients

        return self._attributed(SequentialIntegratedGradients(self._logit), steps, rows)

    def captum_ig(self, *, steps: int, rows: int | None = None) -> Tensor:
        """Integrated Gradients by Captum, [tokens, width]."""
        return self._attributed(IntegratedGradients(self._logit), steps, rows)

    def _attributed(self, method: Any, steps: int, rows: int | None) -> Tensor:
        attribute: Callable[..., Tensor] = method.attribute
        written = self.written.clone().requires_grad_()  # Captum warns otherwise
        return attribute(written, self.baseline, n_steps=steps, internal_batch_size=rows)[0].detach()

    def _logit(self, vectors: Tensor) -> Tensor:
        logits: Tensor = self._model(inputs_embeds=vectors).logits
        return logits[:, TARGET]
