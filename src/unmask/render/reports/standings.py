"""What was not computed and why, in sentences below a table."""

from collections.abc import Iterator, Sequence

from ...evaluation import GREEDY
from ...metrics.greedy import UNITS
from ...report import Cell, Standing


def remarks(cells: Sequence[Cell], names: Sequence[str]) -> Iterator[str]:
    """A sentence for the rows of a model that lack texts for the same reason, and what else is said of its cell."""
    for cell in cells:
        alike: dict[str, list[str]] = {}
        for name in names:
            if said := _said(cell.standing(name), name):
                alike.setdefault(said, []).append(name)
        for said, rows in alike.items():
            yield f"{cell.model}: {said}{_whose(rows, names)}"
        if cell.note:
            yield f"{cell.model}: {cell.note}"


def _whose(rows: Sequence[str], names: Sequence[str]) -> str:
    """The rows, unless it is all of them; greedy choices have reasons of their own."""
    is_all = {*rows, GREEDY} >= set(names) and rows != [GREEDY]
    return "" if is_all else f" ({', '.join(rows)})"


def _said(standing: Standing, name: str) -> str:
    if standing.is_whole:
        return ""
    texts = f"{standing.done:,} of {standing.planned:,} texts"
    if not standing.done and not standing.failed and not standing.long:
        return f"not run yet: {texts}"
    return "; ".join([texts, *_reasons(standing, name)])


def _reasons(standing: Standing, name: str) -> Iterator[str]:
    if standing.failed:
        yield f"{standing.failed:,} failed, the first: {standing.reason}"
    if standing.long:
        yield f"{standing.long:,} have more than {UNITS} units, for which {name} choices are not computed"
    if standing.missing:
        yield f"{standing.missing:,} were not run yet"
