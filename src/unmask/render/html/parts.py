"""The parts of which pages are made: a picture's text, prediction, largest scores and legend, each a piece of HTML."""

from collections.abc import Iterable, Mapping
from typing import Literal

from ...text.segmentation import GIVEN
from ..captions import DOWN, UP
from ..colored_spans import LEVELS, ColoredSpan
from ..lines import has_direction, is_rtl
from ..theme import PLACES
from ..view import ExplanationView, Share
from .escape import escaped, signed
from .style import level_name

PAPER_KEY = "Bold and underlined: the largest score. Bold: the largest fifth."  # of texts with units of any kind


def joined(*pieces: str) -> str:
    """Those that are there, each on its own lines."""
    return "\n".join(filter(None, pieces))


def says(view: ExplanationView) -> str:
    """What the model says of the text, in a few words."""
    if view.value is not None:
        return f"value {view.value:.4g}"
    return ", ".join(one.label for one in view.shares if one.holds) or "no label"


def headline(view: ExplanationView, *, level: int) -> str:
    """What the model says of the text, as a heading."""
    what = f'<small>The model says</small> <span dir="auto">{escaped(says(view))}</span>'
    return f'<h{level} class="um-headline">{what}</h{level}>'


def texts(view: ExplanationView, *, style: str) -> str:
    """The text with its units marked; of a pair both. Nothing but the text can be selected and copied."""
    blocks = [_text(view, spans, style) for spans in view.texts]
    if len(blocks) == 1:
        return blocks[0]
    return "\n".join(
        f'<p class="um-place">{place} text</p>\n{block}' for place, block in zip(PLACES, blocks, strict=True)
    )


def _text(view: ExplanationView, spans: tuple[ColoredSpan, ...], style: str) -> str:
    edges = (0, len(spans) - 1) if view.is_cut and view.facts["unit"] != GIVEN else ()
    turns = any(is_rtl(span.text) for span in spans)
    pieces = (
        _between(span, cut=at in edges)
        if span.score is None
        else _unit(span, view.facts["unit"], _classes(span, style, _touches(spans, at, turns=turns)))
        for at, span in enumerate(spans)
    )
    return f'<p class="um-text" dir="auto" lang="">{"".join(pieces)}</p>'


def _touches(spans: tuple[ColoredSpan, ...], at: int, *, turns: bool) -> tuple[str, ...]:
    """The sides on which another unit stands directly beside it, so that it has no room of its own there."""
    neighbors = (spans[at - 1] if at else None, spans[at + 1] if at + 1 < len(spans) else None)
    before, after = (one is not None and one.score is not None for one in neighbors)
    if turns and not has_direction(spans[at].text):  # its neighbors' sides depend on all that is around it
        before = after = before or after
    left, right = (after, before) if is_rtl(spans[at].text) else (before, after)
    return ("left",) * left + ("right",) * right


def _unit(span: ColoredSpan, unit: str, classes: str) -> str:
    text, score, normalized = escaped(span.text), signed(span.score or 0.0), signed(span.normalized)
    return (
        f'<span class="{classes}" tabindex="0" role="img" aria-roledescription="{escaped(unit)}" '
        f'aria-label="{text} {score}, normalized {normalized}" data-s="{score}" data-n="{normalized}">{text}</span>'
    )


def _classes(span: ColoredSpan, style: str, touches: tuple[str, ...]) -> str:
    level = level_name(span.level) if span.level else None
    names = ("u", span.mark if style == "paper" else level, *touches)
    return " ".join(f"um-{name}" for name in names if name)


def _between(span: ColoredSpan, *, cut: bool) -> str:
    text = escaped(span.text)
    return f'<span class="um-unread">{text}</span>' if cut and span.text.strip() else text


def shares(view: ExplanationView, *, left: int = 0) -> str:
    """The prediction as bars; a value has none."""
    if not view.shares:
        return ""
    rows = "\n".join(map(_share, view.shares))
    more = f'\n<li class="um-more">and {left} less probable</li>' if left else ""
    return f'<ul class="um-shares">\n{rows}{more}\n</ul>'


