"""The paper's own style as Markdown and LaTeX: the most important unit bold and underlined, the top fifth bold.

Below a text stands what its numbers depend on, in small; what all texts of a document share, once at its end.
"""

from collections.abc import Iterable, Iterator, Sequence

import regex

from ..results.comparison import Comparison
from ..results.explanation import Explanation
from . import captions
from .colored_spans import ColoredSpan
from .escape import shown
from .formats import Item, Unexplained
from .markup import LATEX, MARKDOWN, Markup
from .theme import Theme
from .view import ComparisonView, view_comparison, view_explanation

PAPER = Theme(style="paper")  # the only one that applies


def markdown(explanation: Explanation, _theme: Theme = PAPER) -> str:
    """The text in Markdown; several segments as paragraphs."""
    return markdown_collection([(None, explanation)])


def latex(explanation: Explanation, _theme: Theme = PAPER) -> str:
    """The same in LaTeX; what is not ASCII stays: for XeLaTeX or LuaLaTeX."""
    return latex_collection([(None, explanation)])


def markdown_collection(items: Sequence[Item], _theme: Theme = PAPER) -> str:
    """Several texts in Markdown, each below its line."""
    return _join(_blocks(items, MARKDOWN))


def latex_collection(items: Sequence[Item], _theme: Theme = PAPER) -> str:
    """The same in LaTeX."""
    return _join(_blocks(items, LATEX))


def markdown_comparison(comparison: Comparison, _theme: Theme = PAPER) -> str:
    """A comparison as a table in Markdown: every row's name, its text and its ranks' agreement with the first."""
    view = view_comparison(comparison)
    lines = [f"| {' | '.join(cells)} |" for cells in _cells(view, MARKDOWN)]
    table = "\n".join([lines[0], "| --- | --- | --- |", *lines[1:]])
    return _join([table, *_below(view, MARKDOWN)])


def latex_comparison(comparison: Comparison, _theme: Theme = PAPER) -> str:
    """The same in LaTeX."""
    view = view_comparison(comparison)
    # Behind a row's end, a bracket or an asterisk would be an argument of it.
    head, *lines = [rf"{'{}' * (cells[0][:1] in '[*')}{' & '.join(cells)} \\" for cells in _cells(view, LATEX)]
    table = [r"\begin{tabular}{lp{0.65\linewidth}r}", r"\hline", head, r"\hline", *lines, r"\hline", r"\end{tabular}"]
    return _join(["\n".join(table), *_below(view, LATEX)])


def _join(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _blocks(items: Sequence[Item], markup: Markup) -> Iterator[str]:
    views = [view_explanation(result) for _, result in items if isinstance(result, Explanation)]
    sentences = [list(filter(None, (view.sentence, view.meaning, view.keys["paper"]))) for view in views]
    facts = [[f"{name} {value}" for name, value in view.facts.items()] for view in views]
    explained = zip(views, captions.own(sentences), captions.own(facts), strict=True)
    for line, result in items:
        if line is not None:
            yield markup.heading.format(f"line {line}")
        if isinstance(result, Unexplained):
            yield markup.plain(shown(f"Failed: {result.why}"))
            continue
        view, own_sentences, own_facts = next(explained)
        for text in view.texts:  # below each other; empty lines part paragraphs, other line breaks stay
            for part in regex.split(r"\n\s*\n", _marked(text, markup)):
                yield part.strip().replace("\n", markup.line)
        yield from (markup.plain(shown(note)) for note in view.notes)
        yield from _small([" ".join(own_sentences), " · ".join(own_facts)], markup)
    yield from _small([" ".join(captions.shared(sentences)), " · ".join(captions.shared(facts))], markup)


def _small(texts: Iterable[str], markup: Markup) -> Iterator[str]:
    return (markup.small.format(markup.plain(shown(text))) for text in texts if text)


def _cells(view: ComparisonView, markup: Markup) -> Iterator[list[str]]:
    yield [markup.plain(view.over), "text", "Kendall's tau"]
    for row in view.rows:
        tau = "–" if row.agreement is None else markup.plain(f"{row.agreement:+.2f}")
        lines = (regex.sub(r"\s*\n\s*", "\n", _marked(text, markup)) for text in row.view.texts)
        yield [markup.plain(shown(row.name)), "\n".join(lines).replace("\n", markup.cell_line), tau]


def _below(view: ComparisonView, markup: Markup) -> Iterator[str]:
    yield from (markup.plain(shown(note)) for note in view.notes)
    yield from _small([*view.remarks, *view.legend("paper")], markup)


def _marked(pieces: Sequence[ColoredSpan], markup: Markup) -> str:
    """The pieces with their marks, which end with every line."""
    return "".join(
        "\n".join(markup.marked(line, piece.mark) for line in shown(piece.text).split("\n")) for piece in pieces
    ).strip()
