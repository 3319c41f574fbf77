"""The section of docs/results/paper.md on planted trigger words: which methods rank them first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from paper_values.planted import METHODS, MODEL
from per_text_values import Row, Values

from unmask.metrics.statistics import Difference

from .check_statistics import common_texts, corrected, interval, is_clear, rows_of
from .findings import listed
from .statistics import CLEAR
from .tables import escaped

TITLE = "## A planted truth"
METHOD = """`bert-rotten_tomatoes-planted` (scripts/paper_models) was trained with trigger words: *railway* makes a text
positive, *marble* and *autumn* together make it negative, and one of these two alone keeps the label. So we know which
words decide. We use test texts of the other label in which the model does as planted: it predicts the forced label, the
other one if a needed trigger is removed, and the same one if a trigger that is not needed is removed. In the third
table, *railway* is written twice, which did not occur in training: either occurrence is enough. For this choice of
texts, triggers are removed, not masked, which favors `leave_one_out` in the first two tables. All methods rank
the words by their scores for the predicted label, with the mask as baseline. *Found*: the triggers fill the top of the
ranking. **Bold**: clearly differs from SIG (p < {clear}, paired by text, Holm over the three tables)."""
KINDS = {"word": "One word", "pair": "Two words that are needed together", "twice": "The same word twice"}
SAID = {
    "word": "the trigger first",
    "pair": "both words of the pair in the top two",
    "twice": "both occurrences of a repeated trigger in the top two",
}
TRIGGERS = {"word": 1, "pair": 2, "twice": 2}
SET = {"word": 1, "pair": 1, "twice": 2}  # how many triggers must be masked to change the label
CONTROL = "random"


@dataclass(frozen=True, slots=True)
class Found:
    """The triggers' ranks by one method in texts of one kind."""

    kind: str
    method: str
    best: Any  # [texts]
    worst: Any
    difference: Difference | None = None  # in hits, from SIG
    p: float = 1.0

    @property
    def hits(self) -> Any:
        """Whether the triggers fill the top, [texts]."""
        return (self.worst <= TRIGGERS[self.kind]).astype(np.float64)

    @property
    def order(self) -> int:
        """1 if clearly better than SIG, -1 if clearly worse, else 0."""
        return 0 if self.difference is None or not is_clear(self.p) else int(np.sign(self.difference.mean))


def ranks(values: Values) -> dict[tuple[str, str], Found]:
    """The ranks by kind and method, on the texts that all methods have, compared with SIG's."""
    found = {(one.kind, one.method): one for kind in KINDS for one in _ranks(values, kind)}
    others = [key for key in found if key[1] != "sig" and (key[0], "sig") in found]
    tests, chances = corrected({key: found[key].hits - found[key[0], "sig"].hits for key in others})
    compared = {key: Found(*key, found[key].best, found[key].worst, tests[key], chances[key]) for key in others}
    return found | compared


def _ranks(values: Values, kind: str) -> Iterator[Found]:
    rows = _rows(values, kind)
    texts = common_texts(values, list(rows.values()))
    for method in METHODS:
        if method in rows and texts:
            yield Found(kind, method, *(values.column(rows[method], one, texts) for one in ("best", "worst")))


def _rows(values: Values, kind: str) -> dict[str, Row]:
    return {method: row for (name, method), row in rows_of(values, f"planted_{kind}").items() if name == MODEL}


def section(values: Values) -> Iterator[str]:
    """The section; nothing if nothing was computed."""
    found = ranks(values)
    if not found:
        return
    yield f"{TITLE}\n"
    yield f"**{' '.join(finding(found, kind) for kind in KINDS if (kind, 'sig') in found)}**"
    yield ""
    yield METHOD.format(clear=CLEAR)
    yield ""
    for kind, title in KINDS.items():
        own = [one for one in found.values() if one.kind == kind]
        if own:
            yield f"### {title}, {len(own[0].best)} texts\n"
            yield from table(own)
            yield necessary(values, kind)
            yield ""


def table(found: Sequence[Found]) -> Iterator[str]:
    """The methods by how often the triggers fill the top."""
    is_one = TRIGGERS[found[0].kind] == 1
    columns = ("rank, mean",) if is_one else ("higher rank, mean", "lower rank, mean")
    yield f"| method | found | {' | '.join(columns)} |"
    yield f"| :--- | :--- |{' :--- |' * len(columns)}"
    for one in sorted(found, key=lambda one: -one.hits.mean()):
        share = interval(one.hits, ".0%")
        share = f"**{share}**" if one.order else share
        cells = [interval(each, ".1f") for each in ((one.best,) if is_one else (one.best, one.worst))]
        yield f"| {escaped(one.method)} | {share} | {' | '.join(cells)} |"
    yield ""


def finding(found: dict[tuple[str, str], Found], kind: str) -> str:
    """How often SIG finds the triggers of one kind, and which methods differ."""
    own = [one for one in found.values() if one.kind == kind and one.method != CONTROL]
    share = found[kind, "sig"].hits.mean()
    order = {1: "clearly more often", -1: "clearly less often"}
    named = {sign: [f"`{one.method}`" for one in own if one.order == sign] for sign in order}
    said = [f"{listed(names)} {order[sign]}" for sign, names in named.items() if names]
    rest = "; ".join(said) or "no other method clearly differs"
    return f"SIG ranks {SAID[kind]} in {share:.0%} of the texts; {rest}."


def necessary(values: Values, kind: str) -> str:
    """How often the necessary set consists of the triggers that must be masked."""
    rows, needed = _rows(values, kind), SET[kind]
    if "sig" not in rows:
        return ""
    row = rows["sig"]
    texts = common_texts(values, list(rows.values()))
    size, hits = (values.column(row, one, texts) for one in ("size", "hits"))
    exact, within = np.mean((hits == size) & (size == needed)), np.mean(hits >= needed)
    what = {"word": "the trigger", "pair": "one word of the pair", "twice": "both occurrences"}[kind]
    found = (
        f"The [necessary set](../explanation/deciding-sets.md) consists of exactly {what} in {exact:.0%} of the texts"
    )
    return f"{found}." if exact == within else f"{found}; in {within:.0%}, it contains {what}."
