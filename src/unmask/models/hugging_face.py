"""The adapter for Hugging Face sequence classifiers. The model comes back as it was found after every batch."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ..errors import ModelError, TextError
from ..parts import ModelUsed
from ..targets import Activation, Head, distinct
from .adapter import Baseline, Batch, Encoded, padded
from .embedding_hook import words_replaced
from .identity import content_hash, public_name, state
from .tokens import Tokens

ARCHITECTURES = ("bert", "distilbert", "gpt2", "roberta")
ACTIVATIONS: dict[str | None, Activation] = {
    None: "softmax",
    "single_label_classification": "softmax",
    "multi_label_classification": "sigmoid",
    "regression": "none",
}
UNBOUNDED = 10**9  # tokenizers without a limit say 10^30


class HuggingFaceAdapter:
    """A sequence classifier and its tokenizer behind the seam."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        self._model: Any = getattr(model, "_orig_mod", model)  # a compiled model ignores hooks that come later
        _check_supported(self._model)
        self._tokens = Tokens(tokenizer, model_type=self._model.config.model_type)
        self._embedding: nn.Embedding = self._model.get_input_embeddings()
        self._accepted = frozenset(inspect.signature(self._model.forward).parameters)
        self._used: tuple[object, ModelUsed] | None = None
        self.head = _head(self._model.config)
        self.limit = _limit(self._model.config, tokenizer)

    @property
    def device(self) -> torch.device:
        """Where the word embeddings are, and so where a batch must be."""
        return self._embedding.weight.device

    def used(self) -> ModelUsed:
        """The model's name and the hash of its content, made anew when a weight has changed."""
        now = state(self._model, self._tokens.tokenizer)
        if self._used is None or self._used[0] != now:
            used = ModelUsed(public_name(self._model), content_hash(self._model, self._tokens.tokenizer))
            self._used = (now, used)
        return self._used[1]

    def encode(self, text: str, *, max_length: int | None) -> Encoded:
        """The text as the model reads it."""
        encoded = self._tokens.encode(text, max_length=max_length or self.limit)
        rows = self._embedding.weight.shape[0]
        if any(token >= rows for token in encoded.ids):
            raise TextError(f"the tokenizer gives token {max(encoded.ids)} and the model embeds only {rows}")
        return encoded

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name."""
        return self._tokens.baseline(name)

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The texts padded on the right."""
        device, pad = self.device, self._pad(texts)
        names = [name for name in texts[0].inputs if name in self._accepted]
        return Batch(
            ids=padded([text.ids for text in texts], pad, device=device),
            attention=padded([(1,) * len(text.ids) for text in texts], 0, device=device),
            pad=pad,
            inputs={name: padded([text.inputs[name] for text in texts], 0, device=device) for name in names},
        )

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """The model in evaluation mode; each module's own mode afterwards."""
        training = [module for module in self._model.modules() if module.training]
        for module in training:
            module.training = False
        try:
            yield
        finally:
            for module in training:
                module.training = True

    def embed(self, ids: Tensor) -> Tensor:
        """The word embeddings; the module is called, since some scale inside it."""
        return self._embedding(ids)  # type: ignore[no-any-return]  # modules are untyped

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The logits with these vectors for the words."""
        with words_replaced(self._embedding, vectors):
            return self.plain(batch)

    def plain(self, batch: Batch) -> Tensor:
        """The logits of the model itself."""
        inputs: dict[str, Any] = {"input_ids": batch.ids, "attention_mask": batch.attention, **batch.inputs}
        if "use_cache" in self._accepted:
            inputs["use_cache"] = False
        with _pad_lent(self._model.config, batch.pad):
            return self._model(**inputs).logits  # type: ignore[no-any-return]

    def _pad(self, texts: Sequence[Encoded]) -> int:
        """The model's padding, or an id that is in none of the texts: a decoder reads its answer before the padding."""
        if (pad := self._model.config.pad_token_id) is not None:
            return int(pad)
        taken = {token for text in texts for token in text.ids}
        return next(candidate for candidate in range(len(taken) + 1) if candidate not in taken)


@contextmanager
def _pad_lent(config: Any, pad: int) -> Iterator[None]:
    """A padding id for a decoder that has none: it refuses batches otherwise."""
    before = config.pad_token_id
    config.pad_token_id = pad
    try:
        yield
    finally:
        config.pad_token_id = before


def _check_supported(model: Any) -> None:
    kind = getattr(getattr(model, "config", None), "model_type", None)
    classes = [base.__name__ for base in type(model).__mro__]
    if kind not in ARCHITECTURES or not any(name.endswith("ForSequenceClassification") for name in classes):
        raise ModelError(
            f"{type(model).__name__} cannot be explained yet; unmask explains sequence classifiers of these "
            f"architectures: {', '.join(ARCHITECTURES)}",
            hint="for a model of your own, write an adapter: Explainer.from_adapter(...)",
        )


def _head(config: Any) -> Head:
    kind = config.problem_type
    if kind is None and config.num_labels == 1:
        kind = "regression"
    labels = [str(config.id2label.get(index, f"LABEL_{index}")) for index in range(config.num_labels)]
    return Head(distinct(labels), ACTIVATIONS[kind])


def _limit(config: Any, tokenizer: PreTrainedTokenizerBase) -> int | None:
    positions = getattr(config, "max_position_embeddings", None)
    if positions is not None and config.model_type == "roberta":
        positions -= config.pad_token_id + 1  # its positions begin behind the padding's
    known = [limit for limit in (positions, tokenizer.model_max_length) if limit is not None and limit < UNBOUNDED]
    return min(known, default=None)
