"""Gather the site's pages: those of docs/, and a page for every file of the repository that one of them links to.

    python scripts/site/pages.py FOLDER    writes all that the site is built from, and nothing else, there

A page links to files as they lie in the repository (`../CHANGELOG.md`, `../../tests/support/shared.py`), so that it
reads well there. On the site, each file outside docs/ becomes a page of its own, and no link leads out.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path, PurePosixPath

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DOCS = ROOT / "docs"
NAMED = {"CHANGELOG.md": "changes.md", "examples/first-steps.ipynb": "first-steps.md"}
OUTWARD = re.compile(r"(?<=\]\()((?:\.\./)+[^)#\s]+)")  # the target of a link that climbs


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
    """The site's settings, with every page where the navigation says `folder/*.md`, or `folder/**/*.md`."""
    text = (HERE / "zensical.toml").read_text(encoding="utf-8")
    for folder in re.findall(r'"([a-z]+/(?:\*\*/)?\*\.md)"', text):
        listed = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.glob(folder))
        text = text.replace(f'"{folder}"', json.dumps(listed))
    return text.replace('paths = ["src"]', f"paths = [{json.dumps(str(ROOT / 'src'))}]")


def pages() -> dict[str, str]:
    """Every page of the site, by its address."""
    own = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    linked = {path for address, text in own.items() for path in outside(address, text)}
    others = {address_of(path): content(path) for path in linked | {ROOT / name for name in NAMED}}
    return {address: inward(address, text) for address, text in own.items()} | others


def outside(address: str, text: str) -> set[Path]:
    """The files outside docs/ that a page links to."""
    return {path for target in OUTWARD.findall(text) if (path := meant(address, target))}


def inward(address: str, text: str) -> str:
    """A page's text with its links out of docs/ led to the pages that are made of those files."""

    def led(link: re.Match[str]) -> str:
        path = meant(address, link[1])
        return os.path.relpath(address_of(path), PurePosixPath(address).parent) if path else link[1]

    return OUTWARD.sub(led, text)


def meant(address: str, target: str) -> Path | None:
    """The file of the repository that a link on a page means, if it is outside docs/."""
    path = Path(os.path.normpath(DOCS / PurePosixPath(address).parent / target))
    return path if path.is_file() and not path.is_relative_to(DOCS) else None


def address_of(path: Path) -> str:
    """Where the site has a file from outside docs/."""
    name = path.relative_to(ROOT).as_posix()
    return NAMED.get(name, f"source/{name}.md")


def content(path: Path) -> str:
    """A file as a page: Markdown as it is, a notebook as its cells, anything else as a block of code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    if path.suffix == ".ipynb":
        return "\n\n".join(map(cell, json.loads(text)["cells"]))
    return f"# {path.relative_to(ROOT).as_posix()}\n\n{fenced(text, 'python' if path.suffix == '.py' else 'text')}"


def cell(found: dict[str, str | list[str]]) -> str:
    """A notebook's cell as Markdown."""
    text = "".join(found["source"])
    return text if found["cell_type"] == "markdown" else fenced(text, "python")


def fenced(text: str, language: str) -> str:
    """A block of code, whatever fences are in it."""
    return f"``````{language}\n{text.rstrip()}\n``````\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
