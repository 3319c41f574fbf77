"""The adapter for Hugging Face models, mainly sequence classifiers. Restores the model after every batch."""

import inspect
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...errors import ArgumentError, GateError, ModelError
from ...results.metadata import ModelInfo
from ...tasks.task import Task
from ..adapter import IGNORED, Baseline, Batch, Encoded, pad_right
from ..onednn import fast_linear
from ..precision import without_autocast
from ..vocabulary import Vocabulary
from .compatibility import check_not_compiled, check_supported
from .embedding import WordEmbedding, device_of, find_word_embedding, replace_embeddings, tied_modules
from .fingerprint import Snapshot, content_hash, public_name
from .ignoring import counts_positions, why_not_ignored
from .locks import PROCESS, lock
from .tokenizer import TokenizerReader

BLOCK = 4_096  # words embedded at once
CACHES = frozenset({"use_cache", "use_mems"})  # options that make a model cache values for its next call
KEPT = "logits_to_keep"  # an argument that makes a language model compute logits at only some positions
NOTHING = object()
STRETCHED = ("longrope", "dynamic")
UNBOUNDED = 10**9  # larger limits count as none; tokenizers without a limit report 10^30


class HuggingFaceAdapter:
    """A model and its tokenizer."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        self._model: Any = getattr(model, "_orig_mod", model)  # a compiled model ignores hooks added later
        self.task: Task = self._find_task()
        self._tokens = TokenizerReader(tokenizer, model_type=self._model.config.model_type, rows=lambda: self._rows)
        self._locks = (lock(self._model), lock(self._model.config))  # always acquired in this order
        self._reading = lock(tokenizer)
        self.name = public_name(self._model)  # stored now, because a relative path depends on the working directory
        # The forward method of a wrapper such as PEFT's does not list its parameters.
        inner = self._model.get_base_model() if hasattr(self._model, "get_base_model") else self._model
        self._accepted = frozenset(inspect.signature(inner.forward).parameters)
        self._used: tuple[Snapshot, ModelInfo] | None = None
        self._known_embedding: tuple[list[nn.Module], WordEmbedding] | None = None
        self._current: WordEmbedding | None = None  # set while a batch runs
        self._vocabulary: tuple[str, Vocabulary] | None = None
        self.limit = _limit(self._model, tokenizer)
        self.pads = not _stretches_positions(self._model.config)

    def _find_task(self) -> Task:
        return check_supported(self._model).for_model(self._model)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy includes the model and the tokenizer but gets its own locks and caches."""
        public = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return type(self), self.parts, public

    @property
    def _embedding(self) -> nn.Module:
        """The model's input embeddings, looked up each time because the caller may replace them."""
        return self._model.get_input_embeddings()  # type: ignore[no-any-return]  # modules are untyped

    @property
    def _rows(self) -> int:
        """The number of tokens the model embeds; the shape of a quantized weight may differ."""
        weight = getattr(self._embedding, "weight", None)
        is_plain = isinstance(weight, Tensor) and weight.is_floating_point()
        return int(weight.shape[0] if is_plain else self._embedding.num_embeddings)  # type: ignore[union-attr, arg-type]  # modules are untyped

    @property
    def device(self) -> torch.device:
        """The device of the word embeddings, which is also that of batches."""
        return device_of(self._embedding)

    @property
    def module(self) -> nn.Module:
        """The model itself."""
        return self._model  # type: ignore[no-any-return]  # modules are untyped

    @property
    def parts(self) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
        """The model and its tokenizer."""
        return self._model, self._tokens.tokenizer

    @property
    def precision(self) -> float:
        """The machine epsilon of the weights."""
        kinds = (weight.dtype for weight in self._model.parameters() if weight.is_floating_point())
        return torch.finfo(next(kinds, torch.float32)).eps

    def model_info(self) -> ModelInfo:
        """The model's name and the hash of its content, recomputed when a weight has changed."""
        now = Snapshot(self._model, self._tokens.tokenizer)
        if self._used is None or not self._used[0].equals(now):
            self._used = (now, ModelInfo(self.name, content_hash(self._model, self._tokens.tokenizer)))
        return self._used[1]

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """Tokenize one text or a pair of texts."""
        with self._reading:
            return self._tokens.encode(*texts, max_length=max_length or self.limit)

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name."""
        if name == IGNORED and (why := why_not_ignored(self._model, self._accepted)) is not None:
            raise ArgumentError(f"this model does not support baseline 'ignored': {why}", hint="use another baseline")
        with self._reading:
            return self._tokens.baseline(name)

    def vocabulary(self) -> Vocabulary:
        """All word embeddings, recomputed when a weight has changed."""
        content = self.model_info().hash
        if self._vocabulary is None or self._vocabulary[0] != content:
            with self.inference_context(), torch.inference_mode(mode=False), torch.no_grad():
                blocks = torch.arange(self._rows, device=self.device).split(BLOCK)
                vectors = torch.cat([self.embed(block[None])[0] for block in blocks])
            with self._reading:
                names, special = self._tokens.names(self._rows), self._tokens.tokenizer.all_special_ids
            exact = vectors if vectors.dtype == torch.float64 else vectors.float()
            spell = self._tokens.tokenizer.convert_tokens_to_string
            self._vocabulary = (content, Vocabulary(exact, names, special=special, spell=spell))
        return self._vocabulary[1]

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The texts padded on the right; `outputs` moves the padding to the left if the model needs it there."""
        device, pad = self.device, self._pad({token for text in texts for token in text.ids})
        names = [name for name in texts[0].inputs if name in self._accepted]
        return Batch(
            ids=pad_right([text.ids for text in texts], pad, device=device),
            attention=pad_right([(1,) * len(text.ids) for text in texts], 0, device=device),
            pad=pad,
            inputs={name: pad_right([text.inputs[name] for text in texts], 0, device=device) for name in names},
        )

    @contextmanager
    def inference_context(self) -> Iterator[None]:
        """Put the model in evaluation mode, frozen, locked, fast and without autocast; restore it afterwards."""
        PROCESS.check()
        with self._locks[0], self._locks[1], without_autocast(), fast_linear():
            check_not_compiled(self._model)
            self._current = None
            training = [module for module in self._model.modules() if module.training]
            trained = [weight for weight in self._model.parameters() if weight.requires_grad]
            try:
                for module in training:
                    module.training = False
                for weight in trained:  # otherwise autograd would keep tensors for gradients that nobody needs
                    weight.requires_grad = False
                yield
            finally:
                for module in training:
                    module.training = True
                for weight in trained:
                    weight.requires_grad = True

    def embed(self, ids: Tensor) -> Tensor:
        """The word embeddings, computed by calling the module, because some models scale the vectors inside it."""
        vectors = self._words(ids).module(ids)
        if not isinstance(vectors, Tensor):
            raise GateError("this model cannot be explained: its word embedding does not return a tensor")
        return vectors

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The logits with these vectors in place of the word embeddings."""
        words = self._words(batch.ids)
        if not pads_left(self._model.config):
            with replace_embeddings(words, batch.ids, vectors):
                return self._run(batch)
        batch, order = _left_padded(batch)
        with replace_embeddings(words, batch.ids, vectors.take_along_dim(order[..., None], 1)):
            return _in_text_order(self._run(batch), order)

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The logits of the unchanged model."""
        if not pads_left(self._model.config):
            return self._run(batch)
        batch, order = _left_padded(batch)
        return _in_text_order(self._run(batch), order)

    def _run(self, batch: Batch) -> Tensor:
        with pad_lent(self._model.config, batch.pad):
            return self._model(**self._inputs(batch)).logits  # type: ignore[no-any-return]  # modules are untyped

    def _inputs(self, batch: Batch) -> dict[str, Any]:
        inputs: dict[str, Any] = {"input_ids": batch.ids, "attention_mask": batch.attended, **batch.inputs}
        inputs["return_dict"] = True  # overrides the configuration
        for name in CACHES & self._accepted:
            inputs[name] = False
        if batch.positions is not None and KEPT in self._accepted:
            inputs[KEPT] = batch.positions
        if batch.ignored is not None and counts_positions(self._model, self._accepted):
            inputs["position_ids"] = torch.arange(batch.ids.shape[1], device=batch.ids.device).expand_as(batch.ids)
            # A decoder with a classification head reads its output at the last token that is not padding.
            inputs["input_ids"] = batch.ids.masked_fill(batch.ignored, batch.pad)
        return inputs

    def _words(self, ids: Tensor) -> WordEmbedding:
        """The module that embeds words; searched for once, and again if the caller replaces the embeddings."""
        if self._current is None:  # checked once per batch
            modules = tied_modules(self._model, self._embedding)
            if self._known_embedding is None or self._known_embedding[0] != modules:
                embedding = find_word_embedding(self._model, modules, ids=ids[0].tolist(), run=self._read)
                self._known_embedding = (modules, embedding)
            self._current = self._known_embedding[1]
        return self._current

    def _read(self, ids: Tensor) -> Tensor:
        """Run the model on ids alone, [1, length]."""
        return self._run(Batch(ids, torch.ones_like(ids), self._pad(set(ids[0].tolist()))))

    def _pad(self, taken: Set[int]) -> int:
        """The model's padding id, or else an id that no text contains, so that a decoder can tell padding from text."""
        pad = getattr(self._model.config.get_text_config(), "pad_token_id", None)
        if pad is not None and 0 <= pad < self._rows:  # in some configurations it is -1
            return int(pad)
        return next(candidate for candidate in range(len(taken) + 1) if candidate not in taken)


