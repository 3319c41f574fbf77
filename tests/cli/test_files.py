"""Files of texts through the command: columns, pairs, what is kept, what is broken, how far it is."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet
import pytest
from support import tiny
from support.shared import SHARED, needs_shared

from unmask import Explanation

ROWS = [{"id": "7", "text": "a good film", "label": "1"}, {"id": "8", "text": 'so "bad"', "label": "0"}]


def written(folder: Path, form: str) -> Path:
    """The rows as a file of that form."""
    path = folder / f"x.{form}"
    form, _, compressed = form.partition(".")
    if form == "parquet":
        table = arrow.table({name: [row[name] for row in ROWS] for name in ROWS[0]})
        arrow.parquet.write_table(table, path)
        content = path.read_bytes()
    else:
        lines = {
            "txt": [row["text"] for row in ROWS],
            "csv": ["id,text,label", "7,a good film,1", '8,"so ""bad""",0'],
            "tsv": ["id\ttext\tlabel", "7\ta good film\t1", '8\tso "bad"\t0'],
            "jsonl": list(map(json.dumps, ROWS)),
        }
        content = "".join(f"{line}\n" for line in lines[form]).encode()
    path.write_bytes(gzip.compress(content) if compressed else content)
    return path


FORMS = ["txt", "csv", "tsv", "jsonl", "parquet"]


@pytest.mark.parametrize("form", [*FORMS, *(f"{form}.gz" for form in FORMS)])
def test_every_form_gives_the_same_texts(unmask: Any, tmp_path: Path, form: str) -> None:
    code, out, err = unmask("explain", "-f", str(written(tmp_path, form)), "--format", "jsonl")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["text"] for record in records] == [row["text"] for row in ROWS]
    assert [record["line"] for record in records] == ([2, 3] if form[:3] in ("csv", "tsv") else [1, 2])
    assert "kept" not in records[0]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("output", ["jsonl", "json"])
