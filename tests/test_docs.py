"""The documentation: its pages say what the program does, and the site made of them asks nothing of the network."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer

from unmask.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = ROOT / "docs" / "reference" / "cli.md"

HEAD = """# Commands

The output of `--help` for each command. See also [exit codes](exit-codes.md) and [bad input](bad-input.md).
"""


def test_the_commands_are_the_programs_own_words(
    unmask: Callable[..., tuple[int, str, str]], request: pytest.FixtureRequest
) -> None:
    program: Any = typer.main.get_command(app)
    parts = [HEAD]
    for name in ["", *program.commands]:
        code, out, _ = unmask(*name.split(), "--help")
        assert code == 0
        said = "\n".join(line.rstrip() for line in out.strip("\n").splitlines())
        parts.append(f"## {f'unmask {name}'.strip()}\n\n```text\n{said}\n```\n")
    if request.config.getoption("--renew"):
        COMMANDS.write_text("\n".join(parts), encoding="utf-8")
    assert COMMANDS.read_text(encoding="utf-8") == "\n".join(parts)


class Asked(HTMLParser):
    """What a browser that opens a page fetches for it, and whether the page forbids it to go elsewhere."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.forbids = False
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.fetched += [found[name] for name in ("src", "srcset", "poster", "data", "action") if name in found]
        self.fetched += [found["href"]] if tag == "link" else []
        self.forbids |= (
            found.get("http-equiv") == "Content-Security-Policy" and "default-src 'self'" in found["content"]
        )


@pytest.mark.slow
def test_the_site_is_whole_and_asks_nothing_of_the_network(tmp_path: Path) -> None:
    build = tmp_path / "build"
    subprocess.run([sys.executable, ROOT / "scripts/site/pages.py", build], check=True)
    zensical = shutil.which("zensical", path=str(Path(sys.executable).parent))
    assert zensical is not None
    command = [zensical, "build", "--strict", "--clean", "--config-file", str(build / "zensical.toml")]
    subprocess.run(command, check=True, cwd=tmp_path)
    site = build / "site"

    pages = {page.relative_to(site).as_posix(): page for page in site.rglob("*.html")}
    written = {page.relative_to(build / "docs").with_suffix(".html").as_posix() for page in build.glob("docs/**/*.md")}
    assert set(pages) == {*written, "404.html"}
    listed = set(re.findall(r'href="(?:\./)?([^"#]+)', pages["index.html"].read_text(encoding="utf-8")))
    assert [page for page in sorted(written - listed) if page != "index.html" and not page.startswith("source/")] == []

    for page in pages.values():
        asked = Asked(page)
        assert asked.forbids, page
        assert [url for url in asked.fetched if re.match(r"(?i)(https?:)?//", url)] == [], page
    for style in [*site.rglob("*.css"), *site.rglob("*.svg"), *pages.values()]:
        assert not re.search(r"(url\(|@import )\s*[\"']?(https?:)?//", style.read_text(encoding="utf-8")), style

    reference = pages["reference/api.html"].read_text(encoding="utf-8")
    for name in ("unmask.Explainer.explain_many", "unmask.Explanation.toward", "unmask.errors.GateError"):
        assert f'id="{name}"' in reference
