"""Every figure on a line of its own: in one table for programs, in one for each cell for people."""

from collections.abc import Iterator

from ...metrics.measures import KNOWN
from ...report import Cell, Report
from .. import judged, tables
from . import standings
from .entries import Entry, entries

KEYS = ("dataset", "model", "baseline", "method", "operator", "share", "metric")
FIGURES = ("mean", "low", "high", "count", "failures", "planned")
OWN = "own operator"
COLUMNS = (
    tables.Column("method", align="left"),
    tables.Column("operator", align="left"),
    tables.Column("metric", align="left"),
    tables.Column("mean"),
    tables.Column("texts"),
    tables.Column("failed"),
)


def whole(report: Report) -> tables.Table:
    """For programs: all figures in one table, each with all that names it."""
    columns = [tables.Column(name, align="left") for name in KEYS] + [tables.Column(name) for name in (*FIGURES, OWN)]
    rows = (_fields(cell, one) for cell in report.cells for one in entries(report, cell))
    return tables.Table(report.plan, tuple(columns), tuple(tuple(map(tables.Cell, row)) for row in rows))


def by_cell(report: Report) -> Iterator[tables.Table]:
    """For people: a table for each dataset, model and baseline, a rule above each method."""
    said: set[str] = set()
    for cell in report.cells:
        found = list(entries(report, cell))
        starts = frozenset(at for at, one in enumerate(found) if at and one.name != found[at - 1].name)
        notes = [*_meanings(found, said), *_notes(cell, found, list(report.kinds))]
        yield tables.Table(_title(cell), COLUMNS, tuple(map(_row, found)), tuple(notes), starts)


def _title(cell: Cell) -> str:
    return f"{cell.dataset}, {cell.model}, baseline {cell.baseline}"


def _row(entry: Entry) -> tuple[tables.Cell, ...]:
    operator, texts = entry.measure.operator or "", f"{entry.count:,} of {entry.standing.planned:,}"
    cells = map(tables.Cell, (entry.name, operator, entry.title))
    return *cells, _mean(entry), tables.Cell(texts), tables.Cell(f"{entry.standing.failed:,}")


def _mean(entry: Entry) -> tables.Cell:
    if entry.mean is None:
        return judged.NOTHING
    interval = None if entry.low is None else f"[{entry.low:.3f}, {entry.high:.3f}]"
    return tables.Cell(f"{entry.mean:,.3f}{entry.mark}", interval)


def _meanings(found: list[Entry], said: set[str]) -> Iterator[str]:
    """What the metrics are, where no table above says it."""
    if not said:
        yield "Means with 95 % bootstrap intervals."
    for metric in dict.fromkeys(one.measure.metric for one in found):
        if metric in KNOWN and metric not in said:
            said.add(metric)
            yield f"{KNOWN[metric].title}: {KNOWN[metric].meaning}"


def _notes(cell: Cell, found: list[Entry], names: list[str]) -> Iterator[str]:
    if any(one.mark for one in found):
        yield judged.OWN_SAID
    yield from standings.remarks([cell], names)


def _fields(cell: Cell, entry: Entry) -> tuple[str, ...]:
    share = "" if entry.measure.share is None else f"{entry.measure.share:g}"
    keys = (cell.dataset, cell.model, cell.baseline, entry.name, entry.measure.operator or "", share)
    figures = ("" if one is None else f"{one:.6g}" for one in (entry.mean, entry.low, entry.high))
    counts = (entry.count, entry.standing.failed, entry.standing.planned)
    return *keys, entry.measure.metric, *figures, *map(str, counts), "yes" if entry.mark else ""
