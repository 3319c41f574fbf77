"""A page of a figure that is filled from top to bottom: colored texts, paragraphs, labels and bars."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, Literal

from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyBboxPatch, Polygon

from ..errors import ArgumentError
from .canvas import DPI
from .captions import number
from .colored_spans import ColoredSpan
from .escape import shown
from .fonts import Fonts
from .lines import Run, clusters, joined, shorten, wrap
from .theme import PLAIN, Theme
from .view import ExplanationView

LEAST, MARGIN, GAP = 320.0, 28.0, 22.0
TEXT, LABEL, SMALL = 17.0, 14.0, 12.5  # sizes
SPACING, TIGHT = 1.8, 1.45  # line heights of the colored text and of everything else
BASELINE = 0.35  # of the size, below the middle of a line
LONGEST = 400  # characters that are looked at to fit a label
PADDING, SIGN = 2.0, 9.0  # beside a colored unit, and for the sign behind it

Room = Literal["needed", "even"]  # even: every unit has room for a sign, so that the rows of a comparison align


class Page:
    """A figure that is filled from top to bottom; places are pixels at 100 dpi, from the upper left corner."""

    def __init__(self, written: Iterable[str], theme: Theme, *, width: float, room: Room = "needed") -> None:
        if width < LEAST:
            raise ArgumentError(f"a drawing cannot be {width:g} wide: it needs at least {LEAST:g}")
        self.fonts = Fonts(shown("".join(written)))
        self.missing = self.fonts.warn()
        self.theme, self.background, self.room = theme, theme.background, room
        self.width, self.inner, self.y = width, width - 2 * MARGIN, MARGIN
        self.figure = Figure(facecolor=self.background.paper, dpi=DPI)
        self.axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.tips: dict[str, str] = {}

    def finish(self) -> None:
        """Cut the figure to what it holds."""
        height = float(round(self.y - GAP + MARGIN))
        self.figure.set_size_inches(self.width / DPI, height / DPI)
        self.axes.set(xlim=(0.0, self.width), ylim=(height, 0.0))

    def rule(self) -> None:
        """A line across the page."""
        self._box(MARGIN, self.y, self.inner, 1.0, facecolor=self.background.line)
        self.y += 1.0 + GAP

    def paragraph(
        self, text: str, x: float, width: float, *, size: float = LABEL, ink: str | None = None, bold: bool = False
    ) -> None:
        """A plain text in as many lines as it needs."""
        lines = wrap([ColoredSpan(text)], width, lambda part, *_: self.fonts.width(part, size, bold=bold))
        for runs, rtl in lines:
            widths = [self.fonts.width(run.text, size, bold=bold) for run in runs]
            left = x + width - sum(widths) if rtl else x
            for run, taken in zip(runs, widths, strict=True):
                self._words(run.text, left, self.y + size * TIGHT / 2, size=size, ink=ink, bold=bold, rtl=run.is_rtl)
                left += taken
            self.y += size * TIGHT

    def label(
        self, text: str, x: float, width: float, *, right: bool = False, ink: str | None = None, bold: bool = False
    ) -> None:
        """A text in the current line, cut where it is too long."""
        fitting = self._fit(shown(text).replace("\n", " "), width, bold=bold)
        left = x + width - self.fonts.width(fitting, LABEL, bold=bold) if right else x
        self._words(fitting, left, self.y + LABEL * TIGHT / 2, size=LABEL, ink=ink, bold=bold)

    def widest(self, names: Iterable[str], most: float) -> float:
        """The room that the widest of some labels takes, up to a width."""
        widths = (self.fonts.width(shown(name[:LONGEST]).replace("\n", " "), LABEL, bold=True) for name in names)
        return min(most, max(widths, default=0.0))

    def bar(self, share: float, x: float, width: float, color: str) -> None:
        """A bar in the current line, as long as a share of the width."""
        middle = self.y + LABEL * TIGHT / 2
        self._box(x, middle - 5.0, max(1.0, share * width), 10.0, radius=2.0, facecolor=color)

    def texts(self, view: ExplanationView, x: float, width: float) -> None:
        """All segments, with their units colored or marked."""
        for segment, spans in enumerate(view.texts):
            if segment:
                self.y += 2.0
                self.paragraph("and", x, width, size=SMALL, ink=self.background.quiet)
                self.y += 2.0
            for runs, rtl in wrap(shorten(spans) if view.is_cut else spans, width, self._measure):
                widths = [self._measure(run.text, run.span, run.ends) for run in runs]
                left = x + max(0.0, width - sum(widths)) if rtl else x
                for run, text, taken in zip(runs, joined(runs), widths, strict=True):
                    self._run(run, text, left, taken)
                    left += taken
                self.y += TEXT * SPACING

    def _run(self, run: Run, text: str, x: float, width: float) -> None:
        """One part of a span: its color, its text and its sign; or its underline in the paper's style."""
        span, middle = run.span, self.y + TEXT * SPACING / 2
        colored = self.theme.is_colored and span.level != 0
        color = self.theme.colors.color(span.level) if colored else PLAIN
        ink = color.ink or (self.background.ink if span.score is not None else self.background.quiet)
        tip = None
        if span.score is not None:
            tip = f"tip-{len(self.tips)}"
            self.tips[tip] = f"{run.text} {number(span.score)}"
        if colored:
            height = TEXT * SPACING * 0.84
            self._box(x, middle - height / 2, width, height, radius=4.0, facecolor=color.paper, gid=tip)
        inset, sign = (PADDING, SIGN * run.ends) if self._has_room(span) else (0.0, 0.0)
        start = x + inset + (sign if run.is_rtl else 0.0)
        self._words(text, start, middle, size=TEXT, ink=ink, bold=self._is_bold(span), rtl=run.is_rtl, gid=tip)
        if colored and run.ends:
            center, high = x + inset + SIGN / 2 if run.is_rtl else x + width - SIGN / 2, -2.8 if span.level > 0 else 2.8
            corners = [(center - 3.25, middle - high), (center + 3.25, middle - high), (center, middle + high)]
            self.axes.add_patch(Polygon(corners, closed=True, facecolor=ink, linewidth=0, clip_on=False))
        if not self.theme.is_colored and span.mark == "most":
            self._box(x, middle + TEXT * BASELINE + 3, width, 1.5, facecolor=ink)

    def _measure(self, text: str, span: ColoredSpan, ends: bool) -> float:
        beside = 2 * PADDING + SIGN * ends if self._has_room(span) else 0.0
        return self.fonts.width(text, TEXT, bold=self._is_bold(span)) + beside

    def _has_room(self, span: ColoredSpan) -> bool:
        return self.theme.is_colored and (span.level != 0 or (self.room == "even" and span.score is not None))

    def _is_bold(self, span: ColoredSpan) -> bool:
        return not self.theme.is_colored and span.mark is not None

    def _fit(self, text: str, width: float, *, bold: bool) -> str:
        if len(text) <= LONGEST and self.fonts.width(text, LABEL, bold=bold) <= width:
            return text
        parts = clusters(text[:LONGEST])

        def is_too_wide(at: int) -> bool:
            return self.fonts.width("".join(parts[: at + 1]) + "…", LABEL, bold=bold) > width

        kept = bisect_left(range(len(parts)), True, key=is_too_wide)
        return "".join(parts[:kept]).rstrip() + "…"

    def _words(
        self,
        text: str,
        x: float,
        middle: float,
        *,
        size: float,
        ink: str | None,
        bold: bool,
        rtl: bool = False,
        gid: str | None = None,
    ) -> None:
        """A text in one line that begins at `x`."""
        if text.strip():
            drawable, font = self.fonts.drawable(text, rtl=rtl), self.fonts.properties(size * 72 / DPI, bold=bold)
            look: dict[str, Any] = {"color": ink or self.background.ink, "fontproperties": font, "gid": gid}
            y = middle + size * BASELINE
            self.axes.text(x, y, drawable, verticalalignment="baseline", parse_math=False, usetex=False, **look)

    def _box(self, x: float, y: float, width: float, height: float, *, radius: float = 0.0, **look: Any) -> None:
        """A filled box whose upper left corner is at `x` and `y`."""
        rounded = {"rounding_size": min(radius, width / 2)} if radius else {}
        style = BoxStyle("round" if radius else "square", pad=0.0, **rounded)
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, linewidth=0, clip_on=False, **look))
