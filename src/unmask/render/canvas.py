"""Writes matplotlib figures as SVG, PNG and PDF, with reproducible bytes and without changing matplotlib's settings."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from xml.etree import ElementTree

from matplotlib import style
from matplotlib.figure import Figure

from .escape import shown
from .fonts import without_glyph_warnings

DPI = 100.0  # positions are in pixels at this resolution
SCALE = 2.0  # PNG pixels per pixel at that resolution
SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
UNDATED: dict[str, dict[str, None]] = {  # omit date and creator
    "svg": dict.fromkeys(("Date", "Creator", "Format", "Type")),
    "png": {"Software": None},
    "pdf": dict.fromkeys(("Creator", "Producer", "CreationDate")),
}
_lock = Lock()  # matplotlib's settings are shared by all threads

# Text drawn as paths looks the same everywhere and fits its box; real text can be selected and makes files smaller.
TextAs = Literal["path", "none"]


@contextmanager
def settings(chosen: dict[str, Any] | Path) -> Iterator[None]:
    """Use matplotlib's defaults with these settings, then restore the caller's settings."""
    with _lock, style.context(["default", chosen]), without_glyph_warnings():
        yield


def write_bytes(figure: Figure, title: str = "", *, form: str, text_as: TextAs = "path") -> bytes:
    """The figure in one of matplotlib's formats."""
    file = io.BytesIO()
    metadata = UNDATED[form] | ({} if form == "svg" else {"Title": shown(title).encode("ascii", "replace").decode()})
    with settings({"svg.fonttype": text_as, "svg.hashsalt": "unmask", "pdf.fonttype": 3}):
        figure.savefig(file, format=form, dpi=DPI * SCALE, metadata=metadata)
    return file.getvalue()


def write_svg(
    figure: Figure,
    title: str = "",
    *,
    description: str = "",
    tips: Mapping[str, str] | None = None,
    text_as: TextAs = "path",
) -> str:
    """The figure as an SVG to embed in a page.

    The page's content security policy forbids inline styles, so they become plain attributes. `tips` maps the `gid` of
    an artist to the text shown on hover.
    """
    root = _plain(ElementTree.fromstring(write_bytes(figure, form="svg", text_as=text_as)), tips or {})
    width, height = (DPI * inches for inches in figure.get_size_inches())
    root.attrib |= {
        "xmlns": "http://www.w3.org/2000/svg",
        "xmlns:xlink": "http://www.w3.org/1999/xlink",
        "width": f"{width:g}",
        "height": f"{height:g}",
        "role": "img",
        "stroke-linejoin": "round",
    }
    for name, content in (("desc", description), ("title", title)):
        root.insert(0, _element(name, shown(content)))
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _plain(element: ElementTree.Element, tips: Mapping[str, str]) -> ElementTree.Element:
    """The element without namespaces, styles, metadata and group ids."""
    plain = _element(element.tag.removeprefix(SVG), element.text)
    for name, value in element.attrib.items():
        if name == "style":
            properties = (part.partition(":") for part in value.split(";") if part.strip())
            plain.attrib |= {key.strip(): setting.strip() for key, _, setting in properties}
        elif name != "id" or plain.tag not in ("g", "svg"):
            plain.set("xlink:href" if name == LINK else name, value)
    if tip := tips.get(element.get("id", "")):
        plain.append(_element("title", shown(tip)))
    plain.extend(_plain(child, tips) for child in element if child.tag.removeprefix(SVG) not in ("metadata", "style"))
    return plain


def _element(name: str, text: str | None) -> ElementTree.Element:
    element = ElementTree.Element(name)
    element.text = text if text and text.strip() else None
    return element
