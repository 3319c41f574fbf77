"""What tables and pictures of a report are called: a dataset, and the baseline that was taken."""

from collections.abc import Sequence

from ...results.report import ReportCell


def named(cells: Sequence[ReportCell]) -> str:
    """What the cells of one table have in common."""
    return f"{cells[0].dataset}, baseline {baseline(cells)}"


def titled(cell: ReportCell) -> str:
    """A cell by all that names it."""
    return f"{cell.dataset}, {cell.model}, baseline {baseline([cell])}"


def baseline(cells: Sequence[ReportCell]) -> str:
    """The baseline as the plan has it; behind `auto`, what it is for these models."""
    asked, used = cells[0].baseline, {cell.model: cell.baseline_used for cell in cells if cell.evaluation}
    found = set(used.values())
    if found <= {asked}:
        return asked
    said = found.pop() if len(found) == 1 else ", ".join(f"{model}: {one}" for model, one in used.items())
    return f"{asked} ({said})"
