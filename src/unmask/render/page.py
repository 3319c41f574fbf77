"""A page of a figure that is filled from top to bottom: colored texts, paragraphs, labels and bars."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Literal

from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyBboxPatch, Polygon

from ..errors import ArgumentError
from .canvas import DPI
from .captions import number
from .colored_spans import ColoredSpan
from .escape import shown
from .fonts import Fonts
from .lines import Measure, Run, clusters, joined, shorten, wrap
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

    def __init__(self, written: Iterable[str], theme: Theme, *, width: float) -> None:
        if width < LEAST:
            raise ArgumentError(f"a drawing cannot be {width:g} wide: it needs at least {LEAST:g}")
        self.fonts = Fonts(shown("".join(written)))
        self.missing = self.fonts.warn()
        self.theme, self.background = theme, theme.background
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

    def words(
        self,
        text: str,
        x: float,
        middle: float,
        *,
        size: float = LABEL,
        ink: str | None = None,
        bold: bool = False,
        rtl: bool = False,
        tip: str | None = None,
    ) -> None:
        """A text in one line that begins at `x`."""
        if text.strip():
            self.axes.text(
                x,
                middle + size * BASELINE,
                self.fonts.drawable(text, rtl=rtl),
                color=ink or self.background.ink,
                fontproperties=self.fonts.properties(size * 72 / DPI, bold=bold),
                verticalalignment="baseline",
                parse_math=False,
                usetex=False,
                gid=tip,
            )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        color: str,
        *,
        radius: float = 0.0,
        tip: str | None = None,
    ) -> None:
        """A filled box whose upper left corner is at `x` and `y`."""
        style = (
            BoxStyle("round", pad=0.0, rounding_size=min(radius, width / 2)) if radius else BoxStyle("square", pad=0)
        )
        self.axes.add_patch(
            FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=color, linewidth=0, clip_on=False, gid=tip)
        )

    def rule(self) -> None:
        """A line across the page."""
        self.box(MARGIN, self.y, self.inner, 1.0, self.background.line)
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
                self.words(run.text, left, self.y + size * TIGHT / 2, size=size, ink=ink, bold=bold, rtl=run.is_rtl)
                left += taken
            self.y += size * TIGHT

    def label(
        self, text: str, x: float, width: float, *, right: bool = False, ink: str | None = None, bold: bool = False
    ) -> None:
        """A text in the current line, cut where it is too long."""
        fitting = self._fit(shown(text).replace("\n", " "), width, bold=bold)
        left = x + width - self.fonts.width(fitting, LABEL, bold=bold) if right else x
        self.words(fitting, left, self.y + LABEL * TIGHT / 2, ink=ink, bold=bold)

    def bar(self, share: float, x: float, width: float, color: str) -> None:
        """A bar in the current line, as long as a share of the width."""
        self.box(x, self.y + (LABEL * TIGHT - 10.0) / 2, max(1.0, share * width), 10.0, color, radius=2.0)

    def texts(self, view: ExplanationView, x: float, width: float, *, room: Room) -> None:
        """The text with its units colored or marked; of a pair, both."""
        for segment, spans in enumerate(view.texts):
            if segment:
                self.y += 2.0
                self.paragraph("and", x, width, size=SMALL, ink=self.background.quiet)
                self.y += 2.0
            for runs, rtl in wrap(shorten(spans) if view.is_cut else spans, width, self._measure(room)):
                self._line(runs, x, width, room=room, rtl=rtl)
                self.y += TEXT * SPACING

    def _line(self, runs: list[Run], x: float, width: float, *, room: Room, rtl: bool) -> None:
        measure = self._measure(room)
        widths = [measure(run.text, run.span, run.ends) for run in runs]
        left = x + max(0.0, width - sum(widths)) if rtl else x
        for run, text, taken in zip(runs, joined(runs), widths, strict=True):
            self._run(run, text, left, taken, room=room)
            left += taken

    def _run(self, run: Run, text: str, x: float, width: float, *, room: Room) -> None:
        """One part of a span: its color, its text and its sign; or its underline in the paper's style."""
        span, middle = run.span, self.y + TEXT * SPACING / 2
        colored = self.theme.is_colored and span.level != 0
        color = self.theme.colors.color(span.level) if colored else PLAIN
        ink = color.ink or (self.background.ink if span.score is not None else self.background.quiet)
        tip = None if span.score is None else self._tip(f"{run.text} {number(span.score)}")
        if colored:
            height = TEXT * SPACING * 0.84
            self.box(x, middle - height / 2, width, height, color.paper, radius=4.0, tip=tip)
        sign = SIGN if self._has_room(span, room) and run.ends else 0.0
        inset = PADDING if self._has_room(span, room) else 0.0
        start = x + inset + (sign if run.is_rtl else 0.0)
        self.words(text, start, middle, size=TEXT, ink=ink, bold=self._is_bold(span), rtl=run.is_rtl, tip=tip)
        if colored and run.ends:
            self._sign(x + inset + SIGN / 2 if run.is_rtl else x + width - SIGN / 2, middle, span.level > 0, ink)
        if not self.theme.is_colored and span.mark == "most":
            self.box(x, middle + TEXT * BASELINE + 3, width, 1.5, ink)

    def _sign(self, x: float, y: float, up: bool, color: str) -> None:
        wide, high = 3.25, -2.8 if up else 2.8
        corners = [(x - wide, y - high), (x + wide, y - high), (x, y + high)]
        self.axes.add_patch(Polygon(corners, closed=True, facecolor=color, linewidth=0, clip_on=False))

    def _measure(self, room: Room) -> Measure:
        def measure(text: str, span: ColoredSpan, ends: bool) -> float:
            beside = 2 * PADDING + SIGN * ends if self._has_room(span, room) else 0.0
            return self.fonts.width(text, TEXT, bold=self._is_bold(span)) + beside

        return measure

    def _has_room(self, span: ColoredSpan, room: Room) -> bool:
        return self.theme.is_colored and (span.level != 0 or (room == "even" and span.score is not None))

    def _is_bold(self, span: ColoredSpan) -> bool:
        return not self.theme.is_colored and span.mark is not None

    def _tip(self, text: str) -> str:
        name = f"tip-{len(self.tips)}"
        self.tips[name] = text
        return name

    def widest(self, names: Iterable[str], most: float) -> float:
        """The room that the widest of some labels takes, up to a width."""
        widths = (self.fonts.width(shown(name[:LONGEST]).replace("\n", " "), LABEL, bold=True) for name in names)
        return min(most, max(widths, default=0.0))

    def _fit(self, text: str, width: float, *, bold: bool) -> str:
        parts = clusters(text[:LONGEST])
        if len(text) <= LONGEST and self.fonts.width(text, LABEL, bold=bold) <= width:
            return text
        kept = bisect_left(
            range(len(parts)),
            True,
            key=lambda at: self.fonts.width("".join(parts[: at + 1]) + "…", LABEL, bold=bold) > width,
        )
        return "".join(parts[:kept]).rstrip() + "…"
