"""What a word is, and what a sentence is."""

import time
import timeit

import pytest

from unmask.errors import ArgumentError
from unmask.text.segmentation import UNITS, check_unit, sentences, words
from unmask.text.spans import Span, trim

LONGER, ROUNDS = 16, 5


def growth(rule: object, text: str) -> float:
    """The work on one text sixteen times as long, over that on sixteen texts: 1 for a linear rule, 16 for a quadratic.

    Both sides take about as long and take turns, so that a busy machine slows both; the smallest of five rounds counts.
    """

    def seconds(text: str, times: int) -> float:
        whole = Span(0, len(text))
        return timeit.timeit(lambda: rule(text, whole), time.process_time, number=times)  # type: ignore[operator]

    return min(seconds(LONGER * text, 1) / seconds(text, LONGER) for _ in range(ROUNDS))


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


@pytest.mark.parametrize("text", ["a. ", "x", "a-", "1.", ".", "(", "!(", " ", "中", "ก", "...a", ". 1", "'-", "1,"])
@pytest.mark.parametrize("rule", [words, sentences])
def test_the_work_grows_with_the_length_alone(rule: object, text: str) -> None:
    assert growth(rule, text * 2_000) < LONGER / 4


def test_an_unknown_unit_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="unknown unit 'words'; did you mean 'word'"):
        check_unit("words")
    with pytest.raises(ArgumentError, match="needs spans"):
        check_unit("span")
    for unit in UNITS:
        check_unit(unit)
