"""The pages, exactly; most without style and script, which are the same. Renew: scripts/test tests/golden --renew."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from support.deciding import DECIDED
from support.explanations import cases, compared, compared_units, items
from support.written_answers import answers

from unmask.render.html import collection, fragment, page
from unmask.render.theme import Theme

HERE = Path(__file__).parent
DRAWN: dict[str, Callable[[], str]] = {
    **{name: partial(page, found, Theme()) for name, found in cases().items()},
    **{name: partial(page, found, Theme()) for name, found in answers().items()},
    "answer-fragment": lambda: fragment(answers()["answer"], Theme()),
    "answer-collection": lambda: collection([(1, answers()["answer"]), (2, answers()["answer-contrast"])], Theme()),
    "decided": lambda: page(DECIDED, Theme()),
    "paper": lambda: page(cases()["short"], Theme(style="paper")),
    "red-green": lambda: page(cases()["short"], Theme("red-green")),
    "fragment": lambda: fragment(cases()["short"], Theme()),
    "collection": lambda: collection(items(), Theme(), title="reviews.txt"),
    "collection-paper": lambda: collection(items(), Theme(style="paper")),
    "comparison": lambda: page(compared(), Theme()),
    "comparison-units": lambda: page(compared_units(), Theme()),
    "comparison-paper": lambda: page(compared(), Theme(style="paper")),
}
WHOLE = ("short", "red-green")


@pytest.mark.parametrize("name", DRAWN)
def test_pages(name: str, request: pytest.FixtureRequest) -> None:
    found = DRAWN[name]()
    if name not in WHOLE:
        found = re.sub(r"<script>.*?</script>", "<script></script>", found, flags=re.DOTALL)
        found = re.sub(r"<style>.*?</style>", "<style></style>", found, flags=re.DOTALL)
        found = re.sub(r"'sha256-[^']*'", "'sha256-'", found)
    path = HERE / "html" / f"{name}.html"
    if request.config.getoption("--renew"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    assert found == path.read_text(encoding="utf-8")
