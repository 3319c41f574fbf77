"""Pictures and comparisons from the command."""

import json
from pathlib import Path
from typing import Any

import pytest

from unmask import Comparison

TEXT = "A gripping, beautifully shot film."
BEGINS = {"html": "<!doctype html>", "svg": "<svg", "md": "A", "tex": "A"}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "texts.txt"
    path.write_text("good film\n\nbad film\n")
    return str(path)


@pytest.mark.parametrize("suffix", BEGINS)
def test_the_suffix_of_the_output_is_the_format(unmask: Any, tmp_path: Path, suffix: str) -> None:
    code, out, err = unmask("explain", TEXT, "-o", str(tmp_path / f"x.{suffix}"))
    assert (code, out, err) == (0, "", "")
    assert (tmp_path / f"x.{suffix}").read_text(encoding="utf-8").lower().startswith(BEGINS[suffix].lower())


def test_png_to_a_file(unmask: Any, tmp_path: Path) -> None:
    assert unmask("explain", TEXT, "-o", str(tmp_path / "x.png"))[0] == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_documents_go_to_standard_output_too(unmask: Any) -> None:
    assert unmask("explain", TEXT, "--format", "svg")[1].startswith("<svg")
    assert "**" in unmask("explain", TEXT, "--format", "markdown")[1]
    assert "\\textbf" in unmask("explain", TEXT, "--format", "latex")[1]


def test_many_texts_are_one_page(unmask: Any, file: str, tmp_path: Path) -> None:
    code, _, err = unmask("explain", "-f", file, "-o", str(tmp_path / "all.html"))
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert code == 1
    assert "line 2" in err
    assert page.count("<article") == 3
    assert "the text has no unit to explain" in page


@pytest.mark.parametrize("suffix", ["svg", "png", "html", "json", "txt", "md"])
def test_one_file_for_each_text(unmask: Any, file: str, tmp_path: Path, suffix: str) -> None:
    code = unmask("explain", "-f", file, "-o", str(tmp_path / ("out-{line}." + suffix)))[0]
    assert code == 1
    assert sorted(path.name for path in tmp_path.glob("out*")) == [f"out-1.{suffix}", f"out-3.{suffix}"]


def test_palettes_and_styles(unmask: Any) -> None:
    assert (
        unmask("explain", TEXT, "--format", "svg", "--palette", "red-green")[1]
        != unmask("explain", TEXT, "--format", "svg")[1]
    )
    assert "▲" not in unmask("explain", TEXT, "--style", "paper")[1].split("\n\n")[0]


def test_comparisons(unmask: Any, tmp_path: Path) -> None:
    code, out, err = unmask("compare", TEXT, "--method", "sig,random")
    assert (code, err) == (0, "")
    for part in ("sig  9 forward", "random  2 forward", "Kendall's tau +1.00", "A score is"):
        assert part in out
    code, out, _ = unmask("compare", TEXT, "--target", "positive", "--target", "negative", "--format", "json")
    assert Comparison.from_dict(json.loads(out)).names == ("positive", "negative")
    for suffix in ("html", "svg", "png", "json", "md", "tex", "txt"):
        assert unmask("compare", TEXT, "--unit", "word,token,sentence", "-o", str(tmp_path / f"x.{suffix}"))[0] == 0
        assert (tmp_path / f"x.{suffix}").stat().st_size > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["explain", "-f", "FILE", "-o", "x.svg"],
            "one svg file holds one text; several need {line} in the output's name",
        ),
        (["explain", "-f", "FILE", "--format", "png"], "one png file holds one text"),
        (["explain", "-f", "FILE", "-o", "{line}/x.html"], "{line} stands for a text in a file's name"),
        (["explain", TEXT, "--palette", "blue"], "unknown palette 'blue'"),
        (["explain", TEXT, "--style", "papre"], "unknown style 'papre'; did you mean 'paper'"),
        (["compare", TEXT], "there is nothing to compare"),
        (["compare", TEXT, "--method", "sig,random", "--unit", "word,token"], "compare over one thing"),
        (["compare", TEXT, "--method", "sig,rnadom"], "unknown method 'rnadom'; did you mean 'random'"),
        (["compare", TEXT, "--method", "sig,random", "--format", "jsonl"], "a comparison is one document"),
        (["compare"], "Missing argument"),
    ],
)
def test_bad_requests(unmask: Any, file: str, arguments: list[str], message: str) -> None:
    code, out, err = unmask(*[file if argument == "FILE" else argument for argument in arguments])
    assert (code, out) == (2, "")
    assert message in err
