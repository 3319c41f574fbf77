"""All pictures of a report, each where its data is there; and all of one kind on one sheet, as a file holds them."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...errors import ArgumentError, unknown
from ...results.report import Report
from .. import tables
from ..charts import Group, sheet
from ..formats import suffixes
from . import agreement, by_operator, curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: dict[str, Callable[[Report], Iterator[Group]]] = {
    "curves": curves.drawn,
    "operators": by_operator.drawn,
    "agreement": agreement.drawn,
}
NEEDS = {  # of a report
    "curves": "it needs figures at two shares of the units",
    "operators": "it needs figures by two operators, and the protocol `paper` has one",
    "agreement": "it needs the scores of two methods",
}
SUFFIXES = tuple(suffixes("chart"))


def drawn(report: Report) -> Iterator[tables.Picture]:
    """Curves over shares, methods against operators, agreement against length."""
    for groups in KINDS.values():
        for group in groups(report):
            first, *more = (chart.svg() for chart in group.charts)
            yield tables.Picture(group.title, first, tuple(more), group.note)


def on_a_sheet(report: Report, kind: str) -> "Figure":
    """All pictures of a kind as one figure."""
    if kind not in KINDS:
        raise unknown("picture", kind, KINDS)
    found = list(KINDS[kind](report))
    if not found:
        raise ArgumentError(f"there is nothing to draw as {kind!r}: {NEEDS[kind]}")
    return sheet(found)
