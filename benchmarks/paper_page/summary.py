"""The opening of docs/results/paper.md: what was found, in sentences computed from the sections."""

from collections.abc import Iterator, Sequence

from per_text_values import Values

from . import hidden, planted, twins
from .claims import CLAIMS, OURS, Tested
from .findings import finding, tally, turning
from .parts import ADDED, TAKEN, changes

DIG, TWO_SIDED = CLAIMS[1], OURS[1]
NOTATION = """`corrected` explains and evaluates the model itself, with words removed; `paper` does as the published
code. In square brackets: the difference on bert, distilbert and roberta."""
RIVALS = {"ig": "IG", "two_sided": "the two-sided score", "dig": "DIG"}


def summary(values: Values, found: Sequence[Tested]) -> Iterator[str]:
    """The finding in bold, then a list."""
    yield f"**{finding(found) or 'SIG was not compared with IG yet.'}**"
    yield ""
    yield NOTATION
    yield ""
    yield from (f"- *{topic}.* {said}" for topic, said in _points(values, found) if said)


def _points(values: Values, found: Sequence[Tested]) -> Iterator[tuple[str, str]]:
    """Topics and what was found; an empty sentence if nothing was computed."""
    yield "Claims", tally(found)
    for rival, name in RIVALS.items():
        for protocols in (ADDED, TAKEN):
            yield f"What decides against {name}", turning(changes(values, rival, protocols), name)
    yield "DIG", finding(found, DIG, ("SIG", "DIG"))
    yield "Two sides", finding(found, TWO_SIDED, ("the two-sided score", "SIG"))
    ranks = planted.ranks(values)
    said = " ".join(planted.finding(ranks, kind) for kind in planted.KINDS if (kind, "sig") in ranks)
    yield (
        "A planted truth",
        said and f"In texts whose label depends on trigger words that we planted in a model's training: {said}",
    )
    yield "Blind spots", hidden.short(values)
    yield "Masks", twins.short(values)
