"""Every figure on a line of its own: in one table for programs, in one for each cell for people."""

from collections.abc import Iterator

from ...metrics.registry import KNOWN
from ...results.report import Report, ReportCell, operators
from .. import judged, tables
from . import compared, standings
from .entries import Entry, entries
from .facts import SETTINGS, settings
from .naming import titled

PLACE = ("dataset", "model", "baseline", "baseline_used", "protocol")
KEYS = ("method", "operator", "share", "metric")
FIGURES = ("mean", "low", "high", "count", "failures", "planned", "own_operator")
COLUMNS = (
    tables.Column("method", align="left"),
    tables.Column("operator", align="left"),
    tables.Column("metric", align="left"),
    tables.Column("mean"),
    tables.Column("texts"),
    tables.Column("failed"),
)


def whole(report: Report) -> tables.Table:
    """For programs: all figures in one table, each with all that it depends on."""
    columns = [tables.Column(name, align="left") for name in (*PLACE, *SETTINGS, *KEYS)]
    columns += [tables.Column(name) for name in FIGURES]
    lines, beside = [], []
    for cell in report.cells:
        place, more = _place(report, cell), compared.figures(report, cell)
        for one in entries(report, cell):
            lines.append((*place, *map(tables.Cell, _fields(one))))
            beside.append(more.get((one.name, one.measure), {}))
    kept = [name for name in compared.columns(report) if any(name in one for one in beside)]
    rows = (
        (*line, *(tables.Cell(one.get(name, "")) for name in kept)) for line, one in zip(lines, beside, strict=True)
    )
    return tables.Table(report.plan, (*columns, *map(tables.Column, kept)), tuple(rows))


def by_cell(report: Report) -> Iterator[tables.Table]:
    """For people: a table for each dataset, model and baseline, a rule above each method."""
    said: set[str] = set()
    for cell in report.cells:
        found = list(entries(report, cell))
        starts = frozenset(at for at, one in enumerate(found) if at and one.name != found[at - 1].name)
        notes = [*_meanings(found, said), *_shares(cell, found, said), *_notes(cell, found, list(report.kinds))]
        yield tables.Table(titled(cell), COLUMNS, tuple(map(_row, found)), tuple(notes), starts)


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


def _shares(cell: ReportCell, found: list[Entry], said: set[str]) -> Iterator[str]:
    """Over which shares areas are, where no table above says it."""
    curve = cell.evaluation.curve if cell.evaluation else ()
    shares = f"AOPC: over {', '.join(f'{100 * share:g}' for share in curve)} % of the units"
    if any(one.measure.metric in judged.AREAS for one in found) and shares not in said:
        said.add(shares)
        yield f"{shares}; shares that are equally many units count once"


def _notes(cell: ReportCell, found: list[Entry], names: list[str]) -> Iterator[str]:
    if any(one.mark for one in found):
        yield judged.OWN_SAID
    yield from _remarks(cell, names)
    yield from standings.notes([cell])


def _remarks(cell: ReportCell, names: list[str]) -> Iterator[str]:
    """What was not computed: once where it is the same by all operators."""
    by = {operator: list(standings.remarks([cell], names, operator)) for operator in operators([cell]) or (None,)}
    first, *others = by.values()
    if all(one == first for one in others):
        yield from first
        return
    for operator, said in by.items():
        yield from (f"by {operator}: {one}" for one in said)


def _place(report: Report, cell: ReportCell) -> tuple[tables.Cell, ...]:
    place = (cell.dataset, cell.model, cell.baseline, cell.baseline_used, report.protocol)
    found = ("" if value is None else str(value) for value in settings(cell).values())
    return tuple(map(tables.Cell, (*place, *found)))


def _fields(entry: Entry) -> tuple[str, ...]:
    share = "" if entry.measure.share is None else f"{entry.measure.share:g}"
    figures = ("" if one is None else f"{one:.6g}" for one in (entry.mean, entry.low, entry.high))
    counts = (entry.count, entry.standing.failed, entry.standing.planned)
    keys = (entry.name, entry.measure.operator or "", share, entry.measure.metric)
    return *keys, *figures, *map(str, counts), "yes" if entry.mark else ""
