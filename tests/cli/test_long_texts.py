"""Long texts on the command line: read in windows, or scored within a budget."""

import csv
import io
import json
from collections.abc import Callable

import pytest

Command = Callable[..., tuple[int, str, str]]
TEXT = "A gripping, beautifully shot film. The plot is thin. I was never bored. Still, the ending disappoints badly."
SHORT = ("--max-length", "24")


def test_windows_explain_all_of_a_text(unmask: Command) -> None:
    code, out, said = unmask("explain", TEXT, *SHORT, "--long", "windows", "--format", "json", "--sets", "none")
    record = json.loads(out)
    assert code == 0
    assert "the model was applied to 2 windows" in said
    assert [window["tokens"] <= 24 for window in record["windows"]] == [True, True]
    assert record["units"][-2]["text"] == "badly"
    assert record["units"][-2]["window_score"] != record["units"][-2]["score"]
    assert not record["truncated"]


def test_pictures_say_that_windows_are_explained(unmask: Command) -> None:
    for form in ("terminal", "html"):
        _, out, said = unmask("explain", TEXT, *SHORT, "--long", "windows", "--format", form, "--sets", "none")
        assert "the model was applied to 2 windows" in " ".join((out + said).split())
        assert "badly" in out


def test_a_cut_text_names_the_option(unmask: Command) -> None:
    code, _, said = unmask("explain", TEXT, *SHORT, "--sets", "none")
    assert code == 0
    assert "--long windows" in said


def test_words_within_a_budget(unmask: Command) -> None:
    _, out, _ = unmask("explain", TEXT, "--detail", "sentence+word", "--rows", "12", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    words = [row for row in rows if row["unit"] == "word"]
    assert [row["unit"] for row in rows].count("sentence") == 4
    assert sum(bool(row["score"]) for row in words) == 12 - 2 - 4
    _, drawn, _ = unmask("explain", TEXT, "--detail", "sentence+word", "--rows", "12")
    assert f"6 of {len(words)} words, in the sentences that matter most" in " ".join(drawn.split())


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("--rows", "5"), "--rows needs --detail sentence+word"),
        (("--long", "windows", "--method", "ig"), "long='windows' does not work with method 'ig'"),
        (("--long", "wide"), "long='wide': expected 'cut' or 'windows'"),
        (("--batch-tokens", "many"), "--batch-tokens many: expected a number (at least 1) or auto"),
        (("--detail", "sentence+word", "--rows", "9", "--seconds", "1"), "give rows or seconds, not both"),
    ],
)
def test_options_that_are_refused(unmask: Command, given: tuple[str, ...], error: str) -> None:
    code, _, said = unmask("explain", TEXT, *given)
    assert code == 2
    assert error in said
