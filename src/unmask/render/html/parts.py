"""The parts of which pages are made: a picture's text, prediction, largest scores and legend, each a piece of HTML."""

from collections.abc import Iterable, Mapping
from typing import Literal

from ...text.segmentation import GIVEN
from ..captions import DOWN, UP
from ..colored_spans import LEVELS, ColoredSpan
from ..direction import has_direction, is_rtl
from ..view import ExplanationView, Share
from .escape import escaped, signed
from .style import level_name

PLACES = ("first", "second")  # of the texts of a pair
PAPER_KEY = "Bold and underlined: the largest score. Bold: the largest fifth."  # of texts with units of any kind


def joined(*pieces: str) -> str:
    """Those that are there, each on its own lines."""
    return "\n".join(filter(None, pieces))


def says(drawn: ExplanationView) -> str:
    """What the model says of the text, in a few words."""
    if drawn.value is not None:
        return f"value {drawn.value:.4g}"
    return ", ".join(one.label for one in drawn.shares if one.holds) or "no label"


def headline(drawn: ExplanationView, *, level: int) -> str:
    """What the model says of the text, as a heading."""
    what = f'<small>The model says</small> <span dir="auto">{escaped(says(drawn))}</span>'
    return f'<h{level} class="um-headline">{what}</h{level}>'


def texts(drawn: ExplanationView, *, style: str) -> str:
    """The text with its units marked; of a pair both. Nothing but the text can be selected and copied."""
    blocks = [_text(drawn, shades, style) for shades in drawn.texts]
    if len(blocks) == 1:
        return blocks[0]
    return "\n".join(
        f'<p class="um-place">{place} text</p>\n{block}' for place, block in zip(PLACES, blocks, strict=True)
    )


def _text(drawn: ExplanationView, shades: tuple[ColoredSpan, ...], style: str) -> str:
    edges = (0, len(shades) - 1) if drawn.is_cut and drawn.facts["unit"] != GIVEN else ()
    turns = any(is_rtl(shade.text) for shade in shades)
    pieces = (
        _between(shade, cut=at in edges)
        if shade.score is None
        else _unit(shade, drawn.facts["unit"], _classes(shade, style, _touches(shades, at, turns=turns)))
        for at, shade in enumerate(shades)
    )
    return f'<p class="um-text" dir="auto" lang="">{"".join(pieces)}</p>'


def _touches(shades: tuple[ColoredSpan, ...], at: int, *, turns: bool) -> tuple[str, ...]:
    """The sides on which another unit stands directly beside it, so that it has no room of its own there."""
    neighbors = (shades[at - 1] if at else None, shades[at + 1] if at + 1 < len(shades) else None)
    before, after = (one is not None and one.score is not None for one in neighbors)
    if turns and not has_direction(shades[at].text):  # its neighbors' sides depend on all that is around it
        before = after = before or after
    left, right = (after, before) if is_rtl(shades[at].text) else (before, after)
    return ("left",) * left + ("right",) * right


def _unit(shade: ColoredSpan, unit: str, classes: str) -> str:
    text, score, normalized = escaped(shade.text), signed(shade.score or 0.0), signed(shade.normalized)
    return (
        f'<span class="{classes}" tabindex="0" role="img" aria-roledescription="{escaped(unit)}" '
        f'aria-label="{text} {score}, normalized {normalized}" data-s="{score}" data-n="{normalized}">{text}</span>'
    )


def _classes(shade: ColoredSpan, style: str, touches: tuple[str, ...]) -> str:
    level = level_name(shade.level) if shade.level else None
    names = ("u", shade.mark if style == "paper" else level, *touches)
    return " ".join(f"um-{name}" for name in names if name)


def _between(shade: ColoredSpan, *, cut: bool) -> str:
    text = escaped(shade.text)
    return f'<span class="um-unread">{text}</span>' if cut and shade.text.strip() else text


def shares(drawn: ExplanationView, *, left: int = 0) -> str:
    """The prediction as bars; a value has none."""
    if not drawn.shares:
        return ""
    rows = "\n".join(map(_share, drawn.shares))
    more = f'\n<li class="um-more">and {left} less probable</li>' if left else ""
    return f'<ul class="um-shares">\n{rows}{more}\n</ul>'


def _share(one: Share) -> str:
    name = f"<b>{escaped(one.label)}</b>" if one.holds else escaped(one.label)
    bar = _bar(f'<rect width="{100 * one.share:.1f}%" height="100%"/>')
    number = f'<span class="um-number">{one.share:.1%}</span>'
    return f'<li><span dir="auto" class="um-label">{name}</span> {bar} {number}</li>'


