"""Tables of numbers as one self-contained page; wide tables scroll horizontally."""

from ..html.document import document as whole
from ..html.document import sheet
from ..html.parts import render as render_template
from ..html.parts import resource
from .table import TableDocument


def render(document: TableDocument) -> str:
    """The document as a page."""
    content = f'<main class="um-tables">\n{_content(document, level=1)}</main>'
    return whole(content, title=f"{document.title} · unmask", colors="default", style=resource("tables.css"))


def fragment(document: TableDocument) -> str:
    """The document as HTML for a notebook; its style does not affect the rest of the notebook."""
    style, content = f"{sheet('default')}\n{resource('tables.css')}", _content(document, level=3)
    return f'<div class="um">\n<style>{style}</style>\n<div class="um-tables">\n{content}</div>\n</div>\n'


def _content(document: TableDocument, *, level: int) -> str:
    return render_template("tables.html", document=document, level=level)
