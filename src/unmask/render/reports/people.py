"""Whether people point at the same words: a table for each dataset and baseline whose texts they marked."""

from collections.abc import Iterator, Sequence

from ...metrics.registry import PLAUSIBILITY, Measure
from ...results.evaluation import Evaluation
from ...results.report import Report
from .. import judged, tables
from .figures import METHOD
from .naming import named

AUPRC, *_ = MEASURES = tuple(map(Measure, PLAUSIBILITY))
Column = list[tables.Cell]


def drawn(report: Report) -> Iterator[tables.Table]:
    """Methods and chance down, the three figures under each model."""
    for cells in report.blocks.values():
        models = {cell.model: cell.evaluation for cell in cells if cell.evaluation}
        names = [name for name in report.kinds if any(_counts(one, [name]) for one in models.values())]
        if names:
            first = [tables.Cell(name, is_faint=report.kinds[name] == "control") for name in names]
            rules = [at for at, name in enumerate(names) if at and report.kinds[name] == "control"]
            yield tables.Table(
                f"{named(cells)}: do people point at the same words?",
                (METHOD, *(judged.column(measure, model) for model in models for measure in MEASURES)),
                tuple(zip(first, *(column for one in models.values() for column in _columns(one, names)), strict=True)),
                tuple(f"{model}: {_said(one, names)}" for model, one in models.items()),
                frozenset(rules[:1]),
            )


def _columns(evaluation: Evaluation, names: Sequence[str]) -> Iterator[Column]:
    rows = [row for row in evaluation.rows if row.name in names]
    for measure in MEASURES:
        cells = judged.compared(evaluation, rows, measure)
        found = {row.name: cell for row, cell in zip(rows, cells, strict=True)}
        yield [found.get(name, judged.NOTHING) for name in names]


def _said(evaluation: Evaluation, names: Sequence[str]) -> str:
    """Of which texts the figures are, how many of them each row has, and how many units it chooses."""
    counts = _counts(evaluation, names)
    most = max(counts.values(), default=0)
    fewer = "".join(f"; {name}: {count:,}" for name, count in counts.items() if count < most)
    length = f"; chosen for F1: {judged.chosen(evaluation.rationale_length)}" if evaluation.rationale_length else ""
    return f"{judged.agreed(evaluation, most)}{fewer}{length}"


def _counts(evaluation: Evaluation, names: Sequence[str]) -> dict[str, int]:
    """How many texts these rows were compared with people on."""
    return {row.name: count for row in evaluation.rows if row.name in names and (count := judged.count(row, AUPRC))}
