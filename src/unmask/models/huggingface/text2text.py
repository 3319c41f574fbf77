"""The adapter for encoder-decoder models: the encoder reads a source, and the decoder writes an output.

A row of a batch holds the tokens of the source, then the tokens that every output begins with, then the output. Logits
are computed only at the decoder's tokens.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from ...errors import ArgumentError, ModelError, first_line
from ..adapter import Baseline, Batch, Encoded, pad_right
from ..generative import PromptToken
from .adapter import HuggingFaceAdapter, pad_lent, position_limit
from .causal import CausalAdapter, TokenCounter
from .masked import read_only
from .offsets import tokenize
from .sequences import PART, Sequences

SOURCE, OUTPUT = 0, 1


class Text2TextAdapter(CausalAdapter):
    """An encoder-decoder model and its tokenizer."""

    def _check_kind(self) -> None:
        if not self._model.config.is_encoder_decoder:
            raise ModelError(f"{type(self._model).__name__} has no encoder and decoder, so it is not a text2text model")

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name; `auto` means the same as for a classifier."""
        return HuggingFaceAdapter.baseline(self, name)

    def can_share_prefix(self, length: int) -> bool:
        """Always False: every change to the source changes everything that the decoder reads."""
        return False

    def beginning(self, settings: Mapping[str, Any]) -> tuple[int, ...]:
        """The tokens that every output begins with: the decoder's start token and a forced token such as a language."""
        config = self._model.generation_config
        first = next(
            (
                one
                for one in (
                    config.decoder_start_token_id,
                    self._model.config.decoder_start_token_id,
                    config.bos_token_id,
                )
                if one is not None
            ),
            None,
        )
        if first is None:
            raise ModelError("this model's configuration has no decoder_start_token_id", hint="set it in config.json")
        forced = settings.get("forced_bos_token_id", config.forced_bos_token_id)
        if forced is None and (language := self._language()) != first:
            forced = language
        return (int(first),) if forced is None else (int(first), int(forced))

    @property
    def positions(self) -> int | None:
        """The number of tokens that the decoder reads; None if its positions are relative, as in T5."""
        config = self._model.config.get_text_config(decoder=True)
        if (own := getattr(config, "max_decoder_position_embeddings", None)) is not None:  # LED
            return int(own)
        return position_limit(self._model.get_decoder(), config)

    def _language(self) -> int | None:
        """The token of the tokenizer's target language, as for M2M100, NLLB and mBART; None if there is none."""
        tokenizer = self._tokens.tokenizer
        if (language := getattr(tokenizer, "tgt_lang", None)) is None:
            return None
        if hasattr(tokenizer, "get_lang_id"):
            return int(tokenizer.get_lang_id(language))
        return int(tokenizer.convert_tokens_to_ids(language)) if language in tokenizer.all_special_tokens else None

    def generate(
        self,
        ids: Sequence[int],
        *,
        seed: int,
        settings: Mapping[str, Any],
        on_token: Callable[[int], None] | None = None,
    ) -> tuple[int, ...]:
        """Generate the output for a source's tokens, without the tokens that every output begins with."""
        begin = self.beginning(settings)
        more: dict[str, Any] = {"decoder_start_token_id": begin[0]}
        if len(begin) > 1:  # generate() counts the forced token as a new one
            more |= {"forced_bos_token_id": begin[1], "max_new_tokens": settings["max_new_tokens"] + 1}
        config = self._generation_config({**settings, **more})
        source = torch.tensor([list(ids)], device=self.device)
        more = {"tokenizer": self._tokens.tokenizer} if config.stop_strings is not None else {}
        if on_token is not None:
            more["stopping_criteria"] = [TokenCounter(len(begin), on_token)]
        with self.inference_context(), torch.inference_mode(), torch.random.fork_rng([]):
            torch.manual_seed(seed)
            try:
                made = self._model.generate(
                    source, attention_mask=torch.ones_like(source), generation_config=config, **more
                )
            except (ValueError, TypeError) as error:
                raise ArgumentError(f"the model cannot generate with these settings: {first_line(error)}") from error
        return tuple(made[0, len(begin) :].tolist())

    def tokenize_output(self, text: str) -> list[PromptToken]:
        """Tokenize a given output, without the tokens that the tokenizer adds around it."""
        with self._reading:
            found = tokenize(self._tokens.tokenizer, text, is_output=True)
        columns = zip(found.ids, found.spans, found.added, strict=True)
        return [PromptToken(one, span) for one, span, added in columns if not added]

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The rows padded to one length, with the side (source or output) of every token."""
        batch = super().batch(texts)
        parts = pad_right([text.inputs[PART] for text in texts], -1, device=batch.ids.device)
        return Batch(batch.ids, batch.attention, batch.pad, {PART: parts})

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The decoder's logits, with these vectors in place of the word embeddings of source and output."""
        source, output = (_side(batch, side) for side in (SOURCE, OUTPUT))
        modules = (self._model.get_encoder(), self._model.get_decoder())
        with _replaced(modules, (source.take(vectors), output.take(vectors))):
            return self._decode(batch, source, output)

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The logits of the unchanged model."""
        return self._decode(batch, _side(batch, SOURCE), _side(batch, OUTPUT))

    def embed(self, ids: Tensor) -> Tensor:
        """The word embeddings; source and output must share one table."""
        encoder, decoder = (_table(one) for one in (self._model.get_encoder(), self._model.get_decoder()))
        if encoder.weight.data_ptr() != decoder.weight.data_ptr():
            raise ModelError(
                "this model uses separate embedding tables for its source and its output, which is not supported",
                hint="for any other model, write an adapter: Explainer.from_adapter(...)",
            )
        return encoder(ids)  # type: ignore[no-any-return]  # modules are untyped

    def _decode(self, batch: Batch, source: Sequences, output: Sequences) -> Tensor:
        """The logits at the decoder's tokens, indexed by position in the row: [rows, positions, vocabulary]."""
        left, right = source.batch(batch), output.batch(batch)
        start, length = output.places[:, :1], right.ids.shape[1]
        read = torch.arange(batch.ids.shape[1], device=start.device) if batch.positions is None else batch.positions
        index = (read[None] - start).clamp(0, length - 1)
        is_part = index.shape[1] < length and bool((index == index[0]).all())  # the same few tokens of all rows
        with pad_lent(self._model.config, batch.pad), read_only(self._head if is_part else None, index[0]):
            logits = self._model(
                input_ids=left.ids,
                attention_mask=left.attended,
                decoder_input_ids=right.ids,
                decoder_attention_mask=right.attended,
                use_cache=False,
                return_dict=True,
            ).logits
        if is_part and logits.shape[1] == index.shape[1]:
            return logits  # type: ignore[no-any-return]  # modules are untyped
        return logits.take_along_dim(index[..., None], 1)  # type: ignore[no-any-return]  # modules are untyped

    @property
    def _head(self) -> nn.Module | None:
        """The layer that computes the logits."""
        return self._model.get_output_embeddings()  # type: ignore[no-any-return]  # modules are untyped


def _side(batch: Batch, side: int) -> Sequences:
    """The source or the output of every row, as sequences."""
    parts = batch.inputs[PART].masked_fill(batch.inputs[PART] != side, -1)
    return Sequences.of(Batch(batch.ids, batch.attention, batch.pad, {PART: parts}))


def _table(side: Any) -> Any:
    """The word embedding of an encoder or a decoder."""
    return side.get_input_embeddings()


@contextmanager
def _replaced(sides: Sequence[nn.Module], vectors: Sequence[Tensor]) -> Iterator[None]:
    """Replace the first embeddings of each side with its vectors; both sides may use the same module."""
    waiting = list(zip(map(_table, sides), vectors, strict=True))

    def answer(module: nn.Module, _args: object, written: Tensor) -> Tensor | None:
        if waiting and module is waiting[0][0]:
            expected = waiting.pop(0)[1]
            if written.shape != expected.shape:
                raise ModelError("this model cannot be explained: it changes its texts before it embeds them")
            return expected
        return None

    with ExitStack() as hooks:
        for module in dict.fromkeys(_table(side) for side in sides):
            hooks.callback(module.register_forward_hook(answer).remove)
        yield
    if waiting:
        raise ModelError("this model cannot be explained: its word embedding was not called for source and output")
