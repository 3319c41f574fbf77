"""`unmask explain -o FOLDER/`, `unmask status` and `unmask merge`, as a user runs them."""

import errno
import gzip
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow.parquet import read_table, write_table
from support import tiny
from support.command import process

from unmask.attribution.explain_texts import explain_texts
from unmask.bulk import chunks, compute, writer
from unmask.bulk.folder import ResultFolder
from unmask.explainer import Explainer

ROWS = [{"id": at, "text": "a film" + " of parts" * (at % 5), "label": "LABEL_0"} for at in range(9)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny.model("bert").float().save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    return str(folder)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(chunks, "TEXTS", 2)
    monkeypatch.setattr(writer, "TEXTS", 4)
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


@pytest.fixture
def explain(unmask: Any, model: str) -> Any:
    return partial(unmask, "explain", "--model", model, "--sets", "none")


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for part in sorted(folder.glob("part-*")) for line in part.read_text().splitlines()]


def test_a_folder_holds_what_a_file_would(explain: Any, unmask: Any, place: Path) -> None:
    code, out, err = explain("-f", "films.jsonl", "-o", "out/", "--keep")
    assert (code, out, err) == (0, "", "note: 'out' holds the results of 9 texts\n")
    assert explain("-f", "films.jsonl", "-o", "out.jsonl", "--keep")[0] == 0
    assert unmask("merge", "out", "-o", "merged.jsonl")[0] == 0
    contents = [(place / name).read_text().splitlines() for name in ("merged.jsonl", "out.jsonl")]
    merged, single = ([json.loads(line) for line in content] for content in contents)
    assert len(merged) == len(single) == 9
    for one, other in zip(merged, single, strict=True):
        assert one.keys() == other.keys()
        assert (one["line"], one["text"], one["kept"]) == (other["line"], other["text"], other["kept"])
        scores = [[unit["score"] for unit in record["units"]] for record in (one, other)]
        assert scores[0] == pytest.approx(scores[1], abs=1e-4)  # other batches
    assert len(list((place / "out").glob("part-*"))) == 3
    assert explain("-f", "films.jsonl", "-o", "out", "--keep")[0] == 0  # it exists: no slash is needed


def test_parquet_in_and_out(explain: Any, unmask: Any, place: Path) -> None:
    write_table(pyarrow.Table.from_pylist(ROWS), place / "films.parquet", row_group_size=2)
    assert explain("-f", "films.parquet", "-o", "out/", "--format", "parquet", "--keep")[0] == 0
    assert len(list((place / "out").glob("part-*.parquet"))) == 3
    assert unmask("merge", "out", "-o", "all.parquet")[0] == 0
    assert explain("-f", "films.parquet", "-o", "single.parquet", "--keep")[0] == 0
    merged, single = read_table("all.parquet"), read_table("single.parquet")
    assert merged.schema.equals(single.schema)
    for name in ("line", "text", "start", "kept.id", "prediction"):
        assert merged[name].equals(single[name])


def test_several_files_keep_their_names_and_lines(explain: Any, unmask: Any, place: Path) -> None:
    (place / "b.csv").write_text("text,id\na film,1\n,2\n")
    (place / "a.csv").write_text("id,text\n3,of parts\n")
    with gzip.open(place / "c.csv.gz", "wt") as file:
        file.write("text\nparts\n")
    code, _, err = explain("-f", "?.csv", "-f", "c.csv.gz", "-o", "out/")
    assert code == 1
    assert "error: line 3: the text has no unit to explain: it is empty" in err
    assert "note: 'out' holds the results of 3 texts; 1 more failed" in err
    named = [(one["file"], one["line"], one["text"], "error" in one) for one in records(place / "out")]
    assert named == [
        ("a.csv", 2, "of parts", False),
        ("b.csv", 2, "a film", False),
        ("b.csv", 3, "", True),
        ("c.csv.gz", 2, "parts", False),
    ]
    said = unmask("status", "out")[1]
    assert said.splitlines()[:2] == [
        "4 of 4 texts, 100%; 1 failed",
        "  failed: b.csv, line 3: the text has no unit to explain: it is empty",
    ]
    assert unmask("merge", "out", "-o", "all.csv")[0] == 0
    lines = (place / "all.csv").read_text().splitlines()
    assert lines[0].startswith("file,line,text,")
    assert [line.split(",")[:2] for line in lines[1:]] == [
        *[["a.csv", "2"]] * 2,
        *[["b.csv", "2"]] * 2,
        ["b.csv", "3"],
        ["c.csv.gz", "2"],
    ]


