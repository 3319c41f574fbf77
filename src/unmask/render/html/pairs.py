"""Writes interactions as a document or a notebook fragment: arcs over the chosen units, then a list of pairs."""

from ...results.interactions import Interactions
from ..pair_view import Arc, PairsView, view_pairs
from ..theme import DEFAULT, Theme
from .document import document, sheet
from .pages import others
from .parts import render, resource, says

WIDTH, HEIGHT, HIGHEST, LOWEST = 1000, 150, 118, 30  # sizes of the arcs: horizontal units of the strip, vertical pixels
THICKEST, THINNEST = 3.2, 1.0
NEAR = (0.09, 16.0)  # a number this close to that of a stronger arc is omitted: share of the strip, pixels
VIEWS = 20  # the most classes on a page


def page(found: Interactions, theme: Theme = DEFAULT) -> str:
    """A self-contained document."""
    content, style = _content(found, theme.style, level=1), resource("pairs.css")
    title = f"{says(view_pairs(found).view)} · pairs of {found.explanation.unit}s · unmask"
    return document(f"<main>\n{content}</main>", title=title, colors=theme.palette, style=style)


def fragment(found: Interactions, theme: Theme = DEFAULT) -> str:
    """A fragment for a notebook; its style does not affect the rest of the notebook."""
    content, style = _content(found, theme.style, level=3), resource("pairs.css")
    return f'<div class="um">\n<style>{sheet(theme.palette)}\n{style}</style>\n{content}</div>\n'


def _content(found: Interactions, style: str, *, level: int) -> str:
    outputs = [found, *map(found.toward, others(found.explanation)[: VIEWS - 1])]
    views = [view_pairs(output) for output in outputs]
    drawn = [[_curve(arc) for arc in view.arcs] for view in views]
    numbers = [list(_numbers(view)) for view in views]
    sizes = {"width": WIDTH, "height": HEIGHT}
    return render("pairs.html", views=views, curves=drawn, numbers=numbers, sizes=sizes, style=style, level=level)


def _curve(arc: Arc) -> dict[str, object]:
    """The attributes of an arc's path. Its top is at three quarters of the height of its control points."""
    top = top_of(arc)
    control = HEIGHT - (HEIGHT - top) * 4 / 3
    left, right = WIDTH * arc.left, WIDTH * arc.right
    path = f"M{left:.1f} {HEIGHT}C{left:.1f} {control:.1f} {right:.1f} {control:.1f} {right:.1f} {HEIGHT}"
    width = THINNEST + (THICKEST - THINNEST) * arc.strength
    return {"path": path, "width": f"{width:.1f}", "opacity": f"{0.35 + 0.65 * arc.strength:.2f}", "arc": arc}


def top_of(arc: Arc) -> float:
    """The vertical position of an arc's highest point, in pixels."""
    return HEIGHT - LOWEST - (HIGHEST - LOWEST) * arc.height


def _numbers(view: PairsView) -> list[dict[str, str]]:
    """The numbers above the arcs; a number that would cover that of a stronger arc is omitted."""
    placed = list[tuple[float, float]]()
    shown = []
    for arc in view.arcs:
        x, y = (arc.left + arc.right) / 2, top_of(arc)
        if all(abs(x - other) > NEAR[0] or abs(y - height) > NEAR[1] for other, height in placed):
            placed.append((x, y))
            shown.append({"x": f"{100 * x:.2f}%", "y": f"{y - 5:.1f}", "number": arc.number})
    return shown
