"""`unmask paths`."""

import json
from pathlib import Path
from typing import Any

TEXT = "A gripping film."


def test_the_ways_are_shown(unmask: Any) -> None:
    code, out, err = unmask("paths", TEXT, "--word", "2", "--points", "3")
    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith(("ig", "dig", "sig"))]
    assert "only 'gripping' moves" in out
    assert out.count("100%") >= 3
    assert "‹" in out


def test_as_json(unmask: Any, tmp_path: Path) -> None:
    assert unmask("paths", TEXT, "--word", "1", "-o", str(tmp_path / "x.json"))[0] == 0
    found = json.loads((tmp_path / "x.json").read_text())
    assert [way["method"] for way in found["ways"]] == ["ig", "dig", "sig"]
    assert found["units"] == ["A", "gripping", "film", "."]
    assert len(found["ways"][0]["stops"]) == 5


def test_what_cannot_be_shown_is_a_sentence(unmask: Any) -> None:
    assert unmask("paths", TEXT, "--word", "9")[2] == "error: there is no such word: the text has 4\n"
    assert "such as dig:rule=corrected, not 'sig'" in unmask("paths", TEXT, "--word", "1", "--method", "sig")[2]
    assert "terminal or json" in unmask("paths", TEXT, "--word", "1", "--format", "svg")[2]
    assert unmask("paths", TEXT)[0] == 2
