"""What the pictures of a report share: how rows look and what they are called in little room."""

from collections.abc import Iterable, Iterator

from ...results.report import Report
from ..charts import Chart, Group, SeriesStyle, quiet_style, series_style


def looks(report: Report) -> dict[str, SeriesStyle]:
    """How each row is drawn, the same in every picture; controls are quiet."""
    return {
        name: quiet_style(at) if kind == "control" else series_style(at)
        for at, (name, kind) in enumerate(report.kinds.items())
    }


def shortened(names: Iterable[str]) -> dict[str, str]:
    """Names without their settings, where that leaves them apart.

    >>> shortened(["ig:steps=50", "ig:steps=250", "dig:steps=30"])
    {'ig:steps=50': 'ig:steps=50', 'ig:steps=250': 'ig:steps=250', 'dig:steps=30': 'dig'}
    """
    kinds = {name: name.partition(":")[0] for name in names}
    found = list(kinds.values())
    return {name: kind if found.count(kind) == 1 else name for name, kind in kinds.items()}


def picture(title: str, panels: Iterable[Chart], note: str) -> Iterator[Group]:
    """The panels as one picture; none of no panels."""
    found = tuple(panels)
    if found:
        yield Group(title, found, note)
