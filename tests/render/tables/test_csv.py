"""Tables as comma-separated values, exactly, and as programs and spreadsheets read them."""

import csv
import io

import pytest
from support.sample_tables import small

from unmask.render.tables import Column, Table, TableCell, TableDocument, render

SMALL = 'method,words: AUC,words: AUC: detail,words: n\r\nsig,0.912,"[0.90, 0.92]",200\r\nrandom,-0.05,,—\r\n'


def of(text: str) -> TableDocument:
    return TableDocument("d", {}, (Table("t", (Column("c"),), ((TableCell(text),),)),))


def cell(text: str) -> str:
    """What a reader finds where that text was written."""
    return next(reversed(list(csv.reader(io.StringIO(render(of(text), "csv"), newline="")))))[0]


def test_one_table_stands_alone() -> None:
    assert render(small(), "csv") == SMALL


def test_several_tables_stand_below_their_titles() -> None:
    table = small().tables[0]
    assert render(TableDocument("d", {}, (table, table)), "csv") == f"Agreement\r\n{SMALL}\r\nAgreement\r\n{SMALL}"


@pytest.mark.parametrize("text", ['a "quoted", text', "two\nlines", "", "—", "−0.5", "naïve 中文"])
def test_texts_are_read_as_they_were(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize("text", ["-0.05", "+1", "-1,234.5", "+4.5%", "-1e-05", "-inf"])
def test_numbers_stay_numbers(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "  =1", "＝1", "-", "-1+1", "=5"])
def test_no_text_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_no_title_nor_detail_is_a_formula() -> None:
    table = Table("=t", (Column("=c"),), ((TableCell("1", "=d"),),))
    made = list(csv.reader(io.StringIO(render(TableDocument("d", {}, (table, table)), "csv"), newline="")))
    assert made[:3] == [["'=t"], ["'=c", "'=c: detail"], ["1", "'=d"]]


def test_what_steers_a_terminal_is_spelled_out() -> None:
    assert cell("\x1b[31m\t=") == "\\x1b[31m    ="