def test_the_files_may_have_moved(explain: Any, place: Path) -> None:
    (place / "a.txt").write_text("a film\n")
    (place / "b.txt").write_text("of parts\n")
    assert explain("-f", "a.txt", "-f", "b.txt", "-o", "out/")[0] == 0
    shutil.copytree(place / "out", place / "copy")
    last = next((place / "copy").glob("part-*"))
    last.unlink()
    (place / "else").mkdir()
    for name in ("a.txt", "b.txt"):
        shutil.move(place / name, place / "else" / name)
    assert explain("-f", "else/?.txt", "-o", "copy/")[0] == 0
    assert last.read_bytes() == (place / "out" / last.name).read_bytes()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--unit", "token"], "'out' holds results with unit 'word', not 'token'"),
        (["--method", "ig"], "'out' holds results with method 'sig', not 'ig'"),
        (["--target", "LABEL_1"], "'out' holds results with target 'predicted', not 'LABEL_1'"),
        (["--max-length", "5"], "'out' holds results with max_length None, not 5"),
        (["--dtype", "float64"], "'out' holds results with model hash"),
        (["--keep"], "'out' holds results with keep False, not True"),
        (["--label", "label"], "'out' holds results with label None, not 'label'"),
        (["--format", "parquet"], "'out' holds results with format 'jsonl', not 'parquet'"),
        (["-f", "more.jsonl"], "'out' holds results with number of input files 1, not 2"),
    ],
)
def test_other_settings_are_refused_by_name(explain: Any, place: Path, changed: list[str], said: str) -> None:
    (place / "more.jsonl").write_text('{"text": "more", "label": "LABEL_0"}\n')
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    code, _, err = explain("-f", "films.jsonl", "-o", "out/", *changed)
    assert code == 2
    assert f"error: {said}" in err
    assert "hint: use the settings of the first run to resume, or use another folder" in err


def test_settings_that_change_no_number_are_not_refused(explain: Any, place: Path) -> None:
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    assert explain("-f", "films.jsonl", "-o", "out/", "--batch-tokens", "50", "--quiet") == (0, "", "")


def test_a_changed_file_is_refused(explain: Any, place: Path) -> None:
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    with (place / "films.jsonl").open("a") as file:
        file.write('{"text": "one more"}\n')
    code, _, err = explain("-f", "films.jsonl", "-o", "out/")
    assert code == 2
    assert "error: 'films.jsonl' has changed: the results in 'out' were computed from a file" in err


def test_only_wrong_texts(explain: Any, place: Path) -> None:
    whole = {one["line"]: one for one in map(json.loads, lines(explain, place, "--label", "label"))}
    wrong = [json.loads(line) for line in lines(explain, place, "--label", "label", "--only-wrong")]
    assert [one["line"] for one in wrong] == [line for line, one in whole.items() if not one["is_correct"]]
    code, _, _ = explain("-f", "films.jsonl", "-o", "wrong/", "--label", "label", "--only-wrong")
    assert code == 0
    assert [one["line"] for one in records(place / "wrong")] == [one["line"] for one in wrong]
    assert ResultFolder("wrong").parts()[-1].end == 9


