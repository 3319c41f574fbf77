"""The section of docs/results/paper.md on labels that no single word changes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from paper_values.hidden import DATASET
from per_text_values import Row, Values

from .check_statistics import common_texts, interval, rows_of

TITLE = "## What scores of single words cannot see"
METHOD = """SIG masks one word at a time. If several words support the label, masking one of them may change little. For
each of {texts} sentences of SST-2, we counted the single words whose masking changes the label, and searched for a
small set of words that changes it together ([deciding sets](../explanation/deciding-sets.md)). *Only a set*: no single
word changes the label, but a set does. *Proven*: how many of these sets are proven to be the smallest; the others may
be larger than needed. *No set found*: there is none, or the search's budget ended. *SIG's top words*: in the sentences
with only a set, how often the label also changes if we mask as many of the words that SIG ranks first."""

HEADER = (
    *("model", "a single word", "only a set", "no set found"),
    *("words in these sets, median", "proven", "SIG's top words"),
)


def section(values: Values) -> Iterator[str]:
    """The section; nothing if nothing was computed."""
    rows = {name: row for (name, _), row in rows_of(values, DATASET).items()}
    texts = common_texts(values, list(rows.values()))
    if not texts:
        return
    yield f"{TITLE}\n"
    yield finding(values, rows, texts)
    yield ""
    yield METHOD.format(texts=len(texts))
    yield ""
    yield f"| {' | '.join(HEADER)} |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | :--- |"
    for name, row in rows.items():
        yield _line(values, name, row, texts)
    yield ""


def short(values: Values) -> str:
    """The finding as a plain sentence; nothing if nothing was computed."""
    rows = {name: row for (name, _), row in rows_of(values, DATASET).items()}
    texts = common_texts(values, list(rows.values()))
    return finding(values, rows, texts).replace("**", "") if texts else ""


def finding(values: Values, rows: dict[str, Row], texts: list[str]) -> str:
    """What was found, over the models."""
    hidden = [only_sets(values, row, texts) for row in rows.values()]
    shares = [float(one.mean()) for one in hidden]
    tops = [values.column(row, "top", texts)[own] for row, own in zip(rows.values(), hidden, strict=True)]
    reached = [float(np.mean(one)) for one in tops if len(one)]
    found = (
        f"**In {_range(shares)} of {len(texts)} sentences of SST-2 (by model), masking any single word leaves the "
        "label as it is, but masking a set of words changes it.**"
    )
    if not reached:
        return found
    return f"{found} Masking as many of the words that SIG ranks first changes it in {_range(reached)} of these."


def only_sets(values: Values, row: Row, texts: list[str]) -> Any:
    """Where no single word changes the label but a set does, [texts]."""
    single, size = (values.column(row, figure, texts) for figure in ("single", "size"))
    return (single == 0) & (size > 1)


def _line(values: Values, name: str, row: Row, texts: list[str]) -> str:
    single, size, top = (values.column(row, figure, texts) for figure in ("single", "size", "top"))
    own = only_sets(values, row, texts)
    counts = (np.mean(single > 0), np.mean(own), np.mean((single == 0) & np.isnan(size)))
    middle = f"{np.median(size[own]):g}" if own.any() else "—"
    proven = f"{np.mean(values.column(row, 'is_smallest', texts)[own] == 1):.0%}" if own.any() else "—"
    cells = [*(f"{share:.0%}" for share in counts), middle, proven, interval(top[own], ".0%")]
    return f"| {name} | {' | '.join(cells)} |"


def _range(shares: list[float]) -> str:
    low, high = f"{min(shares):.0%}", f"{max(shares):.0%}"
    return low if low == high else f"{low} to {high}"
