"""Many texts in one document: an index, and each text below it; a small script filters and sorts them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from ...results.explanation import Explanation
from ..formats import Item, Unexplained
from ..theme import DEFAULT, Theme
from ..view import view_explanation
from .document import VIEWS, document, resource
from .pages import others, outputs
from .parts import render

FAILED, NO_LABEL, VALUE = "failed", "no label", "value"
BEGINNING = 90  # characters of a text that stand in the index
ROOM = 85_000  # units that a page draws, those of all outputs together: some 15 MB; with more it opens slowly
BESIDE = 20  # units that weigh as much as what stands beside a text for each output


def collection(items: Sequence[Item], theme: Theme = DEFAULT, *, title: str | None = None) -> str:
    """Many explanations as one self-contained document; texts that failed stand among them."""
    counts = f"{len(items):,} {'text' if len(items) == 1 else 'texts'}"
    explained = [result for _, result in items if isinstance(result, Explanation)]
    views = max(1, min(VIEWS, ROOM // max(1, sum(BESIDE + len(result.units) for result in explained))))
    wanted = min(VIEWS, max((1 + len(others(result)) for result in explained), default=1))
    seen = "its target alone" if views == 1 else f"its target and the next {views - 1}"
    left_out = f"there is no room here for every output: each text is seen for {seen}; a page of one text has all"
    entries = [_entry(at if line is None else line, result, views) for at, (line, result) in enumerate(items, start=1)]
    counted = Counter(label for entry in entries for label in entry["labels"])
    by_count = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    places = {label: str(at) for at, (label, _) in enumerate(by_count)}
    for entry in entries:  # for the script: numbers alone, so that no label has to be trusted
        confidence = "" if entry["confidence"] is None else f' data-confidence="{entry["confidence"]:.6g}"'
        entry["data"] = Markup(f' data-labels="{" ".join(places[one] for one in entry["labels"])}"{confidence}')
    content = render(
        "collection.html",
        title=title or counts,
        summary=f"{counts}: " if title else "",
        counted=by_count,
        figure=VALUE if VALUE in counted else "confidence",
        entries=entries,
        warnings=[left_out] if views < wanted else [],
        style=theme.style,
    )
    script = resource("collection.js")
    return document(content, title=f"{title or counts} · unmask", colors=theme.palette, script=script)


def beginning(text: str, *, length: int = BEGINNING) -> str:
    """The text in one line, cut at that length.

    >>> beginning("so  it goes", length=5)
    'so it…'
    """
    start = " ".join(text[: 2 * length].split())
    return start if len(start) <= length and len(text) <= 2 * length else f"{start[:length].rstrip()}…"


def _entry(number: int, result: Explanation | Unexplained, most: int) -> dict[str, Any]:
    """What a text is listed, filtered and ordered by, and what is drawn of it."""
    if isinstance(result, Unexplained):
        labels, confidence, figure = (FAILED,), None, ""
        own = {"failure": result, "beginning": beginning(result.text or result.why), "aim": ""}
    else:
        labels, confidence = result.prediction.labels or (NO_LABEL,), result.prediction.value
        views = [view_explanation(output) for output in outputs(result, most=most)]
        if confidence is None:
            confidence = max(result.prediction.probabilities.values())
            figure = f"{confidence:.1%}"
        else:
            labels, figure = (VALUE,), f"{confidence:.4g}"
        is_said = len(views) > 1 or str(result.target) in labels  # by a switch or a label
        facts = {name: value for name, value in views[0].facts.items() if name != "target" or len(views) == 1}
        own = {
            "failure": None,
            "beginning": beginning(" / ".join(result.texts)),
            "aim": "" if is_said else result.target,
        }
        own |= {"views": views, "facts": facts}
    return {"number": number, "labels": labels, "confidence": confidence, "figure": figure} | own
