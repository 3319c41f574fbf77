"""How wide characters are, about: the fonts of a viewer are not known when a picture is written."""

import unicodedata
from functools import cache

import regex

# In ems; between the sans-serif fonts that systems come with.
LATIN = {
    0.22: "'",
    0.25: "ijl",
    0.3: " ,./:;I[\\]ft|·’‘",
    0.35: "!()-r",
    0.4: '"J`°“”',
    0.45: "*{}",
    0.5: "csz",
    0.55: "?L_kvxy–",
    0.6: "$0123456789FT^abdeghnopqu",
    0.65: "#ABEKPSVXYZ",
    0.7: "&+<=>CR~",
    0.75: "DHNUw▲▼",
    0.8: "GOQ",
    0.85: "M",
    0.9: "%m",
    0.95: "W",
    1.0: "@—…",
}
# In ems, joined within words.
ARABIC = {
    0.25: "اأإآٱ",
    0.4: "ءئرزژـلنهي",
    0.45: "بتثپدوی",
    0.55: "عغفقمة",
    0.6: "ذكىکگ",
    0.65: "ؤجحخچ",
    0.75: "طظ",
    0.95: "سشصض",
}
WIDTHS = {
    character: width for table in (LATIN, ARABIC) for width, characters in table.items() for character in characters
}
BOLD = 1.1  # of the width of what is not bold
EMOJI = 1.25
WIDE = 1.0
NARROW_SCRIPT = 0.5  # letters that are joined, or small
SYMBOL = 0.85
OTHER = 0.62

_CLUSTER = regex.compile(r"\X")
_EMOJI = regex.compile(r"\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}")
_ZERO = regex.compile(r"[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]")
_SYMBOL = regex.compile(r"[\p{So}\p{Sm}]")
_NARROW = regex.compile(r"[\p{Arabic}\p{Hebrew}\p{Syriac}]")


def clusters(text: str) -> list[str]:
    """The text in characters as people see them: letters with their marks, joined emoji, syllables.

    >>> len(clusters("cafe" + chr(0x301)))
    4
    """
    return _CLUSTER.findall(text)


@cache
def advance(cluster: str) -> float:
    """The width of one visible character, in ems."""
    if _EMOJI.search(cluster):
        return EMOJI
    return sum(map(_advance, cluster))


def _advance(character: str) -> float:
    if character in WIDTHS:
        return WIDTHS[character]
    if _ZERO.match(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    if _NARROW.match(character) or unicodedata.category(character) == "Mc":
        return NARROW_SCRIPT
    if _SYMBOL.match(character):
        return SYMBOL
    base = unicodedata.normalize("NFD", character)[0]
    return WIDTHS.get(base, OTHER)
