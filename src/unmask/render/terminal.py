"""Explanations and comparisons in the terminal, as rich renderables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..results.answers import is_answer
from ..results.comparison import Comparison
from ..results.explanation import Explanation
from . import captions
from .answer_view import view_answer
from .colored_spans import ColoredSpan, colored_units
from .comparison_view import ComparisonView, UnitScores, view
from .escape import one_line, shown
from .lines import bounded, shorten
from .terminal_answer import AnswerDrawing
from .terminal_parts import (
    BAR,
    INDENT,
    NAME,
    NARROW,
    UNKNOWN_MARK,
    ColoredText,
    ScoreList,
    outline_key,
    shown_style,
    span_style,
)
from .theme import Theme
from .view import ExplanationView, view_listed

NUMBER, HEAD, GAP = 8, 14, 1  # widths of a score, of the widest header, and of the gap between columns


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The units of a comparison with their scores, one column per explanation, in several tables if space is short."""

    view: ComparisonView
    theme: Theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the tables."""
        rows, left = self.view.table
        names = min(max(cell_len(shown(row.name)) for row in rows), NAME, options.max_width // 2)
        places = max(cell_len(shown(row.place)) for row in rows)
        for columns in self._fitting(options.max_width - INDENT - names - (places + GAP) * bool(places)):
            if columns[0]:
                yield ""
            yield self._table(rows, columns, names)
        if left:
            yield Text(f"{' ' * INDENT}and {left} smaller", "dim")

    def _fitting(self, room: int) -> list[list[int]]:
        """The columns of each table, as many per table as fit."""
        tables, used = [[0]], self._width(0)
        for column in range(1, len(self.view.rows)):
            used += self._width(column)
            if used <= room:
                tables[-1].append(column)
            else:
                tables, used = [*tables, [column]], self._width(column)
        return tables

    def _width(self, column: int) -> int:
        return GAP + max(NUMBER, min(HEAD, cell_len(shown(self.view.rows[column].name))))

    def _table(self, rows: Sequence[UnitScores], columns: Sequence[int], names: int) -> RenderableType:
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
        table.add_column(width=INDENT - GAP)
        table.add_column(width=names, no_wrap=True, overflow="ellipsis")
        if has_places := any(row.place for row in rows):
            table.add_column(no_wrap=True)
        for at in columns:
            head = Text(one_line(self.view.rows[at].name))
            table.add_column(head, justify="right", width=self._width(at) - GAP, overflow="fold")
        for row in rows:
            name = Text(shown(row.name).replace("\n", " "))
            place = [Text(shown(row.place), "dim")] if has_places else []
            table.add_row("", name, *place, *(self._cell(row.scores[at]) for at in columns))
        return table

    def _cell(self, span: ColoredSpan | None) -> Text:
        return Text("") if span is None else Text(span.number, span_style(span, self.theme))


@dataclass(frozen=True, slots=True)
class Legend:
    """What colors, signs or marks mean, the interaction, the notes, and a dim line of settings."""

    view: ExplanationView | ComparisonView
    theme: Theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the lines."""
        meaning = self.view.legend(shown_style(console, self.theme))[0]
        meaning += f" {UNKNOWN_MARK}{captions.UNKNOWN}" * self.view.has_unknown
        yield Text(one_line(meaning + outline_key(console, self.theme, self.view.outline)))
        yield from _remarks(self.view)
        first = self.view.rows[0].name if isinstance(self.view, ComparisonView) else ""
        against = f"{captions.SEPARATOR}Kendall's tau against {first}" * bool(first)
        yield Text(one_line(captions.settings(self.view.facts) + against), "dim")


