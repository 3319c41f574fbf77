"""Where results go: what is there is kept, `-` is standard output, and a full disk leaves complete lines."""

import json
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny.model("bert").float().save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    return str(folder)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "films.txt").write_text("a film\n" * 40)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet", "out.ndjson"])
def test_results_are_not_replaced_unless_asked_to(unmask: Any, place: Path, model: str, name: str) -> None:
    command = ["explain", "-f", "films.txt", "-o", name, "--model", model]
    (place / name).touch()  # an empty file is nobody's work
    assert unmask(*command)[0] == 0
    before = (place / name).read_bytes()
    code, out, err = unmask(*command)
    assert (code, out) == (2, "")
    assert f"error: '{name}' exists and is not empty; it was not modified" in err
    assert "--overwrite" in err
    assert (place / name).read_bytes() == before
    (place / name).write_text("old")
    assert unmask(*command, "--overwrite")[0] == 0
    assert (place / name).read_bytes()[:3] == before[:3]


@pytest.mark.parametrize("command", ["compare --method sig,leave_one_in", "interactions --top 2"])
def test_comparisons_and_interactions_are_not_replaced_either(
    unmask: Any, place: Path, model: str, command: str
) -> None:
    name, *settings = command.split()
    (place / "out.csv").write_text("old")
    code, _, err = unmask(name, "a lovely film", *settings, "-o", "out.csv", "--model", model)
    assert code == 2
    assert "'out.csv' exists and is not empty; it was not modified" in err
    assert (place / "out.csv").read_text() == "old"
    assert unmask(name, "a lovely film", *settings, "-o", "out.csv", "--model", model, "--overwrite")[0] == 0
    assert (place / "out.csv").read_text() != "old"


@pytest.mark.parametrize("name", ["out.html", "out.json", "out.md", "out.txt", "out.svg"])
def test_pages_and_pictures_are_replaced(unmask: Any, place: Path, model: str, name: str) -> None:
    (place / name).write_text("old")
    assert unmask("explain", "a film", "-o", name, "--model", model)[0] == 0
    assert (place / name).read_text() != "old"


def test_one_file_per_text_is_not_replaced_either(unmask: Any, place: Path, model: str) -> None:
    command = ["explain", "-f", "films.txt", "-o", "out-{line}.csv", "--model", model]
    (place / "out-x.csv").write_text("another file")
    (place / "out-7.csv").write_text("old")
    code, _, err = unmask(*command)
    assert (code, "'out-7.csv' exists" in err) == (2, True)
    (place / "out-7.csv").unlink()
    assert unmask(*command)[0] == 0


def test_a_dash_is_standard_output(unmask: Any, place: Path, model: str) -> None:
    for form in ("terminal", "markdown", "html"):
        command = ["explain", "a film", "--format", form, "--model", model]
        assert unmask(*command, "-o", "-") == unmask(*command)
    assert unmask("compare", "a film", "--method", "sig,random", "-o", "-", "--model", model)[0] == 0
    assert not (place / "-").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain", "a film", "--estimate", "-o", "x.json"], "--estimate prints to standard output"),
        (["explain", "a film", "--estimate", "--format", "html"], "prints text or JSON, not html"),
        (["evaluate", "-f", "films.txt", "--estimate", "-o", "x.json"], "--estimate prints to standard output"),
        (["evaluate", "-f", "films.txt", "--estimate", "--format", "csv"], "prints text or JSON, not csv"),
        (["run", "plan.toml", "--estimate", "-o", "x.json"], "--estimate prints to standard output"),
        (["run", "plan.toml", "--estimate", "--format", "html"], "prints text or JSON, not html"),
        (["explain", "a film", "--overwrite"], "--overwrite needs -o PATH"),
        (["evaluate", "-f", "films.txt", "--full", "--format", "json"], "--full does not apply to json"),
        (["evaluate", "-f", "films.txt", "--full", "-o", "x.csv"], "--full does not apply to csv"),
        (["report", "run", "--layout", "long", "--format", "json"], "--layout does not apply to json"),
    ],
)
def test_an_option_that_does_not_apply_is_refused(
    unmask: Any, place: Path, model: str, arguments: list[str], words: str
) -> None:
    plan = f'methods = ["sig"]\n[datasets.films]\nsource = "films.txt"\n[models]\ntiny = "{model}"\n'
    (place / "plan.toml").write_text(plan)
    before = sorted(place.iterdir())
    code, out, err = unmask(*arguments, *(["--model", model] if arguments[0] in ("explain", "evaluate") else []))
    assert (code, out) == (2, "")
    assert words in err
    assert sorted(place.iterdir()) == before


def explain(model: str, *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "unmask", "explain", "-f", "films.txt", "--model", model, *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)


def bounded(size: int) -> Any:
    """No file may be longer: what a full disk says, a signal apart."""
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_full_disk_leaves_complete_lines_and_names_the_file(place: Path, model: str) -> None:
    ended = explain(model, "-o", "out.jsonl", preexec_fn=bounded(20_000))
    records = [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]
    assert 0 < len(records) < 40
    assert [record["line"] for record in records] == list(range(1, len(records) + 1))
    assert (place / "out.jsonl").read_bytes().endswith(b"\n")
    assert ended.returncode == 1
    assert f"error: cannot write 'out.jsonl': File too large; it holds {len(records)} complete lines\n" in ended.stderr
    assert "hint: free disk space" in ended.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_device(place: Path, model: str) -> None:
    ended = explain(model, "-o", "/dev/full", "--format", "jsonl")
    assert ended.returncode == 1
    assert "error: cannot write '/dev/full': No space left on device; it holds 0 complete lines\n" in ended.stderr
    with Path("/dev/full").open("wb") as full:
        ended = explain(model, "--format", "jsonl", stdout=full)
    assert ended.returncode == 1
    assert ended.stderr == "error: cannot write to standard output: No space left on device\n"
