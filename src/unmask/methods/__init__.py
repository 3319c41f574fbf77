"""The methods: one frozen dataclass per file, listed in table.py. None of them sees a model."""

from .sig import SIG
from .table import METHODS, method_named

__all__ = ["METHODS", "SIG", "method_named"]
