"""The parts of which pages are made, each a piece of HTML: text, prediction, largest scores, legend, switches.

Every text, label or message gets into a page through `escaped`.
"""

import html
from collections.abc import Iterable, Mapping, Sequence

from ...text.segmentation import GIVEN
from ..captions import DOWN, UP, number
from ..colored_spans import LEVELS, ColoredSpan
from ..escape import shown
from ..lines import has_direction, is_rtl
from ..view import ExplanationView

VIEWS = 20  # outputs that a page can be switched to


def escaped(text: str) -> str:
    """The text as it can stand in an element or in a quoted attribute; what would steer the page is spelled out.

    >>> escaped("<b title='x'>" + chr(0))
    '&lt;b title=&#x27;x&#x27;&gt;\\\\x00'
    """
    return html.escape(shown(text), quote=True)


def signed(score: float) -> str:
    """A score with its sign; the minus is the one that is read aloud.

    >>> signed(-0.25)
    '−0.250'
    """
    return number(score).replace("-", "−")


def level_name(level: int) -> str:
    """The name of a level in classes and variables.

    >>> level_name(3), level_name(-1)
    ('f3', 'a1')
    """
    return f"{'f' if level > 0 else 'a'}{abs(level)}"


def joined(*pieces: str) -> str:
    """Those that are there, each on its own lines."""
    return "\n".join(filter(None, pieces))


def says(view: ExplanationView) -> str:
    """What the model says of the text, in a few words."""
    if view.value is not None:
        return f"value {view.value:.4g}"
    return ", ".join(share.label for share in view.shares if share.holds) or "no label"


def headline(view: ExplanationView, *, level: int) -> str:
    """What the model says of the text, as a heading."""
    what = f'<small>The model says</small> <span dir="auto">{escaped(says(view))}</span>'
    return f'<h{level} class="um-headline">{what}</h{level}>'


def texts(view: ExplanationView, *, style: str) -> str:
    """The text with its units marked, or all segments. Nothing but the text can be selected and copied."""
    blocks = [_text(view, spans, style) for spans in view.texts]
    if len(blocks) == 1:
        return blocks[0]
    named = zip(view.segments, blocks, strict=True)
    return "\n".join(f'<p class="um-place">{escaped(name)}</p>\n{block}' for name, block in named)


def _text(view: ExplanationView, spans: tuple[ColoredSpan, ...], style: str) -> str:
    unit, pieces = view.facts["unit"], []
    edges = (0, len(spans) - 1) if view.is_cut and unit != GIVEN else ()
    turns = any(is_rtl(span.text) for span in spans)
    for at, span in enumerate(spans):
        text = escaped(span.text)
        if span.score is not None:
            color = level_name(span.level) if span.level else None
            names = ("u", span.mark if style == "paper" else color, *_touches(spans, at, turns=turns))
            classes = " ".join(f"um-{name}" for name in names if name)
            score, normalized = signed(span.score), signed(span.normalized)
            text = (
                f'<span class="{classes}" tabindex="0" role="img" aria-roledescription="{escaped(unit)}" aria-label='
                f'"{text} {score}, normalized {normalized}" data-s="{score}" data-n="{normalized}">{text}</span>'
            )
        elif at in edges and span.text.strip():
            text = f'<span class="um-unread">{text}</span>'
        pieces.append(text)
    return f'<p class="um-text" dir="auto" lang="">{"".join(pieces)}</p>'


def _touches(spans: tuple[ColoredSpan, ...], at: int, *, turns: bool) -> tuple[str, ...]:
    """The sides on which another unit stands directly beside it, so that it has no room of its own there."""
    before = at > 0 and spans[at - 1].score is not None
    after = at + 1 < len(spans) and spans[at + 1].score is not None
    if turns and not has_direction(spans[at].text):  # its neighbors' sides depend on all that is around it
        before = after = before or after
    left, right = (after, before) if is_rtl(spans[at].text) else (before, after)
    return ("left",) * left + ("right",) * right


def shares(view: ExplanationView, *, outputs: int) -> str:
    """The prediction as bars, the largest of so many outputs; a value has none."""
    if not view.shares:
        return ""
    rows = []
    for share in view.shares:
        name = f"<b>{escaped(share.label)}</b>" if share.holds else escaped(share.label)
        bar = _bar(f'<rect width="{100 * share.share:.1f}%" height="100%"/>')
        percent = f'<span class="um-number">{share.share:.1%}</span>'
        rows.append(f'<li><span dir="auto" class="um-label">{name}</span> {bar} {percent}</li>\n')
    left = outputs - len(view.shares)
    more = f'<li class="um-more">and {left} less probable</li>\n' if left else ""
    return f'<ul class="um-shares">\n{"".join(rows)}{more}</ul>'


def _bar(inside: str) -> str:
    return f'<svg class="um-bar" aria-hidden="true">{inside}</svg>'


