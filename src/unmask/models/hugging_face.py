"""The adapter for Hugging Face sequence classifiers. The model comes back as it was found after every batch."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ..errors import ModelError
from ..parts import ModelUsed
from ..targets import Activation, Head, distinct
from .adapter import Baseline, Batch, Encoded, padded
from .embedding_hook import words_replaced
from .identity import Snapshot, content_hash, public_name
from .tokens import Tokens

ARCHITECTURES = ("bert", "distilbert", "gpt2", "roberta")
ACTIVATIONS: dict[str | None, Activation] = {
    None: "softmax",
    "single_label_classification": "softmax",
    "multi_label_classification": "sigmoid",
    "regression": "none",
}
UNBOUNDED = 10**9  # tokenizers without a limit say 10^30
_LOCKS: WeakKeyDictionary[nn.Module, RLock] = WeakKeyDictionary()  # one for all that explain the same model


class HuggingFaceAdapter:
    """A sequence classifier and its tokenizer behind the seam."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        self._model: Any = getattr(model, "_orig_mod", model)  # a compiled model ignores hooks that come later
        _check_supported(self._model)
        rows = self._embedding.weight.shape[0]
        self._tokens = Tokens(tokenizer, model_type=self._model.config.model_type, rows=rows)
        self._lock = _LOCKS.setdefault(self._model, RLock())
        self._name = public_name(self._model)  # now: a relative path means another folder after a change of folder
        self._accepted = frozenset(inspect.signature(_unwrapped(self._model).forward).parameters)
        self._used: tuple[Snapshot, ModelUsed] | None = None
        self.head = _head(self._model.config)
        self.limit = _limit(self._model.config, tokenizer)

    @property
    def _embedding(self) -> nn.Embedding:
        """Asked for anew each time: a caller may give the model another one."""
        return self._model.get_input_embeddings()  # type: ignore[no-any-return]  # modules are untyped

    @property
    def device(self) -> torch.device:
        """Where the word embeddings are, and so where a batch must be."""
        return self._embedding.weight.device

    def used(self) -> ModelUsed:
        """The model's name and the hash of its content, made anew when a weight has changed."""
        now = Snapshot(self._model, self._tokens.tokenizer)
        if self._used is None or not self._used[0].equals(now):
            used = ModelUsed(self._name, content_hash(self._model, self._tokens.tokenizer))
            self._used = (now, used)
        return self._used[1]

    def encode(self, text: str, text_pair: str | None = None, *, max_length: int | None) -> Encoded:
        """One text, or a pair, as the model reads it."""
        with self._lock:
            return self._tokens.encode(text, text_pair, max_length=max_length or self.limit)

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
        """The model in evaluation mode and in one thread's hands; each module's own mode afterwards."""
        with self._lock:
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
        inputs["return_dict"] = True  # whatever the configuration says
        if "use_cache" in self._accepted:
            inputs["use_cache"] = False
        with _pad_lent(self._model.config, batch.pad):
            return self._model(**inputs).logits  # type: ignore[no-any-return]  # modules are untyped

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


def _unwrapped(model: Any) -> Any:
    """The model inside a wrapper such as PEFT's, whose own forward does not say what it accepts."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


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
    outputs = config.num_labels
    if kind not in ACTIVATIONS or (kind == "regression") != (outputs == 1 and ACTIVATIONS[kind] != "sigmoid"):
        raise ModelError(
            f"a head of {outputs} outputs for {kind!r} cannot be explained; unmask explains classes (two or more), "
            "labels (multi_label_classification) and one value (regression)"
        )
    labels = [str(config.id2label.get(index, f"LABEL_{index}")) for index in range(outputs)]
    return Head(distinct(labels), ACTIVATIONS[kind])


def _limit(config: Any, tokenizer: PreTrainedTokenizerBase) -> int | None:
    positions = getattr(config, "max_position_embeddings", None)
    if positions is not None and config.model_type == "roberta":
        positions -= config.pad_token_id + 1  # its positions begin behind the padding's
    known = [limit for limit in (positions, tokenizer.model_max_length) if limit is not None and limit < UNBOUNDED]
    return min(known, default=None)
