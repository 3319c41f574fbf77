"""A single interface to all tokenizers that report character offsets for each token. Leaves the tokenizer unchanged."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from ...errors import TextError, UnmaskError, first_line
from ...text.spans import Span
from .pieces import read_pieces, reading_outputs


@dataclass(frozen=True, slots=True)
class Tokenized:
    """The tokens of one text or of a pair, including those that the tokenizer's template adds."""

    ids: tuple[int, ...]
    spans: tuple[Span, ...]
    added: tuple[bool, ...]
    segments: tuple[int, ...]  # the text of each token; 0 for added ones
    is_cut: tuple[bool, ...]  # of each text
    inputs: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # what else the model reads, such as types


def tokenize(
    tokenizer: Any,
    *texts: str,
    max_length: int | None = None,
    is_framed: bool = True,
    is_output: bool = False,
) -> Tokenized:
    """Tokenize one text or a pair; `is_framed` adds the tokens of the tokenizer's template."""
    try:
        if tokenizer.is_fast:
            return _fast(tokenizer, texts, max_length, is_framed=is_framed, is_output=is_output)
        with reading_outputs(tokenizer) if is_output else nullcontext():
            return _through_pieces(tokenizer, texts, max_length, is_framed=is_framed and not is_output)
    except UnmaskError:
        raise
    except Exception as error:  # a tokenizer may raise anything
        raise TextError(f"the tokenizer cannot read this text: {first_line(error)}") from error


@contextmanager
def settings_kept(tokenizer: Any) -> Iterator[None]:
    """Restore the truncation and padding settings, which every call of a fast tokenizer resets."""
    if not tokenizer.is_fast:
        yield
        return
    backend = tokenizer.backend_tokenizer
    truncation, padding = backend.truncation, backend.padding
    try:
        yield
    finally:
        backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
        backend.no_padding() if padding is None else backend.enable_padding(**padding)


def _fast(
    tokenizer: Any, texts: Sequence[str], max_length: int | None, *, is_framed: bool, is_output: bool
) -> Tokenized:
    """Tokenize with a fast tokenizer, which returns the offsets itself."""
    given: dict[str, Any] = (
        {"text_target": texts[0]} if is_output else dict(zip(("text", "text_pair"), texts, strict=False))
    )
    with settings_kept(tokenizer):
        encoding = tokenizer(
            **given,
            add_special_tokens=is_framed,
            truncation=max_length is not None,
            max_length=max_length,
            padding=False,
            verbose=False,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        is_cut = _cut(tokenizer, texts, encoding) if encoding.encodings[0].overflowing else [False] * len(texts)
    sides = encoding.sequence_ids(0)
    encoding.pop("attention_mask", None)
    return Tokenized(
        tuple(encoding.pop("input_ids")),
        tuple(Span(*span) for span in encoding.pop("offset_mapping")),
        tuple(map(bool, encoding.pop("special_tokens_mask"))),
        tuple(side or 0 for side in sides),
        tuple(is_cut),
        {name: tuple(values) for name, values in encoding.items()},
    )


def _cut(tokenizer: Any, texts: Sequence[str], encoding: Any) -> list[bool]:
    """Which of the texts were truncated, given that at least one was."""
    if len(texts) == 1:
        return [True]
    left = [encoding.sequence_ids(0).count(segment) for segment in range(len(texts))]
    whole = [len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]) for text in texts]
    return [mine < all_of_it for mine, all_of_it in zip(left, whole, strict=True)]


def _through_pieces(tokenizer: Any, texts: Sequence[str], max_length: int | None, *, is_framed: bool) -> Tokenized:
    """Tokenize by aligning pieces. Negative placeholder ids show where the tokenizer puts the tokens of the texts."""
    read = [read_pieces(tokenizer, text) for text in texts]
    known = [
        (one, span, segment) for segment, (ids, spans) in enumerate(read) for one, span in zip(ids, spans, strict=True)
    ]
    sizes = [len(ids) for ids, _ in read]
    stands = [-1 - at for at in range(len(known))]
    framed = tokenizer.prepare_for_model(
        stands[: sizes[0]],
        stands[sizes[0] :] if len(texts) > 1 else None,
        add_special_tokens=is_framed,
        truncation=max_length is not None,
        max_length=max_length,
        padding=False,
        return_attention_mask=False,
        verbose=False,
    )
    order = framed.pop("input_ids")
    tokens = [known[-1 - one] if one < 0 else (one, Span(0, 0), 0) for one in order]
    kept = [sum(one < 0 and known[-1 - one][2] == segment for one in order) for segment in range(len(texts))]
    ids, spans, segments = zip(*tokens, strict=True) if tokens else ((), (), ())
    return Tokenized(
        tuple(ids),
        tuple(spans),
        tuple(one >= 0 for one in order),
        tuple(segments),
        tuple(mine < size for mine, size in zip(kept, sizes, strict=True)),
        {name: tuple(values) for name, values in framed.items()},
    )
