"""Every snippet of the README and of the guides runs as it stands."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from unmask.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


def commands() -> list[str]:
    lines = [line for page in PAGES for block in blocks(page, "bash") for line in block.splitlines()]
    found = [line.partition("unmask ")[2] for line in lines if re.match(r"(scripts/)?unmask ", line)]
    return list(dict.fromkeys(found))  # a command may stand on several pages


@pytest.mark.parametrize("command", commands())
def test_commands(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews.csv").write_text("text,label\nA lovely film.,1\nA dull film.,0\n")
    (tmp_path / "pairs.tsv").write_text("premise\thypothesis\nIt rains.\tThe street is wet.\n")
    (tmp_path / "theirs.jsonl").write_text('{"text": "A dull film.", "spans": [[0, 1], [2, 6]], "scores": [0, 1]}\n')
    few = ["--limit", "2"] if command.startswith("evaluate") else []
    monkeypatch.setattr(sys, "argv", ["unmask", *shlex.split(command, comments=True), *few])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_there_are_commands() -> None:
    assert len(commands()) >= 8


def test_the_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
