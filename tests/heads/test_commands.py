"""`unmask explain` for every task, in every format."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from unmask import Explanation
from unmask.cli.exit_codes import say_error
from unmask.errors import ModelError

Run = Callable[..., tuple[int, str, str]]
MORE = ("svg", "csv", "markdown", "jsonl")
CASES = {
    "token_classification": ["the film is not bad"],
    "question_answering": ["--question", "what is bad?", "--context", "the film is not bad at all"],
    "fill_mask": ["the film is [MASK] bad"],
    "multiple_choice": ["the film is", "--choice", "not bad", "--choice", "dull"],
    "text2text": ["the film is not bad", "--max-new-tokens", "4"],
    "similarity": ["the film is not bad", "--pair", "it isn't dull"],
}


def explained(unmask: Run, folders: dict[str, str], task: str, *more: str) -> tuple[int, str, str]:
    given = ["--task", task] if task == "similarity" else []  # its class has no head to tell the task from
    return unmask("explain", "--model", folders[task], "--device", "cpu", *given, *CASES[task], *more)


@pytest.mark.parametrize("task", CASES)
@pytest.mark.parametrize(
    "form", ["terminal", "json", "html", *(pytest.param(one, marks=pytest.mark.slow) for one in MORE)]
)
def test_every_format(task: str, form: str, unmask: Run, folders: dict[str, str], tmp_path: Path) -> None:
    code, out, err = explained(unmask, folders, task, "--format", form)
    assert code == 0, err
    assert out.strip()
    if form == "json":
        record = json.loads(out)
        assert record["task"] == task
        assert Explanation.from_dict(record).to_dict() == record
    if form == "html" and task == "similarity":
        assert 'class="um-matrix"' in out


def test_a_phrase_of_the_context_is_explained(unmask: Run, folders: dict[str, str]) -> None:
    code, out, err = explained(unmask, folders, "question_answering", "--toward", "not bad", "--format", "json")
    assert code == 0, err
    assert json.loads(out)["target"] == "not bad"


def test_a_context_from_a_file(unmask: Run, folders: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "context.txt").write_text("the film is not bad at all\n")
    options = [
        "--task",
        "question_answering",
        "--question",
        "what is bad?",
        "--document",
        str(tmp_path / "context.txt"),
    ]
    code, out, err = unmask("explain", "--model", folders["question_answering"], *options, "--format", "json")
    assert code == 0, err
    assert [one["name"] for one in json.loads(out)["segments"]] == ["question", "context"]
    again = explained(unmask, folders, "question_answering", "--format", "json")
    assert json.loads(again[1])["units"] == json.loads(out)["units"]
    without = unmask("explain", "--model", folders["question_answering"], *options[2:], "--format", "json")
    for part in ("segments", "units"):
        assert json.loads(without[1])[part] == json.loads(out)[part]


@pytest.mark.parametrize("method", ["leave_one_out", "recursive_sig:operator=remove"])
@pytest.mark.parametrize("task", ["token_classification", "question_answering"])
def test_a_method_that_removes_words_is_refused(
    task: str, method: str, unmask: Run, folders: dict[str, str], tmp_path: Path
) -> None:
    message = f"removes words, but the task {task} reads outputs at the words themselves"
    code, _, err = explained(unmask, folders, task, "--method", method)
    assert (code, message in err) == (2, True)
    (tmp_path / "texts.jsonl").write_text(json.dumps({"question": "what is bad?", "context": "the film is bad"}))
    columns = ["question", "context"] if task == "question_answering" else ["context"]
    given = [part for name in columns for part in ("--column", name)]
    path = str(tmp_path / "texts.jsonl")
    code, _, err = unmask("evaluate", "--model", folders[task], "-f", path, *given, "--method", f"sig,{method}")
    assert (code, message in err) == (2, True)


@pytest.mark.parametrize(
    ("task", "columns"),
    [
        ("question_answering", {"question": "what is bad?", "context": "the film is not bad at all"}),
        ("multiple_choice", {"prompt": "the film is", "one": "not bad", "two": "dull"}),
    ],
)
def test_a_column_for_each_segment(
    task: str, columns: dict[str, str], unmask: Run, folders: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "texts.jsonl").write_text(json.dumps(columns) + "\n")
    options = [part for name in columns for part in ("--column", name)]
    path = str(tmp_path / "texts.jsonl")
    code, out, err = unmask("explain", "--model", folders[task], "-f", path, *options, "--format", "jsonl")
    assert code == 0, err
    (record,) = map(json.loads, out.splitlines())
    assert [one["text"] for one in record["segments"]] == list(columns.values())


@pytest.mark.parametrize(
    ("task", "arguments", "message"),
    [
        ("token_classification", ["one", "--pair", "two"], "reads a text; the request has 2 texts"),
        ("question_answering", ["what?"], "reads a question and a context; the request has 1 text"),
        ("question_answering", ["--context", "the film"], "--context needs --question TEXT"),
        ("question_answering", ["--question", "a", "--context", "a"], "at least two are needed to choose an answer"),
        ("fill_mask", ["the film is bad"], "the text has no mask; expected exactly one [MASK]"),
        ("fill_mask", ["the [MASK] is [MASK]"], "the text has 2 masks; expected exactly one"),
        ("fill_mask", ["the [MASK]", "--target", "mysteries of it"], "is not one token of this model's vocabulary"),
        (
            "multiple_choice",
            ["the film", "--choice", "bad"],
            "reads a prompt and two or more choices",
        ),
        ("similarity", ["the film"], "reads a first text and a second text; the request has 1 text"),
        ("text2text", ["the film", "--pair", "it"], "reads a source; the request has 2 texts"),
        ("token_classification", ["the film", "--target", "cinema"], "the text 'the film' does not contain 'cinema'"),
        ("token_classification", ["the film", "--target", "film: DOG"], "unknown label 'DOG'"),
    ],
)
def test_bad_input(task: str, arguments: list[str], message: str, unmask: Run, folders: dict[str, str]) -> None:
    given = ["--task", task] if task == "similarity" else []
    code, _, err = unmask("explain", "--model", folders[task], "--device", "cpu", *given, *arguments)
    assert code == 2
    assert message in " ".join(err.split())


def test_a_hint_prints_lines_of_code_and_escapes_other_line_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    say_error(ModelError("no head", hint="write:\n    one\n        two\nerror: \x1b[2J"))
    assert capsys.readouterr().err.splitlines() == [
        "error: no head",
        "hint: write:",
        "    one",
        "        two\\nerror: \\x1b[2J",
    ]
