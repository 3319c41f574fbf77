"""The adapter for masked language models. It computes logits only at the mask and finds the best fillings."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import torch
from torch import Tensor, nn

from ...errors import ArgumentError, ModelError, TextError
from ...text.spans import Span
from ..adapter import Batch, Encoded
from .adapter import HuggingFaceAdapter
from .offsets import settings_kept


class MaskedAdapter(HuggingFaceAdapter):
    """A masked language model and its tokenizer."""

    @property
    def vocabulary_size(self) -> int:
        """The number of logits at each token."""
        return int(self._model.config.get_text_config().vocab_size)

    @property
    def mask(self) -> str:
        """The mask token, as written in a text."""
        token: str | None = self._tokens.tokenizer.mask_token
        if token is None:
            raise ModelError("the tokenizer of this masked language model has no mask token")
        return token

    def mask_span(self, text: str) -> Span:
        """The span of the only mask in a text."""
        count, start = text.count(self.mask), text.find(self.mask)
        if count != 1:
            what = "no mask" if not count else f"{count} masks"
            raise TextError(
                f"the text has {what}; expected exactly one {self.mask}",
                hint=f"write {self.mask} where a word is missing" if not count else "fill in all masks except one",
            )
        return Span(start, start + len(self.mask))

    def mask_position(self, encoded: Encoded, span: Span) -> int:
        """The position of the mask among the tokens."""
        wanted = self._tokens.tokenizer.mask_token_id
        for at, (token, one) in enumerate(zip(encoded.tokens, encoded.ids, strict=True)):
            if one == wanted and token.span.overlaps(span):
                return at
        raise TextError(f"the mask was cut off: the model reads {len(encoded.ids)} tokens", hint="shorten the text")

    def fillings(self, encoded: Encoded, position: int, count: int) -> tuple[int, ...]:
        """The most probable tokens at a position, most probable first."""
        with self.inference_context(), torch.inference_mode():
            batch = replace(self.batch([encoded]), positions=torch.tensor([position], device=self.device))
            raw = self.reference_outputs(batch)[0]
            logits = raw[0] if len(raw) == 1 else raw[position]
            return tuple(logits.topk(min(count, len(logits))).indices.tolist())

    def spell(self, ids: Sequence[int]) -> list[str]:
        """The tokens as words, without the tokenizer's marker for spaces."""
        tokenizer = self._tokens.tokenizer
        with self._reading:
            return [str(tokenizer.decode([one])).strip() or str(tokenizer.convert_ids_to_tokens(one)) for one in ids]

    def token(self, word: str) -> int:
        """The token for a word after a space, or for a vocabulary entry; an error if it is not a single token."""
        tokenizer = self._tokens.tokenizer
        with self._reading, settings_kept(tokenizer):
            for spelled in (f" {word}", word):
                ids = tokenizer.encode(spelled, add_special_tokens=False)
                if len(ids) == 1 and ids[0] != tokenizer.unk_token_id:
                    return int(ids[0])
            found = tokenizer.get_vocab().get(word)
        if found is not None:
            return int(found)
        pieces = " ".join(tokenizer.convert_ids_to_tokens(ids))
        raise ArgumentError(
            f"target {word!r} is not one token of this model's vocabulary ({pieces}), so it cannot fill the mask"
        )

    def _run(self, batch: Batch) -> Tensor:
        if batch.positions is None:
            return super()._run(batch)
        with read_only(self._model.get_output_embeddings(), batch.positions):
            return super()._run(batch)


@contextmanager
def read_only(head: nn.Module | None, positions: Tensor) -> Iterator[None]:
    """Make the output layer compute logits for only some tokens; no effect if the model does not call the layer."""
    if head is None:
        yield
        return

    def cut(_module: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return (args[0][:, positions], *args[1:])

    hook = head.register_forward_pre_hook(cut)
    try:
        yield
    finally:
        hook.remove()
