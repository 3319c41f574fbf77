"""An explanation for the terminal, as something that rich can print."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from .captions import DOWN, UP, number
from .colored_spans import ColoredSpan
from .escape import shown
from .lines import Run, shorten, wrap
from .theme import Theme
from .view import ComparisonView, ExplanationView, view_comparison, view_explanation

BAR = 20  # columns
NAME = 40  # columns of a unit's name at most
INDENT = 2  # columns on both sides of the text
LEAST = 4  # columns of the text, however narrow the terminal is
MARKS = {None: "", "top": "bold", "most": "bold underline"}


@dataclass(frozen=True, slots=True)
class ColoredText:
    """A text that wraps at the console's width; a sign is never parted from its unit.

    Args:
        is_aligned: Leave room for a sign behind every unit, so that the rows of a comparison align.
    """

    spans: tuple[ColoredSpan, ...]
    theme: Theme
    is_aligned: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """One line after the other."""
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
    """The text with its units colored, the prediction, the largest scores and what they mean; or a comparison."""
    if isinstance(subject, Comparison):
        return render_comparison(view_comparison(subject), theme)
    view = view_explanation(subject)
    parts: list[RenderableType] = [*_texts(view, theme), "", _prediction(view), "", _top(view, theme)]
    return Group(*parts, *_below([view.sentence or ""], view.notes, view.legend(theme.style)))


def render_comparison(view: ComparisonView, theme: Theme) -> RenderableType:
    """The prediction, then the text once for every row, with its costs and its agreement with the first row."""
    parts: list[RenderableType] = [_prediction(view.rows[0].view)]
    for row in view.rows:
        costs = shown(f"  {' · '.join([*row.costs, *row.errors])}")
        parts += ["", Text.assemble((shown(row.name), "bold"), (costs, "dim"))]
        parts += _texts(row.view, theme, is_aligned=True)
    return Group(*parts, *_below(view.remarks, view.notes, view.legend(theme.style)))


def _texts(view: ExplanationView, theme: Theme, *, is_aligned: bool = False) -> Iterator[RenderableType]:
    """The text; of a pair both."""
    for segment, spans in enumerate(view.texts):
        if segment:
            yield Text(f"\n{' ' * INDENT}and\n", style="dim")
        yield ColoredText(shorten(spans) if view.is_cut else spans, theme, is_aligned)


def _below(remarks: Iterable[str], notes: Iterable[str], legend: list[str]) -> Iterator[RenderableType]:
    """Remarks, notes and the legend, whose last line is dim."""
    first = [*(Text(shown(remark)) for remark in remarks if remark), *(Text(shown(note), "bold") for note in notes)]
    for paragraph in (first, [*(Text(shown(line)) for line in legend[:-1]), Text(shown(legend[-1]), "dim")]):
        if paragraph:
            yield ""
        yield from paragraph


def _prediction(view: ExplanationView) -> RenderableType:
    if view.value is not None:
        return Text(f"  value {view.value:.4g}")
    table = Table.grid(padding=(0, 1))
    for share in view.shares:
        style, bar = "bold" if share.holds else "", "█" * round(share.share * BAR)
        table.add_row(" ", Text(shown(share.label), style), Text(f"{share.share:6.1%}", style), bar)
    return table


def _top(view: ExplanationView, theme: Theme) -> RenderableType:
    if view.is_flat:
        return Text(f"  0.000 every {view.facts['unit']}")
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(max_width=NAME)  # the only one that gives way
    for span in view.top:
        color = theme.colors.color(span.level).paper
        bar = Text("█" * round(abs(span.strength) * BAR), style=color, no_wrap=True)
        name = Text(shown(span.text).replace("\n", " "), no_wrap=True, overflow="ellipsis")
        where = [Text(shown(view.place(span)), style="dim", no_wrap=True)] if len(view.texts) > 1 else []
        table.add_row(" ", number(span.score or 0.0), name, *where, bar)
    if view.left:
        table.add_row(" ", "", Text(f"and {view.left} smaller", style="dim"))
    return table
