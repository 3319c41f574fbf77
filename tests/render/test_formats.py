"""The registry of output formats: one entry is enough for a new one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.explanations import cases, compared

from unmask import Explanation
from unmask.errors import ArgumentError
from unmask.render import formats
from unmask.render.formats import FORMATS, OutputFormat
from unmask.render.theme import Theme


def shout(explanation: Explanation, theme: Theme) -> str:
    return f"{explanation.text.upper()} ({theme.palette})\n"


@pytest.fixture
def toy() -> Iterator[OutputFormat]:
    """A format of its own; nothing else is touched."""
    output = OutputFormat(name="shouted", suffixes=(".loud",), writers={"explanation": shout})
    FORMATS[output.name] = output
    yield output
    del FORMATS[output.name]


def test_a_new_format_is_one_entry(toy: OutputFormat, tmp_path: Path) -> None:
    cases()["one-word"].save(tmp_path / "x.loud", palette="red-green")
    assert (tmp_path / "x.loud").read_text() == "GRIPPING (red-green)\n"
    assert formats.render(cases()["one-word"], toy.name, Theme()) == "GRIPPING (default)\n"
    with pytest.raises(ArgumentError, match="no format is known"):
        compared().save(tmp_path / "x.loud")


def test_the_commands_know_it_too(toy: OutputFormat, unmask: Any, tmp_path: Path) -> None:
    assert unmask("explain", "good film", "--format", toy.name) == (0, "GOOD FILM (default)\n", "")
    assert unmask("explain", "good film", "-o", str(tmp_path / "x.loud"))[0] == 0
    assert (tmp_path / "x.loud").read_text() == "GOOD FILM (default)\n"
    assert "unknown format 'shoutd'; did you mean 'shouted'" in unmask("explain", "a", "--format", "shoutd")[2]


def test_names_and_suffixes_are_taken_once() -> None:
    assert all(output.name == name for name, output in FORMATS.items())
    suffixes = [suffix for output in FORMATS.values() for suffix in output.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", FORMATS)
def test_every_writer_can_be_found(name: str) -> None:
    from importlib import import_module

    for writer in FORMATS[name].writers.values():
        if isinstance(writer, str):
            module, _, function = writer.partition(":")
            assert callable(getattr(import_module(module, "unmask.render"), function))


@pytest.mark.parametrize("name", formats.names("comparison"))
def test_text_is_text_and_bytes_are_bytes(name: str) -> None:
    if name != "terminal":  # something that rich prints
        kind = bytes if FORMATS[name].is_binary else str
        for subject in (cases()["short"], compared()):
            assert isinstance(formats.render(subject, name, FORMATS[name].theme()), kind)