def largest(view: ExplanationView, *, style: str) -> str:
    """The largest scores as a table."""
    where = "<th scope=col>text</th>" if len(view.texts) > 1 else ""
    rows = "\n".join(_row(span, view, style) for span in view.top)
    more = f'\n<p class="um-more">and {view.left} smaller</p>' if view.left else ""
    return (
        '<table class="um-largest">\n<caption>Largest scores</caption>\n'
        f"<thead><tr><th scope=col>{escaped(view.facts['unit'])}</th>{where}"
        "<th scope=col class=um-number>score</th><td></td></tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>{more}"
    )


def _row(span: ColoredSpan, view: ExplanationView, style: str) -> str:
    where = f"<td>{escaped(view.place(span))}</td>" if len(view.texts) > 1 else ""
    mark = f' class="um-{span.mark}"' if style == "paper" and span.mark else ""
    color = f' class="um-{level_name(span.level)}"' if span.level and style != "paper" else ""
    width = 50 * min(1.0, abs(span.strength))
    left = 50 if span.strength > 0 else 50 - width
    bar = _bar(f'<rect{color} x="{left:.1f}%" width="{width:.1f}%" height="100%"/>')
    return (
        f'<tr><th scope=row dir="auto" lang=""><span{mark}>{escaped(span.text)}</span></th>{where}'
        f"<td class=um-number><span class=um-raw>{signed(span.score or 0.0)}</span>"
        f"<span class=um-normalized>{signed(span.normalized)}</span></td>"
        f"<td>{bar}</td></tr>"
    )


def key(view: ExplanationView, *, style: str) -> str:
    """What the marks in the text mean, in short; or that there are none."""
    marks = (
        ramp(is_signed=view.is_signed) if style == "shades" else f'<p class="um-key">{escaped(view.keys[style])}</p>'
    )
    return plain(view, style=style) or marks


def plain(view: ExplanationView, *, style: str) -> str:
    """Why nothing is marked, where nothing is."""
    return f'<p class="um-key um-plain">{escaped(view.keys[style])}</p>' if _is_plain(view, style) else ""


def ramp(*, is_signed: bool = True) -> str:
    """All colors, from the strongest against to the strongest for; of scores without a sign, from little to much."""
    levels = (*(range(-LEVELS, 0) if is_signed else ()), *range(1, LEVELS + 1))
    swatches = "".join(f'<span class="um-{level_name(level)}"></span>' for level in levels)
    start, end = (f"{DOWN} against", f"for {UP}") if is_signed else ("little", f"much {UP}")
    return f'<p class="um-key" aria-hidden="true">{start} <span class="um-ramp">{swatches}</span> {end}</p>'


def _is_plain(view: ExplanationView, style: str) -> bool:
    if style == "paper":
        return not any(span.mark for spans in view.texts for span in spans)
    return view.is_flat


def warnings(messages: Iterable[str]) -> str:
    """What a reader has to know first."""
    return "\n".join(f'<p class="um-warning"><b>Note:</b> {escaped(message)}</p>' for message in messages)


def sentence(view: ExplanationView) -> str:
    """What single scores hide."""
    return f'<p class="um-sentence">{escaped(view.sentence)}</p>' if view.sentence else ""


def meaning(view: ExplanationView, *, style: str, has_key: bool = False) -> str:
    """What a score means, and the key to the colors: always, or where it does not already stand beside the text."""
    with_key = has_key or (style == "shades" and not _is_plain(view, style))
    words = f"{view.meaning} {view.keys[style]}" if with_key else view.meaning
    return f'<p class="um-meaning">{escaped(words)}</p>'


def facts(named: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    rows = (f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in named.items())
    return f'<dl class="um-facts">{"".join(rows)}</dl>'


def switches(targets: Sequence[str] = (), *, numbers: bool = True) -> str:
    """Switches that need no script: which output is seen, and whether numbers are raw or normalized."""
    rows = _switch("Seen for", "output", {f"um-o{at}": target for at, target in enumerate(targets)})
    if numbers:
        rows += _switch("Numbers", "numbers", {"um-to-raw": "raw", "um-to-normalized": "normalized"})
    return f'<div class="um-switches">\n{rows}</div>' if rows else ""


def _switch(title: str, name: str, choices: Mapping[str, str]) -> str:
    if len(choices) <= 1:
        return ""
    pills = "".join(
        f'<label><input type="radio" name="{name}" class="{mark}"{"" if at else " checked"}>'
        f'<span dir="auto">{escaped(label)}</span></label>'
        for at, (mark, label) in enumerate(choices.items())
    )
    return f'<fieldset class="um-switch"><legend>{title}</legend>{pills}</fieldset>\n'


def views(pieces: Iterable[str]) -> str:
    """What is seen for each output, one of them at a time."""
    return "\n".join(f'<section class="um-view um-v{at}">\n{piece}\n</section>' for at, piece in enumerate(pieces))


def switched(inside: str, *, views: int) -> str:
    """What is switched together, in a form that sends nothing: only so do equal switches in one document stay apart."""
    several = " um-switched" if views > 1 else ""
    return f'<form class="um-one{several}" method="dialog" autocomplete="off">\n{inside}\n</form>'
