"""One lock per model, tokenizer or configuration, shared by all explainers that use it, and safe under fork.

A forked child has only the thread that forked. In the child, a lock held by another thread would never be released, and
the model it guards would stay half-changed. Torch would also wait forever for worker threads that the child does not
have. In both cases, this module raises an error instead.
"""

import os
from threading import RLock, get_ident
from typing import Any
from weakref import WeakValueDictionary

import torch

from ...errors import ModelError

HINT = 'start processes with multiprocessing.get_context("spawn"), or fork before the first explanation'


class Lock:
    """A lock that keeps its object alive, so that no other object can get the same id."""

    def __init__(self, owner: object) -> None:
        self._owner, self._lock = owner, RLock()
        self._is_lost = False  # held by a thread that does not exist in this process

    def __enter__(self) -> None:
        if self._is_lost:
            raise ModelError(
                "another thread was using this model when the process forked, so the child cannot use it", hint=HINT
            )
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def hold(self) -> bool:
        """Try to acquire the lock for a fork; return False if another thread holds it."""
        return self._lock.acquire(blocking=False)

    def lose(self) -> None:
        """Mark the lock as held by a thread that does not exist in this process."""
        self._is_lost = True


class Process:
    """Records whether this process, or the process that it was forked from, has run a model."""

    def __init__(self) -> None:
        self._has_run = self._had_run = False

    def check(self) -> None:
        """Raise an error if this is a forked child whose parent ran a model in several threads."""
        if self._had_run and (threads := torch.get_num_threads()) > 1:
            raise ModelError(
                f"a model already ran in {threads} threads before this process was forked; torch would hang here",
                hint=f"{HINT}, or call torch.set_num_threads(1) in the child",
            )
        self._has_run = True

    def forked(self) -> None:
        """Record, in a forked child, whether the parent has run a model."""
        self._had_run = self._has_run


PROCESS = Process()
_LOCKS: WeakValueDictionary[int, Lock] = WeakValueDictionary()
_FORKING: dict[int, list[tuple[Lock, bool]]] = {}  # per forking thread: all locks, and whether the thread holds them


def lock(owner: Any) -> Lock:
    """The lock of an object, which need not be hashable."""
    return _LOCKS.setdefault(id(owner), Lock(owner))


def _before_fork() -> None:
    _FORKING[get_ident()] = [(one, one.hold()) for one in list(_LOCKS.values())]


def _after_fork(*, is_child: bool) -> None:
    for one, is_held in _FORKING.pop(get_ident(), ()):
        if is_held:
            one.__exit__()
        elif is_child:
            one.lose()
    if is_child:
        PROCESS.forked()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=lambda: _after_fork(is_child=False),
        after_in_child=lambda: _after_fork(is_child=True),
    )
