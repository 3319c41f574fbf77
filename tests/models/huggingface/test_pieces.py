"""Spans of sentencepiece's pieces: against a fast tokenizer of the same model, against Unicode's tables, by hand."""

import unicodedata
from typing import Any

import pytest
import transformers
from support import tiny_sentencepiece as tiny
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from unmask.errors import ModelError, TextError
from unmask.models.huggingface.offsets import tokenize
from unmask.models.huggingface.pieces import piece_spans, processor_of, read_pieces
from unmask.models.huggingface.tokenizer import TokenizerReader
from unmask.text.spans import Span, trim

KINDS = ("unigram", "bpe")
PLAIN = [
    "the film is not bad",
    "der Film ist größer als Käse",
    "  the  film   is ",
    "a lovely 😀 friendship 👩‍👩‍👧 at all",
    "naïve漢字food",
    "it isn't, of 12...",
    "x",
]
CHANGED = ["ＡＢＣ is ﬁlm", "the ﬁlm… of ①② at all", "ﬃ", "naı̈ve ﷺ x", "a\tb\nc", "½ of ℡", "a\u3000b\u00a0c"]


def strings(processor: Any, text: str) -> list[str]:
    return processor.encode(text, out_type=str)  # type: ignore[no-any-return]


def seen(text: str, spans: list[Span]) -> list[tuple[int, int]]:
    """The visible part of every span; one of spaces alone is as good anywhere."""
    parts = [trim(text, span) for span in spans]
    return [(part.start, part.end) if part.start < part.end else (-1, -1) for part in parts]


def fast(processor: Any) -> Tokenizer:
    """The same model for the fast library, which finds offsets in its own way; it normalizes spaces only."""
    scores = [(processor.id_to_piece(at), processor.get_score(at)) for at in range(processor.get_piece_size())]
    made = Tokenizer(models.Unigram(scores, unk_id=processor.unk_id()))
    made.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    return made


@pytest.mark.parametrize("text", PLAIN)
def test_spans_are_those_of_a_fast_tokenizer(text: str) -> None:
    processor = tiny.processor(normalization_rule_name="identity")
    pieces, found = strings(processor, text), fast(processor).encode(text)
    assert [processor.piece_to_id(piece) for piece in pieces] == found.ids
    assert seen(text, piece_spans(processor, text, pieces)) == seen(text, [Span(*one) for one in found.offsets])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", [*PLAIN, *CHANGED])
def test_spans_are_those_of_characters_normalized_one_by_one(text: str, kind: str) -> None:
    """NFKC of one character at a time tells which ones each normalized character comes from."""
    processor = tiny.processor(kind, normalization_rule_name="nfkc")
    sources = [(one, at) for at, character in enumerate(text) for one in unicodedata.normalize("NFKC", character)]
    pieces = strings(processor, text)
    spans, done = list[Span](), 0
    for piece in pieces:
        own = list[int]()
        for character in piece:
            while sources[done][0] == " " and (character != "▁" or text[sources[done][1]].isspace()):
                done += 1
            if sources[done][0].replace(" ", "▁") == character:  # else a space of the text, or in front of it
                own.append(sources[done][1])
                done += 1
            else:
                assert character == "▁"
        spans.append(Span(own[0], own[-1] + 1) if own else Span(0, 0))
    expected, found = seen(text, spans), seen(text, piece_spans(processor, text, pieces))
    if pieces[0] == "▁":  # the space in front of a text stands at its first character
        assert found[0][0] == expected[1][0]
        found[0] = (-1, -1)
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("größer  als", ["g", "r", "ö", "ß", "e", "r", "  al", "s"]),
        ("e\u0301 ﬁlm", ["e\u0301", " ﬁ", "ﬁ", "l", "m"]),  # a ligature in two pieces is in both
        ("Käse 😀", ["K", "ä", "s", "e", " ", "😀"]),
        ("ＡＢＣ", ["ＡＢＣ"]),  # unknown characters are one piece
    ],
)
def test_spans_by_hand(text: str, expected: list[str]) -> None:
    processor = tiny.processor()
    spans = piece_spans(processor, text, pieces := strings(processor, text))
    found = [text[slice(*span)] for span in spans]
    assert found[1 if pieces[0] == "▁" else 0 :] == expected


