"""Says how much less likely an answer becomes, in words such as "40 times less likely", for use in sentences."""

import math

LARGE = 14.9  # factors from this power of ten on are written as powers of ten
ALIKE = 1.05  # smaller factors are described as "about as likely"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
WORDS = ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"))
NAMED = ("token", "word", "sentence", "paragraph", "message")  # units whose kind a sentence mentions


def times_less_likely(lost: float) -> str:
    """Express a loss of log-probability as a factor. `html/view/numbers.js` implements the same rule.

    >>> [times_less_likely(lost) for lost in (3.7, 9.01, 60.0)]
    ['40 times less likely', '8,200 times less likely', '10²⁶ times less likely']
    >>> times_less_likely(-0.4), times_less_likely(0.01)
    ('1.5 times more likely', 'about as likely')
    """
    if not abs(lost) >= math.log(ALIKE):
        return "about as likely"
    return f"{_factor(abs(lost))} times {'less' if lost > 0 else 'more'} likely"


def _factor(lost: float) -> str:
    exponent = lost / math.log(10)
    if exponent >= LARGE:
        return f"10{str(round(exponent)).translate(SUPERSCRIPTS)}"
    rounded = float(f"{math.exp(lost):.2g}")
    size, word = next(((size, word) for size, word in WORDS if rounded >= size), (1.0, ""))
    return f"{rounded / size:,g}{word}" if size > 1 or rounded < 10 else f"{rounded:,.0f}"


def without_unit(name: str, unit: str, subject: str, lost: float, *, versus: str = "") -> str:
    """A sentence on what happens to the answer without a unit.

    Args:
        subject: The answer or a phrase from it.
        versus: The other continuation of a contrast.

    >>> without_unit('"lost"', "word", "the answer", 8.51)
    'Without the word "lost", the answer is 5,000 times less likely.'
    """
    named = f"the {unit} {name}" if unit in NAMED else name
    sentence = f"Without {named}, {subject} is {times_less_likely(lost)}" + f" relative to {versus}" * bool(versus)
    return sentence if sentence.endswith('."') else f"{sentence}."
