"""How a table gives way: what is tried, in which order, and what is kept together."""

import pytest
from support.sample_tables import large

from unmask.render.tables import Cell, Column, Table
from unmask.render.tables.fitting import Setting
from unmask.render.tables.parting import Part, least_with_details, parted


def grouped(detail: str | None = None, *, groups: str = "aaabbb") -> Table:
    """One row of figures, five wide, below a name that is six wide."""
    columns = (Column("method", align="left"), *(Column(f"{at:05}", group) for at, group in enumerate(groups)))
    return Table("t", columns, ((Cell("x"), *(Cell("1.000", detail),) * len(groups)),))


def titles(parts: list[Part]) -> list[str]:
    """The groups of every part's columns."""
    return ["".join(column.group or "" for column in part.table.columns) for part in parts]


def settings(parts: list[Part]) -> list[Setting]:
    return [part.setting for part in parts]


@pytest.mark.parametrize(
    ("width", "details", "gap", "parts"),
    [
        (90, "beside", 2, 1),
        (89, "below", 2, 1),
        (54, "below", 2, 1),
        (53, "below", 1, 1),
        (48, "below", 1, 1),
        (47, "below", 2, 2),
        (13, "below", 1, 6),
        (12, "none", 1, 6),
    ],
)
def test_the_order_of_giving_way(width: int, details: str, gap: int, parts: int) -> None:
    found = parted(grouped("[±0.1]"), width=width)
    assert [(one.details, one.gap) for one in settings(found)] == [(details, gap)] * parts


def test_without_details_only_blanks_and_columns_give_way() -> None:
    assert [len(parted(grouped(), width=width)) for width in (48, 42, 41, 12)] == [1, 1, 2, 6]
    assert [parted(grouped(), width=width)[0].setting.gap for width in (48, 42, 41, 12)] == [2, 1, 2, 1]


def test_groups_are_parted_only_where_they_must_be() -> None:
    assert titles(parted(grouped(), width=40)) == ["aaa", "bbb"]
    assert titles(parted(grouped(), width=22)) == ["aa", "ab", "bb"]


def test_one_blank_keeps_a_group_together_and_other_parts_keep_two() -> None:
    found = parted(grouped(groups="aaaabb"), width=30)
    assert titles(found) == ["aaaa", "bb"]
    assert [one.gap for one in settings(found)] == [1, 2]


def test_every_column_is_in_one_part() -> None:
    for table in large().tables:
        for width in range(1, 170, 7):
            parts = parted(table, width=width)
            assert sum((part.table.columns[1:] for part in parts), ()) == table.columns[1:]
            assert {part.table.columns[0] for part in parts} == {table.columns[0]}


def test_details_are_kept_from_the_width_that_is_told() -> None:
    for table in (grouped("[±0.1]"), *large().tables):
        width = least_with_details(table)
        assert {one.details for one in settings(parted(table, width=width))} == {"below"}
        assert {one.details for one in settings(parted(table, width=width - 1))} == {"none"}


def test_a_table_of_names_alone_is_one_part() -> None:
    table = Table("t", (Column("method", align="left"),), ((Cell("sig", "exact"),),))
    assert [part.table for width in (1, 7, 60) for part in parted(table, width=width)] == [table] * 3
