"""A file written line by line that holds only complete lines, whatever happens."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import InputError
from .exit_codes import OutputError


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into an error that names the file."""
    try:
        yield
    except InputError:  # also an OSError, but it already names the file
        raise
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from error


class LineFile:
    """A file of complete lines: a line that cannot be written in full is removed."""

    def __init__(self, path: Path) -> None:
        with named_errors(path):
            self._file = path.open("wb", buffering=0)
        self._path, self._lines, self._whole = path, 0, 0

    def write(self, line: str) -> None:
        """Write a line."""
        left = memoryview(line.encode())
        try:
            while left:
                left = left[self._file.write(left) :]
        except BaseException as error:
            with suppress(OSError):  # a device or a pipe cannot be truncated
                self._file.truncate(self._whole)
            if isinstance(error, OSError):
                raise self._error(error) from error
            raise
        self._lines, self._whole = self._lines + 1, self._whole + len(line.encode())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _error(self, error: OSError) -> OutputError:
        lines = f"{self._lines:,} complete {'line' if self._lines == 1 else 'lines'}"
        return OutputError(
            f"cannot write {str(self._path)!r}: {error.strerror}; it holds {lines}",
            hint="free disk space, or use another disk",
        )
