"""The table of docs/security.md: how many attacks of each kind there are. Renew with --renew."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "security.md"
PLACE = re.compile(r"(?<=<!-- counts -->\n).*(?=<!-- end -->)", re.DOTALL)
HEAD = "| kind | cases |\n|---|---|\n"


def counted() -> dict[str, int]:
    """Cases by file."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n0", "-p", "no:cacheprovider", str(HERE)]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=HERE.parents[1]).stdout
    return {name: int(count) for name, count in re.findall(r"tests/attacks/(test_\w+)\.py: (\d+)", listed)}


def table() -> str:
    counts = counted()
    counts.pop(Path(__file__).stem)
    rows = [f"| `{name}.py`: {first_sentence(name)} | {count:,} |\n" for name, count in sorted(counts.items())]
    return f"\n{HEAD}{''.join(rows)}| all | {sum(counts.values()):,} |\n\n"


def first_sentence(name: str) -> str:
    """What a file attacks: its docstring up to the colon."""
    said = (HERE / f"{name}.py").read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0]
    return said.split("\n\n")[0].partition(":")[0].replace("\n", " ").strip(". ").lower()


@pytest.mark.slow  # collects all of them in a process of its own
def test_the_page_counts_every_attack(request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    expected = PLACE.sub(lambda _: table(), page)
    if request.config.getoption("--renew"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected
