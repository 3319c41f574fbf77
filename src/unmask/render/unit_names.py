"""Names of units in lists and tables; equal words are distinguished by a neighboring word."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from .colored_spans import ColoredSpan

LONGEST = 20  # most characters of a neighboring word


def unit_names(units: Sequence[ColoredSpan], listed: Iterable[int]) -> dict[int, str]:
    """The names of the units at the listed indices; a unit whose text occurs only once is named by that text.

    >>> text = [ColoredSpan(word, 1.0) for word in "a film and a letdown".split()]
    >>> unit_names(text, [3, 4])
    {3: 'a (letdown)', 4: 'letdown'}
    """
    names, counts = {at: units[at].text for at in listed}, Counter((unit.segment, unit.text) for unit in units)
    same = sorted(names, key=lambda at: (units[at].segment, units[at].text, at))
    for text, group in groupby(same, key=lambda at: (units[at].segment, units[at].text)):
        if places := list(group) if counts[text] > 1 else []:
            contexts = ([describe(units, at) for at in places] for describe in (_before, _after, _number))
            distinct = next(context for context in contexts if len(set(context)) == len(places))
            names |= {at: names[at] + context for at, context in zip(places, distinct, strict=True)}
    return names


def _before(units: Sequence[ColoredSpan], at: int) -> str:
    """The word that the unit comes before, in parentheses."""
    following = _word(units[at + 1 :], units[at].segment)
    return f" ({following})" if following else ""


def _after(units: Sequence[ColoredSpan], at: int) -> str:
    """The word that the unit comes after, in parentheses."""
    preceding = _word(units[:at][::-1], units[at].segment)
    return f" (after {preceding})" if preceding else ""


def _word(units: Sequence[ColoredSpan], segment: int) -> str:
    """The first unit of the segment that is not punctuation."""
    words = (unit.text for unit in units if unit.segment == segment and not unit.is_punctuation)
    return " ".join(next(words, "")[:LONGEST].split())


def _number(units: Sequence[ColoredSpan], at: int) -> str:
    """The number of times that the unit's text has occurred in its segment so far."""
    count = sum((unit.segment, unit.text) == (units[at].segment, units[at].text) for unit in units[: at + 1])
    return f" (#{count})"
