"""`unmask explain --sets`: the words that decide, for a text and for a file."""

import json
from pathlib import Path
from typing import Any

import pytest

TEXT = "A gripping, beautifully shot film."


def explained(unmask: Any, *arguments: str) -> dict[str, Any]:
    code, out, err = unmask("explain", TEXT, "--format", "json", *arguments)
    assert (code, err) == (0, "")
    record: dict[str, Any] = json.loads(out)
    return record


def test_sets_come_by_default_and_with_a_number_of_passes(unmask: Any) -> None:
    for arguments, most in (((), 21), (("--sets", "auto"), 21), (("--sets", "40"), 40), (("--sets", "3"), 3)):
        record = explained(unmask, *arguments)
        assert record["passes"] == {"forward": 9, "backward": 0}
        assert record["sets"]["passes"]["forward"] <= most
        assert most == 3 or [record["units"][at]["text"] for at in record["sets"]["sufficient"]["units"]] == [
            "beautifully"
        ]


def test_sets_can_be_left_out_and_asked_for_with_another_method(unmask: Any) -> None:
    assert explained(unmask, "--sets", "none")["sets"] is None
    assert explained(unmask, "--method", "leave_one_in")["sets"] is None
    assert explained(unmask, "--method", "leave_one_in", "--sets", "auto")["sets"]["sufficient"]["units"] == [3]


def test_every_text_of_a_file_has_sets(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "films.txt").write_text("Not bad.\nA dull film.\n", encoding="utf-8")
    for arguments, has_sets in (((), True), (("--sets", "none"), False)):
        code, out, _ = unmask("explain", "-f", str(tmp_path / "films.txt"), "--format", "jsonl", *arguments)
        assert code == 0
        assert [json.loads(line)["sets"] is not None for line in out.splitlines()] == [has_sets] * 2


@pytest.mark.parametrize("value", ["all", "0", "-1", "1.5", ""])
def test_other_values_are_refused_before_a_model_is_loaded(unmask: Any, value: str) -> None:
    code, out, err = unmask("explain", TEXT, f"--sets={value}", "--model", "no such folder")
    assert (code, out) == (2, "")
    assert f"--sets {value}: expected auto, none, or a number of passes (at least 1)" in " ".join(err.split())


def test_an_estimate_counts_the_most_passes(unmask: Any) -> None:
    assert unmask("explain", TEXT, "--estimate")[1].startswith("1 text, 7 words, at most 30 passes: ")
    assert unmask("explain", TEXT, "--estimate", "--sets", "none")[1].startswith("1 text, 7 words, 9 passes: ")
    assert unmask("explain", TEXT, "--estimate", "--sets", "5")[1].startswith("1 text, 7 words, at most 14 passes: ")


def test_the_largest_output_has_no_sets(unmask: Any) -> None:
    record = explained(unmask, "--target", "max")
    assert (record["sets"], 'the target "max"' in record["sets_note"]) == (None, True)
    code, _, err = unmask("explain", TEXT, "--target", "max", "--sets", "9")
    assert code != 0
    assert 'the target "max"' in " ".join(err.split())
