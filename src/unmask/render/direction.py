"""Which way texts run: the Unicode bidirectional algorithm for plain lines.

The characters that steer direction are spelled out before (`escape.shown`), and bracket pairs are taken as any other
neutral, so that a few of its rules are enough.
"""

import unicodedata
from collections.abc import Sequence

LEFT, RIGHT, NUMBER, NEUTRAL = "L", "R", "N", ""
KINDS = {"L": LEFT, "R": RIGHT, "AL": RIGHT, "EN": NUMBER, "AN": NUMBER}
INSIDE_NUMBERS = {"ES", "CS"}  # between two digits
BESIDE_NUMBERS = {"ET"}


def is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left."""
    kinds = (KINDS.get(unicodedata.bidirectional(character)) for character in text)
    return next((kind for kind in kinds if kind in (LEFT, RIGHT)), LEFT) == RIGHT


def has_direction(text: str) -> bool:
    """Whether any letter in it runs one way; numbers, marks and pictures go with what is around them.

    >>> [has_direction(text) for text in ("film", "\u05e1\u05e8\u05d8", "2024", "...")]
    [True, True, False, False]
    """
    return any(KINDS.get(unicodedata.bidirectional(character)) in (LEFT, RIGHT) for character in text)


def levels(line: Sequence[str], *, rtl: bool) -> list[int]:
    """How deep each visible character is embedded: even numbers run from left to right, odd ones the other way."""
    base = RIGHT if rtl else LEFT
    kinds = _neutrals_resolved(_numbers_resolved(line, base), base)
    of_kind = {LEFT: 2 if rtl else 0, RIGHT: 1, NUMBER: 2}
    return [of_kind[kind] for kind in kinds]


def visual(levels: Sequence[int]) -> list[int]:
    """The order in which pieces of these levels stand, from left to right (rule L2).

    >>> visual([1, 1, 2, 1])
    [3, 2, 1, 0]
    >>> visual([0, 1, 1, 0])
    [0, 2, 1, 3]
    """
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return order


def _numbers_resolved(line: Sequence[str], base: str) -> list[str]:
    """Every character's kind; what belongs to a number is one, and numbers among left-to-right letters are letters."""
    classes = [unicodedata.bidirectional(cluster[0]) for cluster in line]
    kinds = [KINDS.get(one, NEUTRAL) for one in classes]
    for at, one in enumerate(classes):
        around = (kinds[at - 1 : at] or [NEUTRAL])[0], (kinds[at + 1 : at + 2] or [NEUTRAL])[0]
        inside = one in INSIDE_NUMBERS and around == (NUMBER, NUMBER)
        if inside or (one in BESIDE_NUMBERS and NUMBER in around):
            kinds[at] = NUMBER
    strong = base
    for at, kind in enumerate(kinds):
        strong = kind if kind in (LEFT, RIGHT) else strong
        kinds[at] = LEFT if kind == NUMBER and strong == LEFT else kind
    return kinds


def _neutrals_resolved(kinds: list[str], base: str) -> list[str]:
    """What has no direction takes that of both its neighbors, or else that of the line; numbers count as right."""
    result, at = list(kinds), 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] == NEUTRAL:
            end += 1
        before = _side(kinds[at - 1]) if at else base
        after = _side(kinds[end]) if end < len(kinds) else base
        result[at:end] = [before if before == after else base] * (end - at)
        at = end + 1
    return result


def _side(kind: str) -> str:
    return RIGHT if kind == NUMBER else kind
