"""What the methods took for a text: passes and seconds under each model, a table for each dataset and baseline."""

from collections.abc import Iterator

from ...results.report import Report, ReportCell
from .. import judged, tables
from .entries import costs
from .figures import METHOD
from .naming import named

NOTE = "For each text that was scored; a text that stands in several places was computed once."


def drawn(report: Report) -> Iterator[tables.Table]:
    """Nothing unless it is asked for: seconds differ from run to run."""
    if not report.times:
        return
    names = [name for name, kind in report.kinds.items() if kind == "method"]
    for cells in report.blocks.values():
        columns = (tables.Column(title, cell.model) for cell in cells for title in ("passes", "seconds"))
        rows = ((tables.Cell(name), *(one for cell in cells for one in _cost(cell, name))) for name in names)
        yield tables.Table(f"{named(cells)}: what a text took", (METHOD, *columns), tuple(rows), (NOTE,))


def _cost(cell: ReportCell, name: str) -> list[tables.Cell]:
    found = {one.measure.metric: one.mean or 0.0 for one in costs(cell, name)}
    if not found:
        return [judged.NOTHING] * 2
    gradients = f"({found['gradient_passes']:,.0f} with gradients)" if found["gradient_passes"] else None
    return [tables.Cell(f"{found['passes']:,.0f}", gradients), tables.Cell(f"{found['seconds']:.3f}")]
