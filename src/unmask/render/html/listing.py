"""Writes many texts as one document: an index, then each text. A small script filters and sorts them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...results.answers import is_answer
from ...results.explanation import Explanation
from ...tasks.targets import ANSWER
from ...text.request import Failure
from .. import captions
from ..answer_view import view_answer
from ..answers import GeneratedAnswers
from ..formats import Item
from ..theme import DEFAULT, Theme
from ..view import view_listed
from .answers import TOO_LARGE, add_states
from .document import VIEWS, document
from .module import page_script
from .pages import heads_style, others, outputs, scripts
from .parts import render, resource

FAILED, NO_LABEL, VALUE = "failed", "no label", "value"
VERDICTS = {None: "", True: "correct", False: "wrong"}
BEGINNING = 90  # most characters of a text in the index
ROOM = 85_000  # most units on a page, summed over all classes: about 15 MB; larger pages open slowly
BESIDE = 20  # the size of the markup around a text for each class, in units


def collection(
    items: Sequence[Item],
    theme: Theme = DEFAULT,
    kept: Sequence[Mapping[str, Any]] = (),
    *,
    title: str | None = None,
) -> str:
    """Write many explanations and failed texts as a self-contained document.

    Args:
        kept: The other columns of the file, one mapping per text.
    """
    counts = f"{len(items):,} {'text' if len(items) == 1 else 'texts'}"
    explained = [result for _, result in items if isinstance(result, Explanation)]
    views = max(1, min(VIEWS, ROOM // max(1, sum(BESIDE + len(result.units) for result in explained))))
    wanted = min(VIEWS, max((1 + len(others(result)) for result in explained), default=1))
    seen = "its target only" if views == 1 else f"its target and the next {views - 1}"
    left_out = f"this page is too large for every class: each text shows {seen}; a page of one text shows them all"
    entries = [_entry(at if line is None else line, result, views) for at, (line, result) in enumerate(items, start=1)]
    has_answers, are_alive = any(map(is_answer, explained)), add_states(entries, theme.style)
    for entry, columns in zip(entries, kept, strict=bool(kept)):
        entry["kept"] = columns
    counted = Counter(label for entry in entries for label in entry["labels"])
    by_count = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    scales = {str(result.scale).replace("_", "-") for result in explained if not is_answer(result)}
    content = render(
        "collection.html",
        title=title or counts,
        summary=f"{counts}: " if title else "",
        counted=by_count,
        places={label: at for at, (label, _) in enumerate(by_count)},
        figure=VALUE if VALUE in counted else "confidence",
        entries=entries,
        has_gold=any(entry["gold"] for entry in entries),
        verdicts=Counter(entry["verdict"] for entry in entries),
        warnings=[*([left_out] if views < wanted else []), *([] if are_alive else [TOO_LARGE])],
        style=theme.style,
        outline=next(filter(None, map(captions.outline, explained)), ""),
        scale=scales.pop() if len(scales) == 1 else "raw" * bool(scales),
        says=ANSWER if explained and all(map(is_answer, explained)) else "prediction",
    )
    style = "\n".join(filter(None, [resource("answer.css") if has_answers else "", heads_style(explained)]))
    script = page_script("static_index", *(["static_answer"] if has_answers else []), *scripts(explained))
    return document(content, title=f"{title or counts} · unmask", colors=theme.palette, style=style, script=script)


def beginning(text: str, *, length: int = BEGINNING) -> str:
    """The start of the text on one line.

    >>> beginning("so  it goes", length=5)
    'so it…'
    """
    start = " ".join(text[: 2 * length].split())
    return start if len(start) <= length and len(text) <= 2 * length else f"{start[:length].rstrip()}…"


def _entry(number: int, result: Explanation | Failure, most: int) -> dict[str, Any]:
    """The template's data for one text."""
    entry: dict[str, Any] = {"number": number, "failure": None, "confidence": None, "kept": {}}
    entry |= dict.fromkeys(("figure", "base", "aim", "gold", "verdict", "said", "answer", "state"), "")
    if isinstance(result, Failure):
        start = beginning(result.text or str(result.error))
        return entry | {"failure": result, "labels": [FAILED], "beginning": start}
    if is_answer(result):
        return entry | _answer_entry(result)
    prediction, views = result.prediction, [view_listed(output) for output in outputs(result, most=most)]
    if prediction.value is None:
        largest = max(prediction.probabilities.values())
        entry |= {"labels": prediction.labels or [NO_LABEL], "confidence": largest, "figure": f"{largest:.1%}"}
    else:
        entry |= {"labels": [VALUE], "confidence": prediction.value, "figure": f"{prediction.value:.4g}"}
    entry |= {"gold": result.gold or "", "verdict": VERDICTS[result.is_correct], "base": views[0].base}
    if len(views) == 1 and str(result.target) not in entry["labels"]:  # no switch and no label shows the target
        entry["aim"] = result.target
    facts = {name: value for name, value in views[0].facts.items() if name != "target" or len(views) == 1}
    return entry | {"beginning": beginning(" / ".join(result.texts)), "views": views, "facts": facts}


def _answer_entry(result: Explanation) -> dict[str, Any]:
    """The template's data for one answer.

    The confidence is the geometric mean of the tokens' probabilities; for two continuations, the first's share.
    """
    view = view_answer(result, is_listed=True)
    share = GeneratedAnswers(result).confidence
    return {
        "labels": [ANSWER],
        "said": view.answer,
        "answer": view,
        "confidence": share,
        "figure": f"{share:.1%}",
        "beginning": beginning(" / ".join(result.texts[:-1])),
        "facts": view.facts,
    }
