"""Every snippet of the README and of the documentation runs as it stands, and prints what the page says."""

import re
import shlex
import sys
from collections.abc import Callable, Container
from pathlib import Path

import pytest
import torch
from support import tiny_heads

from unmask.cli import main
from unmask.models.huggingface.loading import embedded_model

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
SLOW = ("evaluate-methods", "explain-a-language-model", "long-runs")  # pages whose commands take many seconds


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    lines = [line for block in blocks(page, "bash") for line in block.splitlines()]
    return [line.partition("unmask ")[2] for line in lines if re.match(r"(scripts/)?unmask ", line)]


def with_snippets(found: Callable[[Path], list[str]], *, slow: Container[str] = ()) -> pytest.MarkDecorator:
    marks = {page: [pytest.mark.slow] if page.stem in slow else [] for page in PAGES if found(page)}
    pages = [pytest.param(page, marks=mark, id=page.relative_to(ROOT).as_posix()) for page, mark in marks.items()]
    return pytest.mark.parametrize("page", pages)


HEADS = {  # folders of the page about them
    "tagger": ("token_classification", "bert"),
    "reader": ("question_answering", "bert"),
    "filler": ("fill_mask", "bert"),
    "chooser": ("multiple_choice", "bert"),
    "translator": ("text2text", "bart"),
    "encoder": ("similarity", "mpnet"),
}


def write_models(page: Path, folder: Path) -> None:
    """Write tiny models and tables for the page about other heads."""
    if page.stem != "explain-other-heads":
        return
    for name, (task, architecture) in HEADS.items():
        tiny_heads.model(task, architecture, torch.float32).save_pretrained(folder / "models" / name)
        tiny_heads.tokenizer(architecture).save_pretrained(folder / "models" / name)
    (folder / "questions.csv").write_text("question,context\nwhat is bad?,the film is not bad at all\n")
    (folder / "choices.csv").write_text("prompt,one,two\nthe film is,not bad,dull\n")


@with_snippets(lambda page: blocks(page, "python"))
def test_python_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_models(page, tmp_path)
    names: dict[str, object] = {}
    shows_output = "\n# > " in page.read_text(encoding="utf-8")
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)
        printed = capsys.readouterr().out.splitlines()
        assert not shows_output or printed == re.findall(r"^# > (.*)$", block, re.MULTILINE)


@with_snippets(commands, slow=SLOW)
def test_the_commands_of_a_page_run_one_after_the_other(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews.csv").write_text("text,label\nA lovely film.,1\nA dull film.,0\n")
    (tmp_path / "pairs.tsv").write_text("premise\thypothesis\nIt rains.\tThe street is wet.\n")
    (tmp_path / "theirs.jsonl").write_text('{"text": "A dull film.", "spans": [[0, 1], [2, 6]], "scores": [0, 1]}\n')
    (tmp_path / "prompts.csv").write_text(
        "prompt,continuation\nLily lost her ball., She was sad.\nTom ran., Tom was sad.\n"
    )
    (tmp_path / "a.txt").write_text("Lily has a red ball.\n")
    (tmp_path / "b.txt").write_text("Tom has a dog.\n")
    (tmp_path / "models").mkdir()
    write_models(page, tmp_path)
    (tmp_path / "models" / "minilm").symlink_to(embedded_model())
    for plan in blocks(page, "toml"):
        (tmp_path / plan.partition("# ")[2].partition("\n")[0]).write_text(plan)
    for command in commands(page):
        few = ["--limit", "2"] if command.startswith(("evaluate", "run")) else []
        monkeypatch.setattr(sys, "argv", ["unmask", *shlex.split(command, comments=True), *few])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0, command


def test_there_are_snippets() -> None:
    assert sum(len(commands(page)) for page in PAGES) >= 30
    assert sum(len(blocks(page, "python")) for page in PAGES) >= 30
