"""Markdown and LaTeX: escaping, emphasis and document templates."""

from collections.abc import Callable
from dataclasses import dataclass

import regex

from .colored_spans import Mark

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
    "↑": r"$\uparrow$",  # not in every font
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "≥": r"$\geq$",
}
_LIGATURE = regex.compile(r"([-',])(?=\1)")  # --, '' and ,, are ligatures
# Directly before a letter, +, - and = start neither a list nor a rule.
_MARKDOWN = regex.compile(r"[\\`*_{}\[\]<>#!|~&$]|[+\-=](?!\w)")
_LIST = regex.compile(r"^(\s*\d+)([.)])(?=\s|$)", regex.MULTILINE)
_IDEOGRAPH = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
_BREAKABLE = regex.compile(rf"{_IDEOGRAPH}\p{{P}}*|(?:(?!{_IDEOGRAPH})\S)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """A markup language; its templates take escaped text."""

    marked: Callable[[str, Mark | None], str]
    line: str  # line break in a paragraph
    cell_line: str  # line break in a table
    heading: str
    small: str
    row: str  # a row of a table of three columns: name, text, number
    table: str  # a table, given its head and body

    def plain(self, text: str) -> str:
        """The escaped text."""
        return self.marked(text, None)


def in_markdown(text: str, mark: Mark | None) -> str:
    """Escape a text for Markdown; a text with punctuation at its ends needs <b> instead of asterisks."""
    before, inner, after = _split_ends(text)
    escaped = _LIST.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\g<0>", inner))
    if mark and inner:
        is_word = inner[0].isalnum() and inner[-1].isalnum()
        escaped = f"**{escaped}**" if is_word else f"<b>{escaped}</b>"
        escaped = f"<u>{escaped}</u>" if mark == "most" else escaped
    return before + escaped + after


def in_latex(text: str, mark: Mark | None) -> str:
    """Escape a text for LaTeX."""
    before, inner, after = _split_ends(text)
    if mark == "most":  # word by word, because underlined text does not wrap
        inner = _BREAKABLE.sub(lambda word: rf"\underline{{\textbf{{{_escaped(word[0])}}}}}", inner)
        inner = inner.replace(r"}}\underline", r"}}\allowbreak{}\underline")  # escaped text cannot contain this
    else:
        inner = rf"\textbf{{{_escaped(inner)}}}" if mark and inner else _escaped(inner)
    return before + inner + after


def _split_ends(text: str) -> tuple[str, str, str]:
    """Leading white space, the text, and trailing white space."""
    inner = text.strip()
    before = text[: len(text) - len(text.lstrip())]
    return before, inner, text[len(before) + len(inner) :]


def _escaped(text: str) -> str:
    escaped = "".join(SPECIAL.get(character, character) for character in _LIGATURE.sub("\\1\0", text))
    return escaped.replace("\0", "{}")


MARKDOWN = Markup(
    marked=in_markdown,
    line="\\\n",
    cell_line="<br>",
    heading="### {}",
    small="<small>{}</small>",
    row="| {} | {} | {} |",
    table="{}\n| --- | --- | --- |\n{}",
)
LATEX = Markup(
    marked=in_latex,
    line="\\newline\n",
    cell_line="\\newline\n",
    heading=r"\paragraph{{{}}}",
    small=r"{{\small {}\par}}",
    row=r"{} & {} & {} \\",
    table="\\begin{{tabular}}{{lp{{0.65\\linewidth}}r}}\n\\hline\n{}\n\\hline\n{}\n\\hline\n\\end{{tabular}}",
)
