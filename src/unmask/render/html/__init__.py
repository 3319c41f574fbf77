"""Explanations as HTML: whole documents that ask nothing of the network, and fragments for notebooks."""

from .listing import collection
from .pages import fragment, page

__all__ = ["collection", "fragment", "page"]