def _stretches_positions(config: Any) -> bool:
    """Whether the longest text of a batch affects all positions, as with Phi-3's long context or dynamic scaling."""
    settings = getattr(config.get_text_config(), "rope_parameters", None) or {}
    nested = [settings, *(part for part in settings.values() if isinstance(part, dict))]
    return any(part.get("rope_type") in STRETCHED for part in nested)


def pads_left(config: Any) -> bool:
    """Whether padding must be on the left. XLNet reads its output at the last token, even if that token is padding."""
    return bool(config.model_type == "xlnet")


def _left_padded(batch: Batch) -> tuple[Batch, Tensor]:
    """Move the padding to the left; also returns the former position of each token, [rows, length]."""
    rows, length = batch.ids.shape
    places = torch.arange(length, device=batch.ids.device).expand(rows, length)
    order = (places + batch.attention.sum(-1, keepdim=True)) % length
    inputs = {name: values.gather(1, order) for name, values in batch.inputs.items()}
    ignored = None if batch.ignored is None else batch.ignored.gather(1, order)
    left = Batch(batch.ids.gather(1, order), batch.attention.gather(1, order), batch.pad, inputs, ignored=ignored)
    return left, order


def _in_text_order(raw: Tensor, order: Tensor) -> Tensor:
    """Reorder the outputs of a left-padded batch to text order, if there is one output per token."""
    return raw if raw.ndim < 3 else raw.take_along_dim(order.argsort(-1)[..., None], 1)


