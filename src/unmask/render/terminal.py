"""Explanations and comparisons in the terminal, as rich renderables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from .captions import DOWN, UP
from .colored_spans import ColoredSpan
from .escape import shown
from .lines import Run, shorten, wrap
from .theme import Theme
from .view import Bar, ComparisonView, ExplanationView, view

BAR = 20  # columns
NAME = 40  # most columns of a unit's name
INDENT = 2  # columns on both sides of the text
LEAST = 4  # fewest columns of the text in a narrow terminal
MARKS = {None: "", "top": "bold", "most": "bold underline"}


@dataclass(frozen=True, slots=True)
class ColoredText:
    """A text wrapped at the console's width; a sign stays on the line of its unit.

    Args:
        is_aligned: Reserve space for a sign after every unit, so that the rows of a comparison align.
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
        if not self.theme.is_colored or span.score is None:
            return ""
        if span.level:
            return UP if span.level > 0 else DOWN
        return " " * self.is_aligned

    def _style(self, run: Run) -> str:
        if run.span.score is None:
            return "dim" * bool(run.text.strip())
        if not self.theme.is_colored:
            return MARKS[run.span.mark]
        color = self.theme.colors.color(run.span.level)
        return f"{color.ink} on {color.paper}" if run.span.level else ""


def render(subject: Explanation | Comparison, theme: Theme) -> RenderableType:
    """An explanation or a comparison as a renderable."""
    return render_view(view(subject), theme)


def render_view(shown_view: ExplanationView | ComparisonView, theme: Theme) -> RenderableType:
    """The text, the prediction, the largest scores and the legend; or the rows of a comparison."""
    if isinstance(shown_view, ExplanationView):
        parts = [*_texts(shown_view, theme), "", _prediction(shown_view), "", _scores(shown_view.score_bars, theme)]
    else:
        parts = [_prediction(shown_view.rows[0].view)]
        for row in shown_view.rows:
            costs = shown(f"  {' · '.join([*row.costs, *row.errors])}")
            parts += ["", Text.assemble((shown(row.name), "bold"), (costs, "dim"))]
            parts += _texts(row.view, theme, is_aligned=True)
    return Group(*parts, *_below(shown_view, theme))


def _texts(view: ExplanationView, theme: Theme, *, is_aligned: bool = False) -> Iterator[RenderableType]:
    """The texts of all segments."""
    for segment, spans in enumerate(view.texts):
        if segment:
            yield Text(f"\n{' ' * INDENT}and\n", style="dim")
        yield ColoredText(shorten(spans) if view.is_cut else spans, theme, is_aligned)


def _below(view: ExplanationView | ComparisonView, theme: Theme) -> Iterator[RenderableType]:
    """Remarks, notes and the legend, whose last line is dim."""
    above = [*(Text(shown(remark)) for remark in view.remarks), *(Text(shown(note), "bold") for note in view.notes)]
    if above:
        yield ""
    yield from above
    *legend, facts = map(shown, view.legend(theme.style))
    yield ""
    yield from map(Text, legend)
    yield Text(facts, "dim")


def _prediction(view: ExplanationView) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    for bar in view.prediction_bars:
        style, number = "bold" * bar.is_bold, f"{bar.number:>6}"
        table.add_row(" ", Text(shown(bar.name), style), Text(number, style), "█" * round((bar.strength or 0.0) * BAR))
    return Group(table, Text(shown(f"{' ' * INDENT}{view.gold}"))) if view.gold else table


def _scores(bars: Sequence[Bar], theme: Theme) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=NAME)  # the only column that shrinks
    for bar in bars:
        color = theme.colors.color(bar.level).paper
        drawn = Text("█" * round(abs(bar.strength or 0.0) * BAR), style=color, no_wrap=True)
        name = Text(shown(bar.name).replace("\n", " "), "" if bar.number else "dim", no_wrap=True, overflow="ellipsis")
        where = [Text(shown(bar.place), style="dim", no_wrap=True)] if bar.place else []
        table.add_row(" ", bar.number, name, *where, drawn)
    return table