def lines(explain: Any, place: Path, *options: str) -> list[str]:
    assert explain("-f", "films.jsonl", "-o", "single.jsonl", "--overwrite", *options)[0] == 0
    return (place / "single.jsonl").read_text().splitlines()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["a film", "-o", "out/"], "an output folder needs -f FILE"),
        (["-f", "films.jsonl", "-o", "out/", "--format", "html"], "a folder can hold jsonl or parquet, not html"),
        (["-f", "films.jsonl", "-o", "out/", "--overwrite"], "--overwrite does not apply to a folder"),
        (["-f", "films.jsonl", "-f", "films.jsonl", "-o", "out/"], "'films.jsonl' is given twice"),
        (["-f", "films.jsonl", "-f", "other.csv"], "the results of 2 files need a folder: use -o FOLDER/"),
        (["-f", "nothing*.csv", "-o", "out/"], "no file matches 'nothing*.csv'"),
        (["-f", "broken.csv", "-o", "out/"], "'broken.csv': the row that begins on line 3 breaks RFC 4180 quoting"),
        (["-f", "-", "-o", "out/"], "standard input can be read only once, so an interrupted run could not resume"),
        (["-f", "films.jsonl", "-o", "others"], "'others' contains other files (notes.txt); it was not modified"),
        (["-f", "films.jsonl", "-o", "films.jsonl/"], "'films.jsonl' is a file, not a folder"),
        (["-f", "films.jsonl", "-o", "out/", "--palette", "red-green"], "jsonl contains data only"),
    ],
)
def test_what_cannot_be_is_refused_before_the_work(explain: Any, place: Path, command: list[str], said: str) -> None:
    (place / "others").mkdir()
    (place / "others" / "notes.txt").touch()
    (place / "broken.csv").write_text('text\nfilm\n"open\n')
    code, out, err = explain(*command)
    assert (code, out) == (2, "")
    assert f"error: {said}" in err
    assert not list(place.glob("out/part-*"))


def test_merge_says_what_it_needs(explain: Any, unmask: Any, place: Path) -> None:
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    for command, said in (
        (["out"], "merge needs an output file: -o PATH"),
        (["out", "-o", "x.html"], "cannot tell the format from the suffix '.html'"),
        (["out", "-o", "x", "--format", "html"], "unknown format 'html'"),
        (["nothing", "-o", "x.csv"], "'nothing' is not a folder of results"),
        (["out", "-o", "films.jsonl"], "'films.jsonl' exists and is not empty; it was not modified"),
    ):
        code, _, err = unmask("merge", *command)
        assert code == 2
        assert said in err
    assert unmask("merge", "out", "-o", "films.jsonl", "--overwrite") == (
        0,
        "",
        "note: 'films.jsonl' holds the results of 9 texts\n",
    )


def test_status_while_it_works_and_when_it_was_stopped(
    explain: Any, unmask: Any, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ResultFolder("out").hold():
        code, out, _ = unmask("status", "out")
        assert code == 0
        assert f"process {os.getpid()} on " in out
        assert "is starting: reading the files and loading the model" in out
    monkeypatch.setattr(writer, "SECONDS", 0.0)
    monkeypatch.setattr(compute, "explain_texts", stopping_after(3))
    code, _, err = explain("-f", "films.jsonl", "-o", "out/")
    assert (code, err) == (130, "Interrupted; 6 results saved; rerun the command to continue\n")
    out = unmask("status", "out")[1]
    assert out.splitlines()[0] == "6 of 9 texts, 66%"
    assert out.splitlines()[1].startswith("Not finished; rerun the command to continue; about ")
    assert out.splitlines()[1].endswith("left at the speed of the last run")
    code, _, err = unmask("merge", "out", "-o", "all.csv")
    assert (code, "is not finished: 6 of 9 texts done" in err) == (2, True)
    assert unmask("merge", "out", "-o", "all.csv", "--partial")[0] == 0
    monkeypatch.setattr(compute, "explain_texts", explain_texts)
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    assert unmask("status", "out")[1] == "9 of 9 texts, 100%\nFinished.\n"


def bounded(size: int) -> Any:
    """No file may be longer: what a full disk says, a signal apart."""
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))


