"""What was not computed and why, in sentences below a table."""

from collections.abc import Iterator, Sequence

from ...results.report import ReportCell, Standing
from ...results.rows import GREEDY


def remarks(cells: Sequence[ReportCell], names: Sequence[str], operator: str | None) -> Iterator[str]:
    """A sentence for the rows of a model that lack texts by an operator, for the same reason."""
    for cell in cells:
        if cell.evaluation is None:
            yield f"{cell.model}: {_not_begun(cell)}"
            continue
        if operator not in (None, *cell.evaluation.operators):
            yield f"{cell.model}: not judged by {operator}"
            continue
        alike: dict[str, list[str]] = {}
        for name in names:
            if said := _said(cell.standing(name, operator)):
                alike.setdefault(said, []).append(name)
        for said, rows in alike.items():
            yield f"{cell.model}: {said}{_whose(rows, names)}"


def notes(cells: Sequence[ReportCell]) -> Iterator[str]:
    """What else is to be known of these cells."""
    for cell in cells:
        if cell.evaluation and (count := cell.evaluation.truncated):
            longer = "1 text is" if count == 1 else f"{count:,} texts are"
            yield f"{cell.model}: {longer} longer than the model reads; what was cut off is not judged"
        if cell.note:
            yield f"{cell.model}: {cell.note}"


def _not_begun(cell: ReportCell) -> str:
    return f"not run yet: 0 of {cell.planned:,} texts" if cell.planned else "not run yet"


def _whose(rows: Sequence[str], names: Sequence[str]) -> str:
    """The rows, unless it is all of them; greedy choices have reasons of their own."""
    is_all = {*rows, GREEDY} >= set(names) and rows != [GREEDY]
    return "" if is_all else f" ({', '.join(rows)})"


def _said(standing: Standing) -> str:
    if standing.is_whole:
        return ""
    texts = f"of {standing.planned:,} texts"
    return "; ".join(
        [f"{standing.done:,} {texts}" if standing.done else f"computed for none {texts}", *_reasons(standing)]
    )


def _reasons(standing: Standing) -> Iterator[str]:
    if standing.first is not None:
        yield f"{standing.failed:,} failed, the first is {standing.first.name}: {standing.first.reason}"
    if standing.long:
        have = "has" if standing.long == 1 else "have"
        yield f"{standing.long:,} {have} more than {standing.max_units} units, for which this is not computed"
    if standing.missing:
        yield f"{standing.missing:,} {'was' if standing.missing == 1 else 'were'} not run yet"
