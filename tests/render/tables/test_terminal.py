"""Tables in a terminal: exactly at a fixed width, and whole at any."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from support.sample_tables import METHODS, hostile, large, small

from unmask.render.tables import TableCell, Column, Document, Table, printable

SMALL = """\
Evaluation

Two methods.

Agreement

                 words
        ───────────────────────
method                 AUC    n
───────────────────────────────
sig     0.912 [0.90, 0.92]  200
───────────────────────────────
random  -0.05                 —

AUC  higher is better

Bold: the best.

model tiny · seed 1
"""
NARROW = """\
            words
       ────────────────
method          AUC   n
───────────────────────
sig           0.912 200
       [0.90, 0.92]
───────────────────────
random        -0.05   —
"""


def printed(document: Document, width: int, *, color: bool = False) -> str:
    text = io.StringIO()
    Console(file=text, width=width, force_terminal=color, highlight=False, legacy_windows=False).print(
        printable(document)
    )
    return text.getvalue()


def lines(document: Document, width: int) -> list[str]:
    return [line.rstrip() for line in printed(document, width).splitlines()]


def figures(document: Document) -> list[str]:
    """All that stands in a table, but for names and details."""
    return [cell.text for table in document.tables for row in table.rows for cell in row[1:]]


def details(document: Document) -> list[str]:
    return [cell.detail for table in document.tables for row in table.rows for cell in row if cell.detail]


def test_the_whole_document() -> None:
    assert lines(small(), 60) == SMALL.splitlines()


@pytest.mark.parametrize("width", [23, 24])
def test_details_stand_below_their_figures_where_there_is_no_room_beside(width: int) -> None:
    assert lines(small(), width)[6:14] == NARROW.splitlines()


@pytest.mark.parametrize("width", [31, 60, 80, 100, 120, 165])
def test_no_figure_and_no_detail_is_cut(width: int) -> None:
    found = printed(large(), width)
    assert max(map(cell_len, found.splitlines())) <= width
    words = f" {' '.join(found.split())} "
    for figure in (*figures(large()), *details(large())):
        assert f" {figure} " in words


@pytest.mark.parametrize(("width", "parts"), [(60, 3), (80, 2), (100, 2), (120, 1), (165, 1)])
def test_tables_are_parted_before_details_are_left_out(width: int, parts: int) -> None:
    found = lines(large(), width)
    assert sum(line.startswith("method ") for line in found) == parts * len(large().tables)
    assert sum(line.startswith("saliency ") for line in found) == parts * len(large().tables)
    assert any("-2.600 [-2.64, -2.56]" in line for line in found) == (width == 165)
    assert "No room" not in " ".join(found)


def test_details_are_left_out_only_where_a_column_has_no_room_for_them() -> None:
    said = "No room for what stands beside the figures: with it the table takes 31 columns."
    assert " ".join(lines(large(), 30)).count(said) == len(large().tables)
    assert "[-2.64, -2.56]" not in printed(large(), 30)
    assert "[-2.64, -2.56]" in printed(large(), 31)
    assert "No room" not in printed(large(), 31)


def test_a_group_finds_room_for_its_longest_word() -> None:
    columns = (Column("method"), Column("a", group="comprehensiveness"), Column("b", group="comprehensiveness"))
    table = Table("t", columns, ((TableCell("x"), TableCell("1"), TableCell("2")),))
    assert "comprehensiveness" in printed(Document("d", {}, (table,)), 60)


def test_names_are_folded_and_their_further_lines_set_in() -> None:
    found = lines(large(), 60)
    at = next(at for at, line in enumerate(found) if line.startswith("gradient_shap "))
    assert found[at : at + 2] == [
        "gradient_shap             -1.464         0.357         0.181",
        "  samples=25      [-1.50, -1.42]  [0.32, 0.40]  [0.14, 0.22]",
    ]


def test_remarks_below_names_are_set_in() -> None:
    rows = ((TableCell("sig", "exact"), TableCell("0.9", "[0.85, 0.95]")), (TableCell("random"), TableCell("0.1")))
    table = Table("t", (Column("method", align="left"), Column("AUC")), rows)
    found = lines(Document("d", {}, (table,)), 22)
    assert found[-3:] == ["sig               0.9", "  exact  [0.85, 0.95]", "random            0.1"]


def test_figures_stand_below_each_other_with_and_without_details() -> None:
    columns = (Column("n", align="left"), Column("x"))
    rows = ((TableCell("a"), TableCell("0.912", "±1")), (TableCell("b"), TableCell("10.5")), (TableCell("c"), TableCell("—", "none at all")))
    found = lines(Document("d", {}, (Table("t", columns, rows),)), 60)
    assert found[-3:] == ["a  0.912 ±1", "b   10.5", "c      — none at all"]


def test_best_is_bold_and_what_is_read_second_dim() -> None:
    found = printed(small(), 60, color=True)
    assert "\x1b[1m0.912\x1b[0m \x1b[2m[0.90, 0.92]\x1b[0m" in found
    assert "\x1b[2mrandom\x1b[0m" in found
    assert "\x1b[2mmodel tiny · seed 1\x1b[0m" in found
    assert "\x1b[1mAgreement\x1b[0m" in found


def test_details_below_are_dim_too() -> None:
    found = printed(small(), 25, color=True).splitlines()
    assert found[10].rstrip() == "sig            \x1b[1m0.912\x1b[0m  200"
    assert found[11].rstrip() == "        \x1b[2m[0.90, 0.92]\x1b[0m"


@pytest.mark.parametrize("width", [1, 2, 3, 7, 20, 40])
def test_no_width_is_too_narrow(width: int) -> None:
    for document in (small(), large(), hostile("wide 中文字 " + "x" * 90)):
        widest = max(map(cell_len, printed(document, width).splitlines()))
        assert widest <= max(width, 2)  # one character alone can take two


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
    assert "Comp ↑" in printed(Document("d", {}, (table,)), 40)
