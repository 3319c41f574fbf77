"""What a word is, and what a sentence is."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import regex
from support.work import bytecodes, characters_read, unbounded_retries

import unmask.text
from unmask.errors import ArgumentError
from unmask.text.request import Request
from unmask.text.segmentation import GIVEN, SENTENCE_END, UNITS, WORD, check_unit, sentences, words
from unmask.text.spans import EncodedSegment, Span, Token, trim
from unmask.text.units import align_units, fixed_spans, select_units, span_warnings

# Repeated, they are what a rule might read again and again.
REPEATED = (
    "a. ",
    "x",
    "a-",
    "1.",
    ".",
    "(",
    "!(",
    " ",
    "中",
    "ก",
    "...a",
    ". 1",
    "'-",
    "1,",
    ".)",
    '. "',
    "!) ",
    "🇩🇪🇫🇷",
    "Mr. ",
)


GROWTH = 2.1  # of the work on a text twice as long: 2 if it is linear, 4 if it is quadratic


def units(unit: str, text: str) -> None:
    """Divide a text: one token per character; every ninth character is fixed, and a span between them may be given."""
    segment = EncodedSegment(text, Span(0, len(text)))
    tokens = [Token(Span(at, at + 1)) for at in range(len(text))]
    fixed = [(at, at + 1) for at in range(8, len(text), 9)]
    given = [(at, at + 5) for at in range(1, len(text) - 5, 9)] if unit == GIVEN else None
    selection = select_units(Request(text, fixed=fixed, spans=given), unit=unit)
    if trim(text, segment.read) != (len(text), len(text)):  # a blank text has no unit
        span_warnings(align_units([segment], tokens, selection), selection)
        fixed_spans([segment], tokens, selection)


def growth(divide: Callable[[str], object], text: str) -> float:
    """The bytecodes for a text, over those for one of half its length."""
    folder = str(Path(unmask.text.__file__).parent)
    shorter, longer = (bytecodes(partial(divide, (text * size)[:size]), folder) for size in (300, 600))
    return longer / shorter


def split(rule: object, text: str) -> list[str]:
    """The spans of a rule, without the blanks around them."""
    found = rule(text, Span(0, len(text)))  # type: ignore[operator]
    return [text[slice(*trim(text, span))] for span in found if trim(text, span) != (span.end, span.end)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A well-made film.", ["A", "well-made", "film", "."]),
        ("don't isn’t rock'n'roll", ["don't", "isn’t", "rock'n'roll"]),
        ("'quoted' -dash- a--b", ["'", "quoted", "'", "-", "dash", "-", "a", "--", "b"]),
        ("3.5 stars, 1,000 times... no?!", ["3.5", "stars", ",", "1,000", "times", "...", "no", "?", "!"]),
        ("good.The end", ["good", ".", "The", "end"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        (
            "👩\u200d👩\u200d👧 👍🏽👍🏽 🇩🇪🇫🇷 1\ufe0f\u20e3",
            ["👩\u200d👩\u200d👧", "👍🏽👍🏽", "🇩🇪", "🇫🇷", "1\ufe0f\u20e3"],
        ),
        ("e\u0301tude nai\u0308ve", ["e\u0301tude", "nai\u0308ve"]),
        ("我喜欢这部电影。3个", ["我", "喜", "欢", "这", "部", "电", "影", "。", "3", "个"]),
        ("哈哈 ok", ["哈", "哈", "ok"]),
        ("映画が楽しい、スーパー!", ["映", "画", "が", "楽", "し", "い", "、", "スーパー", "!"]),
        ("ไม่ดีเลย ๑๒", ["ไม่", "ดี", "เล", "ย", "๑๒"]),
        ("ລາວ 한국어 영화", ["ລ", "າ", "ວ", "한국어", "영화"]),
        ("الفيلم جميل، جدا", ["الفيلم", "جميل", "،", "جدا"]),
        ("<br /><br />", ["<", "br", "/", ">", "<", "br", "/", ">"]),
    ],
)
def test_words_are_what_people_see(text: str, expected: list[str]) -> None:
    assert split(words, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is dull. It is long!  Is it?", ["It is dull.", "It is long!", "Is it?"]),
        ("Dr. Who met J. R. Smith. They left.", ["Dr. Who met J. R. Smith.", "They left."]),
        (
            "It cost 3.5 mln. in U.S.A. and example.com said so.",
            ["It cost 3.5 mln. in U.S.A. and example.com said so."],
        ),
        ('He said "No." Then (why?) he left...', ['He said "No."', "Then (why?) he left..."]),
        ("Wow!!! Really?! Yes", ["Wow!!!", "Really?!", "Yes"]),
        ("a lovely film . it is good . ", ["a lovely film .", "it is good ."]),
        ("one line\nanother\r\nthird\u2028fourth", ["one line", "another", "third", "fourth"]),
        ("我喜欢。你呢？“好！”他说。", ["我喜欢。", "你呢？", "“好！”", "他说。"]),
        ("الفيلم جيد؟ نعم. جدا", ["الفيلم جيد؟", "نعم.", "جدا"]),
        ("यह अच्छा है। वह भी।", ["यह अच्छा है।", "वह भी।"]),
        ("no end", ["no end"]),
        ("...", ["..."]),
        ("", []),
    ],
)
def test_sentences_end_where_people_end_them(text: str, expected: list[str]) -> None:
    assert split(sentences, text) == expected


def test_only_the_part_that_was_read_is_divided() -> None:
    text = "Good. Bad. Ugly."
    assert [text[slice(*span)] for span in sentences(text, Span(6, 14))] == ["Bad. ", "Ugl"]
    assert [text[slice(*span)] for span in words(text, Span(1, 8))] == ["ood", ".", "Ba"]


def test_no_pattern_tries_a_repetition_again() -> None:
    for pattern in (WORD, SENTENCE_END):
        assert unbounded_retries(pattern.pattern) == []


@pytest.mark.parametrize("text", REPEATED)
@pytest.mark.parametrize("pattern", [WORD, SENTENCE_END], ids=["words", "sentences"])
def test_the_work_of_a_pattern_grows_with_the_length_alone(pattern: "regex.Pattern[str]", text: str) -> None:
    shorter, longer = ((text * size)[:size] for size in (48, 96))
    assert characters_read(pattern, longer) < GROWTH * characters_read(pattern, shorter)


@pytest.mark.parametrize("text", REPEATED)
@pytest.mark.parametrize("unit", [*UNITS, GIVEN])
def test_the_work_of_a_rule_grows_with_the_length_alone(unit: str, text: str) -> None:
    assert growth(partial(units, unit), text) < GROWTH


def test_work_that_grows_with_the_square_is_noticed() -> None:
    def scanning(text: str) -> list[int]:
        return [at for at in range(len(text)) if all(text[before] != "." for before in range(at))]

    assert bytecodes(lambda: scanning("x" * 400), __file__) > 3.9 * bytecodes(lambda: scanning("x" * 200), __file__)
    looking_ahead = regex.compile(r"x (?! [^a]*+ a)", regex.VERBOSE)
    assert unbounded_retries(looking_ahead.pattern) == []
    assert characters_read(looking_ahead, "x" * 96) > 3.8 * characters_read(looking_ahead, "x" * 48)
    assert unbounded_retries(r"(?: x+ )++ [.*] y{2,}+ \* # a*") == ["(?: x+"]
    assert unbounded_retries(r"a{2,} b") == ["a{2,}"]


def test_an_unknown_unit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="unknown unit 'words'; did you mean 'word'"):
        check_unit("words")
    with pytest.raises(ArgumentError, match="needs spans"):
        check_unit("span")
    for unit in UNITS:
        check_unit(unit)
