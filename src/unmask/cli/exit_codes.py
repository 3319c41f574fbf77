"""Exit codes, and what is said when something ends badly. The codes are a contract: docs/reference/exit-codes.md."""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from enum import IntEnum

from ..errors import UnmaskError
from ..render.escape import shown


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    SOME_FAILED = 1
    NOTHING_DONE = 2
    FAULT = 70
    INTERRUPTED = 130


def ended(command: Callable[[], Exit], *, debug: bool) -> Exit:
    """Run a command's work and turn whatever it raises into a sentence and an exit code."""
    try:
        code = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        say("interrupted; what is written is whole")
        return Exit.INTERRUPTED
    except UnmaskError as error:
        _trace(debug)
        say_error(error)
        return Exit.NOTHING_DONE
    except OSError as error:
        # Nobody reads the output any more; Windows calls that an invalid argument.
        if error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL):
            # What is still buffered goes nowhere, without a complaint at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.DONE
        _trace(debug)
        say(f"error: {error.strerror or error}")
        return Exit.NOTHING_DONE
    except Exception as error:  # a fault of ours
        _trace(debug)
        say(f"error: unmask failed: {type(error).__name__}: {error}")
        say("hint: the fault is not yours; please report it, with what the same command prints with --debug")
        return Exit.FAULT
    return code


def speak_unicode() -> None:
    """Let no character stop the output: UTF-8 on Windows, whose pipes have older habits; escapes where that is not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if os.name == "nt" else None, errors="backslashreplace")


def say(line: str) -> None:
    """One line on standard error, harmless; where nobody listens, the work goes on."""
    with suppress(OSError, AttributeError), above_the_bar():
        sys.stderr.write(shown(line).replace("\n", "\\n") + "\n")


def say_error(error: UnmaskError, *, where: str = "") -> None:
    """An error of ours and what to do about it."""
    say(f"error: {where}{error}")
    if error.hint:
        say(f"hint: {error.hint}")


def is_watched(*, quiet: bool) -> bool:
    """Whether a person reads standard error and wants to hear more than errors."""
    return not quiet and sys.stderr is not None and sys.stderr.isatty()


def above_the_bar() -> AbstractContextManager[object]:
    """A bar that is drawn goes away for the line and comes back below it."""
    drawing = sys.modules.get("tqdm")
    return nullcontext() if drawing is None else drawing.tqdm.external_write_mode()


def _trace(debug: bool) -> None:
    if debug:
        traceback.print_exc()
