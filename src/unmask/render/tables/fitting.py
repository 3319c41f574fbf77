"""How wide the columns of a table are in a terminal, and how a table that is too wide is parted. Draws nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from ..escape import shown
from .table import Span, Table, one_line

LEAST = 16  # columns of a terminal that names and remarks keep, if they need them


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is set: whether details stand beside its figures, and how many blanks are between columns."""

    has_details: bool
    gap: int


ROOMY = Setting(has_details=True, gap=2)
PLAIN = Setting(has_details=False, gap=2)
TIGHT = Setting(has_details=False, gap=1)


@dataclass(frozen=True, slots=True)
class Room:
    """What a column asks for: its figures are never cut, its texts may be folded."""

    figure: int
    detail: int
    heading: int
    folds: bool

    @property
    def natural(self) -> int:
        """With nothing folded but the heading, between words."""
        return max(self.heading, self.figure + (1 + self.detail if self.detail else 0), 1)

    @property
    def least(self) -> int:
        """With texts folded."""
        return min(self.natural, LEAST) if self.folds else self.natural


def fitted(table: Table, *, width: int) -> tuple[Setting, list[Table]]:
    """The first setting in which the table fits; if there is none, the parts in which it fits without details."""
    for setting in (ROOMY, PLAIN, TIGHT):
        if least(table, setting) <= width:
            return setting, [table]
    return PLAIN, _parted(table, width)


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
    cells = [row[at] for row in table.rows]
    figure = max((cell_len(plain(cell.text)) for cell in cells), default=0)
    detail = max((cell_len(plain(cell.detail or "")) for cell in cells), default=0)
    column = table.columns[at]
    return Room(figure, detail * setting.has_details, _longest(column.title), at == 0 or column.align == "left")


def _below(span: Span, found: Sequence[Room], setting: Setting) -> list[Room]:
    """The columns of a group, wider where its longest word would not find room above them."""
    columns = [found[at] for at in span.places]
    needed = _longest(span.group or "")
    if needed <= reach((room.natural for room in columns), setting):
        return columns
    each = -(-(needed + setting.gap) // len(columns)) - setting.gap  # rounded up
    return [replace(room, heading=max(room.heading, each)) for room in columns]


def _parted(table: Table, width: int) -> list[Table]:
    """The table in parts that fit, each with the first column; groups stay together if they can."""
    parts: list[list[int]] = []
    for places in _pieces(table, width):
        if parts and _fits(table, [*parts[-1], *places], width):
            parts[-1] += places
        else:
            parts.append(list(places))
    return [table.part([0, *places]) for places in parts] or [table]


def _pieces(table: Table, width: int) -> Iterator[list[int]]:
    """What is not parted without need: groups that fit, and single columns."""
    for span in table.spans:
        places = [at for at in span.places if at]
        if span.group is not None and _fits(table, places, width):
            yield places
        else:
            yield from ([at] for at in places)


def _fits(table: Table, places: Sequence[int], width: int) -> bool:
    return least(table.part([0, *places]), PLAIN) <= width


def _longest(text: str) -> int:
    return max(map(cell_len, plain(text).split()), default=0)
