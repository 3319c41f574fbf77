"""Tables in a terminal: exactly at a fixed width, and whole at any."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from support.sample_tables import METHODS, hostile, large, small

from unmask.render.tables import Column, Table, TableCell, TableDocument, printable

SMALL = """\
Evaluation

Two methods.

Agreement

                     words  words
method                 AUC      n
─────────────────────────────────
sig     0.912 [0.90, 0.92]    200
─────────────────────────────────
random  -0.05                   —

AUC  higher is better

Bold: the best.

model tiny · seed 1
"""
NARROW = """\
               words  words
method           AUC      n
───────────────────────────
sig            0.912    200
        [0.90, 0.92]
───────────────────────────
random         -0.05      —
"""


def printed(document: TableDocument, width: int, *, color: bool = False) -> str:
    text = io.StringIO()
    Console(file=text, width=width, force_terminal=color, highlight=False, legacy_windows=False).print(
        printable(document)
    )
    return text.getvalue()


def lines(document: TableDocument, width: int) -> list[str]:
    return [line.rstrip() for line in printed(document, width).splitlines()]


def figures(document: TableDocument) -> list[str]:
    """All that stands in a table, but for names and details."""
    return [cell.text for table in document.tables for row in table.rows for cell in row[1:]]


def details(document: TableDocument) -> list[str]:
    return [cell.detail for table in document.tables for row in table.rows for cell in row if cell.detail]


def test_the_whole_document() -> None:
    assert lines(small(), 60) == SMALL.splitlines()


@pytest.mark.parametrize("width", [27, 32])
def test_details_stand_below_their_figures_where_there_is_no_room_beside(width: int) -> None:
    assert lines(small(), width)[6:13] == NARROW.splitlines()


@pytest.mark.parametrize("width", [32, 60, 80, 100, 120, 165])
def test_no_figure_and_no_detail_is_cut(width: int) -> None:
    found = printed(large(), width)
    assert max(map(cell_len, found.splitlines())) <= width
    words = f" {' '.join(found.split())} "
    for figure in (*figures(large()), *details(large())):
        assert f" {figure} " in words


@pytest.mark.parametrize(("width", "parts"), [(60, 4), (64, 3), (80, 2), (100, 2), (120, 2), (130, 1), (165, 1)])
def test_wide_tables_are_parted_and_rows_keep_their_names(width: int, parts: int) -> None:
    found = lines(large(), width)
    assert sum(line.startswith("method ") for line in found) == parts * len(large().tables)
    assert sum(line.startswith("saliency ") for line in found) == parts * len(large().tables)
    assert any("-2.600 [-2.64, -2.56]" in line for line in found) == (width == 165)


def test_a_group_stays_together_where_there_is_room() -> None:
    first, *_ = (line.split() for line in lines(large(), 80) if "SST-2" in line)
    assert first == ["SST-2"] * 3


def test_a_group_finds_room_for_its_longest_word() -> None:
    columns = (Column("method"), Column("a", group="comprehensiveness"), Column("b", group="comprehensiveness"))
    table = Table("t", columns, ((TableCell("x"), TableCell("1"), TableCell("2")),))
    assert "comprehensiveness" in printed(TableDocument("d", {}, (table,)), 60)


def test_names_are_folded() -> None:
    found = lines(large(), 64)
    at = next(at for at, line in enumerate(found) if line.startswith("gradient_shap "))
    assert found[at : at + 2] == [
        "gradient_shap               -1.464          0.357          0.181",
        "samples=25          [-1.50, -1.42]   [0.32, 0.40]   [0.14, 0.22]",
    ]


def test_remarks_stand_beside_names() -> None:
    rows = ((TableCell("sig", "exact"), TableCell("0.9", "[0.85, 0.95]")), (TableCell("random"), TableCell("0.1")))
    table = Table("t", (Column("method", align="left"), Column("AUC")), rows)
    found = lines(TableDocument("d", {}, (table,)), 23)
    assert found[-3:] == ["sig exact           0.9", "           [0.85, 0.95]", "random              0.1"]


def test_figures_stand_below_each_other_with_and_without_details() -> None:
    columns = (Column("n", align="left"), Column("x"))
    rows = (
        (TableCell("a"), TableCell("0.912", "±1")),
        (TableCell("b"), TableCell("10.5")),
        (TableCell("c"), TableCell("—", "none at all")),
    )
    found = lines(TableDocument("d", {}, (Table("t", columns, rows),)), 60)
    assert found[-3:] == ["a  0.912 ±1", "b   10.5", "c      — none at all"]


def test_best_is_bold_and_what_is_read_second_dim() -> None:
    found = printed(small(), 60, color=True)
    assert "\x1b[1m0.912\x1b[0m \x1b[2m[0.90, 0.92]\x1b[0m" in found
    assert "\x1b[2mrandom\x1b[0m" in found
    assert "\x1b[2mmodel tiny · seed 1\x1b[0m" in found
    assert "\x1b[1mAgreement\x1b[0m" in found


def test_details_below_are_dim_too() -> None:
    found = printed(small(), 27, color=True).splitlines()
    assert "\x1b[1m0.912\x1b[0m" in found[9]
    assert "\x1b[2m[0.90, 0.92]\x1b[0m" in found[10]


@pytest.mark.parametrize("width", [7, 20, 40])
def test_no_width_is_too_narrow(width: int) -> None:
    for document in (small(), large(), hostile("wide 中文字 " + "x" * 90)):
        assert max(map(cell_len, printed(document, width).splitlines())) <= width


def test_a_figure_that_has_no_room_is_seen_to_be_cut() -> None:
    table = Table("t", (Column("n", align="left"), Column("x")), ((TableCell("a"), TableCell("0.123456789")),))
    assert "0.1234…" in printed(TableDocument("d", {}, (table,)), 8)


def test_nothing_steers_the_terminal() -> None:
    found = printed(hostile("\x1b[31m[bold]red[/bold]\r\n\u202e"), 200)
    assert "\x1b" not in found
    assert "\u202e" not in found
    assert "\\x1b[31m[bold]red[/bold] \\u202e" in found


def test_pictures_are_left_out() -> None:
    assert "svg" not in printed(small(), 120)
    assert len([line for line in lines(large(), 200) if line.startswith(METHODS)]) == 24


def test_an_arrow_stays_beside_its_word() -> None:
    columns = (Column("method", align="left"), *(Column("Comp ↑") for _ in range(4)))
    table = Table("t", columns, ((TableCell("x"), *(TableCell("0.1") for _ in range(4))),))
    assert "Comp ↑" in printed(TableDocument("d", {}, (table,)), 40)
