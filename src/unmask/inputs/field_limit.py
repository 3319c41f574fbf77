"""Python's csv refuses fields over 131,072 characters, by one limit for the whole process."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

LARGEST = 2**31 - 1  # what fits in C's long everywhere


class _Limit:
    """Raised while anybody reads, in whatever thread; the last one gives back what the first one found."""

    def __init__(self) -> None:
        self._lock, self._readers, self._found = Lock(), 0, 0

    def lift(self) -> None:
        with self._lock:
            if not self._readers:
                self._found = csv.field_size_limit(LARGEST)
            self._readers += 1

    def give_back(self) -> None:
        with self._lock:
            self._readers -= 1
            if not self._readers:
                csv.field_size_limit(self._found)


_LIMIT = _Limit()


@contextmanager
def long_fields() -> Iterator[None]:
    """Fields of any length; for as short as possible, a row at a time."""
    _LIMIT.lift()
    try:
        yield
    finally:
        _LIMIT.give_back()
