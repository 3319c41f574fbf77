"""Many texts in one document: an index, and each text below it; a small script filters and sorts them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...results.explanation import Explanation
from ..formats import Item, Unexplained
from ..theme import DEFAULT, Theme
from ..view import view_explanation
from . import parts
from .document import document, resource
from .pages import others, outputs
from .parts import VIEWS, escaped

FAILED, NO_LABEL, VALUE = "failed", "no label", "value"
PAPER_KEY = "Bold and underlined: the largest score. Bold: the largest fifth."  # of texts with units of any kind
ORDERS = {"line": "as they came", "most": "most confident first", "least": "least confident first"}
BEGINNING = 90  # characters of a text that stand in the index
ROOM = 85_000  # units that a page draws, those of all outputs together: some 15 MB; with more it opens slowly
BESIDE = 20  # units that weigh as much as what stands beside a text for each output
FAILED_LENGTH = 1000  # characters of a text that failed: it may have failed because it does not end


@dataclass(frozen=True, slots=True)
class Entry:
    """One of many texts, explained or not: what it is listed, filtered and ordered by."""

    place: int
    number: int  # its line, or where it has none its place
    labels: tuple[str, ...]  # by which it is filtered
    confidence: float | None
    figure: str
    beginning: str
    result: Explanation | Unexplained


def collection(items: Sequence[Item], theme: Theme = DEFAULT, *, title: str | None = None) -> str:
    """Many explanations as one self-contained document; texts that failed stand among them."""
    counts = f"{len(items):,} {'text' if len(items) == 1 else 'texts'}"
    entries = [
        _entry(place, place if line is None else line, result) for place, (line, result) in enumerate(items, start=1)
    ]
    counted = Counter(label for entry in entries for label in entry.labels)
    by_count = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    names = {label: str(at) for at, (label, _) in enumerate(by_count)}
    summary = ", ".join(f"{escaped(label)} {count:,}" for label, count in by_count)
    labels = {names[label]: f"{label} ({count:,})" for label, count in by_count}
    # For the script: numbers alone, so that no label has to be trusted.
    data = [
        f' data-labels="{" ".join(names[label] for label in entry.labels)}"{_confidence(entry)}' for entry in entries
    ]
    explained = [entry.result for entry in entries if isinstance(entry.result, Explanation)]
    views = max(1, min(VIEWS, ROOM // max(1, sum(BESIDE + len(result.units) for result in explained))))
    content = parts.joined(
        '<main class="um-wide um-one">',
        f'<h1 class="um-headline">{escaped(title or counts)}</h1>',
        f'<p class="um-summary">{f"{counts}: " if title else ""}{summary}</p>' if summary else "",
        '<form class="um-controls" method="dialog" autocomplete="off" hidden>',  # shown by the script
        f'<label>Prediction <select class="um-filter">{_options({"": "all"} | labels)}</select></label>',
        f'<label>Order <select class="um-order">{_options(ORDERS)}</select></label>',
        '<output class="um-count"></output>\n</form>',
        parts.switches(),
        _index(entries, data),
        _left_out(explained, views),
        f'<p class="um-key">{PAPER_KEY}</p>' if theme.style == "paper" else parts.ramp(),
        '<div class="um-articles">',
        *(_article(entry, own, views, theme.style) for entry, own in zip(entries, data, strict=True)),
        "</div>\n</main>",
    )
    script = resource("collection.js")
    return document(content, title=f"{title or counts} · unmask", colors=theme.palette, script=script)


def _entry(place: int, number: int, result: Explanation | Unexplained) -> Entry:
    if isinstance(result, Unexplained):
        return Entry(place, number, (FAILED,), None, "", beginning(result.text or result.why), result)
    starts, prediction = beginning(" / ".join(result.texts)), result.prediction
    if prediction.value is not None:
        return Entry(place, number, (VALUE,), prediction.value, f"{prediction.value:.4g}", starts, result)
    largest = max(prediction.probabilities.values())
    return Entry(place, number, tuple(prediction.labels) or (NO_LABEL,), largest, f"{largest:.1%}", starts, result)


def beginning(text: str, *, length: int = BEGINNING) -> str:
    """The text in one line, cut at that length.

    >>> beginning("so  it goes", length=5)
    'so it…'
    """
    start = " ".join(text[: 2 * length].split())
    return start if len(start) <= length and len(text) <= 2 * length else f"{start[:length].rstrip()}…"


def _confidence(entry: Entry) -> str:
    return "" if entry.confidence is None else f' data-confidence="{entry.confidence:.6g}"'


def _options(named: Mapping[str, str]) -> str:
    return "".join(f'<option value="{value}">{escaped(words)}</option>' for value, words in named.items())


def _left_out(explained: Iterable[Explanation], views: int) -> str:
    """That there is no room for all outputs, where there is none."""
    if views >= min(max((1 + len(others(result)) for result in explained), default=1), VIEWS):
        return ""
    seen = "its target alone" if views == 1 else f"its target and the next {views - 1}"
    message = f"there is no room here for every output: each text is seen for {seen}; a page of one text has all"
    return parts.warnings([message])


def _index(entries: Sequence[Entry], data: Sequence[str]) -> str:
    rows = "\n".join(
        f"<tr{own}><td class=um-number>{entry.number}</td><td>{escaped(', '.join(entry.labels))}</td>"
        f'<td class=um-number>{entry.figure}</td><td class="um-beginning"><a href="#text-{entry.place}" dir="auto" '
        f'lang="">{escaped(entry.beginning) or "(empty)"}</a></td></tr>'
        for entry, own in zip(entries, data, strict=True)
    )
    figure = "value" if any(entry.labels == (VALUE,) for entry in entries) else "confidence"
    return (
        '<div class="um-scroll" role="region" aria-label="Index" tabindex="0">\n<table class="um-index">\n'
        f"<thead><tr><th scope=col class=um-number>line</th><th scope=col>prediction</th>"
        f"<th scope=col class=um-number>{figure}</th><th scope=col>text</th></tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _article(entry: Entry, data: str, views: int, style: str) -> str:
    """The text, explained or not, below its prediction."""
    aim, says, result = "", " ".join(filter(None, [", ".join(entry.labels), entry.figure])), entry.result
    if isinstance(result, Unexplained):
        cut = f"{result.text[:FAILED_LENGTH]}…" if len(result.text) > FAILED_LENGTH else result.text
        body = parts.joined(
            f'<p class="um-warning"><b>Not explained:</b> {escaped(result.why)}</p>',
            f'<p class="um-text um-unexplained" dir="auto" lang="">{escaped(cut)}</p>' if cut.strip() else "",
        )
    else:
        seen = outputs(result, most=views)
        body = _explained(seen, style)
        if len(seen) == 1 and str(result.target) not in entry.labels:  # neither a label nor a switch says it
            aim = f' <span class="um-aim">seen for {escaped(str(result.target))}</span>'
    heading = f"<h2><small>{entry.number}</small> {escaped(says)}{aim}</h2>"
    return f'<article id="text-{entry.place}"{data}>\n{heading}\n{body}\n</article>'


def _explained(seen: Sequence[Explanation], style: str) -> str:
    """What differs by output stands in views; all else once, so that the page stays small."""
    views = [view_explanation(output) for output in seen]
    colored = (
        parts.joined(
            f"<h3>{escaped(view.heading)}</h3>",  # seen where the switch is not: in print
            parts.texts(view, style=style),
            parts.plain(view, style=style),
            parts.sentence(view),
        )
        for view in views
    )
    inside = parts.joined(
        parts.warnings(seen[0].warnings),
        parts.switches([view.facts["target"] for view in views], numbers=False),
        parts.views(colored),
        "<details><summary>Scores and settings</summary>",
        parts.shares(views[0], outputs=len(seen[0].outputs)),
        parts.views(parts.joined(parts.largest(view, style=style), parts.meaning(view, style=style)) for view in views),
        parts.facts({name: value for name, value in views[0].facts.items() if name != "target" or len(views) == 1}),
        "</details>",
    )
    return parts.switched(inside, views=len(views))
