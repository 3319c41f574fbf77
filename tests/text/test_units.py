"""From tokens to units: by a rule, as given, around what is fixed, in both texts of a pair."""

import re
from itertools import pairwise

import pytest

from unmask.errors import ArgumentError, TextError
from unmask.text.request import Request
from unmask.text.spans import EncodedSegment, Span, Token
from unmask.text.units import AlignedUnit, UnitSelection, align_units, select_units, span_warnings


def groups_of(text: str, tokens: list[Token], unit: str = "word", read: Span | None = None) -> tuple[AlignedUnit, ...]:
    return align_units([EncodedSegment(text, read or Span(0, len(text)))], tokens, UnitSelection(unit))


def split(text: str, tokens: list[Token], unit: str = "word") -> list[str]:
    return [text[slice(*group.span)] for group in groups_of(text, tokens, unit)]


def characters(text: str) -> list[Token]:
    """A tokenizer of single characters."""
    return [Token(Span(at, at + 1)) for at in range(len(text))]


def pieces(text: str, *cuts: int) -> list[Token]:
    """Tokens between the cuts."""
    edges = [0, *cuts, len(text)]
    return [Token(Span(*edge)) for edge in pairwise(edges)]


def test_a_word_owns_all_its_tokens() -> None:
    text = "well-made film"
    groups = groups_of(text, pieces(text, 4, 5, 9, 10), "word")
    assert [group.tokens for group in groups] == [(0, 1, 2), (4,)]  # token 3 is the blank


def test_a_token_that_joins_two_words_makes_them_one() -> None:
    text = "it's fine."
    assert split(text, pieces(text, 4, 5)) == ["it's", "fine."]


def test_tokens_of_one_span_are_one_unit() -> None:
    text = "ok 😀"
    tokens = [Token(Span(0, 2)), *[Token(Span(2, 4))] * 4]
    groups = groups_of(text, tokens, "token")
    assert [group.tokens for group in groups] == [(0,), (1, 2, 3, 4)]


def test_distinct_tokens_stay_apart() -> None:
    assert split("films", pieces("films", 4), unit="token") == ["film", "s"]


def test_blanks_inside_a_span_are_not_part_of_the_unit() -> None:
    text = "a  film"
    assert split(text, pieces(text, 1), unit="token") == ["a", "film"]


def test_special_tokens_never_move_and_typed_ones_do() -> None:
    text = "[MASK]"
    tokens = [Token(Span(0, 0), special=True), Token(Span(0, 6)), Token(Span(0, 0), special=True)]
    (group,) = groups_of(text, tokens, "token")
    assert group.tokens == (1,)


def test_characters_that_the_tokenizer_drops_join_their_neighbor() -> None:
    text = "\ufffda b\ufffd"
    tokens = [Token(Span(1, 2)), Token(Span(3, 4))]
    assert split(text, tokens, unit="token") == ["\ufffda", "b\ufffd"]
    assert split(text, tokens, unit="word") == ["\ufffda", "b\ufffd"]


def test_what_was_cut_off_belongs_to_no_unit() -> None:
    text = "good beautifully bad"
    tokens = [Token(Span(0, 4)), Token(Span(5, 11))]
    groups = groups_of(text, tokens, read=Span(0, 11))
    assert [text[group.span.start : group.span.end] for group in groups] == ["good", "beauti"]


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "\x07"])
def test_a_text_without_visible_characters_has_no_unit(text: str) -> None:
    with pytest.raises(TextError, match="no unit"):
        groups_of(text, characters(text), "word")


def test_invisible_characters_are_no_part_of_a_word() -> None:
    text = "or\u00addinary\u200d film\ufeff"
    assert split(text, characters(text)) == ["or\u00addinary", "film"]
    assert split("a\u200bb", characters("a\u200bb")) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\U0001f468\u200d\U0001f469 ok", [(0, 1, 2), (4, 5)]),  # a joiner inside an emoji
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f ok", [(0, 1, 2, 3), (5, 6)]),  # a flag that ends in tags
        ("\U000e0067\U000e007f ok", [(3, 4)]),  # tags of nothing
        ("\u200da\u200d b", [(1,), (4,)]),  # joiners around a word are in no unit
    ],
)
def test_an_invisible_token_inside_a_unit_moves_with_it(text: str, expected: list[tuple[int, ...]]) -> None:
    assert [group.tokens for group in groups_of(text, characters(text))] == expected


def test_a_second_space_moves_inside_a_span_and_stays_between_two() -> None:
    text = "a  b  c"
    selection = select_units(Request(text, spans=[(0, 4), (6, 7)]), unit="word")
    groups = align_units([EncodedSegment(text, Span(0, 7))], characters(text), selection)
    assert [group.tokens for group in groups] == [(0, 1, 2, 3), (6,)]


def test_an_empty_token_moves_between_two_tokens_of_its_unit_alone() -> None:
    tokens = [Token(Span(0, 0)), Token(Span(0, 2)), Token(Span(2, 2)), Token(Span(2, 4)), Token(Span(4, 4))]
    (group,) = groups_of("good", tokens)
    assert group.tokens == (1, 2, 3)


