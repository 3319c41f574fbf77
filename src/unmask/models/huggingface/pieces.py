"""Offsets for tokenizers that are built on sentencepiece and report no offsets, such as those of Marian and M2M100.

Sentencepiece reports which character of the text each normalized character comes from. The pieces of a text consist of
its normalized characters, so their offsets follow. If the pieces do not match the normalized text, an error is raised:
the tokenizer has changed the text in a way that sentencepiece does not know about.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...errors import TextError
from ...text.spans import Span

BYTE = re.compile(r"<0x([0-9A-F]{2})>")  # a piece that stands for one byte of a character
SPACE = "▁"


def processor_of(tokenizer: Any) -> Any:
    """The sentencepiece model that will read the next text; None if the tokenizer has none."""
    found = getattr(tokenizer, "current_spm", None) or getattr(tokenizer, "sp_model", None)
    return found if hasattr(found, "normalize") else None


@contextmanager
def reading_outputs(tokenizer: Any) -> Iterator[None]:
    """Read texts as outputs of the model, for which the tokenizer may have a second sentencepiece model."""
    has_modes = hasattr(tokenizer, "_switch_to_target_mode") and getattr(tokenizer, "tgt_lang", "") is not None
    if not has_modes:
        yield
        return
    tokenizer._switch_to_target_mode()
    try:
        yield
    finally:
        tokenizer._switch_to_input_mode()


def read_pieces(tokenizer: Any, text: str) -> tuple[list[int], list[Span]]:
    """The ids of a text's tokens, without those that a template adds, and their spans."""
    pieces: list[str] = tokenizer.tokenize(text)
    spans, done, run = list[Span](), 0, list[str]()
    marks = _marks(tokenizer, text)
    for piece in pieces:
        start = text.find(piece, done) if piece in marks else -1
        if start < 0:
            run.append(piece)
            continue
        spans += _shifted(piece_spans(processor_of(tokenizer), text[done:start], run), done)
        spans.append(Span(start, start + len(piece)))
        done, run = start + len(piece), []
    spans += _shifted(piece_spans(processor_of(tokenizer), text[done:], run), done)
    return tokenizer.convert_tokens_to_ids(pieces), spans


def piece_spans(processor: Any, text: str, pieces: Sequence[str]) -> list[Span]:
    """The span of each piece in the text; if several pieces divide one character, each gets the whole character.

    A space that the tokenizer adds in front of a text is placed at the text's first character.
    """
    normalized, origins = processor.normalize(text, with_offsets=True)
    content = _content(pieces)
    missing = content.removesuffix(normalized.encode())  # a space that the tokenizer itself adds
    if missing and missing != content and missing.decode(errors="replace").strip(SPACE) == "":
        added = len(missing.decode())
        normalized, origins = SPACE * added + normalized, [origins[0]] * added + list(origins)
    if content != normalized.encode():
        raise TextError(
            "the tokenizer changes this text before sentencepiece reads it, so its tokens have no place in the text",
            hint="write the text as the tokenizer changes it, or use a model with a fast tokenizer",
        )
    owners = [at for at, character in enumerate(normalized) for _ in character.encode()]
    ends = _ends(origins)
    spans, done = list[Span](), 0
    for size in map(len, map(_bytes, pieces)):
        spans.append(Span(origins[owners[done]], ends[owners[done + size - 1]]))
        done += size
    return spans


def fingerprint(tokenizer: Any) -> Iterator[bytes]:
    """Everything about such a tokenizer that can change its tokens."""
    for name in ("sp_model", "spm_source", "spm_target"):
        if (model := getattr(tokenizer, name, None)) is not None:
            yield model.serialized_model_proto()
    yield repr(sorted(tokenizer.get_vocab().items())).encode()
    languages = [getattr(tokenizer, name, None) for name in ("src_lang", "tgt_lang", "source_lang", "target_lang")]
    yield repr([sorted(map(str, tokenizer.all_special_tokens)), languages]).encode()


def _marks(tokenizer: Any, text: str) -> Collection[str]:
    """Tokens that the tokenizer finds in the text literally, before sentencepiece reads the rest."""
    codes = tokenizer.remove_language_code(text)[0] if hasattr(tokenizer, "remove_language_code") else ()
    return {*tokenizer.added_tokens_encoder, *tokenizer.all_special_tokens, *codes}


def _shifted(spans: Sequence[Span], by: int) -> Iterator[Span]:
    return (Span(start + by, end + by) for start, end in spans)


def _content(pieces: Sequence[str]) -> bytes:
    return b"".join(map(_bytes, pieces))


def _bytes(piece: str) -> bytes:
    byte = BYTE.fullmatch(piece)
    return piece.encode() if byte is None else bytes.fromhex(byte[1])


def _ends(origins: Sequence[int]) -> list[int]:
    """Where the source of each normalized character ends, which is where the source of the next one begins."""
    ends, following = list[int](), origins[-1]
    for at in range(len(origins) - 2, -1, -1):
        following = origins[at + 1] if origins[at + 1] > origins[at] else following
        ends.append(following)
    return ends[::-1]
