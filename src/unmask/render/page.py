"""Fills a figure from top to bottom with wrapped texts, labels and bars."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyBboxPatch, Polygon

from .canvas import DPI
from .colored_spans import ColoredSpan
from .escape import shown
from .fonts import Fonts
from .lines import TextRun, joined, wrap
from .theme import Theme

WIDTH, MARGIN, GAP = 760.0, 28.0, 22.0
INNER = WIDTH - 2 * MARGIN
BASELINE = 0.35  # distance below the middle of a line, as a share of the font size
LONGEST = 400  # how many characters of a label are measured
PADDING, SIGN = 2.0, 9.0  # space around a colored unit, and for the sign after it


class Lettering(NamedTuple):
    """Font size, line height and weight; quiet text has the color of secondary text."""

    size: float
    height: float
    bold: bool = False
    is_quiet: bool = False


TEXT, LABEL, SMALL = Lettering(17.0, 30.6), Lettering(14.0, 20.3), Lettering(12.5, 18.125, is_quiet=True)
BOLD, QUIET = LABEL._replace(bold=True), LABEL._replace(is_quiet=True)


class Page:
    """A figure under construction. Coordinates are in pixels at 100 dpi, from the upper left corner.

    Args:
        written: All text that may need other fonts.
        is_aligned: Whether to reserve space for a sign after every unit, so that the rows of a comparison align.
    """

    def __init__(self, written: Iterable[str], theme: Theme, *, is_aligned: bool = False) -> None:
        self.fonts = Fonts(shown("".join(written)))
        self.missing = self.fonts.warn()
        self.theme, self.background, self.is_aligned, self.y = theme, theme.background, is_aligned, MARGIN
        self.figure = Figure(facecolor=self.background.paper, dpi=DPI)
        self.axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.title, self.description = "", ""
        self.tips: dict[str, str] = {}  # tooltips by the `gid` of their artist

    def finish(self) -> None:
        """Set the figure's height to fit its content."""
        height = float(round(self.y - GAP + MARGIN))
        self.figure.set_size_inches(WIDTH / DPI, height / DPI)
        self.axes.set(xlim=(0.0, WIDTH), ylim=(height, 0.0))

    def rule(self) -> None:
        """Draw a line across the page."""
        self._box(MARGIN, self.y, INNER, 1.0, color=self.background.line)
        self.y += 1.0 + GAP

    def paragraph(
        self, spans: Sequence[ColoredSpan] | str, x: float = MARGIN, width: float = INNER, *, letters: Lettering
    ) -> None:
        """Draw a wrapped text, with its units colored or marked."""
        spans = [ColoredSpan(spans)] if isinstance(spans, str) else spans
        measure = partial(self._measure, letters=letters)
        for runs, rtl in wrap(spans, width, measure):
            widths = [measure(run.text, run.span, run.ends) for run in runs]
            left = x + max(0.0, width - sum(widths)) if rtl else x
            for run, text, taken in zip(runs, joined(runs), widths, strict=True):
                self._run(run, text, left, taken, letters)
                left += taken
            self.y += letters.height

    def label(self, text: str, x: float, width: float, *, letters: Lettering, align: str = "left") -> None:
        """Draw a text on the current line, shortened to the width."""
        fitting, measure = _one_line(text), partial(self._measure, letters=letters)
        if self.fonts.width(fitting, letters.size, bold=letters.bold) > width:
            room = width - self.fonts.width("…", letters.size, bold=letters.bold)
            runs, _ = next(wrap([ColoredSpan(fitting)], room, measure, order="logical"))
            fitting = "".join(run.text for run in runs) + "…"
        ink = self.background.quiet if letters.is_quiet else self.background.ink
        self._words(fitting, x + width if align == "right" else x, letters, color=ink, horizontalalignment=align)

    def widest(self, names: Iterable[str], most: float) -> float:
        """The width of the widest label, at most `most`."""
        return min(most, max((self.fonts.width(_one_line(name), LABEL.size, bold=True) for name in names), default=0.0))

    def width_of(self, span: ColoredSpan, *, letters: Lettering) -> float:
        """The width of a span, including the space around its color and for its sign."""
        return self._measure(shown(span.text), span, True, letters=letters)

    def bar(self, share: float, x: float, width: float, color: str) -> None:
        """Draw a bar on the current line, as a share of the width."""
        self._box(x, self.y + LABEL.height / 2 - 5.0, max(1.0, share * width), 10.0, radius=2.0, color=color)

    def _run(self, run: TextRun, text: str, x: float, width: float, letters: Lettering) -> None:
        """Draw a part of a span: color, text and sign, or an underline in the style `paper`."""
        span, middle, level = run.span, self.y + letters.height / 2, run.span.level * self.theme.is_colored
        color, tip = self.theme.colors.color(level), None
        is_quiet = letters.is_quiet or (span.score is None and letters is TEXT)
        ink = color.ink or (self.background.quiet if is_quiet else self.background.ink)
        if span.score is not None:
            tip = f"tip-{len(self.tips)}"
            self.tips[tip] = f"{run.text} {span.number}"
        if level:
            height = letters.height * 0.84
            self._box(x, middle - height / 2, width, height, radius=4.0, color=color.paper, gid=tip)
        if span.is_outlined:
            height, outline = letters.height * 0.84, self.background.ink
            self._box(x, middle - height / 2, width, height, radius=4.0, color="none", edgecolor=outline, linewidth=1.3)
        inset, sign = self._inset(span), SIGN * run.ends * self._has_sign(span)
        start = x + inset + (sign if run.is_rtl else 0.0)
        self._words(text, start, self._letters(letters, span), color=ink, gid=tip, rtl=run.is_rtl)
        if level and run.ends:
            aside, high = SIGN / 2 + 1.5 * span.is_outlined, -2.8 if level > 0 else 2.8
            center = x + inset + aside if run.is_rtl else x + width - aside
            corners = [(center - 3.25, middle - high), (center + 3.25, middle - high), (center, middle + high)]
            self.axes.add_patch(Polygon(corners, closed=True, facecolor=ink, linewidth=0, clip_on=False))
        below = middle + letters.size * BASELINE + 3
        if span.is_unknown:
            self.axes.plot([x, x + width], [below, below], color=ink, linewidth=1.2, linestyle=":", clip_on=False)
        elif not self.theme.is_colored and span.mark == "most":
            self._box(x, below, width, 1.5, color=ink)

    def _measure(self, text: str, span: ColoredSpan, ends: bool, *, letters: Lettering) -> float:
        beside = 2 * self._inset(span) + SIGN * ends * self._has_sign(span)
        return self.fonts.width(text, letters.size, bold=self._letters(letters, span).bold) + beside

    def _inset(self, span: ColoredSpan) -> float:
        return PADDING + span.is_outlined if span.is_outlined or self._has_sign(span) else 0.0

    def _has_sign(self, span: ColoredSpan) -> bool:
        """Whether there is room for a sign after the span."""
        return self.theme.is_colored and (span.level != 0 or (self.is_aligned and span.score is not None))

    def _letters(self, letters: Lettering, span: ColoredSpan) -> Lettering:
        return letters._replace(bold=letters.bold or (not self.theme.is_colored and span.mark is not None))

    def _words(self, text: str, x: float, letters: Lettering, *, rtl: bool = False, **look: Any) -> None:
        """Draw a text on the current line."""
        if text.strip():
            font = self.fonts.properties(letters.size * 72 / DPI, bold=letters.bold)
            y, drawable = self.y + letters.height / 2 + letters.size * BASELINE, self.fonts.drawable(text, rtl=rtl)
            self.axes.text(x, y, drawable, fontproperties=font, parse_math=False, usetex=False, **look)

    def _box(
        self, x: float, y: float, width: float, height: float, *, color: str, radius: float = 0.0, **look: Any
    ) -> None:
        """Draw a box with its upper left corner at (x, y)."""
        style = (
            BoxStyle("round", pad=0.0, rounding_size=min(radius, width / 2)) if radius else BoxStyle("square", pad=0.0)
        )
        look = {"facecolor": color, "linewidth": 0.0, "clip_on": False, **look}
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, **look))


def _one_line(text: str) -> str:
    return shown(text[:LONGEST]).replace("\n", " ")
