"""Every snippet of the README and of the guides runs as it stands."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from unmask.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = blocks("python")
    assert found
    for block in found:
        exec(compile(block, "README.md", "exec"), names)


def commands() -> list[str]:
    lines = [line for block in blocks("bash") for line in block.splitlines()]
    return [line.partition("unmask ")[2] for line in lines if re.match(r"(scripts/)?unmask ", line)]


@pytest.mark.parametrize("command", commands())
def test_commands(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews.txt").write_text("A lovely film.\nA dull film.\n")
    monkeypatch.setattr(sys, "argv", ["unmask", *shlex.split(command, comments=True)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_there_are_commands() -> None:
    assert len(commands()) >= 3


def test_the_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
