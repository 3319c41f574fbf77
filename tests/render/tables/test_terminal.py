"""Tables in a terminal: exactly at a fixed width, and whole at any."""

import io

import pytest
from figures import METHODS, hostile, large, small
from rich.cells import cell_len
from rich.console import Console

from unmask.render.tables import Cell, Column, Document, Table, printable

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


def test_the_whole_document() -> None:
    assert lines(small(), 60) == SMALL.splitlines()


@pytest.mark.parametrize("width", [60, 80, 120, 165])
def test_no_figure_is_cut(width: int) -> None:
    found = printed(large(), width)
    assert max(map(cell_len, found.splitlines())) <= width
    words = f" {' '.join(found.split())} "
    for figure in figures(large()):
        assert f" {figure} " in words


@pytest.mark.parametrize(
    ("width", "parts", "has_details"), [(60, 2, False), (80, 1, False), (120, 1, False), (165, 1, True)]
)
def test_details_give_way_before_the_table_is_parted(width: int, parts: int, has_details: bool) -> None:
    found = lines(large(), width)
    assert sum(line.startswith("method ") for line in found) == parts * len(large().tables)
    assert sum(line.startswith("saliency ") for line in found) == parts * len(large().tables)
    assert any("[-2.64, -2.56]" in line for line in found) == has_details
    assert " ".join(found).count("with it the table takes 162 columns") == (0 if has_details else 2)


def test_groups_are_parted_only_where_they_must_be() -> None:
    columns = (Column("method", align="left"), *(Column(f"{at:05}", group=group) for group in "ab" for at in range(3)))
    table = Table("t", columns, ((Cell("x"), *(Cell("1.000"),) * 6),))
    headers = [line.split()[1:] for line in lines(Document("d", {}, (table,)), 40) if line.startswith("method")]
    assert headers == [["00000", "00001", "00002"]] * 2
    headers = [line.split()[1:] for line in lines(Document("d", {}, (table,)), 22) if line.startswith("method")]
    assert headers == [["00000", "00001"], ["00002", "00000"], ["00001", "00002"]]


def test_a_group_finds_room_for_its_longest_word() -> None:
    columns = (Column("method"), Column("a", group="comprehensiveness"), Column("b", group="comprehensiveness"))
    table = Table("t", columns, ((Cell("x"), Cell("1"), Cell("2")),))
    assert "comprehensiveness" in printed(Document("d", {}, (table,)), 60)


def test_names_are_folded_and_their_further_lines_set_in() -> None:
    found = lines(large(), 80)
    at = next(at for at, line in enumerate(found) if line.startswith("gradient_shap "))
    assert found[at + 1] == "  samples=25"
    assert found[at].split()[1] == "-1.464"


def test_figures_stand_below_each_other_with_and_without_details() -> None:
    columns = (Column("n", align="left"), Column("x"))
    rows = ((Cell("a"), Cell("0.912", "±1")), (Cell("b"), Cell("10.5")), (Cell("c"), Cell("—", "none at all")))
    found = lines(Document("d", {}, (Table("t", columns, rows),)), 60)
    assert found[-3:] == ["a  0.912 ±1", "b   10.5", "c      — none at all"]


def test_best_is_bold_and_what_is_read_second_dim() -> None:
    found = printed(small(), 60, color=True)
    assert "\x1b[1m0.912\x1b[0m \x1b[2m[0.90, 0.92]\x1b[0m" in found
    assert "\x1b[2mrandom\x1b[0m" in found
    assert "\x1b[2mmodel tiny · seed 1\x1b[0m" in found
    assert "\x1b[1mAgreement\x1b[0m" in found


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
    assert len([line for line in lines(large(), 120) if line.startswith(METHODS)]) == 24
