"""Errors carry a hint, which Python's tracebacks show."""

import copy
import pickle
import traceback

from unmask.errors import InputError, UnmaskError


def test_a_traceback_shows_the_hint_once() -> None:
    error = UnmaskError("no such file", hint="check the name")
    error.hint = "check the folder"
    shown = "".join(traceback.format_exception(error))
    assert shown.splitlines()[-2:] == ["unmask.errors.UnmaskError: no such file", "hint: check the folder"]
    assert "check the name" not in shown


def test_an_error_without_a_hint_has_no_note() -> None:
    assert "hint" not in "".join(traceback.format_exception(UnmaskError("no such file")))


def test_a_copy_keeps_its_hint() -> None:
    error = InputError("no such file", hint="check the name", line=3)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (str(again), again.hint, again.line) == ("no such file", "check the name", 3)
        assert again.__notes__ == ["hint: check the name"]
