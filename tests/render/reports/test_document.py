"""Reports in every form: the same bytes, no words that steer, no page that breaks."""

import io
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.console import Console
from support import evaluations

from unmask.errors import ArgumentError
from unmask.render.reports import FORMS, LAYOUTS, layouts, printable, render
from unmask.render.tables import Column, Table, TableCell
from unmask.results.report import Report
from unmask.results.rows import RowFailure

HOSTILE = "</svg></td><script>alert(1)</script>\" onload='x' &amp; \x00\x1b[31m\u202e | \\input{x}"


class Markup(HTMLParser):
    """The tags, attributes and text of a page, as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.text = set[str](), set[str](), ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile(text: str) -> Report:
    """That text in every name."""
    found = evaluations.evaluation(6, methods=(f"ig{text}", f"sig{text}"))
    failures = (RowFailure(0, f"ig{text}", text),)
    scores = dict.fromkeys((f"ig{text}", f"sig{text}"), ((1.0, 2.0, 0.5),) * 6)
    named = {"dataset": text, "model": text, "source": text, "baseline": text, "note": text, "lengths": (3,) * 6}
    cell = evaluations.cell(replace(found, failures=failures, warnings=(text,)), scores=scores, **named)
    reference = f"sig{text}"
    return evaluations.report(cell, plan=text, unit=text, reference=reference, facts={text: text})


def some(texts: int) -> Report:
    """Three models' cells of the paper's grid, on two datasets."""
    whole = evaluations.large(texts, baselines=("mask",))
    return replace(whole, cells=whole.cells[1:4])


@pytest.mark.slow
@pytest.mark.parametrize("layout", layouts())
@pytest.mark.parametrize("form", FORMS)
def test_the_same_report_gives_the_same_bytes(form: str, layout: str) -> None:
    one, again = (some(8) for _ in range(2))
    assert render(one, form, layout) == render(again, form, layout)


@pytest.mark.parametrize("layout", layouts())
def test_no_name_becomes_a_part_of_a_page(layout: str) -> None:
    made, plain = render(hostile(HOSTILE), "html", layout), render(hostile("x"), "html", layout)
    assert "\x1b" not in made
    found = Markup(made)
    assert "script" not in found.tags
    assert not [name for name in found.attributes if name.startswith("on")]
    assert HOSTILE.partition(" &amp;")[0] in found.text
    for tag in ("<svg", "<text", "<td", "<figure", "<tr"):
        assert made.count(tag) == plain.count(tag)


@pytest.mark.parametrize("layout", layouts())
def test_no_name_steers_a_terminal_or_latex(layout: str) -> None:
    text = io.StringIO()
    Console(file=text, width=80, force_terminal=True, color_system=None).print(printable(hostile(HOSTILE), layout))
    assert "\x1b[31m" not in text.getvalue()
    assert r"\input{x}" not in render(hostile(HOSTILE), "latex", layout)


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("layout", layouts())
def test_a_terminal_of_any_width_has_room(layout: str, width: int) -> None:
    text = io.StringIO()
    Console(file=text, width=width).print(printable(some(6), layout))
    assert max(map(len, text.getvalue().split("\n"))) <= width


@pytest.mark.slow
def test_seconds_are_nowhere_unless_asked_for() -> None:
    report = evaluations.report(evaluations.cell(evaluations.evaluation(6)))
    later = replace(
        report.cells[0].evaluation,  # type: ignore[type-var]
        rows=tuple(replace(row, seconds=99.0) for row in report.cells[0].evaluation.rows),  # type: ignore[union-attr]
    )
    for form in FORMS:
        for layout in layouts():
            assert render(report, form, layout) == render(evaluations.report(evaluations.cell(later)), form, layout)


def test_facts_are_those_that_all_cells_have() -> None:
    cells = [evaluations.cell(evaluations.evaluation(4, scale=scale), model=scale) for scale in ("logit", "log_odds")]
    made = render(evaluations.report(*cells, facts={"texts of": "sst2"}), "markdown")
    assert "scale" not in made.rpartition("<small>")[2]
    assert made.endswith(
        "unit word · function the model · target predicted · seed 0 · max\\_length the model's limit "
        "· texts 8 in 2 cells · texts of sst2</small>\n"
    )
    assert "logit is some/bert (0123456789ab, scale: logit); log\\_odds is some/bert (0123456789ab, scale:" in made


def test_the_protocol_and_warnings_are_said_first() -> None:
    found = evaluations.evaluation(4, operators=("paper",), function="the model embedded twice", warnings=("no mask",))
    made = render(evaluations.report(evaluations.cell(found), protocol="paper"), "markdown")
    assert "It explains the model embedded twice" in made
    assert "\n\nno mask\n\n" in made


def test_a_warning_is_said_once() -> None:
    warned = evaluations.evaluation(4, warnings=("no mask",))
    cells = [evaluations.cell(warned, model=model, baseline=one) for model in ("gpt2", "opt") for one in ("eos", "pad")]
    made = render(evaluations.report(*cells, evaluations.cell(evaluations.evaluation(4))), "markdown")
    assert made.count("no mask") == 1
    assert "\n\nsst2/gpt2, sst2/opt: no mask\n\n" in made


def test_dtype_and_length_limit_are_in_every_form() -> None:
    cell = evaluations.cell(evaluations.evaluation(4, max_length=77), dtype="bfloat16")
    for form in FORMS:
        layout = "long" if form == "csv" else "paper"
        made = render(evaluations.report(cell), form, layout)
        assert "bfloat16" in made
        assert "77" in made


def test_unknown_forms_and_layouts_are_refused() -> None:
    with pytest.raises(ArgumentError, match="unknown form 'pdf'"):
        render(evaluations.small(), "pdf")
    with pytest.raises(ArgumentError, match="unknown layout 'papr'; did you mean 'paper'"):
        render(evaluations.small(), "markdown", "papr")


def toy_tables(report: Report) -> list[Table]:
    return [Table("toy", (Column("plan"),), ((TableCell(report.plan),),))]


def toy_lines(report: Report) -> list[Table]:
    return [Table("toy", (Column("cells"),), ((TableCell(str(len(report.cells))),),))]


def test_a_layout_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LAYOUTS, "toy", (f"{__name__}:toy_tables", f"{__name__}:toy_lines"))
    assert "## toy\n\n| plan |" in render(evaluations.small(), "markdown", "toy")
    assert render(evaluations.small(), "csv", "toy") == "cells\r\n2\r\n"