def test_other_columns_are_kept(unmask: Any, tmp_path: Path, form: str, output: str) -> None:
    code, out, _ = unmask("explain", "-f", str(written(tmp_path, form)), "--format", output, "--keep")
    records = json.loads(out) if output == "json" else [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [record["kept"] for record in records] == [{"id": "7", "label": "1"}, {"id": "8", "label": "0"}]
    assert Explanation.from_dict(records[0]).text == "a good film"


def test_another_column_is_the_text(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("review,text\ngood film,7\n")
    _, out, _ = unmask("explain", "-f", str(tmp_path / "x.csv"), "--column", "review", "--format", "jsonl")
    assert json.loads(out)["text"] == "good film"


def test_two_columns_are_a_pair(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\ngood film,bad film\n,\n")
    columns = ["--column", "a", "--column", "b"]
    code, out, err = unmask("explain", "-f", str(tmp_path / "x.csv"), *columns, "--format", "jsonl")
    pair, failed = map(json.loads, out.splitlines())
    assert code == 1
    assert (pair["text"], pair["text_pair"]) == ("good film", "bad film")
    assert {unit["segment"] for unit in pair["units"]} == {0, 1}
    assert (failed["line"], failed["text"], failed["text_pair"]) == (3, "", "")
    assert err.startswith("error: line 3: the text has no unit")


def test_a_pair_from_the_command_line(unmask: Any) -> None:
    code, out, _ = unmask("explain", "good film", "--pair", "bad film", "--format", "json")
    assert code == 0
    assert Explanation.from_dict(json.loads(out)).texts == ("good film", "bad film")
    assert "second" in unmask("explain", "good film", "--pair", "bad film")[1]


def test_a_broken_line_keeps_its_place(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"text": "good"}\n{"text": "ba\n{"no": 1}\n{"text": "bad"}\n')
    code, out, err = unmask("explain", "-f", str(tmp_path / "x.jsonl"), "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [(record["line"], record["text"]) for record in records] == [(1, "good"), (2, None), (3, None), (4, "bad")]
    assert records[1]["error"]["kind"] == "InputError"
    assert "error: line 2: broken JSON at character" in err
    assert "error: line 3: no column 'text', 'sentence', 'prompt' or 'messages'; columns: no" in err


def test_a_file_that_breaks_in_the_middle_keeps_what_came_before(unmask: Any, tmp_path: Path) -> None:
    content = gzip.compress(b"".join(b"good film %b\n" % os.urandom(2000).hex().encode() for _ in range(60)))
    (tmp_path / "x.txt.gz").write_bytes(content[:-5000])
    code, out, err = unmask(
        "explain", "-f", str(tmp_path / "x.txt.gz"), "--format", "jsonl", "--max-length", "8", "--quiet"
    )
    assert code == 1
    assert "is truncated: its gzip data ends too early" in err
    lines = [json.loads(line)["line"] for line in out.splitlines()]
    assert lines == list(range(1, len(lines) + 1))
    assert len(lines) > 40


@pytest.mark.slow
def test_standard_input_in_another_form(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unmask", "explain", "-f", "-", "--read-as", "jsonl", "--format", "jsonl"]
    found = subprocess.run(command, input=b'{"text": "good film"}\n', capture_output=True)
    assert (found.returncode, found.stderr) == (0, b"")
    assert json.loads(found.stdout)["text"] == "good film"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-f", "x.txt", "--column", "a"], "is read as txt, one text per line, so there are no columns to choose from"),
        (["-f", "x.csv", "--column", "txet"], "no column 'txet'; did you mean 'text'? columns: text, b"),
        (["-f", "x.csv", "--column", "a", "--column", "b", "--column", "c"], "3 columns given; expected one, or two"),
        (
            ["-f", "x.csv", "--keep"],
            "--keep does not work with terminal; use --format json, jsonl, html, csv or parquet",
        ),
        (["-f", "x.csv", "--label", "lable"], "no column 'lable'; columns: text, b"),
        (["-f", "x.txt", "--label", "label"], "one text per line, so there are no columns to choose from"),
        (["-f", "x.csv", "--only-wrong"], "--only-wrong needs gold labels: add --label COLUMN"),
        (["a film", "--label", "label"], "--column, --keep, --label, --quoting and --read-as need -f FILE"),
        (["-f", "x.csv", "--quoting", "all"], "unknown quoting 'all'"),
        (["-f", "x.csv", "--read-as", "xml"], "unknown form 'xml'"),
        (["-f", "x.csv", "--pair", "a film"], "--pair needs a text argument; for pairs in a file"),
        (["a film", "--column", "text"], "need -f FILE"),
        (["-f", "x.json"], "'x.json' is a single JSON document"),
        (["-f", "bad.csv"], ": the row that begins on line 2 breaks RFC 4180 quoting: a quote is not closed"),
    ],
)
def test_bad_requests_about_files(
    unmask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {"x.txt": "a\n", "x.csv": "text,b\na,b\n", "bad.csv": 'text\n"a\n'}.items():
        Path(name).write_text(content)
    code, out, err = unmask("explain", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_an_estimate_runs_nothing(unmask: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "csv")
    before = sorted(tmp_path.iterdir())
    code, out, err = unmask("explain", "-f", str(path), "--estimate")
    assert (code, err) == (0, "")
    assert out.startswith("2 texts, 7 words, at most 32 passes: ")
    assert re.search(r": (less than a second|at most \d+ (s|min \d+ s)) on this machine\n$", out)
    assert sorted(tmp_path.iterdir()) == before
    record = json.loads(unmask("explain", "-f", str(path), "--estimate", "--format", "json")[1])
    assert (record["texts"], record["failed"], record["units"], record["passes"]) == (2, 0, 7, 32)
    assert record["seconds"] > 0


def test_an_estimate_of_one_text_and_of_texts_that_fail(unmask: Any, tmp_path: Path) -> None:
    assert unmask("explain", "Good.", "--estimate", "--unit", "sentence")[1].startswith(
        "1 text, 1 sentence, at most 5 passes: "
    )
    (tmp_path / "x.txt").write_text("good\n\n")
    out = unmask("explain", "-f", str(tmp_path / "x.txt"), "--estimate")[1]
    assert out.endswith("; 1 text cannot be explained\n")


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """The command with its standard error on a pseudo-terminal, and what it wrote there."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [sys.executable, "-m", "unmask", *arguments]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "COLUMNS": "80"})
    os.close(theirs)
    drawn = b""
    assert started.stdout is not None
    with started:
        started.stdout.read()
        try:
            while part := os.read(ours, 65536):
                drawn += part
        except OSError:
            pass
    return started.returncode, drawn.decode()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals on Windows")
def test_progress_with_the_time_left_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good film\n" * 20 + "\n")
    arguments = ["explain", "-f", str(tmp_path / "x.txt"), "-o", str(tmp_path / "out.jsonl")]
    code, drawn = on_a_terminal(*arguments)
    assert code == 1
    assert "21/21 texts, " in drawn
    assert re.search(r"passes \[\d\d:\d\d<", drawn)
    assert "error: line 21: the text has no unit" in drawn.replace("\r", "\n")
    code, drawn = on_a_terminal(*arguments, "--quiet")
    assert " passes [" not in drawn


def test_no_progress_where_nobody_watches(unmask: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "csv")
    assert unmask("explain", "-f", str(path), "-o", str(tmp_path / "out.jsonl"))[2] == ""


@pytest.mark.slow
@needs_shared
def test_a_real_table_of_pairs(unmask: Any, tmp_path: Path) -> None:
    tiny.model("bert").save_pretrained(tmp_path / "m")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "m")
    path = SHARED / "data" / "nli" / "snli_test_500.tsv.gz"
    columns = ["--column", "premise", "--column", "hypothesis", "--keep"]
    code, out, _ = unmask(
        "explain", "-f", str(path), *columns, "--model", str(tmp_path / "m"), "--format", "jsonl", "--quiet"
    )
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert len(records) == 501
    assert set(records[0]["kept"]) == {"id", "label"}


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_gold_labels_are_matched_to_the_model(unmask: Any, tmp_path: Path, form: str) -> None:
    file = str(written(tmp_path, form))
    code, out, err = unmask("explain", "-f", file, "--label", "label", "--format", "jsonl")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["gold"] for record in records] == ["positive", "negative"]
    assert [record["is_correct"] for record in records] == [
        record["gold"] == record["prediction"]["label"] for record in records
    ]


LABELLED = "id,text,label\n1,A gripping film.,NEGATIVE\n2,A dull film.,0.0\n3,A film.,neutral\n4,A film.,\n5,,1\n"


def test_only_wrong_texts_are_explained(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(LABELLED)
    code, out, err = unmask("explain", "-f", str(path), "--label", "label", "--only-wrong", "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert [(record["line"], record.get("gold")) for record in records] == [(2, "negative"), (6, None)]
    assert (code, "error" in records[1]) == (1, True)  # the empty text failed
    assert "note: skipped texts whose gold label is not one of the model's: 'neutral'" in err
    assert "note: the model gets 1 of 5 texts wrong" in err


def test_nothing_is_wrong(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("text,label\nA gripping film.,positive\n")
    arguments = ["explain", "-f", str(path), "--label", "label", "--only-wrong"]
    assert unmask(*arguments) == (0, "", "note: the model gets 0 of 1 texts wrong\n")


def test_gold_labels_and_other_columns_are_shown(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(LABELLED)
    code, out, err = unmask("explain", "-f", str(path), "--label", "label")
    assert code == 1
    assert "Gold label: negative; the prediction is wrong." in out
    assert "Gold label: negative; the prediction is correct." in out
    assert "line 4: the gold label 'neutral' matches none of the model's labels: negative, positive" in err
    page = unmask("explain", "-f", str(path), "--label", "label", "--keep", "--format", "html")[1]
    assert "1 of 2 predictions wrong" in page
    assert page.count("<dt>id</dt>") == 5
