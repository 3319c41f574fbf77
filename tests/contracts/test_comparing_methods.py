"""Any two methods can stand in one comparison, whichever is first, in every form."""

import pytest
from support import tiny

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import METHODS
from unmask.render import formats
from unmask.render.comparison_view import view_comparison
from unmask.render.theme import Theme

TEXT = "a gripping film"
QUICK = {"ig": "ig:steps=4", "gradient_shap": "gradient_shap:samples=4", "dig": "dig:steps=3,neighbors=5"}
QUICK |= {"sdig": "sdig:steps=3,neighbors=5", "sig_path": "sig_path:steps=4"}


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return tiny.explainer("bert")


@pytest.mark.parametrize("first", METHODS)
def test_every_method_can_be_first(explainer: Explainer, first: str) -> None:
    second = "sig" if first != "sig" else "ig:steps=4"
    found = explainer.compare(TEXT, methods=[QUICK.get(first, first), second])
    for form in ("html", "svg", "markdown", "latex"):
        assert formats.render(found, form, formats.FORMATS[form].theme())
    assert formats.printable(found, Theme())


def test_all_methods_stand_in_one_picture_with_their_baseline_and_errors(explainer: Explainer) -> None:
    found = view_comparison(explainer.compare(TEXT, methods=[QUICK.get(name, name) for name in METHODS]))
    assert {row.view.facts["baseline"] for row in found.rows} == {"mask [MASK]"}
    assert "baseline mask [MASK]" in found.legend("shades")[-1]
    errors = {row.name: row.errors for row in found.rows}
    assert [line.partition(" ")[0] for line in errors["sig_path:steps=4"]] == ["residuals"]
    assert [line.partition(" ")[0] for line in errors["ig:steps=4"]] == ["sum"]
    assert errors["shapley"][0] == "exact"
    assert errors["sig"] == []


def test_one_value_is_no_list_of_letters(explainer: Explainer) -> None:
    assert explainer.compare(TEXT, methods="sig,random").names == ("sig", "random")
    with pytest.raises(ArgumentError, match="there is nothing to compare"):
        explainer.compare(TEXT, units="word")
    with pytest.raises(ArgumentError, match="give methods or method, not both"):
        explainer.compare(TEXT, methods=["sig", "ig"], method="sig")
