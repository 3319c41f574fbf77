"""The methods: one frozen dataclass per file, listed in table.py. None of them sees a model."""

from .random import Random
from .sig import SIG
from .table import METHODS, method_named

__all__ = ["METHODS", "SIG", "Random", "method_named"]
