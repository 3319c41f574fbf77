"""Reads ids, spans and baseline tokens from a Hugging Face tokenizer, whose settings are left unchanged."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from transformers import PreTrainedTokenizerBase

from ...errors import ArgumentError, ModelError, TextError, brief, first_line, unknown
from ...text.spans import Segment, Span, Token, shorten
from ..adapter import IGNORED, Baseline, Encoded

BASELINES = ("mask", "pad", "unk", "eos")  # in the order in which `auto` tries them
NAMED = ("auto", *BASELINES, "zero", IGNORED)
MASKLESS = {"electra": "an ELECTRA discriminator never saw its mask token in training"}


class TokenizerReader:
    """Wraps a fast tokenizer.

    Args:
        rows: Returns the number of rows in the model's embedding table; a tokenizer with added tokens may have more.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, model_type: str, rows: Callable[[], int]) -> None:
        if not isinstance(getattr(tokenizer, "is_fast", None), bool):
            raise ModelError(f"expected a Hugging Face tokenizer, not {type(tokenizer).__name__}")
        if not tokenizer.is_fast:
            raise ModelError(
                f"{type(tokenizer).__name__} is a slow tokenizer, which does not map tokens to characters",
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
        with settings_kept(self.tokenizer.backend_tokenizer):
            encoding = self._tokenize(texts, max_length)
            is_cut = self._cut(texts, encoding) if encoding.encodings[0].overflowing else [False] * len(texts)
        columns = (encoding.pop("offset_mapping"), encoding.pop("special_tokens_mask"), encoding.sequence_ids(0))
        ids, unknown_id = tuple(encoding.pop("input_ids")), self.tokenizer.unk_token_id
        marked = zip(*columns, ids, strict=True)
        tokens = tuple(
            Token(Span(*span), bool(special), at or 0, one == unknown_id) for span, special, at, one in marked
        )
        if max(ids, default=0) >= (rows := self._rows()):
            raise TextError(f"the tokenizer returned token {max(ids)}, but the model has only {rows} embeddings")
        encoding.pop("attention_mask", None)
        segments = [
            Segment(text, self._read(text, tokens, segment) if is_cut[segment] else Span(0, len(text)), is_cut[segment])
            for segment, text in enumerate(texts)
        ]
        return Encoded(tuple(segments), ids, tokens, {name: tuple(values) for name, values in encoding.items()})

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

    def _tokenize(self, texts: Sequence[str], max_length: int | None) -> Any:
        """Call the tokenizer."""
        try:
            return self.tokenizer(
                *texts,
                truncation=max_length is not None,
                max_length=max_length,
                padding=False,
                verbose=False,
                return_offsets_mapping=True,
                return_special_tokens_mask=True,
            )
        except Exception as error:  # a tokenizer may raise anything
            raise TextError(f"the tokenizer cannot read this text: {first_line(error)}") from error

    def _cut(self, texts: Sequence[str], encoding: Any) -> list[bool]:
        """Which of the texts were truncated, given that at least one was."""
        if len(texts) == 1:
            return [True]
        left = [encoding.sequence_ids(0).count(segment) for segment in range(len(texts))]
        whole = [len(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]) for text in texts]
        return [mine < all_of_it for mine, all_of_it in zip(left, whole, strict=True)]

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
        with settings_kept(self.tokenizer.backend_tokenizer):
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


@contextmanager
def settings_kept(backend: Any) -> Iterator[None]:
    """Restore the truncation and padding settings, which every call of the tokenizer changes."""
    truncation, padding = backend.truncation, backend.padding
    try:
        yield
    finally:
        backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
        backend.no_padding() if padding is None else backend.enable_padding(**padding)
