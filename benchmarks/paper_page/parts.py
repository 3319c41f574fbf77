"""Which part of the paper's protocol decides: SIG's advantage with a part added to `corrected` or taken from `paper`.

All rows of a table are over the same texts. A change is paired by text: the advantage with the part minus the one
without it. Holm's correction is over the changes by single parts that are possible; the other rows, the end and the
logit, are corrected apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from paper_values.schedule import LOGIT
from per_text_values import METRICS, Row, Values

from unmask.metrics.statistics import Difference, holm
from unmask.studies.sig2023.protocol import PARTS, paper_with

from .claims import models_by_name
from .statistics import CLEAR, by_model, compared

ADDED = {
    "corrected": "corrected",
    **{paper_with([part]).name: f"+ {part}" for part in PARTS},
    LOGIT.name: "the predicted class's logit",
    "paper": "paper",
}
TAKEN = {
    "paper": "paper",
    **{paper_with([one for one in PARTS if one != part]).name: f"- {part}" for part in PARTS},
    "corrected": "corrected",
}
RIVALS = ("ig", "two_sided", "dig")
NO_CHANGE = {("own_baseline", metric) for metric in METRICS if metric != "log_odds"}  # this part concerns log-odds only


@dataclass(frozen=True, slots=True)
class Change:
    """SIG's advantage under one protocol, and how it differs from that under the first one of the table.

    Args:
        both: The means of SIG's metric and of the other method's.
        p: Of the change, corrected; 1 if there is none.
    """

    protocol: str
    title: str
    metric: str
    advantage: Difference
    models: dict[str, float]
    both: tuple[float, float]
    change: Difference | None = None
    p: float = 1.0

    @property
    def part(self) -> str:
        """The single part that is added or taken; empty for other rows."""
        return part_of(self.title)

    @property
    def is_clear(self) -> bool:
        """Whether the change is clear."""
        return self.change is not None and self.p < CLEAR


def part_of(title: str) -> str:
    """The single part in the title of a row.

    >>> part_of("+ tokens"), part_of("paper")
    ('tokens', '')
    """
    return title[2:] if title.startswith(("+ ", "- ")) else ""


def changes(values: Values, rival: str, protocols: dict[str, str], *, dataset: str = "sst2") -> list[Change]:
    """The advantage of SIG over a rival under each protocol, on the texts that all of them have.

    Protocols without values are left out; nothing is returned if that is all but the two ends. The row of the logit,
    which is no part of its own, is left out until it has all texts: it must not shrink the table.
    """
    models = models_by_name(values, dataset)
    if len(models) < 3:
        return []
    known = [one for one in protocols if all(_has(values, row) for row in _rows(models, one, rival, dataset))]
    if len(known) < 3 or next(iter(protocols)) not in known:
        return []
    tables = {(one, metric): _table(values, models, one, rival, dataset, metric) for one in known for metric in METRICS}
    needed = [set(texts) for (one, _), (texts, _) in tables.items() if one != LOGIT.name]
    common = sorted(set.intersection(*needed))
    if not common:
        return []
    known = [one for one in known if all(set(tables[one, metric][0]).issuperset(common) for metric in METRICS)]
    tables = {key: table for key, table in tables.items() if key[0] in known}
    chosen = {key: table[:, [texts.index(text) for text in common]] for key, (texts, table) in tables.items()}
    means = {key: np.mean(table, 0) for key, table in chosen.items()}
    moved = {
        (one, metric): mean - means[known[0], metric]
        for (one, metric), mean in means.items()
        if one != known[0] and (part_of(protocols[one]), metric) not in NO_CHANGE
    }
    tests = iter(compared([*means.values(), *moved.values()]))
    own, change = ({key: next(tests) for key in keys} for keys in (means, moved))
    families = [[key for key in moved if bool(part_of(protocols[key[0]])) is is_part] for is_part in (True, False)]
    corrected = {
        key: p for keys in families for key, p in zip(keys, holm([change[one].p for one in keys]), strict=True)
    }
    return [
        Change(
            protocol,
            protocols[protocol],
            metric,
            own[protocol, metric],
            dict(zip(models, np.mean(table, 1).tolist(), strict=True)),
            _both(values, models, protocol, rival, dataset, metric, common),
            change.get((protocol, metric)),
            corrected.get((protocol, metric), 1.0),
        )
        for (protocol, metric), table in chosen.items()
    ]


def _table(
    values: Values, models: dict[str, str], protocol: str, rival: str, dataset: str, metric: str
) -> tuple[list[str], Any]:
    """SIG's advantages under one protocol: the texts, and [models, texts]."""
    first, second = (_rows(models, protocol, one, dataset) for one in ("sig", rival))
    return by_model(values, dict(zip(models, zip(first, second, strict=True), strict=True)), metric)


def _both(
    values: Values,
    models: dict[str, str],
    protocol: str,
    rival: str,
    dataset: str,
    metric: str,
    texts: list[str],
) -> tuple[float, float]:
    first, second = (
        float(np.mean([values.column(row, metric, texts) for row in _rows(models, protocol, one, dataset)]))
        for one in ("sig", rival)
    )
    return first, second


def _rows(models: dict[str, str], protocol: str, method: str, dataset: str) -> Iterator[Row]:
    return (Row(dataset, model, protocol, "mask", method) for model in models.values())


def _has(values: Values, row: Row) -> bool:
    return all(values.rows.get(one) for one in (row, replace(row, method="sig")))
