"""The adapter for extractive question answering, with a start logit and an end logit at every token."""

import torch
from torch import Tensor

from ..adapter import Batch
from .adapter import HuggingFaceAdapter, pad_lent


class SpanAdapter(HuggingFaceAdapter):
    """A question-answering model and its tokenizer."""

    def _run(self, batch: Batch) -> Tensor:
        """Start and end logits, [rows, length, 2]."""
        with pad_lent(self._model.config, batch.pad):
            found = self._model(**self._inputs(batch))
        return torch.stack([found.start_logits, found.end_logits], -1)
