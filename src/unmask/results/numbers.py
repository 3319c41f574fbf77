"""Formats scores with no more digits than are meaningful."""

import math

MOST_DECIMALS = 6  # scores that need more decimals are in scientific notation


def number(score: float, decimals: int = 2) -> str:
    """Format a signed score; a score that rounds to zero has no sign, and a score that was not computed is a dash.

    >>> [number(2.5), number(-0.25), number(-0.001), number(0.001, 4), number(math.nan)]
    ['+2.50', '-0.25', '0.00', '+0.0010', '–']
    """
    if math.isnan(score):
        return "–"
    if decimals > MOST_DECIMALS:
        return f"{score:+.1e}" if score else "0"
    text = f"{score:+.{decimals}f}"
    return text if float(text) else text[1:]


def decimals(largest: float) -> int:
    """How many decimals to show for a text's scores: two, or as many as its largest score needs for two digits.

    >>> [decimals(largest) for largest in (0.0, 6.76, 0.5, 0.034, 1234.5)]
    [2, 2, 2, 3, 0]
    """
    if not largest or largest >= 1000:
        return 0 if largest else 2
    return max(2, 1 - math.floor(math.log10(largest)))
