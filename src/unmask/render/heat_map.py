"""A heat map of an answer's scores, drawn by matplotlib: one row per unit, one column per token of the answer."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap

from .answer_matrix import Matrix
from .answer_view import AnswerView, strongest_columns, strongest_rows
from .captions import line
from .escape import shown
from .numbers import decimals, number
from .page import GAP, INNER, LABEL, MARGIN, SMALL, Lettering, Page
from .theme import Theme

ROWS, COLUMNS, BANDS = 40, 36, 4  # the most units, tokens per band, and bands of tokens
NAMES, TOTALS, CELL, HEIGHT = 190.0, 62.0, 34.0, 19.0  # widths of names, of sums and of a cell; height of a cell
LETTERS = Lettering(12.0, HEIGHT)
HEADING = SMALL._replace(bold=True)
CUT = 24  # most characters of a token
LEGEND = 260.0  # width of the color bar


def draw_heat_map(view: AnswerView, theme: Theme) -> Page:
    """Draw the strongest units and the outputs of the target."""
    assert view.matrix is not None
    rows = strongest_rows(view, ROWS)
    columns = strongest_columns(view, rows, COLUMNS * BANDS)
    page = Page(_written(view), theme)
    page.paragraph(view.heading, letters=LABEL._replace(size=18.0, height=28.0, bold=True))
    for sentence in (*view.sentences, *view.decisions):
        page.paragraph(sentence, letters=LABEL)
    page.y += GAP / 2
    full = float(np.nanmax(np.abs(view.matrix[np.ix_(rows, columns)]), initial=0.0)) or 1.0
    bands = -(-len(columns) // COLUMNS)
    for part in np.array_split(np.array(columns), bands):
        _band(page, view, rows, part.tolist(), full)
    _color_bar(page, full)
    for text in filter(None, (*_captions(view, rows, columns), page.missing)):
        page.paragraph(text, letters=SMALL)
        page.y += 4.0
    page.y += GAP
    page.title, page.description = view.heading, " ".join([*view.sentences, view.meaning])
    page.finish()
    return page


def _written(view: AnswerView) -> Iterator[str]:
    """All text that may need other fonts."""
    yield from (*view.unit_names, *view.columns, view.heading, *view.sentences, *view.decisions)
    yield from (*view.facts.values(), *(block.name for block in view.blocks), *view.warnings)


def _band(page: Page, view: AnswerView, rows: Sequence[int], columns: Sequence[int], full: float) -> None:
    """Draw some of the columns, with tokens on top, names of units on the left and sums on the right."""
    assert view.matrix is not None
    width = min(CELL, (INNER - NAMES - TOTALS) / len(columns))
    left, top = MARGIN + NAMES, _tokens(page, view, columns, width)
    page.y, segment = top, -1
    for row in rows:
        unit = view.units[row]
        if view.blocks_have_bars and unit.segment != segment:
            block, right = view.blocks[unit.segment], left + len(columns) * width + 6.0
            page.label(block.name, MARGIN, NAMES - 8.0, letters=HEADING, align="right")
            page.label(block.number, right, TOTALS - 10.0, letters=HEADING, align="right")
            page.y, segment = page.y + SMALL.height, unit.segment
        _cells(page, view.matrix[row : row + 1, columns], left, width, full)
        letters = LETTERS._replace(is_quiet=row >= view.count)
        page.label(view.unit_names[row], MARGIN, NAMES - 8.0, letters=letters, align="right")
        page.label(unit.number, left + len(columns) * width + 6.0, TOTALS - 10.0, letters=LETTERS, align="right")
        page.y += HEIGHT
    page.y += GAP


def _cells(page: Page, cells: Matrix, left: float, width: float, full: float) -> None:
    """Draw a row of cells; cells without a score are gray."""
    edges = left + width * np.arange(cells.shape[1] + 1)
    page.axes.pcolormesh(
        edges,
        [page.y, page.y + HEIGHT],
        np.ma.masked_invalid(cells),
        cmap=_colors(page.theme),
        vmin=-full,
        vmax=full,
        edgecolors=page.background.line,
        linewidth=0.4,
        clip_on=False,
    )


def _tokens(page: Page, view: AnswerView, columns: Sequence[int], width: float) -> float:
    """Draw the rotated tokens above the cells, and return where the cells begin."""
    names = [_token(view.columns[column]) for column in columns]
    room = max(page.fonts.width(name, LETTERS.size) for name in names) * 0.87 + 10.0
    is_part = not all(view.weights)
    for at, (column, name) in enumerate(zip(columns, names, strict=True)):
        font = page.fonts.properties(LETTERS.size * 0.72, bold=is_part and bool(view.weights[column]))
        x, y = MARGIN + NAMES + (at + 0.5) * width, page.y + room - 4.0
        turned: dict[str, Any] = {"rotation": 60, "rotation_mode": "anchor", "ha": "left", "va": "center"}
        text = page.fonts.drawable(name)
        page.axes.text(x, y, text, fontproperties=font, color=page.background.ink, parse_math=False, **turned)
    return page.y + room


def _token(text: str) -> str:
    name = shown(text.strip() or repr(text)[1:-1]).replace("\n", " ")
    return name if len(name) <= CUT else f"{name[: CUT - 1]}…"


def _colors(theme: Theme) -> Colormap:
    """A color map from opposing to supporting; no effect gets the background color."""
    palette, paper = theme.colors, theme.background.paper
    against, support = ([color.paper for color in side] for side in (palette.speaks_against, palette.speaks_for))
    colors = LinearSegmentedColormap.from_list("unmask", [*reversed(against), paper, *support])
    return colors.with_extremes(bad=theme.background.line)


def _color_bar(page: Page, full: float) -> None:
    edges = MARGIN + NAMES + np.linspace(0.0, LEGEND, 61)
    shades = np.linspace(-full, full, 60)[None]
    page.axes.pcolormesh(edges, [page.y, page.y + 10.0], shades, cmap=_colors(page.theme), linewidth=0.0, clip_on=False)
    page.y += 12.0
    digits = decimals(full)
    for value, align, x in ((-full, "left", 0.0), (0.0, "center", LEGEND / 2), (full, "right", LEGEND)):
        _tick(page, number(value, digits), MARGIN + NAMES + x, align)
    page.y += LETTERS.height + GAP / 2


def _tick(page: Page, text: str, x: float, align: str) -> None:
    wide = page.fonts.width(text, LETTERS.size) + 1.0
    page.label(text, x - {"left": 0.0, "center": wide / 2, "right": wide}[align], wide, letters=LETTERS)


def _captions(view: AnswerView, rows: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
    """Captions on what the numbers and colors mean, and what is not shown."""
    known, chosen = sum(unit.is_computed for unit in view.units), sum(map(bool, view.weights))
    left_out = [
        f"the {count} {what} of {total}"
        for count, total, what in ((len(rows), known, "strongest units"), (len(columns), chosen, "strongest tokens"))
        if count < total
    ]
    yield view.meaning + " The number beside a row is its score for the target."
    yield from (note for note in view.notes)
    yield f"Shown: {' and '.join(left_out)}." if left_out else ""
    has_gaps = view.matrix is not None and np.isnan(view.matrix[np.ix_(rows, columns)]).any()
    yield "Gray: the unit does not come before the token." if has_gaps else ""
    yield line(view.facts)
