"""Whether taking words away is fair to the models at all: what they still say when words are missing at random."""

from collections.abc import Iterator, Sequence

from ...metrics.random_deletion import FADING, SHARES
from ...metrics.registry import KNOWN, Measure
from ...metrics.statistics import Summary
from ...results.report import HEADLINE, Report, ReportCell
from ...results.rows import WORDS
from .. import judged, tables

NOTE = "Each text three times, by chance; one unit at least, so that of a short text it is a larger share."
SHARE = tables.Column("taken", align="left", hint="share of the units, at random")
KEYS = ("dataset", "model", "operator", "share")


def drawn(report: Report) -> Iterator[tables.Table]:
    """A table for each dataset and operator; the baseline of the attributions does not matter here."""
    for at, (dataset, operator, cells) in enumerate(_places(report)):
        columns = [(cell, metric) for cell in cells for metric in _known(cell, operator)]
        found = {cell.model: _summaries(cell, operator) for cell in cells}
        rows = (
            (
                tables.Cell(f"{share:.0%}"),
                *(judged.figure(found[cell.model][metric, share]) for cell, metric in columns),
            )
            for share in SHARES
        )
        titles = (tables.Column(KNOWN[one].title, cell.model, hint=KNOWN[one].meaning) for cell, one in columns)
        title = f"{dataset}: is taking words away fair to these models? {judged.by(operator)}."
        yield tables.Table(title, (SHARE, *titles), tuple(rows), (*([NOTE] * (not at)), *_fewer(cells, found)))


def _places(report: Report) -> Iterator[tuple[str, str, list[ReportCell]]]:
    """Every dataset and operator with the cells that have such figures, one for each model."""
    found: dict[tuple[str, str], dict[str, ReportCell]] = {}
    for cell in report.cells:
        row = cell.row(WORDS)
        for operator in dict.fromkeys(one.operator for one in row.values) if row else ():
            found.setdefault((cell.dataset, operator or HEADLINE), {}).setdefault(cell.model, cell)
    for (dataset, operator), cells in found.items():
        yield dataset, operator, list(cells.values())


def _known(cell: ReportCell, operator: str) -> list[str]:
    """The metrics that were computed: there is no accuracy without labels."""
    found = _summaries(cell, operator)
    return [metric for metric in FADING if any(found[metric, share] for share in SHARES)]


def _summaries(cell: ReportCell, operator: str) -> dict[tuple[str, float], Summary | None]:
    asked = {(metric, share): Measure(metric, operator, share) for metric in FADING for share in SHARES}
    found = cell.evaluation.summaries((WORDS, one) for one in asked.values()) if cell.evaluation else {}
    return {named: found.get((WORDS, one)) for named, one in asked.items()}


def _fewer(cells: Sequence[ReportCell], found: dict[str, dict[tuple[str, float], Summary | None]]) -> Iterator[str]:
    """Models whose figures are not of all texts."""
    for cell in cells:
        counts = {metric: one.count for (metric, _), one in found[cell.model].items() if one}
        most = max(counts.values(), default=0)
        if most < cell.planned:
            yield f"{cell.model}: {most:,} of {cell.planned:,} texts"
        for metric, count in counts.items():
            if count < most:
                yield f"{cell.model}, {KNOWN[metric].title}: {count:,} of {cell.planned:,} texts"
