"""Collects the site's pages: those in docs/, and a page for every other file in the repository that they link to.

    python scripts/site/pages.py FOLDER    writes everything the site is built from to FOLDER

Pages link to files by their paths in the repository (`../CHANGELOG.md`, `../../tests/support/shared.py`), so that the
links also work there. On the site, each linked file outside docs/ becomes a page, and no link leaves the site.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
NAMED = {"CHANGELOG.md": "changes.md", "examples/first-steps.ipynb": "first-steps.md"}
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)")
OUTWARD = re.compile(r"(?<=\]\()((?:\.\./)+[^)#\s]+)")  # the target of a link that starts with ../


def main(build: Path) -> None:
    shutil.rmtree(build, ignore_errors=True)
    shutil.copytree(DOCS, build / "docs")
    shutil.copytree(HERE / "theme", build / "theme")
    (build / "zensical.toml").write_text(configuration(), encoding="utf-8")
    for address, text in pages().items():
        place = build / "docs" / address
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def configuration() -> str:
    """The site's settings, with `folder/*.md` in the navigation replaced by the folder's pages, index first."""
    text = (HERE / "zensical.toml").read_text(encoding="utf-8")
    for folder in re.findall(r'"([a-z]+/(?:\*\*/)?\*\.md)"', text):
        listed = sorted((path.relative_to(DOCS).as_posix() for path in DOCS.glob(folder)), key=index_first)
        text = text.replace(f'"{folder}"', json.dumps(listed))
    return text.replace('paths = ["src"]', f"paths = [{json.dumps(str(ROOT / 'src'))}]")


def index_first(address: str) -> tuple[bool, str]:
    """A sort key that puts a folder's index before its other pages."""
    return not address.endswith("/index.md"), address


def pages() -> dict[str, str]:
    """Every page of the site, by address."""
    own = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    linked = {path for address, text in own.items() for path in outside(address, text)}
    others = {address_of(path): content(path) for path in linked | {ROOT / name for name in NAMED}}
    return {address: inward(address, text) for address, text in own.items()} | others


def outside(address: str, text: str) -> set[Path]:
    """The files outside docs/ that a page links to."""
    return {path for target in OUTWARD.findall(text) if (path := meant(address, target))}


def inward(address: str, text: str) -> str:
    """A page's text, with links out of docs/ pointed at the pages made from those files."""

    def led(link: re.Match[str]) -> str:
        path = meant(address, link[1])
        return os.path.relpath(address_of(path), PurePosixPath(address).parent) if path else link[1]

    return OUTWARD.sub(led, text)


def meant(address: str, target: str) -> Path | None:
    """The repository file that a link on a page points to, if it is outside docs/."""
    path = Path(os.path.normpath(DOCS / PurePosixPath(address).parent / target))
    return path if path.is_file() and not path.is_relative_to(DOCS) else None


def address_of(path: Path) -> str:
    """The address of a file outside docs/ on the site."""
    name = path.relative_to(ROOT).as_posix()
    return NAMED.get(name, f"source/{name}.md")


def content(path: Path) -> str:
    """A file as a page: Markdown unchanged, a notebook as its cells, anything else as a code block."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return into_docs(path, text)
    if path.suffix == ".ipynb":
        return into_docs(path, "\n\n".join(map(cell, json.loads(text)["cells"])))
    return f"# {path.relative_to(ROOT).as_posix()}\n\n{fenced(text, 'python' if path.suffix == '.py' else 'text')}"


def into_docs(path: Path, text: str) -> str:
    """The text of a file outside docs/, with its links to pages in docs/ adapted to the site."""

    def led(link: re.Match[str]) -> str:
        page = Path(os.path.normpath(path.parent / link[1]))
        if not (page.is_file() and page.is_relative_to(DOCS)):
            return link[1]
        return os.path.relpath(page.relative_to(DOCS), PurePosixPath(address_of(path)).parent)

    return LINK.sub(led, text)


def cell(found: dict[str, Any]) -> str:
    """A notebook cell as Markdown: code with its outputs, images embedded in the page."""
    text = "".join(found["source"])
    if found["cell_type"] == "markdown":
        return text
    return "\n\n".join([fenced(text, "python"), *map(shown, found["outputs"])])


def shown(output: dict[str, Any]) -> str:
    """One output of a cell."""
    data = output.get("data", {})
    if "image/png" in data:
        return f"![](data:image/png;base64,{''.join(data['image/png']).strip()})"
    return fenced("".join(output.get("text") or data["text/plain"]), "text")


def fenced(text: str, language: str) -> str:
    """A code block, even if the text contains fences."""
    return f"``````{language}\n{text.rstrip()}\n``````\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
