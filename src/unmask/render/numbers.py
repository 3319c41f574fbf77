"""The number formats that drawings use for scores."""

from ..results.numbers import MOST_DECIMALS, decimals, number

__all__ = ["MOST_DECIMALS", "decimals", "different_percents", "number"]


def different_percents(*shares: float) -> list[str]:
    """Probabilities in percent with one decimal, or with two if one decimal would make them look equal.

    >>> different_percents(0.9974, 0.9968), different_percents(0.99742, 0.99741)
    (['99.74%', '99.68%'], ['99.7%', '99.7%'])
    """
    texts = [f"{share:.1%}" for share in shares]
    finer = [f"{share:.2%}" for share in shares]
    return finer if len(set(texts)) < len(set(finer)) else texts
