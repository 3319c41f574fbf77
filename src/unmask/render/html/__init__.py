"""Writes explanations as HTML: self-contained documents, and fragments for notebooks."""

from .listing import collection
from .pages import fragment, page

__all__ = ["collection", "fragment", "page"]
