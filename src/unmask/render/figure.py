"""Explanations and comparisons as matplotlib figures, written as SVG, PNG or PDF.

Uses neither pyplot nor a display. Matplotlib shapes and measures text; `lines` wraps it.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..errors import UnmaskWarning
from ..results.answers import is_answer
from ..results.comparison import Comparison
from ..results.explanation import Explanation
from .answer_view import view_answer
from .canvas import write_bytes, write_svg
from .captions import DOWN, UNKNOWN, UP
from .colored_spans import ColoredSpan
from .comparison_view import ComparisonView, view
from .heat_map import draw_heat_map
from .lines import bounded, shorten
from .page import BOLD, GAP, INNER, LABEL, MARGIN, QUIET, SMALL, TEXT, Page
from .theme import Theme
from .view import Bar, ExplanationView

DRAWN = 20_000  # most characters of a text; a picture has at most 65,535 pixels
NAMES = 168.0  # the width of the column of row names
STEP = LABEL.height + 3.0  # the height of a row of bars
HALF = (INNER - 2 * GAP) / 2  # the width of each of two columns


def svg(subject: Explanation | Comparison, theme: Theme) -> str:
    """The figure as SVG."""
    page = _draw(subject, theme)
    return write_svg(page.figure, page.title, description=page.description, tips=page.tips)


def _picture(subject: Explanation | Comparison, theme: Theme, *, form: str) -> bytes:
    page = _draw(subject, theme)
    return write_bytes(page.figure, page.title, form=form)


png, pdf = partial(_picture, form="png"), partial(_picture, form="pdf")


def _draw(subject: Explanation | Comparison, theme: Theme) -> Page:
    """Draw an answer as a heat map if each of its tokens has scores, and everything else as text."""
    if isinstance(subject, Explanation) and is_answer(subject):
        answer = view_answer(subject)
        if answer.matrix is not None:
            return draw_heat_map(answer, theme)
    return draw(view(subject), theme)


def draw(shown: ExplanationView | ComparisonView, theme: Theme) -> Page:
    """Draw the view as a figure. Very long texts and units are shortened."""
    if isinstance(shown, ComparisonView):
        shown = replace(shown, rows=tuple(replace(row, view=_bounded(row.view)) for row in shown.rows))
    else:
        shown = _bounded(shown)
    page = Page(_written(shown), theme, is_aligned=isinstance(shown, ComparisonView))
    if isinstance(shown, ComparisonView):
        _comparison(page, shown)
    else:
        _explanation(page, shown)
    page.finish()
    return page


def _explanation(page: Page, view: ExplanationView) -> None:
    """Draw the text, the prediction beside the largest scores, and the legend."""
    _texts(page, view, MARGIN, INNER)
    _decisions(page, view)
    page.y += GAP / 2
    page.rule()
    top = page.y
    _prediction(page, view, HALF)
    left_end, page.y = page.y, top
    _bars(page, view.top_title, view.score_bars, MARGIN + HALF + 2 * GAP, HALF)
    page.y = max(page.y, left_end) + GAP
    page.rule()
    if view.detail is not None:
        page.paragraph(view.detail.heading, letters=BOLD)
        _texts(page, _bounded(view.detail), MARGIN, INNER)
        page.rule()
    _sentences(page, view)
    unit = view.facts["unit"]
    page.title = f"{unit} by {unit}: {view.heading[0].lower()}{view.heading[1:]}"
    bars = ", ".join(f"{bar.name} {bar.number}" for bar in view.prediction_bars)
    prediction = f"{view.prediction_title}: {bars} ({view.base})."
    words = [prediction, *view.decisions, _scores_in_words(view), *view.remarks, *view.notes, view.meaning]
    page.description = " ".join(words)


def _comparison(page: Page, view: ComparisonView) -> None:
    """Draw one row per explanation, the prediction, and the legend."""
    for row in view.rows:
        top = page.y
        page.y += 5.0  # align with the larger text
        page.paragraph(row.name, MARGIN, NAMES - 20.0, letters=BOLD)
        for fact in (*row.costs, *row.errors):
            page.paragraph(fact, MARGIN, NAMES - 20.0, letters=SMALL)
        bottom, page.y = page.y, top
        _texts(page, row.view, MARGIN + NAMES, INNER - NAMES)
        _decisions(page, row.view, MARGIN + NAMES, INNER - NAMES)
        page.y = max(page.y, bottom) + GAP / 2
        page.rule()
    first = view.rows[0].view
    _prediction(page, first, INNER if first.continuations else 360.0)
    page.y += GAP
    _sentences(page, view)
    rows = (f"{row.name}: {', '.join([*row.costs, *row.errors])}. {_scores_in_words(row.view)}" for row in view.rows)
    page.title = f"A comparison by {view.over}: {', '.join(row.name for row in view.rows)}"
    page.description = " ".join([*rows, *view.remarks, *view.notes, *view.legend(page.theme.style)[:-1]])


def _bounded(shown: ExplanationView) -> ExplanationView:
    texts = tuple(bounded(shorten(spans) if shown.is_cut else spans, most=DRAWN) for spans in shown.texts)
    if texts != shown.texts and not shown.is_cut:
        message = "the figure shortens a long text or unit; HTML shows all of it"
        warnings.warn(message, UnmaskWarning, stacklevel=4)
    names = tuple(bounded([ColoredSpan(name)])[0].text for name in shown.names)
    return replace(shown, texts=texts, names=names)


def _written(shown: ExplanationView | ComparisonView) -> Iterator[str]:
    """All text of a view that may need other fonts."""
    if isinstance(shown, ComparisonView):
        for row in shown.rows:
            yield row.name
            yield from _written(row.view)
    else:
        yield from (*shown.segments, *(span.text for spans in shown.texts for span in spans))
        yield from (bar.name for bar in shown.prediction_bars)
        yield from (*shown.remarks, *shown.warnings, shown.meaning, *shown.facts.values())
        yield from (*shown.decisions, *shown.sets_notes)


def _texts(page: Page, view: ExplanationView, x: float, width: float) -> None:
    """Draw all segments with their units colored or marked."""
    for segment, spans in enumerate(view.texts):
        if segment:
            page.y += 2.0
            page.paragraph("" if view.continuations else "and", x, width, letters=SMALL)
            page.y += 2.0
        if view.continuations and len(view.texts) > 1:
            page.paragraph(view.segments[segment], x, width, letters=SMALL)
        page.paragraph(spans, x, width, letters=TEXT)


def _decisions(page: Page, view: ExplanationView, x: float = MARGIN, width: float = INNER) -> None:
    """Draw the deciding sets in sentences, or why there are none."""
    lines = [(sentence, LABEL) for sentence in view.decisions] + [(note, SMALL) for note in view.sets_notes]
    for at, (line, letters) in enumerate(lines):
        page.y += 0.0 if at else GAP / 3
        page.paragraph(line, x, width, letters=letters)


def _prediction(page: Page, view: ExplanationView, width: float) -> None:
    """Draw the labels with their probabilities, or the text that a language model wrote."""
    title = f"{view.prediction_title} ({view.base})"
    if not view.continuations:
        _bars(page, title, view.prediction_bars, MARGIN, width)
        return
    page.paragraph(title, MARGIN, width, letters=SMALL)
    for bar in view.continuations:
        page.paragraph([*bounded([ColoredSpan(bar.name)])], MARGIN, width, letters=BOLD)
        page.paragraph(bar.number, MARGIN, width, letters=SMALL)


def _bars(page: Page, title: str, bars: Sequence[Bar], x: float, width: float) -> None:
    """Draw a list of numbers with their names and bars."""
    page.paragraph(title, x, width, letters=SMALL)
    page.y += 4.0
    numbers = 10.0 + max(58.0, page.widest([bar.number for bar in bars], width / 3))
    names = page.widest([bar.name for bar in bars], width * 0.42)
    widest_place = page.widest([bar.place for bar in bars], width / 4)
    places = max(62.0, widest_place + 4.0) if widest_place else 0.0
    start = numbers + 10.0 + names + places
    for bar in bars:
        letters = BOLD if bar.is_bold else LABEL
        page.label(bar.number, x, numbers - 10.0, letters=letters, align="right")
        page.label(bar.name, x + numbers, names, letters=letters if bar.number else QUIET)
        if bar.place:
            page.label(bar.place, x + numbers + names + 8.0, places - 4.0, letters=QUIET)
        if bar.strength is not None:
            plain = page.background.ink if bar.is_bold else page.background.bar
            color = page.theme.colors.color(bar.level).paper if page.theme.is_colored else ""
            page.bar(abs(bar.strength), x + start, width - start, color or plain)
        page.y += STEP


def _sentences(page: Page, view: ExplanationView | ComparisonView) -> None:
    """Draw the remarks, notes and legend."""
    for text, letters in (*((remark, LABEL) for remark in view.remarks), *((note, BOLD) for note in view.notes)):
        page.paragraph(text, letters=letters)
        page.y += 8.0
    page.y += 8.0
    meaning, *others = view.legend(page.theme.style)
    meaning += f" Dotted underline{UNKNOWN}" * view.has_unknown + (f" Outlined{view.outline}" if view.outline else "")
    for line in filter(None, (meaning, *others, page.missing)):
        unparted = line.replace(f"{UP} ", f"{UP}\u00a0").replace(f"{DOWN} ", f"{DOWN}\u00a0")
        page.paragraph(unparted, letters=SMALL)
        page.y += 6.0
    page.y += GAP - 6.0


def _scores_in_words(view: ExplanationView) -> str:
    if view.is_flat:
        return f"Every {view.facts['unit']} scores 0."
    return f"Largest scores: {', '.join(f'{bar.name} {bar.number}' for bar in view.score_bars if bar.number)}."
