"""The served page for regressions and several labels: the prediction moves at a click, before the model answers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect
from support.served_page import Visit, now, serving, unit
from torch import Tensor

from unmask.attribution.session import ModelSession
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

TEXT = "a mild and rude film"
WEIGHTS = {"mild": [1.0, -1.5], "rude": [2.0, 3.0]}


def totals(vectors: Tensor, attention: Tensor) -> Tensor:
    return (vectors * attention.unsqueeze(-1)).sum(1) + 0.5


def session(head: Head) -> ModelSession:
    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        return totals(vectors, attention)[:, : len(head.labels)]

    return ModelSession(FormulaModel(WEIGHTS, formula, head=head, name="totals"))


@contextmanager
def silent(browser: Browser, head: Head) -> Iterator[Page]:
    """A page whose clicks the model never answers."""
    with serving(totals=session(head)) as served:
        page = Visit(browser, served)(TEXT)
        page.route("**/api/predict", lambda route: None)
        yield page
        page.context.close()


HEADS: dict[str, tuple[Head, Callable[[str], str]]] = {
    "regression": (Head(("value",), "none"), {"": "value 3.500", "rude": "value 1.500"}.__getitem__),
    "several labels": (Head(("toxic", "insult"), "sigmoid"), {"": "toxic, insult", "rude": "toxic"}.__getitem__),
}


@pytest.mark.parametrize("kind", HEADS)
def test_the_headline_moves_by_the_known_score(browser: Browser, kind: str) -> None:
    head, expected = HEADS[kind]
    with silent(browser, head) as page:
        headline = page.locator(".um-headline span")
        expect(headline).to_have_text(expected(""))
        unit(page, "rude").click()
        expect(headline).to_have_text(expected("rude"))


def test_a_value_is_shown_and_settles_on_the_models_own(browser: Browser) -> None:
    with serving(totals=session(Head(("value",), "none"))) as served:
        visit = Visit(browser, served)
        page = visit(TEXT)
        for word in ("rude", "mild"):
            unit(page, word).click()
        expect(now(page)).to_have_text('Without "mild" and "rude": value 0.5000.')
        expect(page.locator(".um-shares .um-number")).to_have_text("0.5000")
        expect(page.locator(".um-shares .um-was")).to_have_text("was 3.500")
        expect(page.locator(".um-shares .um-ghost")).to_have_attribute("x", "100.00%")
        assert page.locator(".um-shares rect").first.get_attribute("width") == f"{100 * 0.5 / 3.5:.2f}%"
        expect(page.locator(".um-joint .um-more")).to_have_text("Drop of the value. Together as much as one by one.")
        page.context.close()
        assert visit.complaints == []