def test_bytes_of_one_character_each_have_all_of_it() -> None:
    processor = tiny.processor("bpe", 400, byte_fallback=True)
    pieces = strings(processor, text := "the 😀漢")
    assert pieces[-7:] == [f"<0x{one:02X}>" for one in "😀漢".encode()]
    assert [text[slice(*span)] for span in piece_spans(processor, text, pieces)][-7:] == ["😀"] * 4 + ["漢"] * 3


@pytest.mark.parametrize("name", ["marian", "m2m100"])
@pytest.mark.parametrize("text", [*PLAIN, *CHANGED, "the</s> film"])
def test_ids_are_the_tokenizers_own(name: str, text: str) -> None:
    tokenizer = tiny.tokenizer(name)
    assert list(tokenize(tokenizer, text).ids) == tokenizer(text)["input_ids"]
    assert (
        list(tokenize(tokenizer, text, is_output=True).ids)
        == tokenizer(text_target=text)["input_ids"][0 if name == "marian" else 1 : -1]
    )
    assert processor_of(tokenizer) is (tokenizer.spm_source if name == "marian" else tokenizer.sp_model)


def test_language_codes_and_added_tokens_stand_as_they_are() -> None:
    text = ">>fr<< the film</s>"
    ids, spans = read_pieces(tiny.tokenizer("marian"), text)
    assert [text[slice(*span)] for span in (spans[0], spans[-1])] == [">>fr<<", "</s>"]
    assert ids[0] == tiny.tokenizer("marian").convert_tokens_to_ids(">>fr<<")
    found = tokenize(tiny.tokenizer("m2m100"), "the film")
    assert found.added == (True, *[False] * (len(found.ids) - 2), True)


@pytest.mark.parametrize("side", ["right", "left"])
def test_a_long_text_is_cut_and_told(side: str) -> None:
    tokenizer, text = tiny.tokenizer("marian"), "the film is not bad at all"
    whole = tokenize(tokenizer, text)
    tokenizer.truncation_side = side
    try:
        found = TokenizerReader(tokenizer, model_type="marian", rows=lambda: 999).encode(text, max_length=6)
        assert list(found.ids) == tokenizer(text, truncation=True, max_length=6)["input_ids"]
    finally:
        tokenizer.truncation_side = "right"
    (segment,) = found.segments
    kept = whole.spans[:5] if side == "right" else whole.spans[-6:-1]
    expected = (0, kept[-1].end) if side == "right" else (kept[0].start, len(text))
    assert (segment.is_cut, tuple(segment.read)) == (True, expected)


def test_a_pair_is_read_as_the_tokenizer_reads_it() -> None:
    tokenizer, pair = tiny.tokenizer("m2m100"), ("the film is", "not bad at all")
    found = tokenize(tokenizer, *pair, max_length=9)
    assert list(found.ids) == tokenizer(*pair, truncation=True, max_length=9)["input_ids"]
    assert any(found.is_cut)
    assert {segment for segment, added in zip(found.segments, found.added, strict=True) if not added} == {0, 1}


def test_what_a_tokenizer_changes_by_itself_is_refused() -> None:
    with pytest.raises(TextError, match="changes this text before sentencepiece reads it"):
        piece_spans(tiny.processor(), "the film", ["▁film"])


def test_a_slow_tokenizer_without_sentencepiece_is_refused() -> None:
    with pytest.raises(ModelError, match="without a sentencepiece model, so its tokens cannot be mapped to characters"):
        TokenizerReader(transformers.ByT5Tokenizer(), model_type="t5", rows=lambda: 999)
