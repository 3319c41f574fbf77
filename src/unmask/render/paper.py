"""The paper's style in Markdown and LaTeX: the unit with the largest score bold and underlined, the top fifth bold.

Each text is followed by its legend in small type; what all texts share appears once, at the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import regex

from ..results.answers import is_answer
from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..text.request import Failure
from .answer_view import AnswerView, view_answer
from .captions import SEPARATOR, own, shared
from .colored_spans import ColoredSpan
from .comparison_view import ComparisonView, view_comparison
from .escape import shown
from .formats import Item
from .markup import LATEX, MARKDOWN, Markup
from .theme import Theme
from .view import ExplanationView, view_explanation, view_listed

PAPER = Theme(style="paper")  # the only theme that applies


def _write(markup: Markup, subject: Explanation | Comparison, _theme: Theme = PAPER) -> str:
    """Write an explanation with its segments as paragraphs, or a comparison as a table."""
    if isinstance(subject, Explanation):
        return _write_collection(markup, [(None, subject)])
    view = view_comparison(subject)
    prediction, *notes = (markup.plain(shown(text)) for text in (view.rows[0].view.prediction_sentence, *view.notes))
    small = _small([*view.decisions, *view.remarks, *view.legend("paper")], markup)
    return _join([prediction, _table(view, markup), *notes, *small])


def _write_collection(markup: Markup, items: Sequence[Item], _theme: Theme = PAPER) -> str:
    """Write several texts, each under its line number."""
    return _join(_blocks(items, markup))


markdown, markdown_collection = partial(_write, MARKDOWN), partial(_write_collection, MARKDOWN)
latex, latex_collection = partial(_write, LATEX), partial(_write_collection, LATEX)  # for XeLaTeX or LuaLaTeX


def _join(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _blocks(items: Sequence[Item], markup: Markup) -> Iterator[str]:
    is_listed = len(items) > 1
    views = [_view(result, is_listed=is_listed) for _, result in items if isinstance(result, Explanation)]
    sentences = [[*view.remarks, view.key("paper")] for view in views]
    facts = [[f"{name} {value}" for name, value in view.facts.items()] for view in views]
    explained = zip(views, own(sentences), own(facts), strict=True)
    for line, result in items:
        if line is not None:
            yield markup.heading.format(f"line {line}")
        if isinstance(result, Failure):
            yield markup.plain(shown(f"Failed: {result.error}"))
            continue
        view, own_sentences, own_facts = next(explained)
        if isinstance(view, AnswerView):
            yield from _answer(view, markup)
        else:
            yield markup.plain(shown(view.prediction_sentence))
            yield from (part for text in view.texts for part in _paragraphs(text, markup))
        yield from (markup.plain(shown(text)) for text in (*view.decisions, *view.notes))
        yield from _small(view.sets_notes, markup)
        yield from _small([" ".join(own_sentences), SEPARATOR.join(own_facts)], markup)
    yield from _small([" ".join(shared(sentences)), SEPARATOR.join(shared(facts))], markup)


def _view(explanation: Explanation, *, is_listed: bool) -> ExplanationView:
    if is_answer(explanation):
        return view_answer(explanation, is_listed=is_listed)
    return view_listed(explanation) if is_listed else view_explanation(explanation)


def _paragraphs(text: Sequence[ColoredSpan], markup: Markup) -> Iterator[str]:
    """The paragraphs of a text, which empty lines separate; other line breaks are kept."""
    return (part.strip().replace("\n", markup.line) for part in regex.split(r"\n\s*\n", _marked(text, markup)))


def _answer(view: AnswerView, markup: Markup) -> Iterator[str]:
    """The blocks of the context, then the answer, each below its name."""
    for block, text in zip(view.blocks, view.texts, strict=True):
        if view.blocks_have_bars:
            yield from _small([f"{block.name} ({block.number})"], markup)
        yield from _paragraphs(text, markup)
    yield from _small([f"{view.prediction_title} ({view.summary})"], markup)
    words = [ColoredSpan(word.text + "\n\n" * view.is_contrast) for word in view.words]
    yield from filter(None, _paragraphs(words, markup))
    yield from (markup.plain(shown(sentence)) for sentence in view.sentences)


def _small(texts: Iterable[str], markup: Markup) -> Iterator[str]:
    return (markup.small.format(markup.plain(shown(text))) for text in texts if text)


def _table(view: ComparisonView, markup: Markup) -> str:
    rows = [[markup.plain(view.over), "text", "Kendall's tau"]]
    for row in view.rows:
        tau = "–" if row.agreement is None else markup.plain(f"{row.agreement:+.2f}")
        lines = (regex.sub(r"\s*\n\s*", "\n", _marked(text, markup)) for text in row.view.texts)
        # LaTeX reads a bracket or an asterisk after \\\\ as its argument.
        name = "{}" * (markup is LATEX and row.name[:1] in "[*") + markup.plain(shown(row.name))
        rows.append([name, "\n".join(lines).replace("\n", markup.cell_line), tau])
    head, *body = (markup.row.format(*cells) for cells in rows)
    return markup.table.format(head, "\n".join(body))


def _marked(pieces: Sequence[ColoredSpan], markup: Markup) -> str:
    """The marked text; marks do not cross line breaks."""
    return "".join(
        "\n".join(markup.marked(line, piece.mark) for line in shown(piece.text).split("\n")) for piece in pieces
    ).strip()
