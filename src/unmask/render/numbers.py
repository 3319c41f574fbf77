"""The number formats that drawings use for scores."""

from ..results.numbers import MOST_DECIMALS, decimals, number

__all__ = ["MOST_DECIMALS", "decimals", "number"]
