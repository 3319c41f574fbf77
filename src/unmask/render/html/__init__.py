"""Explanations as HTML: whole documents that ask nothing of the network, and fragments for notebooks."""

from .collection import collection
from .page import comparison, fragment, page

__all__ = ["collection", "comparison", "fragment", "page"]
