"""Texts made safe to send to a terminal: what would steer it is shown instead."""

import unicodedata

JOINERS = "\u200c\u200d"  # inside words and emoji; they steer nothing
LINES = "\n"
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def shown(text: str) -> str:
    """The text with control, direction and format characters spelled out; line breaks stay, tabs become blanks.

    >>> print(shown("red: " + chr(27) + "[31m"))
    red: \\x1b[31m
    """
    return "".join(map(_shown, text.replace("\r\n", "\n").replace("\t", "    ")))


def _shown(character: str) -> str:
    if character in LINES or character in JOINERS or unicodedata.category(character) not in STEERING:
        return character
    return character.encode("unicode_escape", errors="backslashreplace").decode("ascii")
