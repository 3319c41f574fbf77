"""How wide the columns of a table are in a terminal. Draws nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rich.cells import cell_len

from ..escape import shown
from .table import Span, Table, one_line

LEAST = 16  # columns of a terminal that names and remarks keep, if they need them
WORD = re.compile(r"\S+(?: [↑↓](?!\S))?")  # of a heading; its arrow is not left alone
INDENT = "  "  # of a text's further lines, so that they do not look like rows

Details: TypeAlias = Literal["beside", "below", "none"]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is set: where the details of its figures stand, and how many blanks are between columns."""

    details: Details
    gap: int


@dataclass(frozen=True, slots=True)
class Room:
    """What a column asks for: its figures are never cut, its texts may be folded."""

    figure: int
    beside: int  # for the widest detail and the blank before it
    below: int  # for the widest detail
    heading: int
    folds: bool

    @property
    def natural(self) -> int:
        """With nothing folded but the heading, between words."""
        return max(self.heading, self.figure + self.beside, self.below, 1)

    @property
    def least(self) -> int:
        """With texts folded."""
        return min(self.natural, LEAST) if self.folds else self.natural


def rooms(table: Table, setting: Setting) -> list[Room]:
    """What every column asks for."""
    found = [_room(table, at, setting) for at in range(len(table.columns))]
    for span in table.spans:
        found[span.places.start : span.places.stop] = _below(span, found, setting)
    return found


def least(table: Table, setting: Setting) -> int:
    """The narrowest terminal that has room for the table."""
    return reach((room.least for room in rooms(table, setting)), setting)


def widths(table: Table, setting: Setting, *, width: int) -> list[int]:
    """The columns' widths: texts give way first, and where nothing else helps, all columns."""
    asked = rooms(table, setting)
    found = [room.natural for room in asked]
    while reach(found, setting) > width:
        wide = [at for at, room in enumerate(asked) if found[at] > room.least]
        widest = max(wide or range(len(found)), key=found.__getitem__)
        if found[widest] == 1:
            break
        found[widest] -= 1
    return found


def reach(columns: Iterable[int], setting: Setting) -> int:
    """How wide columns of these widths are together."""
    found = list(columns)
    return sum(found) + setting.gap * (len(found) - 1)


def plain(text: str) -> str:
    """A text in one line that steers nothing."""
    return one_line(shown(text))


def _room(table: Table, at: int, setting: Setting) -> Room:
    column, cells = table.columns[at], [row[at] for row in table.rows]
    figure = max((cell_len(plain(cell.text)) for cell in cells), default=0)
    detail = max((cell_len(plain(cell.detail or "")) for cell in cells), default=0)
    beside = 1 + detail if detail and setting.details == "beside" else 0
    below = detail if setting.details == "below" else 0
    if below and column.align == "left":
        below += len(INDENT)
    return Room(figure, beside, below, _longest(column.title), at == 0 or column.align == "left")


def _below(span: Span, found: Sequence[Room], setting: Setting) -> list[Room]:
    """The columns of a group, wider where its longest word would not find room above them."""
    columns = [found[at] for at in span.places]
    needed = _longest(span.group or "")
    if needed <= reach((room.natural for room in columns), setting):
        return columns
    each = -(-(needed + setting.gap) // len(columns)) - setting.gap  # rounded up
    return [replace(room, heading=max(room.heading, each)) for room in columns]


def _longest(text: str) -> int:
    return max(map(cell_len, WORD.findall(plain(text))), default=0)
