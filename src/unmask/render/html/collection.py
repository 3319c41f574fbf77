"""Many texts in one document: an index, and each text below it; a small script filters and sorts them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...explanation import Explanation
from ..picture import Picture, picture
from ..styles import checked
from . import parts
from .document import document
from .escape import escaped
from .style import resource

Item: TypeAlias = tuple[int | None, Explanation | str]  # its line, and what was found or why nothing could be
FAILED, NO_LABEL = "failed", "no label"
BEGINNING = 90  # characters of a text that stand in the index
ORDERS = {"line": "as they came", "most": "most confident first", "least": "least confident first"}


@dataclass(frozen=True, slots=True)
class _Entry:
    place: int
    line: int | None
    labels: tuple[str, ...]  # by which it is filtered
    confidence: float | None
    figure: str
    beginning: str
    drawn: Picture | str

    @property
    def number(self) -> int:
        return self.place if self.line is None else self.line


def collection(items: Sequence[Item], *, title: str = "unmask", colors: str = "default", style: str = "shades") -> str:
    """Many explanations as one self-contained document; an item that is a message tells of a text that failed."""
    checked(style)
    entries = [_entry(place, line, found) for place, (line, found) in enumerate(items, start=1)]
    counted = Counter(label for entry in entries for label in entry.labels)
    names = {label: str(at) for at, (label, _) in enumerate(sorted(counted.items(), key=lambda one: (-one[1], one[0])))}
    content = "\n".join(
        [
            '<main class="um-wide">',
            f'<h1 class="um-headline">{escaped(title)}</h1>',
            _summary(entries, counted, names),
            _controls(counted, names),
            _index(entries, names),
            parts.key(style=style),
            '<div class="um-articles">',
            *(_article(entry, names, style) for entry in entries),
            "</div>\n</main>",
        ]
    )
    return document(content, title=title, colors=colors, script=resource("collection.js"))


def _entry(place: int, line: int | None, found: Explanation | str) -> _Entry:
    if isinstance(found, str):
        return _Entry(place, line, (FAILED,), None, "", _beginning(found), found)
    drawn, beginning = picture(found), _beginning(" / ".join(found.texts))
    if drawn.value is not None:
        return _Entry(place, line, ("value",), drawn.value, f"{drawn.value:.4g}", beginning, drawn)
    largest = drawn.shares[0].share
    labels = tuple(found.prediction.labels) or (NO_LABEL,)
    return _Entry(place, line, labels, largest, f"{largest:.1%}", beginning, drawn)


def _beginning(text: str) -> str:
    start = " ".join(text[: 2 * BEGINNING].split())
    return start if len(start) <= BEGINNING and len(text) <= 2 * BEGINNING else f"{start[:BEGINNING].rstrip()}…"


def _summary(entries: Sequence[_Entry], counted: Counter[str], names: dict[str, str]) -> str:
    each = ", ".join(f"{escaped(label)} {counted[label]:,}" for label in names)
    return f'<p class="um-summary">{len(entries):,} texts{": " if each else ""}{each}</p>'


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


def _index(entries: Sequence[_Entry], names: dict[str, str]) -> str:
    rows = "\n".join(
        f"<tr{_data(entry, names)}><td class=um-number>{entry.number}</td><td>{escaped(', '.join(entry.labels))}</td>"
        f'<td class=um-number>{entry.figure}</td><td class="um-beginning"><a href="#text-{entry.place}" dir="auto" '
        f'lang="">{escaped(entry.beginning) or "(empty)"}</a></td></tr>'
        for entry in entries
    )
    figure = "value" if any(entry.labels == ("value",) for entry in entries) else "confidence"
    return (
        '<div class="um-scroll" role="region" aria-label="Index" tabindex="0">\n<table class="um-index">\n'
        f"<thead><tr><th scope=col class=um-number>line</th><th scope=col>prediction</th>"
        f"<th scope=col class=um-number>{figure}</th><th scope=col>text</th></tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _data(entry: _Entry, names: dict[str, str]) -> str:
    """What the script filters and sorts by: numbers alone, so that no label has to be trusted."""
    confidence = "" if entry.confidence is None else f' data-confidence="{entry.confidence:.6g}"'
    return f' data-labels="{" ".join(names[label] for label in entry.labels)}"{confidence}'


def _article(entry: _Entry, names: dict[str, str], style: str) -> str:
    says = " ".join(filter(None, [", ".join(entry.labels), entry.figure]))
    body = (
        f'<p class="um-warning">{escaped(entry.drawn)}</p>'
        if isinstance(entry.drawn, str)
        else _explained(entry.drawn, style)
    )
    return (
        f'<article class="um-one" id="text-{entry.place}"{_data(entry, names)}>\n'
        f"<h2><small>{entry.number}</small> {escaped(says)}{_aim(entry)}</h2>\n{body}\n</article>"
    )


def _aim(entry: _Entry) -> str:
    """What the colors speak for, where that is not what the model says."""
    if isinstance(entry.drawn, str) or entry.drawn.facts["target"] in entry.labels:
        return ""
    return f' <span class="um-aim">seen for {escaped(entry.drawn.facts["target"])}</span>'


def _explained(drawn: Picture, style: str) -> str:
    inner = [
        parts.warnings(drawn.warnings),
        parts.texts(drawn, style=style),
        "<details><summary>Scores and settings</summary>",
        parts.key(style=style),
        parts.sentence(drawn),
        parts.shares(drawn),
        parts.largest(drawn, style=style),
        parts.legend(drawn, style=style),
        "</details>",
    ]
    return "\n".join(filter(None, inner))