def _bar(inside: str) -> str:
    return f'<svg class="um-bar" aria-hidden="true">{inside}</svg>'


def largest(drawn: ExplanationView, *, style: str) -> str:
    """The largest scores as a table."""
    where = "<th scope=col>text</th>" if len(drawn.texts) > 1 else ""
    rows = "\n".join(_row(shade, drawn, style) for shade in drawn.top)
    more = f'\n<p class="um-more">and {drawn.left} smaller</p>' if drawn.left else ""
    return (
        '<table class="um-largest">\n<caption>Largest scores</caption>\n'
        f"<thead><tr><th scope=col>{escaped(drawn.facts['unit'])}</th>{where}"
        "<th scope=col class=um-number>score</th><td></td></tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>{more}"
    )


def _row(shade: ColoredSpan, drawn: ExplanationView, style: str) -> str:
    where = f"<td>{PLACES[shade.segment]}</td>" if len(drawn.texts) > 1 else ""
    mark = f' class="um-{shade.mark}"' if style == "paper" and shade.mark else ""
    return (
        f'<tr><th scope=row dir="auto" lang=""><span{mark}>{escaped(shade.text)}</span></th>{where}'
        f"<td class=um-number>{_both(shade)}</td><td>{_to_either_side(shade, style)}</td></tr>"
    )


def _both(shade: ColoredSpan) -> str:
    return (
        f"<span class=um-raw>{signed(shade.score or 0.0)}</span>"
        f"<span class=um-normalized>{signed(shade.normalized)}</span>"
    )


def _to_either_side(shade: ColoredSpan, style: str) -> str:
    width = 50 * min(1.0, abs(shade.strength))
    color = f' class="um-{level_name(shade.level)}"' if shade.level and style != "paper" else ""
    return _bar(
        f'<rect{color} x="{50 if shade.strength > 0 else 50 - width:.1f}%" width="{width:.1f}%" height="100%"/>'
    )


def key(drawn: ExplanationView, *, style: str) -> str:
    """What the marks in the text mean, in short; or that there are none."""
    return plain(drawn, style=style) or (
        ramp(is_signed=drawn.is_signed) if style == "shades" else _said(drawn.keys[style])
    )


def key_of_many(*, style: str) -> str:
    """The same where texts of several kinds follow."""
    return _said(PAPER_KEY) if style == "paper" else ramp()


def plain(drawn: ExplanationView, *, style: str) -> str:
    """Why nothing is marked, where nothing is."""
    return f'<p class="um-key um-plain">{escaped(drawn.keys[style])}</p>' if _is_plain(drawn, style) else ""


def ramp(*, is_signed: bool = True) -> str:
    """All colors, from the strongest against to the strongest for; of scores without a sign, from little to much."""
    levels = (*(range(-LEVELS, 0) if is_signed else ()), *range(1, LEVELS + 1))
    swatches = "".join(f'<span class="um-{level_name(level)}"></span>' for level in levels)
    start, end = (f"{DOWN} against", f"for {UP}") if is_signed else ("little", f"much {UP}")
    return f'<p class="um-key" aria-hidden="true">{start} <span class="um-ramp">{swatches}</span> {end}</p>'


def _said(words: str) -> str:
    return f'<p class="um-key">{escaped(words)}</p>'


def _is_plain(drawn: ExplanationView, style: str) -> bool:
    if style == "paper":
        return not any(shade.mark for shades in drawn.texts for shade in shades)
    return not any(shade.score for shade in drawn.top)


def warnings(messages: Iterable[str]) -> str:
    """What a reader has to know first."""
    return "\n".join(f'<p class="um-warning"><b>Note:</b> {escaped(message)}</p>' for message in messages)


def sentence(drawn: ExplanationView) -> str:
    """What single scores hide."""
    return f'<p class="um-sentence">{escaped(drawn.sentence)}</p>' if drawn.sentence else ""


def meaning(drawn: ExplanationView, *, style: str, key: Literal["always", "unsaid"] = "unsaid") -> str:
    """What a score means, and the key to the colors where it does not already stand beside the text."""
    unsaid = style == "shades" and not _is_plain(drawn, style)
    words = f"{drawn.meaning} {drawn.keys[style]}" if unsaid or key == "always" else drawn.meaning
    return f'<p class="um-meaning">{escaped(words)}</p>'


def facts(named: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    rows = (f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in named.items())
    return f'<dl class="um-facts">{"".join(rows)}</dl>'
