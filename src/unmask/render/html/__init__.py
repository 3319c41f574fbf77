"""Explanations as HTML: whole documents that ask nothing of the network, and fragments for notebooks."""

from .collection import Item, collection
from .comparison import comparison
from .page import fragment, page

__all__ = ["Item", "collection", "comparison", "fragment", "page"]
