"""How a table gives way in a terminal: details go below the figures, then it is parted, then details are left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .fitting import Details, Setting, least
from .table import Table

WIDEST = Setting("beside", gap=2)
NARROWEST = Setting("below", gap=1)  # of those that show details


@dataclass(frozen=True, slots=True)
class Part:
    """Columns of a table that are drawn together, and how they are set."""

    table: Table
    setting: Setting

    def fits(self, width: int) -> bool:
        """Whether a terminal of that width has room for it."""
        return least(self.table, self.setting) <= width


def parted(table: Table, *, width: int) -> list[Part]:
    """The first that fits: whole with details beside the figures; in parts, or in one, with details below; without."""
    if (whole := Part(table, WIDEST)).fits(width):
        return [whole]
    parts = _best(table, "below", width)
    return parts if all(part.fits(width) for part in parts) else _best(table, "none", width)


def least_with_details(table: Table) -> int:
    """The narrowest terminal that has room for every column with its details, in as many parts as it takes."""
    return max(least(table.part(sorted({0, at})), NARROWEST) for at in range(len(table.columns)))


def _best(table: Table, details: Details, width: int) -> list[Part]:
    """The parts with two blanks between columns, or with one where that helps."""
    settings = [Setting(details, gap) for gap in (2, 1)]
    found = ([_set(one, settings, width) for one in _tables(table, setting, width)] for setting in settings)
    return min(found, key=lambda parts: _loss(parts, width))


def _set(table: Table, settings: Sequence[Setting], width: int) -> Part:
    """In the first setting that fits, else in the narrowest, which is the last."""
    parts = [Part(table, setting) for setting in settings]
    return next((part for part in parts if part.fits(width)), parts[-1])


def _loss(parts: Sequence[Part], width: int) -> tuple[int, int, int]:
    """What is to be avoided, the worst first: parts that do not fit, groups taken apart, many parts."""
    wide = sum(not part.fits(width) for part in parts)
    groups = sum(span.group is not None for part in parts for span in part.table.spans)
    return wide, groups, len(parts)


def _tables(table: Table, setting: Setting, width: int) -> list[Table]:
    """The table in parts that fit, each with the first column; groups stay together if they can."""
    parts: list[list[int]] = []
    for places in _pieces(table, setting, width):
        if parts and _fits(table, [*parts[-1], *places], setting, width):
            parts[-1] += places
        else:
            parts.append(list(places))
    return [table.part([0, *places]) for places in parts] or [table]


def _pieces(table: Table, setting: Setting, width: int) -> Iterator[list[int]]:
    """What is not parted without need: groups that fit, and single columns."""
    for span in table.spans:
        places = [at for at in span.places if at]
        if span.group is not None and _fits(table, places, setting, width):
            yield places
        else:
            yield from ([at] for at in places)


def _fits(table: Table, places: Sequence[int], setting: Setting, width: int) -> bool:
    return Part(table.part([0, *places]), setting).fits(width)
