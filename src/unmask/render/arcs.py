"""Interactions as matplotlib figures: arcs over the chosen units, the text, a list of pairs, and the legend."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke

from ..results.interactions import Interactions
from .canvas import write_bytes, write_svg
from .captions import DOWN, UNKNOWN, UP, line
from .colored_spans import ColoredSpan
from .lines import is_rtl, shorten
from .page import BOLD, GAP, INNER, LABEL, MARGIN, QUIET, SMALL, TEXT, Page
from .pair_view import Arc, PairsView, Slot, view_pairs
from .theme import Theme

HIGHEST, LOWEST, ABOVE = 120.0, 30.0, 16.0  # heights of arcs, and the room for a number above the highest one
NEAR = (44.0, 15.0)  # a number this close to that of a stronger arc is omitted
THICKEST, THINNEST = 2.4, 0.8
DASHES = (0.0, (4.0, 2.5))
NUMBER_SIZE = 8.5  # points
STEP = LABEL.height + 3.0
NUMBER, RELATION = 64.0, 190.0  # widths of two columns of the list
CURVE = (Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4)


def svg(found: Interactions, theme: Theme) -> str:
    """The figure as SVG."""
    page = draw(view_pairs(found), theme)
    return write_svg(page.figure, page.title, description=page.description, tips=page.tips)


def _picture(found: Interactions, theme: Theme, *, form: str) -> bytes:
    page = draw(view_pairs(found), theme)
    return write_bytes(page.figure, page.title, form=form)


png, pdf = partial(_picture, form="png"), partial(_picture, form="pdf")


def draw(view: PairsView, theme: Theme) -> Page:
    """The view as a figure."""
    page = Page(_written(view), theme)
    if view.arcs:
        _arcs(page, view)
        for slot in view.strip:
            _slot(page, slot, INNER * slot.columns / view.columns)
        page.y += TEXT.height + 4.0
        page.paragraph(view.key, letters=SMALL)
        page.y += GAP / 2
    if not (view.is_whole and view.arcs) or len(view.view.texts) > 1:
        _texts(page, view)
    page.rule()
    _pairs(page, view)
    _legend(page, view)
    page.title = view.heading
    pairs = "; ".join(f"{row.name} {row.relation} {row.number}" for row in view.rows)
    page.description = " ".join(filter(None, [view.view.prediction_sentence, pairs or view.sentence, view.meaning]))
    page.finish()
    return page


def _written(view: PairsView) -> Iterator[str]:
    """All text that may need other fonts."""
    yield from (span.text for spans in view.view.texts for span in spans)
    yield from (view.heading, view.view.prediction_sentence, view.sentence, view.meaning)
    yield from (*(row.name for row in view.rows), *view.view.warnings, *view.facts.values(), view.view.key("shades"))


def _arcs(page: Page, view: PairsView) -> None:
    """Draw the arcs, weak ones first, and their numbers."""
    bottom, ink, paper = page.y + ABOVE + HIGHEST, page.background.ink, page.background.paper
    for arc in reversed(view.arcs):
        left, right = (MARGIN + INNER * end for end in (arc.left, arc.right))
        control = bottom - _height(arc) * 4 / 3  # the arc's top is at three quarters of this height
        tip = f"tip-{len(page.tips)}"
        page.tips[tip] = arc.tip
        width = THINNEST + (THICKEST - THINNEST) * arc.strength
        corners = [(left, bottom), (left, control), (right, control), (right, bottom)]
        curve = PathPatch(Path(corners, CURVE), fill=False, edgecolor=ink, linewidth=width, gid=tip)
        curve.set(alpha=0.35 + 0.65 * arc.strength, linestyle=DASHES if arc.is_dashed else "solid", clip_on=False)
        page.axes.add_patch(curve)
    placed = list[tuple[float, float]]()
    for arc in view.arcs:
        x, y = MARGIN + INNER * (arc.left + arc.right) / 2, bottom - _height(arc)
        if all(abs(x - other) > NEAR[0] or abs(y - height) > NEAR[1] for other, height in placed):
            placed.append((x, y))
            font, halo = page.fonts.properties(NUMBER_SIZE, bold=True), withStroke(linewidth=3, foreground=paper)
            page.axes.text(x, y - 5.0, arc.number, fontproperties=font, color=ink, ha="center", path_effects=[halo])
    page.y = bottom + 3.0


def _height(arc: Arc) -> float:
    return LOWEST + (HIGHEST - LOWEST) * arc.height


def _slot(page: Page, slot: Slot, width: float) -> None:
    """Draw a unit of the strip on the current line, shortened to its slot."""
    top, span = page.y, _fitting(page, slot.span, width)
    natural = page.width_of(span, letters=LABEL)
    left = MARGIN + INNER * slot.center - natural / 2
    # `paragraph` adds the space around a color once per word; the extra width keeps the unit on one line.
    page.paragraph([span], left - INNER if is_rtl(span.text) else left, natural + INNER, letters=LABEL)
    page.y = top


def _fitting(page: Page, span: ColoredSpan, width: float) -> ColoredSpan:
    text = " ".join(span.text.split())
    fitting = replace(span, text=text)
    while page.width_of(fitting, letters=LABEL) > width and len(text) > 1:
        text = text[:-1]
        fitting = replace(span, text=f"{text}…")
    return fitting


def _texts(page: Page, view: PairsView) -> None:
    for segment, spans in enumerate(view.view.texts):
        if segment:
            page.y += 2.0
            page.paragraph("and", letters=SMALL)
            page.y += 2.0
        page.paragraph(shorten(spans) if view.view.is_cut else spans, letters=TEXT)
    page.y += GAP / 2


def _pairs(page: Page, view: PairsView) -> None:
    """Draw the prediction and the list of pairs."""
    page.paragraph(view.view.prediction_sentence, letters=LABEL)
    page.y += GAP / 2
    if view.sentence:
        page.paragraph(view.sentence, letters=LABEL)
    names = INNER - NUMBER - RELATION - 2 * GAP
    for row in view.rows:
        page.label(row.name, MARGIN, names, letters=LABEL)
        page.label(row.relation, MARGIN + names + GAP, RELATION, letters=LABEL)
        page.label(row.number, MARGIN + INNER - NUMBER, NUMBER, letters=BOLD, align="right")
        page.y += STEP
    if view.left and view.rows:
        page.label(f"and {view.left} smaller", MARGIN, names, letters=QUIET)
        page.y += STEP
    page.y += GAP / 2
    page.rule()


def _legend(page: Page, view: PairsView) -> None:
    for note in view.view.notes:
        page.paragraph(note, letters=BOLD)
        page.y += 8.0
    colors = view.view.key(page.theme.style) + f" Dotted underline{UNKNOWN}" * view.view.has_unknown
    meaning = view.meaning if view.rows else ""
    for text in filter(None, (meaning, colors, line(view.facts), page.missing)):
        unparted = text.replace(f"{UP} ", f"{UP}\u00a0").replace(f"{DOWN} ", f"{DOWN}\u00a0")
        page.paragraph(unparted, letters=SMALL)
        page.y += 6.0
    page.y += GAP - 6.0
