"""Scores as text, as drawings write them."""

from ..results.numbers import MOST_DECIMALS, decimals, number

__all__ = ["MOST_DECIMALS", "decimals", "number"]
