"""Pictures and comparisons from the command."""

import json
from pathlib import Path
from typing import Any

import pytest

from unmask import Comparison
from unmask.render.escape import shown

TEXT = "A gripping, beautifully shot film."
BEGINS = {
    "html": "<!doctype html>",
    "htm": "<!doctype html>",
    "svg": "<svg",
    "md": "Prediction: ",
    "tex": "Prediction: ",
}


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


def test_page_of_many_texts_shows_the_text_that_failed(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("good film\n\u200b\u00ad\n", encoding="utf-8")
    unmask("explain", "-f", str(tmp_path / "texts.txt"), "-o", str(tmp_path / "all.html"))
    page = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert '<p class="um-text um-unexplained" dir="auto" lang="">' + shown("\u200b\u00ad") in page
    assert "<title>2 texts · unmask</title>" in page


@pytest.mark.parametrize("suffix", ["md", "tex", "txt"])
def test_a_failed_text_leaves_a_trace_among_others(unmask: Any, file: str, tmp_path: Path, suffix: str) -> None:
    code, _, err = unmask("explain", "-f", file, "-o", str(tmp_path / f"all.{suffix}"))
    written = (tmp_path / f"all.{suffix}").read_text(encoding="utf-8")
    assert code == 1
    assert "line 2" in err
    assert [written.count(f"line {line}") for line in (1, 2, 3)] == [1, 1, 1]
    assert written.count("Failed: the text has no unit to explain") == 1
    assert not any(line.endswith(" ") for line in written.splitlines())


def test_a_failed_text_leaves_a_trace_in_a_pipe(unmask: Any, file: str) -> None:
    out = unmask("explain", "-f", file)[1]
    assert out.index("line 1") < out.index("line 2\nFailed: the text has no unit") < out.index("line 3")


@pytest.mark.parametrize("suffix", ["md", "tex", "txt", "html"])
def test_where_all_failed_nothing_is_written(unmask: Any, tmp_path: Path, suffix: str) -> None:
    (tmp_path / "blank.txt").write_text("\n\n")
    assert unmask("explain", "-f", str(tmp_path / "blank.txt"), "-o", str(tmp_path / f"all.{suffix}"))[0] == 2
    assert not (tmp_path / f"all.{suffix}").exists()


def test_an_older_file_is_not_taken_for_a_result(unmask: Any, file: str, tmp_path: Path) -> None:
    (tmp_path / "out-2.svg").write_text("older")
    _, _, err = unmask("explain", "-f", file, "-o", str(tmp_path / "out-{line}.svg"))
    assert "out-2.svg' is from an earlier run, not the result for this text" in err
    assert "out-1.svg" not in err
    assert (tmp_path / "out-2.svg").read_text() == "older"


def test_what_no_font_has_is_a_note(unmask: Any, tmp_path: Path) -> None:
    arguments = ("explain", "good film \ue123", "-o", str(tmp_path / "x.png"))
    assert unmask(*arguments) == (0, "", "note: no installed font has U+E123: the figure shows boxes\n")
    assert unmask(*arguments, "--quiet") == (0, "", "")


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


@pytest.mark.slow
def test_comparisons(unmask: Any, tmp_path: Path) -> None:
    code, out, err = unmask("compare", TEXT, "--method", "sig,random")
    assert (code, err) == (0, "")
    for part in ("sig  9 forward", "random  2 forward", "Kendall's tau +1.00", "▲ supports"):
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
            "svg files hold one text each; for several texts, put {line} in the output name",
        ),
        (["explain", "-f", "FILE", "--format", "png"], "png files hold one text each"),
        (["explain", "-f", "FILE", "-o", "{line}/x.html"], "{line} must be in the file name"),
        (["explain", TEXT, "--palette", "blue"], "unknown palette 'blue'"),
        (["explain", TEXT, "--style", "papre"], "unknown style 'papre'; did you mean 'paper'"),
        (["explain", TEXT, "--format", "markdown", "--style", "shades"], "remove style='shades'"),
        (["explain", TEXT, "--format", "latex", "--palette", "default"], "has no colors: remove palette"),
        (["explain", "-f", "FILE", "-o", "x.jsonl", "--style", "paper"], "jsonl contains data only"),
        (["compare", TEXT, "--format", "json", "--palette", "red-green"], "json contains data only"),
        (["compare", TEXT], "there is nothing to compare: give several methods, targets or units"),
        (["compare", TEXT], "hint: for example: unmask compare"),
        (["compare", TEXT, "--method", "sig,sig"], "duplicate method 'sig'"),
        (["compare", TEXT, "--target", "positive,negative"], "hint: for several targets, repeat the option: --target"),
        (
            ["compare", TEXT, "--target", "positive, negative", "--target", "max"],
            "repeat the option: --target positive --target negative --target max",
        ),
        (["compare", TEXT, "--method", "sig,random", "--unit", "word,token"], "compare one setting"),
        (["compare", TEXT, "--method", "sig,rnadom"], "unknown method 'rnadom'; did you mean 'random'"),
        (["compare", TEXT, "--method", "sig,random", "--format", "jsonl"], "a comparison cannot be written as jsonl"),
        (["compare"], "there is nothing to compare"),
    ],
)
def test_bad_requests(unmask: Any, file: str, arguments: list[str], message: str) -> None:
    code, out, err = unmask(*[file if argument == "FILE" else argument for argument in arguments])
    assert (code, out) == (2, "")
    assert message in err
