"""How far two methods rank the units of a text alike, against its length: Kendall's tau, texts of like length together.

The paper says that IG and SIG agree on short texts and less on long ones; this is where it is seen.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean

from ...results.comparison import kendall
from ...results.report import Report, ReportCell, agreement_pair
from ..charts import Group, LineChart, Point, Series, series_style, ticks
from .drawing import picture, shortened
from .naming import baseline as said

SHORTEST = 4  # units of the shortest texts that stand together; then twice as many, and so on
NOTE = (
    "Kendall's tau: 1 is the same order of the units, 0 unrelated, -1 the reverse. Texts of like length stand "
    "together; below each length is the number of texts."
)


def drawn(report: Report) -> Iterator[Group]:
    """A picture for each baseline, a panel for each dataset."""
    pair = agreement_pair([name for name, kind in report.kinds.items() if kind == "method"], reference=report.reference)
    if pair is None:
        return
    first, second = (shortened(report.kinds)[name] for name in pair)
    for baseline in dict.fromkeys(cell.baseline for cell in report.cells):
        cells = [cell for cell in report.cells if cell.baseline == baseline]
        title = f"baseline {said(cells)}: agreement of {first} and {second} against the length of a text"
        yield from picture(title, _panels(report, cells, pair), NOTE)


def taus(cell: ReportCell, pair: tuple[str, str]) -> dict[int, list[float]]:
    """Kendall's tau of every text that both rows scored, by the largest length of its group."""
    found: dict[int, list[float]] = {}
    one, other = (cell.scores.get(name, ()) for name in pair)
    for mine, others, length in zip(one, other, cell.lengths, strict=False):  # of a row without scores there are none
        tau = kendall(mine, others) if mine and others and len(mine) == len(others) else None
        if tau is not None:
            found.setdefault(group(length), []).append(tau)
    return dict(sorted(found.items()))


def group(length: int) -> int:
    """The largest length of the texts that stand together.

    >>> [group(length) for length in (1, 4, 5, 8, 9, 300)]
    [4, 4, 8, 8, 16, 512]
    """
    return max(SHORTEST, 1 << (length - 1).bit_length())


def _panels(report: Report, cells: Sequence[ReportCell], pair: tuple[str, str]) -> Iterator[LineChart]:
    models = list(dict.fromkeys(cell.model for cell in report.cells))
    for dataset in dict.fromkeys(cell.dataset for cell in cells):
        found = {cell.model: taus(cell, pair) for cell in cells if cell.dataset == dataset}
        groups = sorted({one for lengths in found.values() for one in lengths})
        if not groups:
            continue
        series = (_series(model, lengths, groups, models) for model, lengths in found.items() if lengths)
        yield _chart(dataset, found, groups, tuple(series))


def _chart(
    dataset: str, found: dict[str, dict[int, list[float]]], groups: Sequence[int], series: tuple[Series, ...]
) -> LineChart:
    heights = [0.0, 1.0, *(point.y for one in series for point in one.points)]
    return LineChart(
        title=f"{dataset}: Kendall's tau",
        description=NOTE,
        bottom="units of a text, at most (below: texts)",
        across=tuple((at, f"{one:,}", _counts(found, one)) for at, one in enumerate(groups)),
        up=tuple(ticks(min(heights), max(heights))),
        series=series,
    )


def _series(model: str, lengths: dict[int, list[float]], groups: Sequence[int], models: Sequence[str]) -> Series:
    points = (
        Point(groups.index(one), fmean(values), f"{fmean(values):.2f} over {len(values):,} texts")
        for one, values in lengths.items()
    )
    return Series(model, tuple(points), series_style(models.index(model)))


def _counts(found: dict[str, dict[int, list[float]]], one: int) -> str:
    """How many texts there are; of models that read them differently, the fewest and the most."""
    counts = sorted({len(lengths.get(one, ())) for lengths in found.values() if lengths})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}–{counts[-1]:,}"
