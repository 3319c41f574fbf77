"""A form of file that is new in the registry and nowhere else: it is found by its suffix, read and explained."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unmask.cli.app import app
from unmask.errors import InputError
from unmask.inputs import FORMATS, FileFormat, Source
from unmask.inputs.opening import byte_lines, text_lines
from unmask.text.request import Request


def read_bullets(path: str, _columns: object, _quoting: object) -> Iterator[Request | InputError]:
    """Texts behind a star; other lines are faults."""
    for line, text in enumerate(text_lines(path), start=1):
        is_text = text.startswith("* ")
        yield Request(text[2:], line=line) if is_text else InputError("no star here", line=line)


def test_it_is_read_and_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = FileFormat("bullets", (".bullets",), read_bullets, lambda path, _: byte_lines(path), columns=False)
    monkeypatch.setitem(FORMATS, "bullets", form)
    (tmp_path / "x.bullets").write_text("* A gripping film.\nno film\n")
    assert Source(str(tmp_path / "x.bullets")).count() == 2
    output = tmp_path / "out.jsonl"
    ended = CliRunner().invoke(app, ["explain", "-f", str(tmp_path / "x.bullets"), "-o", str(output)])
    assert ended.exit_code == 1
    first, second = map(json.loads, output.read_text().splitlines())
    assert (first["line"], first["text"]) == (1, "A gripping film.")
    assert second == {"line": 2, "text": None, "error": {"kind": "InputError", "message": "no star here"}}
