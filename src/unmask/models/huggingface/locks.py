"""One lock per model, tokenizer or configuration, shared by all explainers that use it."""

from threading import RLock
from typing import Any
from weakref import WeakValueDictionary


class Lock:
    """A lock that keeps its object alive, so that no other object can get the same id."""

    def __init__(self, owner: object) -> None:
        self._owner, self._lock = owner, RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_LOCKS: WeakValueDictionary[int, Lock] = WeakValueDictionary()


def lock(owner: Any) -> Lock:
    """The lock of an object, which need not be hashable."""
    return _LOCKS.setdefault(id(owner), Lock(owner))