class FileLegend:
    """The legend of a file's texts, which is printed once."""

    def __init__(self, theme: Theme) -> None:
        self.theme, self.is_signed, self.has_unknown, self.facts = theme, True, False, dict[str, str]()
        self.outline = ""

    def add(self, explanation: Explanation) -> None:
        """Add a text, and keep only the settings that all texts share."""
        facts = captions.facts(explanation)
        kept = {name: value for name, value in self.facts.items() if facts.get(name) == value}
        self.facts, self.is_signed = kept if self.facts else facts, explanation.method.is_signed
        self.has_unknown |= any(span.is_unknown for span in colored_units(explanation))
        self.outline = self.outline or captions.outline(explanation)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the lines."""
        style = shown_style(console, self.theme)
        target, unit = self.facts.get("target", "the target"), self.facts.get("unit", "unit")
        meaning = captions.marks(unit) if style == "paper" else captions.signs(target, is_signed=self.is_signed)
        meaning += " Colors are scaled per text." * (style == "shades")
        meaning += f" {UNKNOWN_MARK}{captions.UNKNOWN}" * self.has_unknown
        yield Text(one_line(meaning + outline_key(console, self.theme, self.outline)))
        yield Text(one_line(captions.settings(self.facts)), "dim")


def render(subject: Explanation | Comparison, theme: Theme) -> RenderableType:
    """An explanation or a comparison as a renderable."""
    if isinstance(subject, Explanation) and is_answer(subject):
        view_of = view_answer(subject)
        return Group(AnswerDrawing(view_of, theme), "", *map(_line, view_of.sentences), Legend(view_of, theme))
    return render_view(view(subject), theme)


def render_listed(explanation: Explanation, theme: Theme) -> RenderableType:
    """An explanation without the legend, for a file of texts."""
    if is_answer(explanation):
        answer = view_answer(explanation, is_listed=True)
        return Group(AnswerDrawing(answer, theme), "", *map(_line, answer.sentences), *_remarks(answer))
    shown_view = view_listed(explanation)
    return Group(*_drawing(shown_view, theme), "", *_remarks(shown_view))


def render_view(shown_view: ExplanationView | ComparisonView, theme: Theme) -> RenderableType:
    """The text, the prediction, the largest scores and the legend, or the rows of a comparison."""
    return Group(*_drawing(shown_view, theme), "", Legend(shown_view, theme))


def _line(sentence: str) -> Text:
    return Text(one_line(sentence))


def _drawing(shown_view: ExplanationView | ComparisonView, theme: Theme) -> Iterator[RenderableType]:
    if isinstance(shown_view, ExplanationView):
        yield from _texts(shown_view, theme)
        yield from _decisions(shown_view)
        yield from ("", PredictionList(shown_view), "")
        yield from [Text(f"{' ' * INDENT}{shown_view.top_title}:", "dim")] if shown_view.is_ranked else []
        yield ScoreList(shown_view.score_bars, theme)
        if shown_view.detail is not None:
            yield from ("", Padding(Text(shown_view.detail.heading, "bold"), (0, 0, 0, INDENT), expand=False))
            yield from _texts(shown_view.detail, theme)
            yield from ("", ScoreList(shown_view.detail.score_bars, theme)) if shown_view.detail.top else ()
        return
    yield PredictionList(shown_view.rows[0].view)
    for row in shown_view.rows:
        costs = one_line(f"  {' · '.join([*row.costs, *row.errors])}")
        yield from ("", Text.assemble((one_line(row.name), "bold"), (costs, "dim")))
        yield from _texts(row.view, theme, is_aligned=True)
        yield from _decisions(row.view)
    yield from ("", ScoreTable(shown_view, theme))


def _decisions(view: ExplanationView) -> Iterator[RenderableType]:
    """The deciding sets in sentences, or why there are none."""
    sentences = [[(one.sentence, ""), (one.way, "dim")] for one in view.sets]
    lines = [line for pair in sentences for line in pair if line[0]] + [(note, "dim") for note in view.sets_notes]
    texts = [Text(shown(line).replace("\n", " "), style) for line, style in lines]
    yield from [""] if lines else []
    yield from (Padding(text, (0, 0, 0, INDENT), expand=False) for text in texts)


def _remarks(view: ExplanationView | ComparisonView) -> Iterator[Text]:
    """The interaction (in a comparison, only that of the first row) and the notes."""
    remarks = view.remarks[:1] if isinstance(view, ComparisonView) else view.remarks
    yield from (Text(one_line(remark)) for remark in remarks)
    yield from (Text(one_line(note), "bold") for note in view.notes)


def _texts(view: ExplanationView, theme: Theme, *, is_aligned: bool = False) -> Iterator[RenderableType]:
    """The texts of all segments."""
    for segment, spans in enumerate(view.texts):
        if segment:
            yield Text("" if view.continuations else f"\n{' ' * INDENT}and\n", style="dim")
        if view.continuations and len(view.texts) > 1:
            yield Text(f"{' ' * INDENT}{one_line(view.segments[segment])}", "bold")
        yield ColoredText(bounded(shorten(spans) if view.is_cut else spans), theme, is_aligned)


@dataclass(frozen=True, slots=True)
class PredictionList:
    """The most probable labels, the prediction with all units masked, and the gold label."""

    view: ExplanationView

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the list."""
        if self.view.continuations:
            for bar in self.view.continuations:
                text = Text.assemble((one_line(bar.name), "bold"), (f"  {bar.number}", "dim"))
                yield Padding(text, (0, 0, 0, INDENT), expand=False)
            return
        table, base = Table.grid(padding=(0, 1)), Text(one_line(f"({self.view.base})"), "dim")
        is_wide = options.max_width >= NARROW
        for at, bar in enumerate(self.view.prediction_bars):
            style, number = "bold" * bar.is_bold, f"{bar.number:>6}"
            strength, beside = "█" * round((bar.strength or 0.0) * BAR), [base] if is_wide and not at else []
            table.add_row(" ", Text(one_line(bar.name), style), Text(number, style), strength, *beside)
        yield table
        below = [] if is_wide else [base]
        for line in [*below, Text(one_line(self.view.gold))] if self.view.gold else below:
            yield Padding(line, (0, 0, 0, INDENT), expand=False)
