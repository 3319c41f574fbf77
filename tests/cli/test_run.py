"""`unmask evaluate --run`, `unmask evaluate --plan`, `unmask report`, `unmask status`."""

import json
import signal
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.command import process

from unmask.experiments.store import NAME, hold
from unmask.models.huggingface.loading import embedded_model

PLAN = """
methods = ["sig", "grad_x_input"]
operators = ["remove"]
controls = ["random"]
[datasets.films]
source = "films.txt"
[datasets.more]
source = "nyu-mll/glue"
config = "sst2"
split = "test"
[models]
mini = "somebody/mini"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "films.txt").write_text("A gripping film.\nDull, and far too long!\n \n")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_a_line_that_cannot_be_read_is_named_once(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "films.jsonl").write_text('{"text": "A gripping film."}\n{"text": 3}\n')
    command = ["evaluate", "-f", str(tmp_path / "films.jsonl"), "--method", "sig", "--run", str(tmp_path / "run")]
    code, out, err = unmask(*command)
    assert code == 1
    assert "error: line 2 of films: the column 'text' is a number, not a string" in err
    assert (out + err).count("line 2") == 2  # once in the table, once as an error


def test_where_every_text_fails_nothing_is_done(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "films.jsonl").write_text('{"text": " "}\n{"text": 3}\n')
    command = ["evaluate", "-f", str(tmp_path / "films.jsonl"), "--method", "sig"]
    assert unmask(*command)[0] == 2
    code, _, err = unmask(*command, "--run", str(tmp_path / "run"))
    assert code == 2
    assert "error: line 1 of films: the text has no unit to explain" in err
    assert "error: line 2 of films: the column 'text' is a number" in err


def test_the_terminal_says_the_same_in_memory_and_in_a_folder(unmask: Any, folder: Path) -> None:
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig,leave_one_in", "--limit", "2"]
    (_, in_memory, _), (_, kept, _) = unmask(*command), unmask(*command, "--run", str(folder / "run"))
    heading, _, verdict, *_ = kept.splitlines()
    assert [heading, "", verdict] == in_memory.splitlines()[:3]
    assert heading == "2 methods evaluated on 2 texts"
    assert kept.split("\n\n")[-1] == in_memory.split("\n\n")[-1]  # what the figures depend on


def test_the_same_command_goes_on_where_it_stopped(unmask: Any, folder: Path) -> None:
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig", "--run", str(folder / "run")]
    code, out, err = unmask(*command, "--limit", "1")
    assert (code, err) == (0, "")
    assert out.startswith("1 method evaluated on 1 text\n")
    code, out, err = unmask(*command)
    assert code == 1
    assert "error: line 3 of films: the text has no unit to explain: it is blank" in err
    assert unmask(*command)[1] == out
    code, out, _ = unmask("status", str(folder / "run"))
    assert code == 0
    assert "Finished; some texts failed" in out
    assert "failed: line 3: the text has no unit to explain" in out


def test_another_file_in_the_same_folder_is_told(unmask: Any, folder: Path) -> None:
    (folder / "more.txt").write_text("A lovely film.\n")
    command = ["--method", "grad_x_input", "--operator", "remove", "--limit", "1", "--run", str(folder / "run")]
    assert unmask("evaluate", "-f", str(folder / "films.txt"), *command)[2] == ""
    code, out, err = unmask("evaluate", "-f", str(folder / "more.txt"), *command)
    assert (code, "1 method evaluated on 1 text" in out, "films" in out) == (0, True, False)
    assert f"run' also has results for films/model ({folder / 'films.txt'}); they are kept" in err
    assert unmask("evaluate", "-f", str(folder / "more.txt"), *command)[2] == ""


@pytest.mark.slow
def test_without_a_file_the_sentences_in_the_package_are_judged(unmask: Any, tmp_path: Path) -> None:
    command = ["evaluate", "--method", "sig", "--limit", "2", "--run", str(tmp_path / "run")]
    code, out, _ = unmask(*command, "--format", "markdown")
    assert code == 0
    assert "rationales, baseline auto (mask)" in out
    assert "agreement with rationales" in out
    assert "predictions with words deleted at random" in out


def test_a_plan_with_local_names(unmask: Any, folder: Path) -> None:
    options = ["--map", f"mini={embedded_model()}", "--only", "films"]
    command = ["run", str(folder / "plan.toml"), *options]
    code, out, _ = unmask(*command, str(folder / "run"), "--limit", "2", "--format", "markdown")
    assert code == 0
    before = ["evaluate", "--plan", str(folder / "plan.toml"), "--run", str(folder / "run"), *options]
    assert unmask(*before, "--limit", "2", "--format", "markdown")[:2] == (0, out)  # as it was written before
    assert "published" not in out  # of which the paper has nothing like it
    code, out, _ = unmask(*command, "--estimate")
    assert code == 0
    assert "films/mini (auto): 3 texts, 5 items" in out
    (one,) = json.loads(unmask(*command, "--estimate", "--format", "json")[1])
    assert (one["name"], one["texts"], one["items"]) == ("films/mini", 3, 5)


def test_an_estimate_tells_of_texts_that_cannot_be_read(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n \n")
    code, out, _ = unmask("evaluate", "-f", str(tmp_path / "blank.txt"), "--method", "sig", "--estimate")
    assert code == 0
    assert "blank/model (auto): no text can be read" in out


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_it_has(folder: Path, unmask: Any) -> None:
    (folder / "many.txt").write_text("".join(f"A gripping film, number {at} of many.\n" for at in range(2_000)))
    command = ["evaluate", "-f", str(folder / "many.txt"), "--method", "sig", "--run", str(folder / "run")]
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    started = process(*command, "--operator", "remove", preexec_fn=listening)
    place, deadline = folder / "run", time.monotonic() + 240  # a busy machine is slow to import torch
    while time.monotonic() < deadline and not kept(place):
        time.sleep(0.1)
    with started:
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=240)
    assert (started.returncode, said.decode()) == (130, f"Interrupted; {kept(place):,} results saved\n")
    code, out, _ = unmask("status", str(place))
    assert code == 0
    assert f"{kept(place):,} of 10,000 results" in out


def kept(place: Path) -> int:
    """How many results are there."""
    if not (place / NAME).exists():
        return 0
    with closing(sqlite3.connect(f"file:{place / NAME}?mode=ro", uri=True)) as database:
        try:
            return int(
                database.execute("SELECT (SELECT count(*) FROM scores) + (SELECT count(*) FROM judgments)").fetchone()[
                    0
                ]
            )
        except sqlite3.OperationalError:  # it is being made
            return 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate", "--plan", "PLAN"], "unmask run PLAN FOLDER"),
        (["run", "PLAN"], "unmask run PLAN FOLDER"),
        (["run", "PLAN", "RUN", "--map", "mini"], "expected NAME=PATH"),
        (["run", "papr", "RUN"], "did you mean 'paper'"),
        (["evaluate", "--plan", "PLAN", "--run", "RUN", "--method", "sig"], "--method is set by the plan"),
        (["evaluate", "--plan", "PLAN", "--run", "RUN", "--map", "mini"], "expected NAME=PATH"),
        (["evaluate", "--plan", "PLAN", "--run", "RUN", "--map", "bert=x"], "'bert'"),
        (["evaluate", "--plan", "PLAN", "--run", "RUN", "--only", "film"], "did you mean 'films'"),
        (["evaluate", "-f", "-", "--run", "RUN"], "give -f FILE"),
        (["evaluate", "--only", "films", "--run", "RUN"], "--map and --only need a plan"),
        (["evaluate", "-f", "FILE", "--run", "RUN", "--rationale", "x"], "rationale='x' needs label"),
        (["evaluate", "--run", "RUN", "--rationale", "x"], "need -f FILE"),
        (["report", "RUN"], "no run in"),
        (["status", "RUN"], "no run in"),
        (["report", "RUN", "--format", "svg"], "unknown format 'svg'"),
    ],
)
def test_what_cannot_be_is_a_sentence(unmask: Any, folder: Path, arguments: list[str], words: str) -> None:
    names = {"PLAN": folder / "plan.toml", "RUN": folder / "run", "FILE": folder / "films.txt"}
    code, out, err = unmask(*(str(names.get(one, one)) for one in arguments))
    assert (code, out) == (2, "")
    assert words in err
    assert not (folder / "run" / "results.sqlite").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--given", "x"], "--given needs --scores FILE"),
        (["--protocol", "paper", "--operator", "mask"], "does not take operators"),
        (["--reference", "bogus"], "unknown reference 'bogus'"),
    ],
)
def test_what_a_run_cannot_have_is_refused_before_it(unmask: Any, folder: Path, options: list[str], said: str) -> None:
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig", "--run", str(folder / "run")]
    code, _, err = unmask(*command, *options)
    assert code == 2
    assert said in err
    assert not (folder / "run").exists()


def test_a_reference_may_be_named_by_its_method(unmask: Any, folder: Path) -> None:
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig,ig:steps=2", "--limit", "2"]
    code, out, _ = unmask(*command, "--run", str(folder / "run"), "--reference", "ig", "--format", "markdown")
    assert code == 0
    assert "each method minus ig:steps=2" in out


def test_files_of_ones_own_in_the_folder_are_left_alone(unmask: Any, folder: Path) -> None:
    (folder / "run").mkdir()
    (folder / "run" / "lock").write_text("mine")
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig", "--limit", "1"]
    assert unmask(*command, "--run", str(folder / "run"))[0] == 0
    assert (folder / "run" / "lock").read_text() == "mine"
    (folder / "other").mkdir()
    (folder / "other" / NAME).write_text("no store")
    assert unmask(*command, "--run", str(folder / "other"))[0] == 2
    assert [path.name for path in (folder / "other").iterdir()] == [NAME]


def test_a_file_may_be_called_as_a_model(unmask: Any, folder: Path) -> None:
    (folder / "model.txt").write_text("A gripping film.\n")
    command = ["evaluate", "-f", str(folder / "model.txt"), "--method", "sig", "--run", str(folder / "run")]
    assert unmask(*command)[0] == 0


def test_a_place_that_can_be_no_folder(unmask: Any, folder: Path) -> None:
    films = str(folder / "films.txt")
    code, _, err = unmask("evaluate", "-f", films, "--method", "sig", "--run", films)
    assert code == 2
    assert "cannot create the folder" in err
    assert films in err


def test_the_status_of_a_run_that_is_about_to_begin(unmask: Any, tmp_path: Path) -> None:
    with hold(tmp_path):
        code, out, err = unmask("status", str(tmp_path))
    assert (code, err) == (0, "")
    assert "is starting" in out


def test_what_works_in_memory_works_in_a_folder(unmask: Any, tmp_path: Path) -> None:
    """Scores from elsewhere, their own targets and spans, gold labels, people's marks, other names for outputs."""
    lines: list[dict[str, Any]] = [
        {"text": "A lovely film.", "spans": [[0, 1], [2, 8]], "scores": [0, 1], "target": "good", "gold": "good"},
        {"text": "Dull, and far too long.", "spans": [[0, 4], [14, 22]], "scores": [-1, 2], "gold": "BAD"},
        {"text": "A film", "spans": [[0, 1]]},
    ]
    lines[1]["why"] = [1, 0, 0, 1, 1]
    (tmp_path / "lime.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ["--labels", "bad,good", "--label", "gold", "--rationale", "why", "--reference", "lime"]
    command = [
        "evaluate",
        "--scores",
        str(tmp_path / "lime.jsonl"),
        *options,
        "--method",
        "sig,leave_one_out",
        "--format",
        "json",
    ]
    code, out, err = unmask(*command)
    assert code == 1
    in_memory = json.loads(out)
    assert "line 3: not a text with scores" in err
    code, out, err = unmask(*command, "--run", str(tmp_path / "run"))
    assert (code, "line 3 of lime: not a text with scores" in err) == (1, True)
    (cell,) = json.loads(out)["cells"]
    assert (cell["unit"], cell["target"]) == (in_memory["unit"], in_memory["target"]) == ("span", "good, predicted")
    means = {
        (row["name"], one["metric"], one["operator"], one["share"]): one["mean"]
        for row in in_memory["rows"]
        for one in row["figures"]
    }
    kept = {
        (row["name"], one["metric"], one["operator"], one["share"]): one["mean"]
        for row in cell["rows"]
        for one in row["figures"]
    }
    assert {name for name, *_ in kept} >= {"sig", "leave_one_out", "lime (file)", "random", "greedy"}
    assert kept == pytest.approx({key: means[key] for key in kept}, abs=1e-6)
    assert any(metric == "auprc" for _, metric, *_ in kept)
    assert unmask("report", str(tmp_path / "run"), "--reference", "lime", "--format", "json")[1] == out
    refused = [unmask(*command, "--revision", "main", *more)[2] for more in ([], ["--run", str(tmp_path / "other")])]
    assert all("revision 'main' needs a hub name" in error for error in refused)


def test_the_bar_of_a_run_has_one_label(unmask: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.cli.options.DeviceOptions.is_watched", property(lambda self: not self.quiet))
    command = ["evaluate", "-f", str(folder / "films.txt"), "--method", "sig", "--run", str(folder / "run")]
    bars = [line for line in unmask(*command, "--limit", "1")[2].split("\r") if " left, " in line]
    assert bars
    assert all(line.count(" left, ") == 1 for line in bars)
