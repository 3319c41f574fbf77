"""All pictures of a report, each where its data is there."""

from collections.abc import Iterator

from ...report import Report
from .. import tables
from . import agreement, by_operator, curves


def drawn(report: Report) -> Iterator[tables.Picture]:
    """Curves over shares, methods against operators, agreement against length."""
    yield from curves.drawn(report)
    yield from by_operator.drawn(report)
    yield from agreement.drawn(report)
