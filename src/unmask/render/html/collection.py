"""Many texts in one document: an index, and each text below it; a small script filters and sorts them."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ...results.explanation import Explanation
from ..formats import Item
from ..theme import DEFAULT, Theme
from . import parts
from .article import article, views_each
from .document import document
from .entry import VALUE, Entry, entries
from .escape import escaped
from .style import VIEWS, resource
from .switches import between_numbers, others, switches

ORDERS = {"line": "as they came", "most": "most confident first", "least": "least confident first"}


def collection(items: Sequence[Item], theme: Theme = DEFAULT, *, title: str | None = None) -> str:
    """Many explanations as one self-contained document; texts that failed stand among them."""
    found, counts = entries(items), f"{len(items):,} {'text' if len(items) == 1 else 'texts'}"
    counted = Counter(label for entry in found for label in entry.labels)
    names = {label: str(at) for at, (label, _) in enumerate(sorted(counted.items(), key=lambda one: (-one[1], one[0])))}
    views = views_each(found)
    content = parts.joined(
        '<main class="um-wide um-one">',
        f'<h1 class="um-headline">{escaped(title or counts)}</h1>',
        _summary(f"{counts}: " if title else "", counted, names),
        _controls(counted, names),
        switches(between_numbers()),
        _index(found, names),
        _left_out(found, views),
        parts.key_of_many(style=theme.style),
        '<div class="um-articles">',
        *(article(entry, data=_data(entry, names), views=views, style=theme.style) for entry in found),
        "</div>\n</main>",
    )
    return document(
        content, title=f"{title or counts} · unmask", colors=theme.palette, script=resource("collection.js")
    )


def _summary(start: str, counted: Counter[str], names: dict[str, str]) -> str:
    each = ", ".join(f"{escaped(label)} {counted[label]:,}" for label in names)
    return f'<p class="um-summary">{start}{each}</p>' if each else ""


def _left_out(found: Sequence[Entry], views: int) -> str:
    """That there is no room for all outputs, where there is none."""
    wanted = max((1 + len(others(one.found)) for one in found if isinstance(one.found, Explanation)), default=1)
    if views >= min(wanted, VIEWS):
        return ""
    seen = "its target alone" if views == 1 else f"its target and the next {views - 1}"
    message = f"there is no room here for every output: each text is seen for {seen}; a page of one text has all"
    return parts.warnings([message])


def _controls(counted: Counter[str], names: dict[str, str]) -> str:
    """What only the script can do, and only it shows."""
    labels = _options({at: f"{label} ({counted[label]:,})" for label, at in names.items()})
    return (
        '<form class="um-controls" method="dialog" autocomplete="off" hidden>\n'
        f'<label>Prediction <select class="um-filter"><option value="">all</option>{labels}</select></label>\n'
        f'<label>Order <select class="um-order">{_options(ORDERS)}</select></label>\n'
        '<output class="um-count"></output>\n</form>'
    )


def _options(named: Mapping[str, str]) -> str:
    return "".join(f'<option value="{value}">{escaped(words)}</option>' for value, words in named.items())


def _index(found: Sequence[Entry], names: dict[str, str]) -> str:
    rows = "\n".join(
        f"<tr{_data(entry, names)}><td class=um-number>{entry.number}</td><td>{escaped(', '.join(entry.labels))}</td>"
        f'<td class=um-number>{entry.figure}</td><td class="um-beginning"><a href="#text-{entry.place}" dir="auto" '
        f'lang="">{escaped(entry.beginning) or "(empty)"}</a></td></tr>'
        for entry in found
    )
    figure = "value" if any(entry.labels == (VALUE,) for entry in found) else "confidence"
    return (
        '<div class="um-scroll" role="region" aria-label="Index" tabindex="0">\n<table class="um-index">\n'
        f"<thead><tr><th scope=col class=um-number>line</th><th scope=col>prediction</th>"
        f"<th scope=col class=um-number>{figure}</th><th scope=col>text</th></tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _data(entry: Entry, names: dict[str, str]) -> str:
    """What the script filters and sorts by: numbers alone, so that no label has to be trusted."""
    confidence = "" if entry.confidence is None else f' data-confidence="{entry.confidence:.6g}"'
    return f' data-labels="{" ".join(names[label] for label in entry.labels)}"{confidence}'