@contextmanager
def pad_lent(config: Any, pad: int) -> Iterator[None]:
    """Temporarily give a padding id to a decoder that has none and would otherwise reject batches."""
    text = config.get_text_config()  # in a multimodal model, the text configuration is nested
    before = vars(text).get("pad_token_id", NOTHING)
    text.pad_token_id = pad
    try:
        yield
    finally:
        if before is NOTHING:
            del text.pad_token_id
        else:
            text.pad_token_id = before


def position_limit(model: nn.Module, config: Any) -> int | None:
    """The number of tokens for which a model has positions; None if its configuration names none."""
    positions: int | None = getattr(config, "max_position_embeddings", None)
    tables = [table for name, table in model.named_modules() if "position" in name and isinstance(table, nn.Embedding)]
    behind = [table.padding_idx for table in tables if table.num_embeddings == positions]
    if positions is not None and behind and behind[0] is not None:
        return positions - behind[0] - 1  # RoBERTa's positions start after the padding position
    return positions


def _limit(model: Any, tokenizer: PreTrainedTokenizerBase) -> int | None:
    """The model's and tokenizer's limit on the number of tokens; None if unlimited, as in XLNet (-1) and T5 (unset)."""
    positions = position_limit(model, model.config.get_text_config())
    longest: object = tokenizer.model_max_length
    if longest is not None and not isinstance(longest, int | float):
        raise ModelError(
            f"the tokenizer's model_max_length is {longest!r}; expected a number", hint="correct tokenizer_config.json"
        )
    known = [int(limit) for limit in (positions, longest) if limit is not None and limit < UNBOUNDED]
    return min((limit for limit in known if limit > 0), default=None)
