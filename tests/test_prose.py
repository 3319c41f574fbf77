"""The words of the documentation: idiomatic English, links that lead somewhere, a README that stays short."""

import re
from collections import Counter
from pathlib import Path

import pytest

from unmask import Explanation

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(ROOT.glob("docs/**/*.md"))
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")

# Where the phrases below must not occur.
ROOTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    "examples",
    "scripts/embedded_model",
    "src",
)
SUFFIXES = {".md", ".ipynb", ".py", ".toml"}
# Written by a benchmark, or names that must stay.
GENERATED = (
    "src/unmask/compat/renamed.py",  # names of earlier versions
    "docs/results/paper-experiment/",
    "docs/results/faithfulness/",
)
UNWANTED = [
    r"\bso many\b",
    r"left away",
    r"leave (it|them|the \w+) away",
    r"(?<!share )of ours\b",
    r"one's own",
    r"\bof your own\b",
    r"(takes?|taking|taken?) (the |a )?(words?|units?|it|them) (away|out)",
    r"(?<!\")(?<!TABLE )(?<!UPDATE )judg(e|es|ed|ing|ments?)\b",
    r"(is|are|stands?) there twice",
    r"stands? twice",
    r"the same command (again )?goes on",
    r"goes on where it",
    r"\bit is no \w+",
    r"\bis no (store|error|part|file|text) of\b",
    r"\bis (therefore )?no (figure|error|surprise|headline|place|faithfulness|comparison|test)\b",
    r"what it would take",
    r"has no place in",
    r"by what the metrics",
    r"is told who",
    r"for people\b",
    r"for programs\b",
    r"a text of which",
    r"of which the",
    r"all is there",
    r"what is there\b",
    r"models? that (is|are) here",
    r"it says of\b",
    r"says? of (a|the|every|bad|each) ",
    r"speaks? (for|against)",
    r"\bmends?\b",
    r"\bbut for\b",
    r"what is not said",
    r"if it is not said",
    r"must be said",
    r"\bsaid here\b",
    r"\bmoves? as (a whole|one)",
    r"\bnever moves?\b",
    r"\bwithout a word\b",
]


def written(root: str) -> list[Path]:
    """The files below a root that people wrote."""
    place = ROOT / root
    files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.suffix in SUFFIXES)
    return [path for path in files if not path.relative_to(ROOT).as_posix().startswith(GENERATED)]


@pytest.mark.parametrize("root", ROOTS)
def test_unwanted_phrases_do_not_occur(root: str) -> None:
    pattern = re.compile("|".join(UNWANTED), re.IGNORECASE)
    found = []
    for path in written(root):
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))  # a phrase may go over two lines
        found += [
            f"{path.relative_to(ROOT)}: ...{text[max(0, hit.start() - 30) : hit.end() + 30]}..."
            for hit in pattern.finditer(text)
        ]
    assert written(root), f"nothing was read of {root}"
    assert found == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    counts: Counter[str] = Counter()
    found = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
        counts[slug] += 1
    return found


@pytest.mark.parametrize(
    "page", [*PAGES, *ROOT.glob("examples/*.ipynb")], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if ":" in target:
            continue  # another site
        linked = (page.parent / target).resolve() if target else page
        assert linked.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in anchors(linked), f"{page.name} links to {target}#{anchor}"


def test_every_page_of_the_documentation_is_linked() -> None:
    linked = {
        (page.parent / target).resolve()
        for page in PAGES
        for target, _ in LINK.findall(page.read_text(encoding="utf-8"))
        if target and ":" not in target
    }
    pages = {page.resolve() for page in PAGES if page.is_relative_to(ROOT / "docs") and page.parent.name != "decisions"}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - linked - {ROOT / "docs" / "index.md"}) == []


def test_the_readme_is_short_and_begins_with_what_it_is() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120
    assert lines[2].strip("*.") == (
        "Which words drive a model's prediction: exactly, for every class at once, one forward pass per word"
    )


def test_the_json_page_lists_every_key(embedded_explanation: Explanation) -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    record = embedded_explanation.to_dict()
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.MULTILINE)
    listed = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted([*record, *record["units"][0]])


@pytest.fixture(scope="module")
def embedded_explanation() -> Explanation:
    from unmask import Explainer

    return Explainer.default(device="cpu").explain("Not bad.")
