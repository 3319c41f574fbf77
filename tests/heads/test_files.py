"""`unmask evaluate` and `unmask explain` of every task from a file with a column for each text."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from unmask import Evaluation
from unmask.experiments import reporting
from unmask.experiments.store import Store

Command = Callable[..., tuple[int, str, str]]
ROWS: dict[str, dict[str, str]] = {
    "token_classification": {"text": "the film is not bad"},
    "question_answering": {"question": "what is bad?", "context": "the film is not bad at all"},
    "fill_mask": {"text": "the film is [MASK] bad"},
    "multiple_choice": {"prompt": "the film is", "one": "not bad", "two": "dull"},
    "text2text": {"text": "the film is not bad"},
    "similarity": {"first": "the film is not bad", "second": "it isn't dull"},
}


def arguments(task: str, folders: dict[str, str], path: Path) -> list[str]:
    row = {**ROWS[task], "written": "it isn't dull"} if task == "text2text" else ROWS[task]
    path.write_text(f"{json.dumps(row)}\n" * 2)
    columns = [part for name in ROWS[task] for part in ("--column", name)]
    given = ["--continuation-column", "written"] if task == "text2text" else []
    return ["--task", task, "--model", folders[task], "-f", str(path), *columns, *given, "--device", "cpu"]


@pytest.mark.parametrize("task", ROWS)
def test_evaluate_from_a_file(task: str, unmask: Command, folders: dict[str, str], tmp_path: Path) -> None:
    options = ["--method", "sig", "--operator", "mask", "--format", "json", "--quiet"]
    code, out, err = unmask("evaluate", *arguments(task, folders, tmp_path / "texts.jsonl"), *options)
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    assert found["failures"] == []
    (row,) = [row for row in found["rows"] if row["name"] == "sig"]
    figures = Evaluation.from_dict(found).rows[found["rows"].index(row)].values
    assert {len(values) for values in figures.values()} == {2}  # one value per text
    assert all(one == one for values in figures.values() for one in values)


@pytest.mark.slow
@pytest.mark.parametrize("task", ROWS)
def test_evaluate_into_a_folder(task: str, unmask: Command, folders: dict[str, str], tmp_path: Path) -> None:
    given = [*arguments(task, folders, tmp_path / "texts.jsonl"), "--method", "sig", "--operator", "mask", "--quiet"]
    code, _, err = unmask("evaluate", *given, "--run", str(tmp_path / "run"), "--format", "json")
    assert code == 0, err
    with closing(Store(tmp_path / "run", reading=True)) as store:
        (evaluated,) = (cell.evaluation for cell in reporting.report(store, reporting.plan_of(store)).cells)
    assert evaluated is not None
    expected = Evaluation.from_dict(json.loads(unmask("evaluate", *given, "--format", "json")[1]))
    found, wanted = ({row.name: row.values for row in one.rows} for one in (evaluated, expected))
    for metric, values in wanted["sig"].items():
        assert found["sig"][metric] == pytest.approx(values, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("task", ["token_classification", "fill_mask", "text2text", "similarity"])
def test_explain_from_a_file(task: str, unmask: Command, folders: dict[str, str], tmp_path: Path) -> None:
    options = ["--format", "jsonl", "--quiet"]
    code, out, err = unmask("explain", *arguments(task, folders, tmp_path / "texts.jsonl"), *options)
    assert code == 0, err
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["task"] for record in records] == [task] * 2
    texts = [[one["text"] for one in record["segments"]][: len(ROWS[task])] for record in records]
    assert texts == [list(ROWS[task].values())] * 2


@pytest.mark.parametrize(
    ("task", "columns", "message"),
    [
        ("question_answering", 1, "1 column given; the task question_answering reads 2: question, context"),
        ("question_answering", 3, "3 columns given; the task question_answering reads 2: question, context"),
        ("similarity", 3, "3 columns given; the task similarity reads 2: first text, second text"),
        ("token_classification", 2, "2 columns given; the task token_classification reads 1: text"),
        ("multiple_choice", 2, "2 columns given; the task multiple_choice reads a prompt and two or more choices"),
        ("fill_mask", 3, "3 columns given; expected one, or two for pairs"),
    ],
)
@pytest.mark.parametrize("command", ["explain", "evaluate"])
def test_another_number_of_columns_is_refused_early(
    task: str, columns: int, message: str, command: str, unmask: Command, tmp_path: Path
) -> None:
    (tmp_path / "texts.csv").write_text("a,b,c\n1,2,3\n")
    given = [part for name in "abc"[:columns] for part in ("--column", name)]
    path = str(tmp_path / "texts.csv")
    code, _, err = unmask(command, "--task", task, "--model", str(tmp_path / "no-model"), "-f", path, *given)
    assert code == 2
    assert message in " ".join(err.split())


def test_a_classifiers_columns_are_counted_once_it_is_known(unmask: Command, tmp_path: Path) -> None:
    from unmask.models.huggingface.loading import embedded_model

    (tmp_path / "texts.csv").write_text("a,b,c\n1,2,3\n")
    given = ["--column", "a", "--column", "b", "--column", "c"]
    options = ["--model", str(embedded_model()), "-f", str(tmp_path / "texts.csv"), "--device", "cpu"]
    code, _, err = unmask("explain", *options, *given)
    assert code == 2
    assert "3 columns given; expected one, or two for pairs" in err
