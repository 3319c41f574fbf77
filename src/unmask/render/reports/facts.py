"""What figures depend on: what all cells of a report have in common, and what a cell has of its own."""

from collections.abc import Iterator
from typing import Any

from ...results.report import Report, ReportCell

SETTINGS = ("function", "unit", "target", "scale", "seed", "dtype", "max_length")
LIMITLESS = "as the model reads"


def settings(cell: ReportCell) -> dict[str, Any]:
    """How a cell was computed, for programs; all None where nothing was."""
    own = {"dtype": cell.dtype}
    return {name: own[name] if name in own else getattr(cell.evaluation, name, None) for name in SETTINGS}


def shared(report: Report) -> dict[str, str]:
    """What all figures depend on, in so far as it is the same for all."""
    found = {
        "plan": report.plan,
        "protocol": report.protocol,
        "top": f"{report.top:.0%} of the units",
        "unit": report.unit,
        **dict(_alike(report)),
    }
    planned, count = sum(cell.planned for cell in report.cells), len(report.cells)
    return {**found, "texts": f"{planned:,} in {count:,} cell{'s' * (count != 1)}", **report.facts}


def own(report: Report, cell: ReportCell) -> dict[str, str]:
    """What a cell does not have in common with all others."""
    alike = dict(_alike(report))
    return {name: said for name, said in _said(cell).items() if name not in alike}


def _alike(report: Report) -> Iterator[tuple[str, str]]:
    known = [_said(cell) for cell in report.cells if cell.evaluation]
    for name in SETTINGS:
        values = {one.get(name) for one in known}
        if len(values) == 1 and (value := values.pop()) is not None:
            yield name, value


def _said(cell: ReportCell) -> dict[str, str]:
    """The settings for people."""
    found = settings(cell) if cell.evaluation else {}
    limit = {"max_length": LIMITLESS} if found and found["max_length"] is None else {}
    return {name: str(value) for name, value in found.items() if value is not None} | limit
