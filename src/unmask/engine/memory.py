"""Returns freed memory to the system."""

import ctypes
from contextlib import suppress


def give_memory_back() -> None:
    """Return freed memory to the system.

    The C library keeps freed memory in pieces that rarely fit batches of new lengths, so the process would grow.
    """
    with suppress(AttributeError, OSError, TypeError):  # no `malloc_trim` on musl, macOS and Windows
        ctypes.CDLL(None).malloc_trim(0)
