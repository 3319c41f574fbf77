"""With what a figure is compared, for programs: the paper's, and its difference from the reference."""

from ...metrics.faithfulness import METRICS
from ...metrics.registry import Measure
from ...results.evaluation import minus
from ...results.report import Report, ReportCell, headline
from . import published
from .differences import differences

PAPER = "paper"  # a column that is there only where something is in it


def columns(report: Report) -> list[str]:
    """All that there can be."""
    return [PAPER, *minus(report.reference or "").values()]


def figures(report: Report, cell: ReportCell) -> dict[tuple[str, Measure], dict[str, str]]:
    """By row and measure, what there is by the headline operator at the top."""
    found: dict[tuple[str, Measure], dict[str, str]] = {}
    operator = headline([cell])
    for name in report.kinds:
        for metric, theirs in zip(METRICS, published.figures(report, cell, name) or (), strict=False):
            found[name, Measure(metric, operator, report.top)] = {PAPER: number(theirs)}
    for key, one in differences(report, cell, operator).items():
        parts = {name: getattr(one, part, None) for part, name in minus(report.reference or "").items()}
        said = {part: number(value) for part, value in parts.items() if value is not None}
        found[key] = found.get(key, {}) | said
    return found


def number(value: float | None) -> str:
    """A number as a program reads it; nothing where there is none."""
    return "" if value is None else f"{value:.6g}"
