"""The function that the paper's code explains: word vectors get positions, types and a norm, and then the model, which
takes them for word vectors, adds positions and types and norms once more.

What it explains is therefore not the model that was trained. It is here for the protocol `paper` alone.
"""

from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...errors import ModelError
from ...models.adapter import Batch
from ...models.huggingface.adapter import HuggingFaceAdapter

FAMILIES = {"bert": "BERT", "distilbert": "DistilBERT", "roberta": "RoBERTa"}
DistilBert: TypeAlias = Literal["once", "twice"]


class DoubleEmbedding(HuggingFaceAdapter):
    """BERT or RoBERTa embedded twice, DistilBERT once, as when the published figures were made.

    Args:
        distilbert: `twice` is what the paper's code does to it since transformers 4.27.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, distilbert: DistilBert = "once"
    ) -> None:
        super().__init__(model, tokenizer)
        family = self._model.config.model_type
        if family not in FAMILIES:
            raise ModelError(
                f"the protocol 'paper' is for {', '.join(FAMILIES.values())}, not for {family}: only their embedding "
                "is known to be what the paper's code runs",
                hint="the protocol 'corrected' judges every model",
            )
        self.is_doubled = family != "distilbert" or distilbert == "twice"
        self.function = "the model embedded twice" if self.is_doubled else "the model"

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The logits with these vectors, embedded, for the words."""
        return super().outputs(batch, self._embedded(batch, vectors) if self.is_doubled else vectors)

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The same by the model's own modules: its embedding's output goes in where words' vectors are expected."""
        if not self.is_doubled:
            return super().reference_outputs(batch)
        vectors = self._embeddings(input_ids=batch.ids, position_ids=_places(batch), **batch.inputs)
        inputs = {"inputs_embeds": vectors, "attention_mask": batch.attention, **batch.inputs}
        return self._model(**inputs, return_dict=True).logits  # type: ignore[no-any-return]  # modules are untyped

    def _embedded(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Vectors with positions from 0 on (RoBERTa's own begin at 2), types, and normed."""
        embeddings = self._embeddings
        found = vectors + embeddings.position_embeddings(_places(batch))
        if hasattr(embeddings, "token_type_embeddings"):
            types = batch.inputs.get("token_type_ids", torch.zeros_like(batch.ids))
            found = found + embeddings.token_type_embeddings(types)
        return embeddings.LayerNorm(found)  # type: ignore[no-any-return]  # modules are untyped

    @property
    def _embeddings(self) -> Any:
        return self._model.base_model.embeddings


def _places(batch: Batch) -> Tensor:
    """0, 1, 2, ... in every row."""
    return torch.arange(batch.ids.shape[1], device=batch.ids.device).expand_as(batch.ids)
