"""What pages of results open with is what their tables say."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FINDINGS: dict[str, Any] = runpy.run_path(str(ROOT / "benchmarks" / "findings.py"))
PAGES = [
    page
    for folder in FINDINGS["FOLDERS"]
    for page in sorted((FINDINGS["RESULTS"] / folder).glob("*.md"))
    if page.stem != "by-length"  # written by its own benchmark, finding and all
]
TABLE = r"""# Something else

## sst2, baseline mask

| method | bert: LO ↓ | bert: \|Delta\| | roberta: LO ↓ |
| :--- | ---: | ---: | ---: |
| grad\_x\_input | **-0.1** | 3 | -0.2 |
| sig | **-0.1** | 4 | **-0.3°** |
| random | 0.0 | 5 | 0.0 |
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_opens_with_what_its_table_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"{FINDINGS['opening'](page.stem, text)}\n\n")


def test_a_finding_is_counted_in_the_first_table() -> None:
    assert FINDINGS["opening"]("corrected-sst2", TABLE) == (
        "# SST-2, protocol corrected: two models, two methods\n\n"
        "**With words removed, sig is best in 2 of 2 columns, grad_x_input in 1 (a tie counts for each method).**"
    )


def test_a_page_is_opened_anew(tmp_path: Path) -> None:
    page = tmp_path / "corrected-sst2.md"
    page.write_text(TABLE, encoding="utf-8")
    for _ in range(2):
        FINDINGS["open_with_finding"](page)
        made = page.read_text(encoding="utf-8")
        assert made == f"{FINDINGS['opening']('corrected-sst2', TABLE)}\n\n{TABLE.partition(chr(10) * 2)[2]}"


def test_faithfulness_by_length_opens_with_what_its_table_says() -> None:
    page = (FINDINGS["RESULTS"] / "faithfulness" / "by-length.md").read_text(encoding="utf-8")
    finding = " ".join(page.split("\n\n")[1].split())
    section = page.partition("## Ahead of SIG and behind")[2].partition("\n## ")[0]
    header, _, *rows = (line.strip("| ").split(" | ") for line in section.split("\n") if line.startswith("|"))
    table = {row[0].replace("\\", ""): dict(zip(header, row, strict=True)) for row in rows}
    named = ("recursive_sig", "two_sided", "shapley")
    first, *others = (table[name]["remove: log-odds"].partition(" / ")[0] for name in named)
    listed = " and ".join(f"{name} on {count}" for name, count in zip(named[1:], others, strict=True))
    assert f"By log-odds with words removed, recursive_sig is clearly ahead of SIG on {first} of " in finding
    assert f", {listed}. Measured by sufficiency, " in finding
    clear = sum(int(part) for name in named for part in table[name]["remove: suff."].split(" / "))
    assert ("Measured by sufficiency, none of the" in finding) == (clear == 0)
