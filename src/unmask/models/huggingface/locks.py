"""One lock for each object that is lent out: whoever explains the same model, tokenizer or configuration shares it."""

from threading import RLock
from typing import Any
from weakref import WeakValueDictionary


class Lock:
    """A lock that lives as long as somebody holds it, and keeps its object alive so that no other takes its place."""

    def __init__(self, owner: object) -> None:
        self._owner = owner
        self._lock = RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_LOCKS: WeakValueDictionary[int, Lock] = WeakValueDictionary()


def lock(owner: Any) -> Lock:
    """The lock of an object, which need not be hashable."""
    return _LOCKS.setdefault(id(owner), Lock(owner))
