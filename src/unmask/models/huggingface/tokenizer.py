"""Reads ids, spans and baseline tokens from a Hugging Face tokenizer, whose settings are left unchanged."""

from collections.abc import Callable
from typing import Any

from transformers import PreTrainedTokenizerBase

from ...errors import ArgumentError, ModelError, TextError, brief, unknown
from ...text.spans import EncodedSegment, Span, Token, shorten
from ..adapter import IGNORED, Baseline, Encoded
from .offsets import settings_kept, tokenize
from .pieces import processor_of

BASELINES = ("mask", "pad", "unk", "eos")  # in the order in which `auto` tries them
NAMED = ("auto", *BASELINES, "zero", IGNORED)
MASKLESS = {"electra": "an ELECTRA discriminator never saw its mask token in training"}


class TokenizerReader:
    """Wraps a fast tokenizer, or one built on sentencepiece.

    Args:
        rows: Returns the number of rows in the model's embedding table; a tokenizer with added tokens may have more.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, model_type: str, rows: Callable[[], int]) -> None:
        if not isinstance(getattr(tokenizer, "is_fast", None), bool):
            raise ModelError(f"expected a Hugging Face tokenizer, not {type(tokenizer).__name__}")
        if not tokenizer.is_fast and processor_of(tokenizer) is None:
            raise ModelError(
                f"{type(tokenizer).__name__} is a slow tokenizer without a sentencepiece model, so its tokens cannot "
                "be mapped to characters",
                hint="load it with AutoTokenizer, which prefers the fast one",
            )
        self.tokenizer: Any = tokenizer
        try:
            self.tokenizer.unk_token_id  # noqa: B018  # transformers looks up a missing unknown token forever
        except RecursionError as error:
            raise ModelError(
                f"the tokenizer's unknown token {brief(tokenizer.unk_token)} is not in its vocabulary"
            ) from error
        self._model_type = model_type
        self._rows = rows

    def names(self, rows: int) -> list[str]:
        """The token of each of the first `rows` rows of the embedding table; "" for rows without a token."""
        names = self.tokenizer.convert_ids_to_tokens(range(min(rows, len(self.tokenizer))))
        return [name or "" for name in names]

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """Tokenize one text or a pair of texts."""
        if len(texts) > 2:
            raise ArgumentError(f"this model reads one text or a pair; the request has {len(texts)} segments")
        added = self.tokenizer.num_special_tokens_to_add(pair=len(texts) > 1)
        if max_length is not None and max_length <= added:
            raise ArgumentError(
                f"max_length {max_length} leaves no room for a text: the tokenizer adds {added} special tokens"
            )
        found = tokenize(self.tokenizer, *texts, max_length=max_length)
        unknown_id = self.tokenizer.unk_token_id
        marked = zip(found.spans, found.added, found.segments, found.ids, strict=True)
        tokens = tuple(Token(span, special, at, one == unknown_id) for span, special, at, one in marked)
        if max(found.ids, default=0) >= (rows := self._rows()):
            raise TextError(f"the tokenizer returned token {max(found.ids)}, but the model has only {rows} embeddings")
        segments = [
            EncodedSegment(text, self._read(text, tokens, segment) if is_cut else Span(0, len(text)), is_cut)
            for segment, (text, is_cut) in enumerate(zip(texts, found.is_cut, strict=True))
        ]
        return Encoded(tuple(segments), found.ids, tokens, found.inputs)

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name, with `auto` resolved."""
        if name in ("zero", IGNORED):
            return Baseline(name, None, None)
        if isinstance(name, str) and name.startswith("token:"):
            return self._any_token(name)
        if name not in NAMED:
            raise unknown("baseline", name, [*NAMED, "token:WORD"])
        for kind in BASELINES if name == "auto" else (name,):
            token, index = getattr(self.tokenizer, f"{kind}_token"), getattr(self.tokenizer, f"{kind}_token_id")
            if index is not None and index < self._rows():
                return Baseline(kind, token, index, self._warning(kind, token))
        kinds = "mask, pad, unk or eos" if name == "auto" else name
        raise ArgumentError(f"this model has no {kinds} token; use baseline='zero' or baseline='token:the'")

    def _read(self, text: str, tokens: tuple[Token, ...], segment: int) -> Span:
        """The span of a truncated text that the model reads."""
        spans = [token.span for token in tokens if not token.special and token.segment == segment]
        if not spans:
            return Span(0, 0)
        if self.tokenizer.truncation_side == "left":
            return Span(min(span.start for span in spans), len(text))
        return Span(0, max(span.end for span in spans))

    def _any_token(self, name: str) -> Baseline:
        """The baseline `token:the`: the token of the word "the" inside a sentence, or else a vocabulary entry "the"."""
        word = name.removeprefix("token:")
        with settings_kept(self.tokenizer):
            ids = self.tokenizer.encode(f" {word}", add_special_tokens=False)
        pieces = self.tokenizer.convert_ids_to_tokens(ids)
        if len(ids) != 1 or ids[0] == self.tokenizer.unk_token_id:
            ids = [self.tokenizer.get_vocab().get(word)]
        if ids[0] is None or ids[0] >= self._rows():
            several = f", but {len(pieces):,}: {shorten(' '.join(pieces))}" if len(pieces) > 1 else ""
            raise ArgumentError(f"baseline: {brief(word)} is not a single token of this model's vocabulary{several}")
        return Baseline(name, self.tokenizer.convert_ids_to_tokens(ids)[0], ids[0])

    def _warning(self, kind: str, token: str) -> str | None:
        if kind == "eos" or token == self.tokenizer.eos_token:
            return f"the baseline {token} marks the end of a text; the model was not trained to read it as a mask"
        if kind == "mask" and self._model_type in MASKLESS:
            return f"the baseline {token} was not trained as a mask: {MASKLESS[self._model_type]}"
        return None