def chosen(text: str, spans: object = None, fixed: object = (), unit: str = "word") -> list[str]:
    """The units of a text whose tokens are its words and signs."""
    tokens = [Token(Span(*match.span())) for match in re.finditer(r"\w+|[^\w\s]", text)]
    selection = select_units(Request(text, spans=spans, fixed=fixed), unit=unit)  # type: ignore[arg-type]
    return [
        text[slice(*group.span)] for group in align_units([EncodedSegment(text, Span(0, len(text)))], tokens, selection)
    ]


def test_given_spans_are_the_units_and_the_rest_is_context() -> None:
    text = "a truly lovely film, not dull"
    assert chosen(text, [(21, 29), (2, 14)]) == ["truly lovely", "not dull"]


def test_a_span_that_cuts_a_token_is_widened_to_it() -> None:
    assert chosen("a truly lovely film", [(4, 11)]) == ["truly lovely"]
    assert chosen("a truly lovely film", [(2, 8)]) == ["truly "]  # a blank at its end is the caller's


def test_spans_that_share_a_token_move_as_one_and_it_is_said() -> None:
    selection = select_units(Request("lovely", spans=[(0, 3), (3, 6)]), unit="word")
    (group,) = groups = align_units([EncodedSegment("lovely", Span(0, 6))], [Token(Span(0, 6))], selection)
    assert group == AlignedUnit(Span(0, 6), (0,))
    assert span_warnings(groups, selection) == [
        "the spans 3 to 6 share a token with the preceding span and are masked with it"
    ]


def test_a_span_of_nothing_that_can_move_has_no_score_and_it_is_said() -> None:
    text = "lovely   film"
    selection = select_units(Request(text, spans=[(0, 6), (7, 8), (9, 13)]), unit="word")
    groups = align_units([EncodedSegment(text, Span(0, 6))], [Token(Span(0, 6))], selection)
    assert [group.span for group in groups] == [(0, 6)]
    (note,) = span_warnings(groups, selection)
    assert note.startswith("the spans 7 to 8, 9 to 13 have no score: the model reads none of their text")
    with pytest.raises(TextError, match="no visible character of the given spans"):
        chosen(text, [(7, 8)])


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 3), (2, 5)], "the spans 0 to 3 and 2 to 5 overlap"),
        ([(3, 3)], r"\(3, 3\) is empty: the end must be after the start"),
        ([(5, 2)], "is empty"),
        ([(0, 9)], "is not inside"),
        ([(-3, 2)], "is not inside"),
        ([(0, 2, 1)], "refers to text 1: there is no second text"),
        ([(0,)], r"must be \(start, end\)"),
        ([(0.5, 2)], r"must be \(start, end\)"),
        ([3], r"must be \(start, end\)"),
        (["ab"], r"must be \(start, end\)"),
    ],
)
def test_spans_that_are_none_are_refused(spans: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        chosen("a b c de", spans)
    with pytest.raises(ArgumentError, match=message):
        chosen("a b c de", fixed=spans)


def test_given_and_fixed_spans_may_not_overlap() -> None:
    with pytest.raises(ArgumentError, match="overlap"):
        chosen("a b c de", [(0, 3)], [(2, 5)])


def test_fixed_spans_never_move() -> None:
    assert chosen("Review: a lovely film", fixed=[(0, 8)]) == ["a", "lovely", "film"]
    assert chosen("a lovely film", fixed=[(4, 5)]) == ["a", "film"]  # widened to its token


def test_a_fixed_span_divides_the_unit_that_it_is_in() -> None:
    text = "Marie units it dull. So did we."
    assert chosen(text, fixed=[(12, 14)], unit="sentence") == ["Marie units", "dull.", "So did we."]


def test_a_text_that_is_all_fixed_has_no_unit() -> None:
    with pytest.raises(TextError, match="no unit"):
        chosen("a film", fixed=[(0, 6)])


def test_each_text_of_a_pair_has_units_of_its_own() -> None:
    texts = ["a film", "film it is"]
    segments = [EncodedSegment(text, Span(0, len(text))) for text in texts]
    tokens = [
        Token(Span(0, 0), special=True),
        Token(Span(0, 1)),
        Token(Span(2, 6)),
        Token(Span(0, 0), special=True),
        Token(Span(0, 4), segment=1),
        Token(Span(5, 7), segment=1),
        Token(Span(8, 10), segment=1),
    ]
    units = align_units(segments, tokens, UnitSelection("word"))
    assert [(group.segment, texts[group.segment][slice(*group.span)], group.tokens) for group in units] == [
        (0, "a", (1,)),
        (0, "film", (2,)),
        (1, "film", (4,)),
        (1, "it", (5,)),
        (1, "is", (6,)),
    ]
    selection = select_units(
        Request(texts[0], text_pair=texts[1], spans=[(0, 4, 1), (0, 6)], fixed=[(5, 7, 1)]), unit="word"
    )
    assert [(group.segment, group.tokens) for group in align_units(segments, tokens, selection)] == [
        (0, (1, 2)),
        (1, (4,)),
    ]
