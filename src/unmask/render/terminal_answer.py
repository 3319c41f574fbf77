"""The explanation of an answer in the terminal: the prompt, the answer with probabilities, and part of the matrix."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .answer_blocks import Block
from .answer_view import AnswerView, strongest_columns, strongest_rows
from .colored_spans import ColoredSpan
from .escape import one_line, shown
from .lines import bounded, shorten
from .numbers import decimals
from .terminal_parts import INDENT, NAME, ColoredText, ScoreList, diverging, span_style
from .theme import Theme
from .view import Bar

TOKENS = 120  # most tokens to list with their probabilities
ROWS, CELL, GAP = 6, 7, 1  # in the matrix: most units, the width of a cell, and the gap between cells
WIDE = 18  # width of a cell if the columns are continuations
LONGEST = 16  # maximum width of a token, in columns


@dataclass(frozen=True, slots=True)
class AnswerDrawing:
    """The blocks of the context, the answer, the largest scores, and the strongest units of the matrix."""

    view: AnswerView
    theme: Theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the parts."""
        for block, spans in zip(self.view.blocks, self.view.spans, strict=True):
            if self.view.blocks_have_bars:
                yield self._head(block)
            yield ColoredText(bounded(shorten(spans) if self.view.is_cut else spans), self.theme)
            yield ""
        yield _indented(Text.assemble((self.view.prediction_title, "bold"), (f"  {self.view.summary}", "dim")))
        yield from map(_indented, self._answer(options.max_width - 2 * INDENT))
        for decision in (*self.view.decisions, *self.view.sets_notes):
            yield from ("", _indented(Text(shown(decision).replace("\n", " "))))
        yield from ("", ScoreList(self.view.score_bars, self.theme))
        if self.view.matrix is not None and len(self.view.columns) > 1:
            yield from ("", MatrixTable(self.view, self.theme))

    def _head(self, block: Block) -> RenderableType:
        table = Table.grid(padding=(0, 1))
        table.add_column(max_width=NAME, no_wrap=True, overflow="ellipsis")
        strength = None if block.score is None else block.strength
        bar = diverging(Bar("", strength=strength, level=block.level), self.theme)
        effect = Text(block.effect, "dim", no_wrap=True)
        table.add_row(Text(one_line(block.name), "bold"), Text(block.number), bar, effect)
        return _indented(table)

    def _answer(self, width: int) -> Iterator[Text]:
        """The tokens with their probabilities below them, in as many lines as needed."""
        if self.view.is_contrast:
            yield from (Text(one_line(column.strip())) for column in self.view.columns)
            return
        names = [_fitting(one, LONGEST) for one in self.view.columns[:TOKENS]]
        shares = [f"{share:.0%}" for share in self.view.probabilities]
        upper, lower = Text(no_wrap=True), Text(no_wrap=True)
        for at, (name, share) in enumerate(zip(names, shares, strict=False)):
            size = max(cell_len(name), cell_len(share)) + GAP
            if upper and cell_len(upper.plain) + size > width:
                yield from (upper, lower)
                upper, lower = Text(no_wrap=True), Text(no_wrap=True)
            upper.append(set_cell_size(name, size - GAP), "bold underline" * self._is_chosen(at))
            upper.append(" " * GAP)
            lower.append(set_cell_size(share, size), "dim")
        yield from (upper, lower)
        if len(self.view.columns) > TOKENS:
            yield Text(f"and {len(self.view.columns) - TOKENS} more tokens", "dim")

    def _is_chosen(self, at: int) -> bool:
        return bool(self.view.weights[at]) and not all(self.view.weights)


@dataclass(frozen=True, slots=True)
class MatrixTable:
    """The strongest units and the outputs that they affect most, as many as fit the console's width."""

    view: AnswerView
    theme: Theme

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield the table."""
        matrix, rows = self.view.matrix, strongest_rows(self.view, ROWS)
        assert matrix is not None
        names = min(max((cell_len(_name(self.view, row)) for row in rows), default=0), NAME, options.max_width // 3)
        size = WIDE if self.view.is_contrast else CELL
        room = (options.max_width - 2 * INDENT - names) // (size + GAP)
        columns = strongest_columns(self.view, rows, max(1, room))
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="dim")
        table.add_column(width=INDENT - GAP)
        table.add_column(width=names, no_wrap=True, overflow="ellipsis")
        for column in columns:
            table.add_column(Text(_fitting(self.view.columns[column], size)), justify="right", width=size, no_wrap=True)
        full = float(np.nanmax(np.abs(matrix[np.ix_(rows, columns)]), initial=0.0))
        for row in rows:
            cells = (self._cell(float(matrix[row, column]), full) for column in columns)
            table.add_row("", Text(_name(self.view, row)), *cells)
        yield table
        known, outputs = sum(unit.is_computed for unit in self.view.units), len(self.view.columns)
        if (len(rows), len(columns)) != (known, outputs):
            yield Text(f"{' ' * INDENT}part of {known} × {outputs} scores", "dim")

    def _cell(self, score: float, full: float) -> Text:
        if np.isnan(score):
            return Text("")
        span = ColoredSpan("x", score, score / full if full else 0.0, decimals=decimals(full))
        return Text(span.number, span_style(span, self.theme) if self.theme.is_colored else "")


def _name(view: AnswerView, row: int) -> str:
    return shown(view.unit_names[row]).replace("\n", " ")


def _fitting(text: str, size: int) -> str:
    """A token, shortened to a few columns."""
    line = one_line(text.strip() or text)
    return line if cell_len(line) <= size else set_cell_size(line, size - 1).rstrip() + "…"


def _indented(one: RenderableType) -> Padding:
    return Padding(one, (0, 0, 0, INDENT), expand=False)
