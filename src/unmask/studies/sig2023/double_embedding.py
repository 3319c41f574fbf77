"""The model function and the units that the paper's code explains; only the protocol `paper` uses them.

The output of the embedding layer is passed to the model as word embeddings, so position embeddings, token-type
embeddings and layer norm are applied twice. This is not the model that was trained. Every token is a unit, including
those that the tokenizer adds.
"""

from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...attribution.session import ModelSession
from ...errors import ArgumentError, ModelError
from ...models.adapter import Batch, Encoded
from ...models.huggingface.adapter import HuggingFaceAdapter
from ...text.request import Request
from ...text.units import AlignedUnit, UnitSelection

FAMILIES = {"bert": "BERT", "distilbert": "DistilBERT", "roberta": "RoBERTa"}
DistilBert: TypeAlias = Literal["once", "twice"]


class DoubleEmbedding(HuggingFaceAdapter):
    """BERT or RoBERTa with the embedding layer applied twice; for DistilBERT, once, as in the published results.

    Args:
        distilbert: How often DistilBERT's embedding is applied: `once`, or `twice` as in the paper's code since
            transformers 4.27.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, distilbert: DistilBert = "once"
    ) -> None:
        super().__init__(model, tokenizer)
        family = self._model.config.model_type
        if family not in FAMILIES:
            raise ModelError(
                f"the protocol 'paper' supports {', '.join(FAMILIES.values())}, not {family}: only for these is the "
                "embedding known to match the paper's code",
                hint="use the protocol 'corrected', which supports every model",
            )
        self.is_doubled = family != "distilbert" or distilbert == "twice"
        self.function = "the model embedded twice" if self.is_doubled else "the model"

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Return the logits after applying the embedding layer to these vectors once more."""
        return super().outputs(batch, self._embedded(batch, vectors) if self.is_doubled else vectors)

    def reference_outputs(self, batch: Batch) -> Tensor:
        """Return the logits from the model's own modules, with the embedding layer's output as `inputs_embeds`."""
        if not self.is_doubled:
            return super().reference_outputs(batch)
        vectors = self._embeddings(input_ids=batch.ids, position_ids=_places(batch), **batch.inputs)
        inputs = {"inputs_embeds": vectors, "attention_mask": batch.attention, **batch.inputs}
        return self._model(**inputs, return_dict=True).logits  # type: ignore[no-any-return]  # modules are untyped

    def _embedded(self, batch: Batch, vectors: Tensor) -> Tensor:
        """Add embeddings of positions from 0 (RoBERTa's begin at 2) and token types, then apply the layer norm."""
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
    """Return the positions 0, 1, 2, ... for every input of the batch."""
    return torch.arange(batch.ids.shape[1], device=batch.ids.device).expand_as(batch.ids)


class SpecialUnitsSession(ModelSession):
    """A session in which special tokens are units too; they are their own baseline."""

    def units(
        self, request: Request, selection: UnitSelection, encoded: Encoded
    ) -> tuple[tuple[AlignedUnit, ...], frozenset[int]]:
        """Return all tokens, or words and special tokens; spans, fixed text and targets of a request do not apply."""
        if selection.given is not None or selection.fixed or request.target is not None:
            raise ArgumentError("--protocol paper fixes units and target; remove spans and target from the requests")
        tokens = list(enumerate(encoded.tokens))
        special = frozenset(at for at, token in tokens if token.special)
        words = () if selection.unit == "token" else super().units(request, selection, encoded)[0]
        alone = special if words else range(len(tokens))
        singles = (AlignedUnit(tokens[at][1].span, (at,), tokens[at][1].segment) for at in alone)
        return tuple(sorted((*words, *singles), key=lambda unit: unit.tokens)), special

    def unit_name(self, unit: str) -> str:
        """The name of the units. It is part of the digests of stored results, so it must not change."""
        return f"{unit}, special ones too"
