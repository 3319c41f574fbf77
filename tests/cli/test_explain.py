"""The command as a user runs it: what is printed where, and with which exit code."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support import tiny
from support.command import process

from unmask import Explanation

TEXT = "A gripping, beautifully shot film."


def test_a_text_is_drawn(unmask: Any) -> None:
    code, out, err = unmask("explain", TEXT)
    assert (code, err) == (0, "")
    for part in ("gripping", "positive", "log-odds", "minilm-sst2", "mask [MASK]", "passes 9 + 15 for sets"):
        assert part in out
    assert "\x1b" not in out  # not a terminal


def test_json_is_the_explanation(unmask: Any) -> None:
    code, out, _ = unmask("explain", TEXT, "--format", "json", "--unit", "token", "--target", "negative")
    assert code == 0
    explanation = Explanation.from_dict(json.loads(out))
    assert explanation.text == TEXT
    assert (explanation.unit, explanation.target) == ("token", "negative")


def test_all_options_reach_the_explanation(unmask: Any) -> None:
    options = ["--target", "positive", "--against", "negative", "--scale", "probability", "--baseline", "pad"]
    more = ["--max-length", "6", "--batch-tokens", "50", "--dtype", "float64", "--device", "cpu", "--seed", "3"]
    code, out, err = unmask("explain", TEXT, "--format", "json", "--method", "sig", *options, *more)
    record = json.loads(out)
    assert code == 0
    assert record["target"] == {"label": "positive", "against": "negative"}
    assert (record["scale"], record["baseline"], record["truncated"]) == ("probability", "pad", True)
    assert err.startswith("note: the text was truncated to 6 tokens")
    assert unmask("explain", TEXT, "--format", "json", *options, *more, "--quiet")[2] == ""


def test_a_file_as_lines(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbfa good film\r\n\r\na bad film\r\n")
    code, out, err = unmask("explain", "-f", str(tmp_path / "x.txt"), "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [record["line"] for record in records] == [1, 2, 3]
    assert [record["text"] for record in records] == ["a good film", "", "a bad film"]
    assert set(records[1]) == {"line", "text", "error"}
    assert records[1]["error"]["kind"] == "TextError"
    assert err.startswith("error: line 2: the text has no unit")
    assert Explanation.from_dict(records[0]).prediction.label == "positive"


def test_a_file_as_an_array(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good\nbad\n")
    code, out, _ = unmask("explain", "-f", str(tmp_path / "x.txt"), "--format", "json")
    assert code == 0
    assert [record["line"] for record in json.loads(out)] == [1, 2]


def test_a_file_is_drawn_text_by_text(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good film\nbad film\n")
    code, out, _ = unmask("explain", "-f", str(tmp_path / "x.txt"))
    assert code == 0
    assert out.index("line 1") < out.index("line 2")
    assert out.count("▲ supports") == out.count("minilm-sst2") == 1  # one legend for all texts


@pytest.mark.parametrize("suffix", ["json", "jsonl", "txt"])
def test_output_goes_to_a_file_in_the_form_of_its_name(unmask: Any, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    code, out, err = unmask("explain", TEXT, "-o", str(path))
    assert (code, out, err) == (0, "", "")
    content = path.read_text(encoding="utf-8")
    if suffix == "txt":
        assert "log-odds" in content
        assert "\x1b" not in content
    else:
        assert json.loads(content)["text"] == TEXT
    assert len(list(tmp_path.iterdir())) == 1


def test_texts_that_all_fail_are_nothing_done(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("\n \n")
    code, out, _ = unmask("explain", "-f", str(tmp_path / "x.txt"), "--format", "jsonl")
    assert code == 2
    assert len(out.splitlines()) == 2


def test_a_file_that_breaks_off_keeps_what_is_done(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"good\n" * 100 + b"caf\xe9\nbad\n")
    code, out, err = unmask("explain", "-f", str(tmp_path / "x.txt"), "--format", "jsonl")
    assert code == 1
    assert "line 101: the byte 0xE9 at character 4 is not UTF-8" in err
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["line"] for record in records if "error" in record] == [101]
    assert [record["text"] for record in records if "error" not in record] == ["good"] * 100 + ["bad"]


def test_nothing_is_overwritten_for_nothing(unmask: Any, tmp_path: Path) -> None:
    kept, empty = tmp_path / "kept.jsonl", tmp_path / "empty.txt"
    kept.write_text("precious\n")
    empty.touch()
    assert unmask("explain", "-f", str(empty), "-o", str(kept))[0] == 2
    assert unmask("explain", "-f", str(tmp_path / "absent.txt"), "-o", str(kept))[0] == 2
    code, _, err = unmask("explain", "-f", str(kept), "-o", str(kept))
    assert code == 2
    assert "it is the input file" in err
    assert kept.read_text() == "precious\n"


def test_a_file_gets_no_colors(unmask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert unmask("explain", TEXT, "-o", str(tmp_path / "x.txt"))[0] == 0
    assert "\x1b" not in (tmp_path / "x.txt").read_text(encoding="utf-8")


def test_a_note_that_holds_for_all_is_said_once(unmask: Any, tmp_path: Path) -> None:
    tiny.model("gpt2-without-pad").save_pretrained(tmp_path / "m")
    tiny.tokenizer("gpt2-without-pad").save_pretrained(tmp_path / "m")
    (tmp_path / "x.txt").write_text("lovely film\n" + "lovely film and more of it\n" * 2)
    options = ["--model", str(tmp_path / "m"), "--max-length", "6", "--format", "jsonl"]
    code, _, err = unmask("explain", "-f", str(tmp_path / "x.txt"), *options)
    notes = err.splitlines()
    assert code == 0
    assert sum("marks the end of a text" in note for note in notes) == 1
    assert [note.split(":")[1] for note in notes if "was truncated to" in note] == [" line 2", " line 3"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a text or -f FILE"),
        (["a", "-f", "b"], "give either a text or -f FILE"),
        ([""], "the text has no unit"),
        (["a", "--method", "sgi"], "unknown method 'sgi'; did you mean 'sig'"),
        (["a", "--unit", "words"], "unknown unit 'words'"),
        (["a", "--target", "positiv"], "unknown target 'positiv'; did you mean 'positive'"),
        (["a", "--target", "7"], "outputs are 0 to 1"),
        (["a", "--against", "negative"], "--against needs --target"),
        (["a", "--target", "positive", "--against", "positive"], "with itself"),
        (["a", "--scale", "logits"], "unknown scale 'logits'"),
        (["a", "--baseline", "msk"], "unknown baseline 'msk'"),
        (["a", "--baseline", "token:xyzzyx"], "not a single token"),
        (["a", "--dtype", "float23"], "unknown dtype"),
        (["a", "--device", "gpu"], "cannot be used here"),
        (["a", "--model", "no/such-model"], "cannot load the model 'no/such-model'"),
        (["a", "--max-length", "513"], "exceeds this model's limit"),
        (["a", "--max-length", "0"], "--max-length"),
        (["a", "--format", "jsn"], "unknown format 'jsn'; did you mean 'json'?"),
        (["a", "-o", "absent/x.json"], "there is no folder 'absent'"),
        (["a", "-o", "."], "an output folder needs -f FILE"),
        (["a", "-o", "x.docx"], "cannot tell the format from the suffix '.docx'"),
        (["a", "--target", "max", "--against", "negative"], "a contrast needs two outputs"),
        (["-1 star"], "put -- before a text that starts with a dash"),
        (["-f", "absent.txt"], "cannot read 'absent.txt'"),
        (["a", "--colour"], "No such option"),
    ],
)
def test_bad_requests_say_what_is_wrong_and_leave_with_two(unmask: Any, arguments: list[str], message: str) -> None:
    code, out, err = unmask("explain", *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert "Traceback" not in err


def test_tracebacks_only_on_demand(unmask: Any) -> None:
    assert "Traceback" in unmask("explain", "a", "--method", "sgi", "--debug")[2]


@pytest.mark.parametrize("arguments", [(), ("--debug",)])
def test_a_hint_is_printed_once(unmask: Any, arguments: tuple[str, ...]) -> None:
    assert unmask("explain", *arguments)[2].count("hint: ") == 1


def test_a_fault_of_ours_is_seventy(unmask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.cli.explain.write", lambda *_: 1 / 0)
    code, out, err = unmask("explain", TEXT)
    assert (code, out) == (70, "")
    assert "ZeroDivisionError" in err
    assert "please report it" in err
    assert "Traceback" not in err


def test_an_unknown_command(unmask: Any) -> None:
    code, out, err = unmask("explane", "a")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")


def test_nothing_asked_shows_the_help(unmask: Any) -> None:
    code, out, _ = unmask()
    assert code == 2
    assert "Usage: unmask" in out


def test_methods_and_version(unmask: Any) -> None:
    code, out, _ = unmask("methods")
    assert code == 0
    assert "sig" in out
    assert "N + 2" in out
    for name in ("ig", "integrated_gradients"):
        code, out, _ = unmask("methods", name)
        assert code == 0
        assert out.startswith("ig  also integrated_gradients")
        assert "{" not in out
        assert all(
            part in " ".join(out.split()) for part in ("as all units move together", "steps=50", "rule: How the")
        )
    code, out, err = unmask("methods", "igg")
    assert (code, out) == (2, "")
    assert "unknown method 'igg'; did you mean 'ig'" in err
    assert unmask("--version") == (0, "unmask 0.1.0\n", "")


def test_a_hostile_text_is_drawn_harmless(unmask: Any) -> None:
    code, out, err = unmask("explain", "good \x1b[2J\x1b]0;owned\x07 film [bold]not markup[/bold]")
    assert code == 0
    assert "\x1b" not in out + err
    assert "\\x1b[2J" in out
    assert "[bold]" in out.replace("▲", "").replace("▼", "").replace("\n", "")


def test_standard_input_and_the_module() -> None:
    with process("explain", "-f", "-", "--format", "jsonl", stdin=subprocess.PIPE) as started:
        out, err = started.communicate(b"good film\nbad film\n")
    assert (started.returncode, err) == (0, b"")
    assert [json.loads(line)["line"] for line in out.splitlines()] == [1, 2]


@pytest.mark.slow
def test_a_terminal_of_few_characters_gets_them_escaped() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    with process("explain", "Never dull, naïve", env=environment) as started:
        out, err = started.communicate()
    assert (started.returncode, err) == (0, b"")
    assert b"\\u25b2" in out


@pytest.mark.slow
def test_a_closed_pipe_is_fine(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good film\n" * 2000)
    with process("explain", "-f", str(tmp_path / "x.txt"), "--format", "jsonl") as started:
        assert started.stdout is not None
        assert started.stderr is not None
        assert json.loads(started.stdout.readline())["line"] == 1
        started.stdout.close()
        assert started.wait(240) == 0
        assert started.stderr.read() == b""


@pytest.mark.parametrize("arguments", [["methods"], ["--help"], ["--version"], ["explain", "--help"]])
def test_a_closed_pipe_is_fine_everywhere(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run([sys.executable, "-m", "unmask", *arguments], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (found.returncode, found.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_conditions_of_the_machine_are_no_faults_of_ours() -> None:
    command = f"{sys.executable} -m unmask explain"
    for line, code, message in [
        (f"{command} good --format json > /dev/full", 1, "No space left on device"),
        (f"{command} good -o /dev/full --format jsonl", 1, "No space left on device"),
        (f"{command} -f - <&-", 2, "standard input is closed"),
        (f"{command} good >&-", 2, "there is no standard output"),
    ]:
        found = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
        assert found.returncode == code, line
        assert message in found.stderr


@pytest.mark.slow
def test_a_closed_stderr_does_not_stop_the_work(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good film\n\n" * 6)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "unmask", "explain", "-f", str(tmp_path / "x.txt"), "--format", "jsonl"]
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=writing)
    os.close(writing)
    assert found.returncode == 1
    assert len(found.stdout.splitlines()) == 12


@pytest.mark.slow
def test_ctrl_c_leaves_whole_lines(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("good film\n" * 20_000)
    path = tmp_path / "out.jsonl"
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    started = process("explain", "-f", str(tmp_path / "x.txt"), "-o", str(path), preexec_fn=listening)
    deadline = time.monotonic() + 240  # a busy machine is slow to import torch
    while time.monotonic() < deadline and not (path.exists() and path.stat().st_size > 20_000):
        time.sleep(0.05)
    with started:
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=240)
    assert started.returncode == 130
    records = [json.loads(line) for line in path.read_text().splitlines()]
    said = re.fullmatch(r"Interrupted; ([\d,]+) results saved\n", err.decode())
    assert said is not None
    assert len(records) - int(said[1].replace(",", "")) in (0, 1)  # a line may be written while it is interrupted
    assert [record["line"] for record in records] == list(range(1, len(records) + 1))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals on Windows")
@pytest.mark.parametrize(("variables", "colored"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colors_on_a_terminal_unless_refused(variables: dict[str, str], colored: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **variables}
    if not variables:
        environment.pop("NO_COLOR", None)
    subprocess.run([sys.executable, "-m", "unmask", "explain", TEXT], stdout=theirs, env=environment, check=True)
    os.close(theirs)
    out = b""
    try:
        while part := os.read(ours, 65536):
            out += part
    except OSError:
        pass
    assert (b"48;5;" in out or b"48;2;" in out) == colored
    assert "▲".encode() in out


@pytest.mark.slow
def test_a_pipe_as_output() -> None:
    command = f"{sys.executable} -m unmask explain good --format json -o /dev/stdout | cat"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (found.stderr, json.loads(found.stdout)["text"]) == ("", "good")


@pytest.mark.parametrize("name", ["x.txt", "x.json", "x.jsonl"])
def test_a_text_that_fails_overwrites_no_drawing(unmask: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious\n")
    code = unmask("explain", "", "-o", str(tmp_path / name))[0]
    assert code == 2
    if name != "x.jsonl":  # a line that failed is a line
        assert (tmp_path / name).read_text() == "precious\n"


def test_a_message_is_one_line(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a\\nerror: disk erased\\nb": 1}\n')
    err = unmask("explain", "-f", str(tmp_path / "x.jsonl"))[2]
    assert not any(line.startswith("error: disk") for line in err.splitlines())


def test_a_note_about_one_text_names_its_line(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("a gripping film\nnever dull\n")
    _, _, err = unmask("explain", "-f", str(tmp_path / "texts.txt"), "--method", "ig:steps=1", "--format", "jsonl")
    notes = [line for line in err.splitlines() if "the scores add up to" in line]
    assert [note.partition(": the")[0] for note in notes] == ["note: line 1", "note: line 2"]


@pytest.mark.parametrize("command", [("explain",), ("compare", "--method", "sig,random")])
def test_a_note_is_printed_once(unmask: Any, tmp_path: Path, command: tuple[str, ...]) -> None:
    """On standard error; a file that is written keeps it."""
    arguments = (*command, "ภาพยนตร์ เรื่องนี้ ดีมาก")
    _, out, err = unmask(*arguments)
    assert err.count("unknown to the tokenizer: 'ภาพยนตร์', 'ดีมาก' (2 of 6 units)") == 1
    assert "ote:" not in out
    path = tmp_path / "drawing.txt"
    unmask(*arguments, "-o", str(path))
    assert "Note: unknown to the tokenizer: 'ภาพยนตร์'" in path.read_text(encoding="utf-8")


def test_case_does_not_matter(unmask: Any) -> None:
    plain = unmask("explain", TEXT, "--target", "positive", "--method", "leave_one_out")
    assert unmask("explain", TEXT, "--target", "POSITIVE", "--method", "Leave_One_Out") == plain


def test_a_long_text_is_announced_with_what_is_faster(unmask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.cli.explain.LONG_TEXT", 6)
    (note,) = unmask("explain", TEXT)[2].splitlines()
    faster = "--sets none and --unit sentence are faster"
    assert re.fullmatch(rf"note: 7 words, (about \d+ s|less than a second); {faster}", note)
    assert unmask("explain", TEXT, "--quiet")[2] == ""
    assert unmask("explain", TEXT, "--unit", "sentence")[2] == ""
    monkeypatch.setattr("unmask.cli.explain.LONG_TEXT", 7)
    assert unmask("explain", TEXT)[2] == ""


def test_a_text_that_is_watched_has_a_bar(unmask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.cli.options.DeviceOptions.is_watched", property(lambda self: not self.quiet))
    monkeypatch.setattr("unmask.progress.DELAY", 0)
    assert " passes [" in unmask("explain", TEXT)[2]
    assert unmask("explain", TEXT, "--quiet")[2] == ""


def test_sixteen_bits_on_a_cpu_are_noted(unmask: Any) -> None:
    err = unmask("explain", TEXT, "--dtype", "bfloat16", "--device", "cpu")[2]
    assert err.startswith("note: the model is in bfloat16 on a CPU: small scores are unreliable")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(("option", "suffix"), [("csv", ".csv"), ("parquet", ".parquet")])
def test_rows_by_unit_by_name_and_by_suffix(unmask: Any, tmp_path: Path, option: str, suffix: str) -> None:
    (tmp_path / "x.txt").write_text("good film\n\nbad film\n")
    by_suffix, by_name = tmp_path / f"x{suffix}", tmp_path / "named"
    for more in (["-o", str(by_suffix)], ["-o", str(by_name), "--format", option]):
        assert unmask("explain", "-f", str(tmp_path / "x.txt"), *more)[0] == 1  # the empty line failed
    assert by_suffix.read_bytes() == by_name.read_bytes()
    assert b"film" in by_name.read_bytes()


def test_md_is_markdown(unmask: Any) -> None:
    assert unmask("explain", "good film", "--format", "md") == unmask("explain", "good film", "--format", "markdown")
    assert unmask("explain", "good film", "--format", "md")[0] == 0


def test_json_shows_letters_and_survives_lone_surrogates(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b'{"text": "na\xc3\xafve"}\n{"text": "\\ud800 film"}\n')
    for form in ("json", "jsonl"):
        code, out, _ = unmask("explain", "-f", str(tmp_path / "x.jsonl"), "--format", form)
        path = tmp_path / f"out.{form}"
        assert (code, unmask("explain", "-f", str(tmp_path / "x.jsonl"), "-o", str(path))[0]) == (1, 1)
        for text in (out, path.read_text(encoding="utf-8")):
            assert "naïve" in text
            assert "\\ud800 film" in text
        records = json.loads(out) if form == "json" else list(map(json.loads, out.splitlines()))
        assert [record["text"] for record in records] == ["naïve", "\ud800 film"]


@pytest.mark.slow
def test_json_is_ascii_where_standard_output_is() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    with process("explain", "naïve", "--format", "json", env=environment) as started:
        out, err = started.communicate()
    assert (started.returncode, err) == (0, b"")
    assert json.loads(out)["text"] == "naïve"
