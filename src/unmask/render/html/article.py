"""One of many texts as it stands below their index."""

from collections.abc import Sequence

from ...results.explanation import Explanation
from ..formats import Unexplained
from ..view import ExplanationView, view_explanation
from . import parts
from .entry import Entry
from .escape import escaped
from .style import VIEWS
from .switches import between_outputs, outputs, switched, switches, view

ROOM = 85_000  # units that a page draws, those of all outputs together: some 15 MB; with more it opens slowly
BESIDE = 20  # units that weigh as much as what stands beside a text for each output
FAILED_LENGTH = 1000  # characters of a text that failed: it may have failed because it does not end


def views_each(entries: Sequence[Entry]) -> int:
    """For how many outputs every text of a page can be seen."""
    units = sum(BESIDE + len(entry.found.units) for entry in entries if isinstance(entry.found, Explanation))
    return max(1, min(VIEWS, ROOM // max(1, units)))


def article(entry: Entry, *, data: str, views: int, style: str) -> str:
    """The text, explained or not, below its prediction."""
    says, found = " ".join(filter(None, [", ".join(entry.labels), entry.figure])), entry.found
    if isinstance(found, Unexplained):
        aim, body = "", _failed(found)
    else:
        seen = outputs(found, most=views)
        aim, body = _aim(entry, seen), _explained(found, [view_explanation(one) for one in seen], style)
    return (
        f'<article id="text-{entry.place}"{data}>\n'
        f"<h2><small>{entry.number}</small> {escaped(says)}{aim}</h2>\n{body}\n</article>"
    )


def _aim(entry: Entry, seen: Sequence[Explanation]) -> str:
    """What the colors speak for, where neither the model's label nor a switch says it."""
    target = str(seen[0].target)
    if len(seen) > 1 or target in entry.labels:
        return ""
    return f' <span class="um-aim">seen for {escaped(target)}</span>'


def _failed(found: Unexplained) -> str:
    cut = f"{found.text[:FAILED_LENGTH]}…" if len(found.text) > FAILED_LENGTH else found.text
    return parts.joined(
        f'<p class="um-warning"><b>Not explained:</b> {escaped(found.why)}</p>',
        f'<p class="um-text um-unexplained" dir="auto" lang="">{escaped(cut)}</p>' if cut.strip() else "",
    )


def _explained(found: Explanation, seen: Sequence[ExplanationView], style: str) -> str:
    """What differs by output stands in views; all else once, so that the page stays small."""
    inside = parts.joined(
        parts.warnings(found.warnings),
        switches(between_outputs([one.facts["target"] for one in seen])),
        *(view(at, _colored(one, style)) for at, one in enumerate(seen)),
        "<details><summary>Scores and settings</summary>",
        parts.shares(seen[0], left=len(found.outputs) - len(seen[0].shares)),
        *(view(at, _scores(one, style)) for at, one in enumerate(seen)),
        parts.facts({name: value for name, value in seen[0].facts.items() if name != "target" or len(seen) == 1}),
        "</details>",
    )
    return switched(inside, views=len(seen))


def _colored(drawn: ExplanationView, style: str) -> str:
    return parts.joined(
        f"<h3>{escaped(drawn.heading)}</h3>",  # seen where the switch is not: in print
        parts.texts(drawn, style=style),
        parts.plain(drawn, style=style),
        parts.sentence(drawn),
    )


def _scores(drawn: ExplanationView, style: str) -> str:
    return parts.joined(parts.largest(drawn, style=style), parts.meaning(drawn, style=style))
