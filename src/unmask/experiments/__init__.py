"""Evaluations of methods on models and datasets, in memory or as resumable runs in a folder."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plan import Plan
    from .scheduler import Run

__all__ = ["Plan", "Run"]
_HOMES = {"Plan": "plan", "Run": "scheduler"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unmask.experiments' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
