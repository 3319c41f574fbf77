"""The parts of drawings in the terminal: colored texts, and lists of scores with bars."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from .captions import DOWN, UP
from .colored_spans import ColoredSpan
from .escape import one_line, shown
from .lines import TextRun, wrap
from .theme import Theme
from .view import Bar

BAR = 20  # columns
NAME = 40  # maximum width of a unit's name, in columns
INDENT = 2  # columns on both sides of the text
LEAST = 4  # minimum width of the text in a narrow terminal, in columns
UNKNOWN_MARK = "?"  # after a unit that is unknown to the tokenizer
MARKS = {None: "", "top": "bold", "most": "bold underline"}
OUTLINES = {"shades": ("underline", "Underlined"), "paper": ("italic", "Italic")}  # how units of the necessary set look
NARROW, NARROWEST = 80, 60  # in terminals with fewer columns, the answer without a unit is shortened, then omitted
WIDE = 100  # like NARROW, for a sentence about an answer


@dataclass(frozen=True, slots=True)
class ColoredText:
    """A text wrapped at the console's width; a sign stays on the same line as its unit.

    Args:
        is_aligned: Whether to reserve space for a sign after every unit, so that the rows of a comparison align.
    """

    spans: tuple[ColoredSpan, ...]
    theme: Theme
    is_aligned: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the lines."""
        width = max(LEAST, options.max_width - 2 * INDENT)
        for runs, _ in wrap(self.spans, width, self._measure, order="logical"):
            text = Text(" " * INDENT, no_wrap=True, overflow="ignore")
            for run in runs:
                text.append(run.text + self._sign(run.span) * run.ends, self._style(run))
            yield text

    def _measure(self, text: str, span: ColoredSpan, ends: bool) -> float:
        return cell_len(text) + len(self._sign(span)) * ends

    def _sign(self, span: ColoredSpan) -> str:
        unknown = UNKNOWN_MARK * span.is_unknown
        if not self.theme.is_colored or span.score is None:
            return unknown
        if span.level:
            return unknown + (UP if span.level > 0 else DOWN)
        return unknown + " " * self.is_aligned

    def _style(self, run: TextRun) -> str:
        if run.span.score is None:
            return "dim" * bool(run.text.strip())
        if not run.span.is_computed:
            return "dim italic"
        outline = OUTLINES[self.theme.style][0] if run.span.is_outlined else ""
        return f"{span_style(run.span, self.theme)} {outline}".strip()


def span_style(span: ColoredSpan, theme: Theme) -> str:
    """The color or mark of a unit."""
    if not theme.is_colored:
        return MARKS[span.mark]
    color = theme.colors.color(span.level)
    return f"{color.ink} on {color.paper}" if span.level else ""


def shown_style(console: Console, theme: Theme) -> str:
    """The theme's style, or `signs` if the console has no color."""
    has_color = console.color_system is not None and not console.no_color
    return "signs" if theme.is_colored and not has_color else theme.style


def outline_key(console: Console, theme: Theme, meaning: str) -> str:
    """A caption on how units of the necessary set look and what that means; empty on a console without styles."""
    return f" {OUTLINES[theme.style][1]}{meaning}" if meaning and console.color_system is not None else ""


@dataclass(frozen=True, slots=True)
class ScoreList:
    """The top units with their scores, and the model's answer when each one is masked in turn."""

    bars: Sequence[Bar]
    theme: Theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the list."""
        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(max_width=NAME)  # the only column that shrinks
        for bar in self.bars:
            text, style = shown(bar.name).replace("\n", " "), "" if bar.number else "dim"
            name = Text(text, style, no_wrap=True, overflow="ellipsis")
            where = [Text(one_line(bar.place), style="dim", no_wrap=True)] if bar.place else []
            change = _fitting_change(bar.change, options.max_width)
            after = [Text(change, style="dim", no_wrap=True)] if change else []
            table.add_row(" ", bar.number, name, *where, diverging(bar, self.theme), *after)
        yield table


def _fitting_change(change: str, width: int) -> str:
    """The answer without a unit, shortened or omitted in a narrow terminal."""
    _, arrow, after = change.rpartition(" → ")
    if width >= (NARROW if arrow else WIDE):
        return change
    short, least = (after, NARROWEST) if arrow else (change.removesuffix(" without it"), NARROW - BAR // 2)
    return short if width >= least else ""


def diverging(bar: Bar, theme: Theme) -> Text:
    """A bar to the left or right of a center line, at half-character resolution; empty if the strength is zero."""
    if bar.strength is None:
        return Text("")
    whole, half = divmod(round(abs(bar.strength) * BAR), 2)
    left = f"{'▐' * half}{'█' * whole}" if bar.strength < 0 else ""
    right = f"{'█' * whole}{'▌' * half}" if bar.strength > 0 else ""
    color = theme.colors.color(bar.level).paper
    return Text.assemble((f"{left:>{BAR // 2}}", color), ("│", "dim"), (right, color), no_wrap=True)
