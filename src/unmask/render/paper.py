"""The paper's own style as Markdown and LaTeX: the most important unit bold and underlined, the top fifth bold."""

from collections.abc import Callable, Iterable, Sequence

import regex

from ..explanation import Explanation
from .layout import spelled
from .picture import Rows
from .shades import Mark, Shade, shades

Marked = Callable[[str, Mark | None], str]

BREAK = "\\newline\n"  # of a line, in LaTeX
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
}
_LIGATURE = regex.compile(r"([-',])(?=\1)")  # --, '' and ,, would become other characters
_MARKDOWN = regex.compile(r"[\\`*_{}\[\]<>#+\-=!|~&$]")
_LIST = regex.compile(r"^(\s*\d+)([.)])", regex.MULTILINE)
_ENDS = regex.compile(r"(\s*)(.*?)(\s*)", regex.DOTALL)


def markdown(explanation: Explanation) -> str:
    """The text in Markdown; of a pair both, as paragraphs."""
    return _paragraphs(_texts(explanation), _in_markdown, line="\\\n")


def latex(explanation: Explanation) -> str:
    """The text in LaTeX (what is not ASCII stays: for XeLaTeX or LuaLaTeX); of a pair both, as paragraphs."""
    return _paragraphs(_texts(explanation), _in_latex, line=BREAK)


def markdown_rows(rows: Rows) -> str:
    """A comparison as a table in Markdown: every row's name and its text."""
    lines = [f"| {_in_markdown(rows.over, None)} | text |", "| --- | --- |"]
    for row in rows.rows:
        text = _cell(row.picture.texts, _in_markdown, line="<br>")
        lines.append(f"| {_in_markdown(row.name, None)} | {text} |")
    return "\n".join(lines) + "\n"


def latex_rows(rows: Rows) -> str:
    """A comparison as a table in LaTeX: every row's name and its text."""
    lines = [r"\begin{tabular}{lp{0.75\linewidth}}", r"\hline", rf"{_in_latex(rows.over, None)} & text \\", r"\hline"]
    for row in rows.rows:
        text = _cell(row.picture.texts, _in_latex, line=BREAK)
        lines.append(rf"{_in_latex(row.name, None)} & {text} \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


def _texts(explanation: Explanation) -> Iterable[tuple[Shade, ...]]:
    return (shades(explanation, segment) for segment in range(len(explanation.texts)))


def _paragraphs(texts: Iterable[Sequence[Shade]], marked: Marked, *, line: str) -> str:
    """Texts below each other; empty lines part paragraphs, other line breaks stay."""
    parts = [part for text in texts for part in regex.split(r"\n\s*\n", _joined(text, marked))]
    return "\n\n".join(part.strip().replace("\n", line) for part in parts) + "\n"


def _cell(texts: Iterable[Sequence[Shade]], marked: Marked, *, line: str) -> str:
    return line.join(regex.sub(r"\s*\n\s*", "\n", _joined(text, marked)).replace("\n", line) for text in texts)


def _joined(pieces: Sequence[Shade], marked: Marked) -> str:
    """The pieces with their marks, which end with every line."""
    return "".join(
        "\n".join(marked(line, piece.mark) for line in spelled(piece.text).split("\n")) for piece in pieces
    ).strip()


def _in_markdown(text: str, mark: Mark | None) -> str:
    """A text with Markdown's characters escaped; asterisks do not mark what begins or ends with a sign."""
    before, inner, after = _parted(text)
    escaped = _LIST.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\g<0>", inner))
    if mark and inner:
        is_word = inner[0].isalnum() and inner[-1].isalnum()
        escaped = f"**{escaped}**" if is_word else f"<b>{escaped}</b>"
        escaped = f"<u>{escaped}</u>" if mark == "most" else escaped
    return before + escaped + after


def _in_latex(text: str, mark: Mark | None) -> str:
    before, inner, after = _parted(text)
    escaped = "".join(LATEX.get(character, character) for character in _LIGATURE.sub("\\1\0", inner))
    escaped = escaped.replace("\0", "{}")
    if mark and inner:
        escaped = rf"\textbf{{{escaped}}}"
        escaped = rf"\underline{{{escaped}}}" if mark == "most" else escaped
    return before + escaped + after


def _parted(text: str) -> tuple[str, str, str]:
    """White space before, the text, and white space behind."""
    found = _ENDS.fullmatch(text)
    assert found is not None  # every part may be empty
    return found[1], found[2], found[3]
