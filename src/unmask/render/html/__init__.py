"""Explanations as HTML: whole documents that ask nothing of the network, and fragments for notebooks."""

from .listing import collection
from .pages import comparison, fragment, page

__all__ = ["collection", "comparison", "fragment", "page"]
