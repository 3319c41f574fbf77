"""What a table is made of, what it refuses, and the forms that it can be render in."""

import subprocess
import sys
from dataclasses import replace

import pytest
from rich.console import Console
from support.sample_tables import COLUMNS, large, small

from unmask.errors import ArgumentError
from unmask.render.tables import FORMS, Column, Picture, Table, TableCell, TableDocument, printable, render

TABLE = small().tables[0]


def test_a_row_has_one_cell_per_column() -> None:
    with pytest.raises(ArgumentError, match="row 1 of the table 'Agreement' has 2 cells, but there are 3 columns"):
        replace(TABLE, rows=(TABLE.rows[0], TABLE.rows[1][:2]))


def test_a_table_has_columns() -> None:
    with pytest.raises(ArgumentError, match="the table 'empty' has no columns"):
        Table("empty", (), ())


@pytest.mark.parametrize("row", [-1, 2])
def test_a_rule_stands_above_a_row(row: int) -> None:
    with pytest.raises(ArgumentError, match=rf"has 2 rows \(counted from 0\), so there can be no rule above row {row}"):
        replace(TABLE, rules=frozenset({1, row}))


def test_a_picture_is_an_svg() -> None:
    with pytest.raises(ArgumentError, match="the picture 'x' begins with '<p>not'; it must begin with '<svg'"):
        Picture("x", "<p>not")


def test_neighbours_of_one_group_are_together() -> None:
    columns = tuple(Column(str(at), group) for at, group in enumerate([None, "a", "a", None, None, "a", "b"]))
    spans = Table("groups", columns, ()).spans
    assert [(group, list(places)) for group, places in spans] == [
        (None, [0]),
        ("a", [1, 2]),
        (None, [3, 4]),
        ("a", [5]),
        ("b", [6]),
    ]


def test_the_legend_says_once_what_holds_for_several_columns() -> None:
    assert list(large().tables[0].legend) == ["log-odds", "compr.", "suff.", "time"]


def test_the_legend_names_the_group_where_titles_mean_several_things() -> None:
    columns = (
        Column("n"),
        Column("time", "one", hint="s"),
        Column("time", "two", hint="ms"),
        Column("p", "two", hint="%"),
    )
    assert Table("", columns, ()).legend == {"one: time": "s", "two: time": "ms", "p": "%"}


def test_a_document_says_once_what_columns_of_several_tables_mean() -> None:
    other = Table("other", (*COLUMNS[:3], Column("p", hint="of the test")), ())
    first, again, new = TableDocument("", {}, (*large().tables, other)).legends
    assert (list(first), again, new) == (["log-odds", "compr.", "suff.", "time"], {}, {"p": "of the test"})


def test_every_form_draws_every_document() -> None:
    bare = TableDocument(
        "bare", {}, (Table("none", (Column("name"),), ()), Table("one", (Column("x"),), ((TableCell("1"),),)))
    )
    for document in (small(), large(), bare, TableDocument("empty", {}, ())):
        assert all(isinstance(render(document, form), str) for form in FORMS)
        Console(quiet=True).print(printable(document))


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ArgumentError, match="unknown form 'markdwon'; did you mean 'markdown'"):
        render(small(), "markdwon")


def test_nothing_heavy_is_imported() -> None:
    check = (
        "import sys\nfrom unmask.render.tables import TableDocument, FORMS, render, printable\n"
        "assert 'rich' not in sys.modules\n[render(TableDocument('', {}, ()), form) for form in FORMS]\n"
        "printable(TableDocument('', {}, ()))\n"
        "heavy = {'torch', 'transformers', 'pandas'} & set(sys.modules)\nassert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True)
