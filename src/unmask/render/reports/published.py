"""The paper's figures beside ours: only where the model is the published one, else a sentence that it is not."""

from collections.abc import Iterator, Mapping, Sequence

from ...metrics.faithfulness import METRICS
from ...results.report import Report, ReportCell

OTHERS = "cannot be compared with the paper's one by one"
OTHER_MODELS = f"These are other models than the published ones: figures {OTHERS}."


def beside(report: Report, cell: ReportCell, name: str, metric: str) -> str | None:
    """The published figure of a row, as it was printed."""
    found = figures(report, cell, name)
    return None if found is None else shown(found[METRICS.index(metric)])


def shown(figure: float) -> str:
    """A published figure with the digits that it was published with.

    >>> shown(-0.981), shown(0.0923), shown(-3.31e-05)
    ('paper: -0.981', 'paper: 0.0923', 'paper: -3.31e-05')
    """
    return f"paper: {figure:g}"


def remarks(report: Report, cells: Sequence[ReportCell]) -> Iterator[str]:
    """What the published figures beside ours are worth, or why there are none."""
    if report.published is None or not any(cell.is_in_paper for cell in cells):
        return
    others = [cell.model for cell in cells if not cell.is_published]
    if len(others) == len(cells):
        yield OTHER_MODELS
        return
    yield f"paper: the published figure, over all texts that the paper took; ours is over {_texts(cells)} of this run."
    if report.protocol != "paper":
        yield f"The published figures are under the protocol 'paper'; ours are under {report.protocol!r}."
    if others:
        yield f"{', '.join(others)}: not the published model, so figures {OTHERS}."
    methods = [name for name, kind in report.kinds.items() if kind == "method"]
    without = [name for name in methods if not any(figures(report, cell, name) for cell in cells)]
    yield from _lacking(without, report.papers_settings)


def _texts(cells: Sequence[ReportCell]) -> str:
    count = max(cell.planned for cell in cells)
    return "the one text" if count == 1 else f"the {count:,} texts"


def _lacking(rows: Sequence[str], otherwise: Mapping[str, str]) -> Iterator[str]:
    """Rows beside which there is no figure of the paper.

    >>> list(_lacking(["sig", "shapley"], {"sig": "sig_path:steps=50"}))[1]
    'The paper has sig as sig_path:steps=50: with other settings, so its figures are not shown here.'
    """
    if nowhere := [row for row in rows if row not in otherwise]:
        yield f"The paper has no figures of {', '.join(nowhere)}."
    if elsewhere := [f"{row} as {otherwise[row]}" for row in rows if row in otherwise]:
        yield f"The paper has {', '.join(elsewhere)}: with other settings, so its figures are not shown here."


def figures(report: Report, cell: ReportCell, name: str) -> tuple[float, float, float] | None:
    """The published log-odds, comprehensiveness and sufficiency of a row, where there are any."""
    if report.published is None or not cell.is_published:
        return None
    return report.published(cell.dataset, cell.model, cell.baseline_used, name)
