"""Exit codes and error messages. The codes are documented in docs/reference/exit-codes.md."""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from enum import IntEnum

from ..errors import InputError, UnmaskError
from ..render.escape import one_line, shown

CODE = "    "  # before each line of code in a hint


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    SOME_FAILED = 1
    NOTHING_DONE = 2
    FAULT = 70
    INTERRUPTED = 130


class OutputError(InputError):
    """An output that could not be finished; every record already written is complete."""


def ended(command: Callable[[], Exit], *, debug: bool) -> Exit:
    """Run a command; turn an exception into a message and an exit code.

    A command may raise `KeyboardInterrupt(n)` to report that n results were saved; a second argument is a hint.
    """
    try:
        code = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        saved, *further = interrupt.args or (0,)
        say("; ".join([f"Interrupted; {saved:,} {'result' if saved == 1 else 'results'} saved", *further]))
        return Exit.INTERRUPTED
    except UnmaskError as error:
        _trace(debug)
        say_error(error, has_hint=not debug)  # a traceback shows the hint too
        return Exit.SOME_FAILED if isinstance(error, OutputError) else Exit.NOTHING_DONE
    except OSError as error:
        _discard_output()
        # The reader closed the pipe; Windows reports an invalid argument.
        if error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL):
            return Exit.DONE
        _trace(debug)
        # File errors are raised as UnmaskErrors, so an OSError without a file name comes from standard output.
        what = "cannot write to standard output" if error.filename is None else f"cannot use {error.filename!r}"
        say(f"error: {what}: {error.strerror or error}")
        return Exit.SOME_FAILED if error.filename is None else Exit.NOTHING_DONE
    except Exception as error:  # a bug in unmask
        _trace(debug)
        say(f"error: unmask failed: {type(error).__name__}: {error}")
        say("hint: this is a bug in unmask; please report it, with the output of the command run with --debug")
        return Exit.FAULT
    return code


def speak_unicode() -> None:
    """Make every character printable: use UTF-8 on Windows, and escape characters that the stream cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if os.name == "nt" else None, errors="backslashreplace")


def say(line: str) -> None:
    """Print one line to standard error, escaped; ignore a closed stream."""
    with suppress(OSError, AttributeError), above_the_bar():
        sys.stderr.write(one_line(line) + "\n")


def say_error(error: UnmaskError, *, where: str = "", has_hint: bool = True) -> None:
    """Print an error and its hint; the hint's lines of code are indented, so no name can pass for another message."""
    say(f"error: {where}{error}")
    if has_hint and error.hint:
        sentence, *code = error.hint.split(f"\n{CODE}")
        for line in (f"hint: {sentence}", *(f"{CODE}{one}" for one in code)):
            say(line)


def above_the_bar() -> AbstractContextManager[object]:
    """Hide the progress bar while a line is printed."""
    drawing = sys.modules.get("tqdm")
    return nullcontext() if drawing is None else drawing.tqdm.external_write_mode()


def _trace(debug: bool) -> None:
    if debug:
        sys.stderr.write(shown(traceback.format_exc()))


def _discard_output() -> None:
    """Drop buffered output, which would cause an error at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
