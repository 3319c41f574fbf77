"""`unmask evaluate`."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from unmask.experiments.examples import NO_RATIONALE

SENTENCES = [("A gripping film.", "positive", [0, 1, 0]), ("Dull, and far too long!", "negative", [1, 0, 0, 0, 0])]


@pytest.fixture
def file(tmp_path: Path) -> str:
    rows = [{"text": text, "gold": gold, "marks": marks} for text, gold, marks in SENTENCES]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_one_table_with_controls(unmask: Any, file: str) -> None:
    code, out, err = unmask("evaluate", "-f", file, "--method", "sig,leave_one_in", "--reference", "sig")
    assert (code, err) == (0, "")
    for words in (
        "2 methods evaluated on 2 texts",
        "Units are removed",
        "log-odds",
        "random",
        "greedy",
        "minus sig",
        "[",
    ):
        assert words in out
    assert "protocol corrected" in out
    assert max(map(len, out.splitlines())) <= 80


def test_one_table_below_a_verdict_and_with_full_all_of_them(unmask: Any, file: str) -> None:
    arguments = ["evaluate", "-f", file, "--method", "sig,leave_one_in"]
    _, short, _ = unmask(*arguments)
    _, full, _ = unmask(*arguments, "--full")
    verdict = "2 texts are too few for a verdict: evaluate at least 6."
    assert [out.splitlines()[:3] for out in (short, full)] == [["2 methods evaluated on 2 texts", "", verdict]] * 2
    assert short.count("─\n") == 2  # one table: a rule below its header and one above the controls
    assert "Units are replaced by the mask token" in full
    assert "Units are replaced by the mask token" not in short
    assert "Each method minus" not in short
    _, page, _ = unmask(*arguments, "--format", "markdown")
    assert f"\n\n{verdict}\n\n## Units are removed\n" in page
    assert "## Units are replaced by the mask token" in page


def test_a_verdict_is_in_json(unmask: Any, file: str) -> None:
    _, out, _ = unmask("evaluate", "-f", file, "--method", "sig", "--format", "json")
    assert json.loads(out)["verdict"].startswith("2 texts are too few")


def test_labels_and_rationales(unmask: Any, file: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    arguments = ["--label", "gold", "--rationale", "marks", "--method", "sig", "-o", str(path)]
    assert unmask("evaluate", "-f", file, *arguments)[0] == 0
    found = json.loads(path.read_text())
    assert (found["protocol"], found["examples"], found["rationale_length"]) == (
        "corrected",
        2,
        2,
    )  # the comma goes with its word
    figures = {(row["name"], one["metric"]): one for row in found["rows"] for one in row["figures"]}
    assert figures["sig", "auprc"]["count"] == 2
    assert figures["random words", "accuracy"]["values"] is not None


def test_no_file_are_the_sentences_in_the_package(unmask: Any) -> None:
    code, out, _ = unmask("evaluate", "--limit", "3", "--method", "sig", "--operator", "remove", "--format", "csv")
    assert code == 0
    figures = list(csv.DictReader(io.StringIO(out)))
    assert {one["protocol"] for one in figures} == {"corrected"}
    assert [one["row"] for one in figures if one["metric"] == "auprc"] == ["sig", "random"]
    assert list(dict.fromkeys(one["row"] for one in figures)) == ["sig", "random", "greedy", "random words"]


@pytest.mark.parametrize(
    ("form", "words"), [("markdown", "| sig |"), ("html", "<!doctype html>"), ("latex", "tabular")]
)
def test_every_format(unmask: Any, file: str, form: str, words: str) -> None:
    code, out, _ = unmask("evaluate", "-f", file, "--method", "sig", "--operator", "mask", "--format", form)
    assert code == 0
    assert words in out


def test_scores_from_elsewhere(unmask: Any, file: str, tmp_path: Path) -> None:
    path = tmp_path / "lime.jsonl"
    assert unmask("explain", "-f", file, "-o", str(path))[0] == 0
    code, out, _ = unmask("evaluate", "--scores", str(path), "--method", "sig", "--format", "json", "--given", "lime")
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)["rows"]}
    assert [one["mean"] for one in rows["lime"]["figures"]] == [
        one["mean"] for one in rows["sig"]["figures"] if one["metric"] not in ("delta", "absolute_delta")
    ]


def test_scores_of_spans_are_judged_on_spans_and_fail_by_line(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "lime.jsonl"
    good = json.dumps({"text": "A gripping film.", "spans": [[2, 10], [11, 15]], "scores": [1, 0.5]})
    path.write_text(f'{good}\n\n{{"text": "torn\n{{"text": "A film", "spans": [[0, 1]]}}\n')
    code, out, err = unmask("evaluate", "--scores", str(path), "--method", "sig", "--format", "json")
    found = json.loads(out)
    assert (code, found["unit"]) == (1, "span")
    assert [(one["example"], one["place"]) for one in found["failures"]] == [(1, "line 3"), (2, "line 4")]
    assert "error: line 4: not a text with scores" in err
    assert "text 3" not in err


def test_lines_without_a_label_are_judged_too(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    labels: list[dict[str, Any]] = [{"gold": 1.0}, {}, {"gold": None}, {"gold": "0.0"}, {"gold": ""}]
    path.write_text("".join(json.dumps({"text": "A gripping film."} | label) + "\n" for label in labels))
    code, out, err = unmask("evaluate", "-f", str(path), "--label", "gold", "--method", "sig", "--format", "json")
    assert (code, err) == (0, "")
    words = next(row for row in json.loads(out)["rows"] if row["name"] == "random words")
    accuracy = next(one for one in words["figures"] if (one["metric"], one["share"]) == ("accuracy", 0.0))
    assert accuracy["values"] == [1.0, None, None, 0.0, None]


def test_some_texts_fail(unmask: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("A gripping film.\n \n")
    code, out, err = unmask("evaluate", "-f", str(path), "--method", "sig")
    assert code == 1
    assert "error: line 2: the text has no unit to explain: it is blank" in err
    assert "1 of 2 texts failed" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--label", "gold"], "need -f FILE"),
        (["-f", "FILE", "--label", "golden"], "no column 'golden'; other columns: gold, marks"),
        (["-f", "FILE", "--given", "x"], "--given needs --scores FILE"),
        (["--scores", "x.csv"], "'x.csv': imported scores must be .jsonl"),
        (["-f", "FILE", "--seed", "-1"], "seed"),
        (["-f", "FILE", "--labels", "bad"], "1 labels for 2 outputs"),
        (["-f", "FILE", "--rationale", "gold"], "rationale='gold' needs label"),
        (["-f", "FILE", "--rationale", "marks"], "rationale='marks' needs label"),
        (["--scores", "FILE", "--unit", "token"], "the spans in the --scores file are the units"),
        (["-f", "FILE", "--scores", "FILE"], "the --scores file already contains the texts"),
        (["--scores", "FILE"], "no text could be evaluated: line 1: not a text with scores"),
        (["-f", "FILE", "--format", "svg"], "unknown format 'svg'"),
        (["-f", "FILE", "-o", "x.png"], "cannot tell the format"),
        (["-f", "FILE", "--method", "sgi"], "unknown method 'sgi'"),
        (["-f", "FILE", "--reference", "ig", "--method", "sig"], "unknown reference 'ig'"),
        (["-f", "FILE", "--reference", "given", "--method", "sig"], "no text has imported scores"),
        (["-f", "FILE", "--protocol", "paper", "--operator", "mask"], "does not take operators"),
        (["-f", "FILE", "--top", "0"], "top=0"),
        (["-f", "FILE", "--method", "sig,random"], "remove it from the methods or from the controls"),
        (["-f", "FILE", "--estimate", "--reference", "igg"], "unknown reference 'igg'"),
    ],
)
def test_what_cannot_be_is_a_sentence(unmask: Any, file: str, arguments: list[str], words: str) -> None:
    code, out, err = unmask("evaluate", *(file if one == "FILE" else one for one in arguments))
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize("marks", ['{"m": 1}', '"0 1 0"', '[{"mask": 3}]'])
def test_a_rationale_that_is_none_fails_alone(unmask: Any, tmp_path: Path, marks: str) -> None:
    good = '{"text": "A lovely film.", "gold": "positive", "why": [0, 1, 0]}'
    (tmp_path / "x.jsonl").write_text(f'{good}\n{{"text": "A film.", "gold": "positive", "why": {marks}}}\n')
    arguments = ["-f", str(tmp_path / "x.jsonl"), "--label", "gold", "--rationale", "why", "--method", "sig"]
    code, _, err = unmask("evaluate", *arguments)
    assert (code, err) == (1, f"error: line 2: {NO_RATIONALE}\n")


def test_scores_say_themselves_what_they_explain(unmask: Any, tmp_path: Path) -> None:
    line = '{"text": "A lovely film.", "spans": [[0, 1], [2, 8]], "scores": [0, 1], "target": "negative", "label": 1}'
    (tmp_path / "x.jsonl").write_text(f"{line}\n")
    scores = ["--scores", str(tmp_path / "x.jsonl"), "--method", "sig"]
    assert "remove --target" in unmask("evaluate", *scores, "--target", "positive")[2]
    found = json.loads(unmask("evaluate", *scores, "--format", "json")[1])
    assert found["target"] == "negative"
    accuracies = [one for row in found["rows"] for one in row["figures"] if one["metric"] == "accuracy"]
    assert not any(one["count"] for one in accuracies)  # nobody said that the column `label` is one
    named = json.loads(unmask("evaluate", *scores, "--label", "label", "--format", "json")[1])
    assert [one for row in named["rows"] for one in row["figures"] if one["metric"] == "accuracy" and one["count"]]


def test_columns_that_were_carried_through_are_those_of_the_scores(unmask: Any, file: str, tmp_path: Path) -> None:
    explained = str(tmp_path / "explained.jsonl")
    assert unmask("explain", "-f", file, "--keep", "-o", explained)[0] == 0
    asked = ["--scores", explained, "--label", "gold", "--rationale", "marks", "--method", "sig", "--format", "json"]
    code, out, err = unmask("evaluate", *asked)
    assert (code, err) == (0, "")
    agreed = [one for row in json.loads(out)["rows"] for one in row["figures"] if one["metric"] == "auprc"]
    assert agreed
    assert all(one["count"] for one in agreed)


def test_gold_labels_that_a_run_does_not_know(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text,gold\na lovely film,positive\na bad film,POS\na dull film,neg\n")
    asked = ["evaluate", "-f", str(tmp_path / "x.csv"), "--label", "gold", "--method", "grad_x_input"]
    code, out, _ = unmask(*asked, "--operator", "remove", "--run", str(tmp_path / "run"), "--format", "markdown")
    assert code == 0
    assert "2 gold labels match none of the model's labels; not counted in the accuracy" in out
    assert "accuracy: 1 of 3 texts" in out


def test_gold_labels_that_the_model_does_not_know(unmask: Any, file: str) -> None:
    arguments = ["-f", file, "--label", "gold", "--rationale", "marks", "--method", "sig", "--format", "json"]
    code, out, err = unmask("evaluate", *arguments, "--labels", "A,B")
    assert code == 0
    assert "2 gold labels match none of the model's" in err
    assert "agreement is not computed for" in err
    figures = [one for row in json.loads(out)["rows"] for one in row["figures"]]
    assert not [one for one in figures if one["metric"] == "auprc"]
    assert {one["count"] for one in figures if one["metric"] == "comprehensiveness"} == {2}
    assert unmask("evaluate", *arguments, "--labels", "NEGATIVE,Positive")[2] == ""


def test_a_long_text_is_said_to_be_cut(unmask: Any, file: str) -> None:
    code, out, _ = unmask("evaluate", "-f", file, "--max-length", "6", "--method", "sig")
    assert code == 0
    assert "1 text is longer than the model's limit" in out
