"""The opening of docs/results/paper.md: what was found, in sentences computed from the sections."""

from collections.abc import Iterator, Sequence

from per_text_values import Values

from . import hidden, planted, twins
from .claims import CLAIMS, OURS, Tested
from .findings import finding, turning
from .parts import ADDED, TAKEN, changes

DIG, TWO_SIDED = CLAIMS[1], OURS[1]
RIVALS = {"ig": "IG", "two_sided": "the two-sided score", "dig": "DIG"}


def summary(values: Values, found: Sequence[Tested]) -> Iterator[str]:
    """The finding in bold, then a list."""
    yield f"**{finding(found) or 'SIG was not compared with IG yet.'}**"
    yield ""
    yield from (f"- {said}" for said in filter(None, _points(values, found)))


def _points(values: Values, found: Sequence[Tested]) -> Iterator[str]:
    for rival, name in RIVALS.items():
        yield from (turning(changes(values, rival, protocols), name) for protocols in (ADDED, TAKEN))
    yield finding(found, DIG, ("SIG", "DIG"))
    yield finding(found, TWO_SIDED, ("the two-sided score", "SIG"))
    ranks = planted.ranks(values)
    yield " ".join(planted.finding(ranks, kind) for kind in planted.KINDS if (kind, "sig") in ranks)
    yield hidden.short(values)
    yield twins.short(values)
