"""Explanations and comparisons as figures of matplotlib, of which SVG, PNG and PDF are written.

Neither pyplot nor a display is used. Matplotlib measures and shapes the text; lines are wrapped in `lines`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from .canvas import write_bytes, write_svg
from .captions import DOWN, UP, number
from .page import GAP, LABEL, MARGIN, SMALL, TIGHT, Page
from .theme import Theme
from .view import ComparisonView, ExplanationView, Row, view_comparison, view_explanation

WIDTH = 760.0
COLUMNS = 640.0  # from this width on, prediction and scores stand beside each other
NAMES = 168.0  # the room for the names of a comparison's rows
STEP = LABEL * TIGHT + 3.0  # from line to line of bars


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure, what it shows in words, and what is shown on hover, by the `gid` of an artist."""

    figure: Figure
    title: str
    description: str
    tips: dict[str, str]


def draw(subject: Explanation | Comparison, theme: Theme, *, width: float = WIDTH) -> Drawing:
    """An explanation or a comparison as a figure."""
    if isinstance(subject, Comparison):
        return draw_comparison(view_comparison(subject), theme, width=width)
    return draw_explanation(view_explanation(subject), theme, width=width)


def svg(subject: Explanation | Comparison, theme: Theme) -> str:
    """The figure as SVG."""
    drawing = draw(subject, theme)
    return write_svg(drawing.figure, drawing.title, description=drawing.description, tips=drawing.tips)


def _picture(subject: Explanation | Comparison, theme: Theme, *, form: str) -> bytes:
    drawing = draw(subject, theme)
    return write_bytes(drawing.figure, drawing.title, form=form)


png = partial(_picture, form="png")
pdf = partial(_picture, form="pdf")


def draw_explanation(view: ExplanationView, theme: Theme, *, width: float = WIDTH) -> Drawing:
    """The text with its units colored, the prediction, the largest scores, and what the numbers mean."""
    page = Page(_written([view]), theme, width=width)
    page.texts(view, MARGIN, page.inner)
    page.y += GAP / 2
    page.rule()
    if page.inner < COLUMNS:
        _prediction(page, view, MARGIN, page.inner)
        page.y += GAP
        _largest(page, view, MARGIN, page.inner)
    else:
        top, half = page.y, (page.inner - 2 * GAP) / 2
        _prediction(page, view, MARGIN, half)
        left_end, page.y = page.y, top
        _largest(page, view, MARGIN + half + 2 * GAP, half)
        page.y = max(page.y, left_end)
    page.y += GAP
    page.rule()
    _sentences(page, [view.sentence or ""], view.notes, view.legend(theme.style))
    page.finish()
    unit, heading = view.facts["unit"], view.heading
    title = f"{unit} by {unit}: {heading[0].lower()}{heading[1:]}"
    shares = ", ".join(f"{share.label} {share.share:.1%}" for share in view.shares)
    answer = f"Prediction: {shares if view.value is None else f'{view.value:.4g}'}."
    described = [answer, _largest_in_words(view), view.sentence or "", *view.notes, view.meaning]
    return Drawing(page.figure, title, " ".join(filter(None, described)), page.tips)


def draw_comparison(view: ComparisonView, theme: Theme, *, width: float = WIDTH) -> Drawing:
    """Several explanations of a text below each other, then the prediction and what the numbers mean."""
    written = [*_written(row.view for row in view.rows), *(row.name for row in view.rows)]
    page = Page(written, theme, width=width, room="even")
    for row in view.rows:
        _row(page, row)
        page.rule()
    _prediction(page, view.rows[0].view, MARGIN, min(page.inner, 360.0))
    page.y += GAP
    legend = view.legend(theme.style)
    _sentences(page, view.remarks, view.notes, legend)
    page.finish()
    rows = (f"{row.name}: {', '.join([*row.costs, *row.errors])}. {_largest_in_words(row.view)}" for row in view.rows)
    described = [*rows, *view.remarks, *view.notes, *legend[:-1]]
    title = f"A comparison by {view.over}: {', '.join(row.name for row in view.rows)}"
    return Drawing(page.figure, title, " ".join(described), page.tips)


