"""Texts made safe for a terminal, a page or a picture: characters that would steer it are spelled out."""

import unicodedata

KEPT = "\n\u200c\u200d"  # line breaks, and the joiners inside words and emoji
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
NO_CHARACTERS = "\ufffe\uffff"  # XML does not allow them


def shown(text: str) -> str:
    """The text with control, direction and format characters spelled out; line breaks stay, tabs become blanks.

    >>> print(shown("red: " + chr(27) + "[31m"))
    red: \\x1b[31m
    """
    return "".join(map(_shown, text.replace("\r\n", "\n").replace("\t", "    ")))


def _shown(character: str) -> str:
    steers = unicodedata.category(character) in STEERING or character in NO_CHARACTERS
    if character in KEPT or not steers:
        return character
    return character.encode("unicode_escape", errors="backslashreplace").decode("ascii")
