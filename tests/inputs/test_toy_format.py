"""A form of file that is new in the registry and nowhere else: it is found by its suffix, read and explained."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from unmask.cli.app import app
from unmask.errors import InputError
from unmask.inputs import FORMATS, FileFormat, Source
from unmask.inputs.opening import byte_lines, text_lines
from unmask.text.request import Request


@dataclass(frozen=True, slots=True)
class Bulleted:
    """Texts behind a star; other lines are faults."""

    path: str

    def records(self) -> Iterator[Request | InputError]:
        for line, text in enumerate(text_lines(self.path), start=1):
            is_text = text.startswith("* ")
            yield Request(text[2:], line=line) if is_text else InputError("no star here", line=line)

    def places(self) -> Iterator[object]:
        return byte_lines(self.path)


def test_it_is_read_and_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = FileFormat("bullets", (".bullets",), lambda path, _columns, _quoting: Bulleted(path), columns=False)
    monkeypatch.setitem(FORMATS, "bullets", form)
    (tmp_path / "x.bullets").write_text("* A gripping film.\nno film\n")
    assert Source(str(tmp_path / "x.bullets")).count() == 2
    output = tmp_path / "out.jsonl"
    ended = CliRunner().invoke(app, ["explain", "-f", str(tmp_path / "x.bullets"), "-o", str(output)])
    assert ended.exit_code == 1
    first, second = map(json.loads, output.read_text().splitlines())
    assert (first["line"], first["text"]) == (1, "A gripping film.")
    assert second == {"line": 2, "text": None, "error": {"kind": "InputError", "message": "no star here"}}