def _written(views: Iterable[ExplanationView]) -> Iterator[str]:
    """All user text of some views."""
    for view in views:
        yield from (*view.segments, *(span.text for spans in view.texts for span in spans))
        yield from (share.label for share in view.shares)
        yield from (view.sentence or "", *view.warnings, view.meaning, *view.facts.values())


def _prediction(page: Page, view: ExplanationView, x: float, width: float) -> None:
    """The model's answer as bars, or as a number."""
    page.paragraph("Prediction", x, width, size=SMALL, ink=page.background.quiet)
    page.y += 4.0
    if view.value is not None:
        page.label(f"value {view.value:.4g}", x, width, bold=True)
        page.y += STEP
    names = page.widest([share.label for share in view.shares], width * 0.42)
    for share in view.shares:
        page.label(share.label, x, names, bold=share.holds)
        page.label(f"{share.share:.1%}", x + names + 10.0, 56.0, right=True, bold=share.holds)
        color = page.background.ink if share.holds else page.background.bar
        page.bar(share.share, x + names + 80.0, width - names - 80.0, color)
        page.y += STEP


def _largest(page: Page, view: ExplanationView, x: float, width: float) -> None:
    """The largest scores with their units and bars."""
    page.paragraph("Largest scores", x, width, size=SMALL, ink=page.background.quiet)
    page.y += 4.0
    if view.is_flat:
        page.label(f"0.000 every {view.facts['unit']}", x, width)
        page.y += STEP
        return
    names = page.widest([span.text for span in view.top], width * 0.42)
    where = max(62.0, page.widest(map(view.place, view.top), width / 4) + 4.0) if len(view.texts) > 1 else 0.0
    start = 78.0 + names + where
    for span in view.top:
        page.label(number(span.score or 0.0), x, 58.0, right=True)
        page.label(span.text, x + 68.0, names)
        if where:
            page.label(view.place(span), x + names + 76.0, where - 4.0, ink=page.background.quiet)
        color = page.theme.colors.color(span.level).paper or page.background.line
        color = color if page.theme.is_colored else page.background.bar
        page.bar(abs(span.strength), x + start, width - start, color)
        page.y += STEP
    if view.left:
        page.label(f"and {view.left} smaller", x + 68.0, width - 68.0, ink=page.background.quiet)
        page.y += STEP


def _row(page: Page, row: Row) -> None:
    """A row's name and costs, and beside them its text."""
    top = page.y
    page.y += 5.0  # as low as the larger text
    page.paragraph(row.name, MARGIN, NAMES - 20.0, bold=True)
    for fact in (*row.costs, *row.errors):
        page.paragraph(fact, MARGIN, NAMES - 20.0, size=SMALL, ink=page.background.quiet)
    bottom, page.y = page.y, top
    page.texts(row.view, MARGIN + NAMES, page.inner - NAMES)
    page.y = max(page.y, bottom) + GAP / 2


def _sentences(page: Page, remarks: Sequence[str], notes: Sequence[str], legend: Sequence[str]) -> None:
    for text, bold in (*((remark, False) for remark in remarks if remark), *((note, True) for note in notes)):
        page.paragraph(text, MARGIN, page.inner, bold=bold)
        page.y += 8.0
    page.y += 8.0
    for line in (*legend, page.missing or ""):
        unparted = line.replace(f"{UP} ", f"{UP}\u00a0").replace(f"{DOWN} ", f"{DOWN}\u00a0")
        if line:
            page.paragraph(unparted, MARGIN, page.inner, size=SMALL, ink=page.background.quiet)
            page.y += 6.0
    page.y += GAP - 6.0


def _largest_in_words(view: ExplanationView) -> str:
    if view.is_flat:
        return f"Every {view.facts['unit']} has the score 0."
    return f"Largest scores: {', '.join(f'{span.text} {number(span.score or 0.0)}' for span in view.top)}."