def _share(one: Share) -> str:
    name = f"<b>{escaped(one.label)}</b>" if one.holds else escaped(one.label)
    bar = _bar(f'<rect width="{100 * one.share:.1f}%" height="100%"/>')
    number = f'<span class="um-number">{one.share:.1%}</span>'
    return f'<li><span dir="auto" class="um-label">{name}</span> {bar} {number}</li>'


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
    where = f"<td>{PLACES[span.segment]}</td>" if len(view.texts) > 1 else ""
    mark = f' class="um-{span.mark}"' if style == "paper" and span.mark else ""
    return (
        f'<tr><th scope=row dir="auto" lang=""><span{mark}>{escaped(span.text)}</span></th>{where}'
        f"<td class=um-number>{_both(span)}</td><td>{_to_either_side(span, style)}</td></tr>"
    )


def _both(span: ColoredSpan) -> str:
    return (
        f"<span class=um-raw>{signed(span.score or 0.0)}</span>"
        f"<span class=um-normalized>{signed(span.normalized)}</span>"
    )


def _to_either_side(span: ColoredSpan, style: str) -> str:
    width = 50 * min(1.0, abs(span.strength))
    color = f' class="um-{level_name(span.level)}"' if span.level and style != "paper" else ""
    return _bar(f'<rect{color} x="{50 if span.strength > 0 else 50 - width:.1f}%" width="{width:.1f}%" height="100%"/>')


def key(view: ExplanationView, *, style: str) -> str:
    """What the marks in the text mean, in short; or that there are none."""
    return plain(view, style=style) or (
        ramp(is_signed=view.is_signed) if style == "shades" else _said(view.keys[style])
    )


def key_of_many(*, style: str) -> str:
    """The same where texts of several kinds follow."""
    return _said(PAPER_KEY) if style == "paper" else ramp()


def plain(view: ExplanationView, *, style: str) -> str:
    """Why nothing is marked, where nothing is."""
    return f'<p class="um-key um-plain">{escaped(view.keys[style])}</p>' if _is_plain(view, style) else ""


def ramp(*, is_signed: bool = True) -> str:
    """All colors, from the strongest against to the strongest for; of scores without a sign, from little to much."""
    levels = (*(range(-LEVELS, 0) if is_signed else ()), *range(1, LEVELS + 1))
    swatches = "".join(f'<span class="um-{level_name(level)}"></span>' for level in levels)
    start, end = (f"{DOWN} against", f"for {UP}") if is_signed else ("little", f"much {UP}")
    return f'<p class="um-key" aria-hidden="true">{start} <span class="um-ramp">{swatches}</span> {end}</p>'


def _said(words: str) -> str:
    return f'<p class="um-key">{escaped(words)}</p>'


def _is_plain(view: ExplanationView, style: str) -> bool:
    if style == "paper":
        return not any(span.mark for spans in view.texts for span in spans)
    return not any(span.score for span in view.top)


def warnings(messages: Iterable[str]) -> str:
    """What a reader has to know first."""
    return "\n".join(f'<p class="um-warning"><b>Note:</b> {escaped(message)}</p>' for message in messages)


def sentence(view: ExplanationView) -> str:
    """What single scores hide."""
    return f'<p class="um-sentence">{escaped(view.sentence)}</p>' if view.sentence else ""


def meaning(view: ExplanationView, *, style: str, key: Literal["always", "unsaid"] = "unsaid") -> str:
    """What a score means, and the key to the colors where it does not already stand beside the text."""
    unsaid = style == "shades" and not _is_plain(view, style)
    words = f"{view.meaning} {view.keys[style]}" if unsaid or key == "always" else view.meaning
    return f'<p class="um-meaning">{escaped(words)}</p>'


def facts(named: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    rows = (f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in named.items())
    return f'<dl class="um-facts">{"".join(rows)}</dl>'
