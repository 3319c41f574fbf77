"""Rules that split a text into units, from tokens to messages, without dictionaries."""

from collections.abc import Callable, Sequence

import regex

from ..errors import ArgumentError, unknown
from .spans import Span, gaps, is_visible

GIVEN = "span"  # the name of units that the caller gives as character spans


def check_unit(unit: str) -> None:
    """Reject an unknown unit."""
    if unit == GIVEN:
        raise ArgumentError("unit 'span' needs spans: Request(text, spans=[(3, 9)])")
    if not isinstance(unit, str) or unit not in UNITS:
        raise unknown("unit", unit, UNITS)


def words(text: str, part: Span, _tokens: Sequence[Span] = ()) -> list[Span]:
    """Words and punctuation.

    A word is a run of letters, digits and marks. It may contain hyphens and apostrophes; a number may contain periods
    and commas. Any other character, together with its repetitions, is a unit. In scripts without spaces between words,
    a word is what Unicode's rule (UAX #29) finds without a dictionary: one Chinese character; one hiragana; a run of
    katakana; or one Thai, Lao, Khmer or Burmese letter with its vowels and marks. Words that the tokenizer joins into
    one token become one unit, so with most tokenizers the words of such a text are its tokens.

    >>> text = "A well-made film, isn't it? 3.5 stars..."
    >>> [text[start:end] for start, end in words(text, Span(0, len(text)))]
    ['A', 'well-made', 'film', ',', "isn't", 'it', '?', '3.5', 'stars', '...']
    """
    return [Span(*match.span()) for match in WORD.finditer(text, *part)]


def sentences(text: str, part: Span, _tokens: Sequence[Span] = ()) -> list[Span]:
    """Sentences according to Unicode's rule (UAX #29), with three additions.

    By that rule, a sentence ends at the end of a line, after characters such as ! ? 。, or after a period that is not
    followed by a lower-case letter or a digit. The additions: a period after a title (Dr. Who) or an initial (J. Doe)
    does not end a sentence. A period between spaces, as in tokenized corpora, always does. A quoted or bracketed ! or ?
    does not if the sentence continues in lower case.

    >>> text = 'It cost 3.5 mln. "Why?" asked Dr. Who. Nobody knew'
    >>> [text[start:end] for start, end in sentences(text, Span(0, len(text)))]
    ['It cost 3.5 mln. ', '"Why?" asked Dr. Who. ', 'Nobody knew']
    """
    ends = [match.end() for match in SENTENCE_END.finditer(text, *part)]
    return gaps(part, [Span(end, end) for end in ends])


def paragraphs(text: str, part: Span, _tokens: Sequence[Span] = ()) -> list[Span]:
    r"""Paragraphs, separated by blank lines.

    >>> text = "One line.\nAnother.\n \nA paragraph"
    >>> [text[start:end] for start, end in paragraphs(text, Span(0, len(text)))]
    ['One line.\nAnother.\n \n', 'A paragraph']
    """
    ends = [match.end() for match in PARAGRAPH_END.finditer(text, *part)]
    return gaps(part, [Span(end, end) for end in ends])


def whole_part(_text: str, part: Span, _tokens: Sequence[Span] = ()) -> list[Span]:
    """The whole part as one unit, such as a chat message or a document."""
    return [part]


def uncovered_characters(text: str, part: Span, tokens: Sequence[Span]) -> list[Span]:
    """The visible characters that no token covers; together with the tokens, they make up the `token` units."""
    return [Span(at, at + 1) for gap in gaps(part, tokens) for at in range(*gap) if is_visible(text[at])]


Rule = Callable[[str, Span, Sequence[Span]], list[Span]]  # (text, the part that can be masked, its tokens) -> spans
UNITS: dict[str, Rule] = {
    "token": uncovered_characters,
    "word": words,
    "sentence": sentences,
    "paragraph": paragraphs,
    "message": whole_part,
}
PARAGRAPH_END = regex.compile(r"\R(?:[^\S\n\r]*\R)+")

ALONE = r"[\p{Han}\p{Hiragana}\p{LB=SA}]"  # letters of scripts without spaces between words
KANA = r"[\p{Katakana}\u30fc\uff70\uff9e\uff9f]"
LETTER = rf"[[\p{{L}}\p{{N}}_]--{ALONE}--{KANA}]"
RUN = rf"{LETTER} [{LETTER}\p{{M}}\xad\u200c\u200d]*+"  # letters and digits with their marks and joiners

WORD = regex.compile(
    rf"""
    {RUN} (?: (?: ['’ʼ‐‑-] | (?<=\p{{N}})[.,](?=\p{{N}}) ) {RUN} )*+  # with a hyphen, an apostrophe, a number's point
    | (?: {KANA} \p{{M}}*+ )++
    | [\u0e40-\u0e44\u0ec0-\u0ec4]?+ (?={ALONE}) \X         # Thai and Lao write some vowels before their letter
    | {ALONE}
    | (?=\S)(?![\p{{Cc}}\p{{Cf}}\p{{Cs}}]) (\X)\1*+         # or one sign, or a run of it
    """,
    regex.VERBOSE | regex.V1,
)

TITLES = "Mr Mrs Ms Mx Dr Prof St Mt Gen Col Lt Sgt Capt Sen Rep Gov Rev Hon Pres Fr Hr Mme Mlle Sr Sra"

SENTENCE_END = regex.compile(
    rf"""
    (?(DEFINE)
        (?<line> [\p{{SB=Sep}}\p{{SB=CR}}\p{{SB=LF}}])
        (?<closing> [\p{{SB=Close}}--[\p{{Ps}}\p{{Pi}}]])        # no opening bracket or quote
        (?<more> [\p{{SB=SContinue}}\p{{SB=STerm}}\p{{SB=ATerm}}])
        (?<other> [^\p{{SB=OLetter}}\p{{SB=Upper}}\p{{SB=Lower}}\p{{SB=STerm}}\p{{SB=ATerm}}\p{{SB=Sep}}\r\n])
        (?<lower> (?&other)*+ \p{{SB=Lower}})
    )
    (?&line)
    | \p{{SB=STerm}} (?: (?&closing)++ \p{{SB=Sp}}*+ (?!(?&lower)) | (?!(?&closing)) \p{{SB=Sp}}*+ ) (?!(?&more))
    | (?<=\p{{SB=Sp}}) \p{{SB=ATerm}} (?=\s) \p{{SB=Sp}}*+
    | (?<! \b (?: \p{{Lu}} | {TITLES.replace(" ", " | ")} ) ) \p{{SB=ATerm}}
      (?!\p{{SB=Numeric}}) (?! (?<=[\p{{SB=Upper}}\p{{SB=Lower}}]\p{{SB=ATerm}}) \p{{SB=Upper}} )
      (?&closing)*+ \p{{SB=Sp}}*+ (?!(?&more)) (?!(?&lower))
    """,
    regex.VERBOSE | regex.V1,
)
