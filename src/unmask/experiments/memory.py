"""Memory that nobody uses any more goes back to the system, so that a long run stays as small as a short one.

The C library keeps freed memory for later, in pieces: batches of ever new lengths find few that fit, and a process
grows though all that it holds stays the same.
"""

import ctypes
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Some milliseconds; nothing where the C library is another one than glibc."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # musl and macOS have none, and Windows names no library
        return lambda _: None
    return found
