"""Makes text safe for terminals, pages and figures by spelling out control characters."""

import json
import unicodedata

import regex

KEPT = "\n\u200c\u200d"  # line breaks, and joiners in words and emoji
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
IN_JSON = regex.compile(rf"[\p{{Cc}}\p{{Cf}}\p{{Zl}}\p{{Zp}}--[{KEPT}\r\t]]|\r(?!\n)", regex.VERSION1)
NO_CHARACTERS = "\ufffe\uffff"  # not allowed in XML


def shown(text: str) -> str:
    """Spell out control, direction and format characters; keep line breaks, turn tabs into spaces.

    >>> print(shown("red: " + chr(27) + "[31m"))
    red: \\x1b[31m
    """
    return "".join(map(_shown, text.replace("\r\n", "\n").replace("\t", "    ")))


def one_line(text: str) -> str:
    """Like `shown`, but also spells out line breaks, for names and messages on one line."""
    return shown(text).replace("\n", "\\n")


def escaped(text: str) -> str:
    r"""Replace characters that control a terminal with JSON escapes such as \u009b."""
    return IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _shown(character: str) -> str:
    steers = unicodedata.category(character) in STEERING or character in NO_CHARACTERS
    if character in KEPT or not steers:
        return character
    return character.encode("unicode_escape", errors="backslashreplace").decode("ascii")
