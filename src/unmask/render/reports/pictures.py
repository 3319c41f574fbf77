"""All pictures of a report, each where its data is there; and all of one kind on one sheet, as a file holds them."""

from collections.abc import Callable, Iterator

from ...errors import ArgumentError, unknown
from ...results.report import Report
from .. import tables
from ..charts import sheet
from . import agreement, by_operator, curves

KINDS: dict[str, Callable[[Report], Iterator[tables.Picture]]] = {
    "curves": curves.drawn,
    "operators": by_operator.drawn,
    "agreement": agreement.drawn,
}
NEEDS = {  # of a report
    "curves": "it needs figures at two shares of the units",
    "operators": "it needs figures by two operators, and the protocol `paper` has one",
    "agreement": "it needs the scores of two methods",
}
SUFFIXES = (".svg", ".png", ".pdf")


def drawn(report: Report) -> Iterator[tables.Picture]:
    """Curves over shares, methods against operators, agreement against length."""
    for one in KINDS.values():
        yield from one(report)


def on_a_sheet(report: Report, kind: str) -> str:
    """All pictures of a kind as one SVG."""
    if kind not in KINDS:
        raise unknown("picture", kind, KINDS)
    found = [sheet.Group(one.title, (one.svg, *one.more), one.note) for one in KINDS[kind](report)]
    if not found:
        raise ArgumentError(f"there is nothing to draw as {kind!r}: {NEEDS[kind]}")
    return sheet.sheet(found, title=f"{report.plan}: {kind}")