def test_a_disk_that_fills_up_is_no_failure_of_all(explain: Any, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [4]  # the manifest and one part, each with its folder

    def full(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    code, _, err = explain("-f", "films.jsonl", "-o", "out/")
    assert code == 1
    assert "No space left on device; earlier results are kept\nhint: free disk space" in err
    assert ResultFolder("out").end == 4
    code, _, err = explain("-f", "films.jsonl", "-o", "out/")
    assert (code, "No space left on device" in err) == (2, True)  # nothing was done


@pytest.mark.usefixtures("place")
def test_a_merge_beside_a_process_takes_full_parts(explain: Any, unmask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "explain_texts", stopping_after(3))
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 130
    assert ResultFolder("out").end == 6
    with ResultFolder("out").hold():
        assert "holds the results of 4 texts" in unmask("merge", "out", "-o", "some.csv", "--partial")[2]
    assert "holds the results of 6 texts" in unmask("merge", "out", "-o", "more.csv", "--partial")[2]


def stopping_after(chunks: int) -> Any:
    """Ctrl-C while a chunk is computed, after so many others."""
    calls = list[int]()

    def stopping(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) > chunks:
            raise KeyboardInterrupt
        return explain_texts(*arguments, **options)

    return stopping


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_full_disk_keeps_what_is_saved(model: str, place: Path) -> None:
    (place / "films.txt").write_text("a film\n" * 2000)
    command = [sys.executable, "-m", "unmask", "explain", "--model", model, "-f", "films.txt", "-o", "out/"]
    command += ["--sets", "none"]
    ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=bounded(2000))
    assert ended.returncode == 2
    assert "File too large; earlier results are kept\n" in ended.stderr
    assert "hint: free disk space or restore the folder, and rerun the command to continue" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ResultFolder("out").is_begun
    assert ResultFolder("out").parts() == []


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_says_how_many_are_saved_and_the_next_run_goes_on(model: str, place: Path) -> None:
    (place / "films.txt").write_text("a film of parts\n" * 20_000)
    command = ["explain", "--model", model, "-f", "films.txt", "-o", "out/", "--sets", "none"]
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    started = process(*command, preexec_fn=listening)
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and not list(place.glob("out/part-*")):
        time.sleep(0.05)
    with started:
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=240)
    assert started.returncode == 130
    done = ResultFolder("out").parts()[-1].end
    assert err.decode() == f"Interrupted; {done:,} results saved; rerun the command to continue\n"
    assert 1000 < done < 20_000


@pytest.mark.usefixtures("place")
def test_a_folder_of_the_command_is_not_one_of_python(model: str, explain: Any) -> None:
    """The command's results have lines and depend on files."""
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 0
    with pytest.raises(ValueError, match="holds results with"):
        Explainer.from_pretrained(model).explain_many([row["text"] for row in ROWS], into="out")  # type: ignore[misc]


def test_failed_texts_are_retried_on_request(
    explain: Any, unmask: Any, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = explain("-f", "films.jsonl", "-o", "whole/")[0]
    with monkeypatch.context() as patch:
        explained = compute.ChunkExplainer.__call__

        def failing(self: Any, chunk: Any, progress: Any = None) -> Any:
            if chunk.first == 4:
                return [row for half in chunk.halves for row in self.failure(half, "no memory")]
            return explained(self, chunk, progress)

        patch.setattr(compute.ChunkExplainer, "__call__", failing)
        code, _, err = explain("-f", "films.jsonl", "-o", "out/")
    assert (whole, code) == (0, 1)
    assert err.endswith(
        "note: 'out' holds the results of 7 texts; 2 more failed. Rerun with --retry-failed to try again\n"
    )
    assert unmask("status", "out")[1].splitlines() == [
        "9 of 9 texts, 100%; 2 failed",
        "  failed: line 5: no memory",
        "  failed: line 6: no memory",
        "Finished; rerun the command with --retry-failed to retry what failed.",
    ]
    assert explain("-f", "films.jsonl", "-o", "out/")[0] == 1  # they stay as they are
    assert explain("-f", "films.jsonl", "-o", "out/", "--retry-failed")[0] == 0
    (old, new) = (records(place / name) for name in ("whole", "out"))
    assert [one["line"] for one in new] == [one["line"] for one in old]
    assert all(("error" in one) is False for one in new)
    kept = [at for at in range(9) if at not in (4, 5)]
    assert [new[at] for at in kept] == [old[at] for at in kept]


def test_retrying_needs_a_folder(explain: Any, place: Path) -> None:
    code, _, err = explain("-f", "films.jsonl", "--retry-failed")
    assert code == 2
    assert "--retry-failed needs -f FILE -o FOLDER/" in err
