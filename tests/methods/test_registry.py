"""Methods by name."""

import pickle
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner

from unmask import Explainer
from unmask.cli.app import app
from unmask.errors import ArgumentError
from unmask.methods import METHODS, SIG, Cost, Method, resolve_method
from unmask.methods.registry import method_class
from unmask.methods.spec import format_spec
from unmask.models.formula import FormulaModel
from unmask.questions import Asking, Instance, Perturbation, Scores, ask_outputs


@dataclass(frozen=True)
class Drawing(Method):
    """A method that draws."""

    name: ClassVar[str] = "drawing"
    seed: int = 0

    def ask(self, instance: Instance) -> Asking:
        yield from ask_outputs([Perturbation()])
        return Scores(instance.whole)


@dataclass(frozen=True, slots=True)
class Plain:
    """A method as it could be written before there was a base class."""

    name: ClassVar[str] = "plain"
    is_signed: ClassVar[bool] = False
    samples: int = 3

    def ask(self, instance: Instance) -> Asking:
        yield from ask_outputs([Perturbation()])
        return Scores(instance.whole.new_zeros(len(instance.units)))


@pytest.mark.parametrize("name", METHODS)
def test_every_name_is_its_methods_own(name: str) -> None:
    found = method_class(name)
    assert found().name == name
    assert found.__doc__
    assert found.passes
    assert found.summary.startswith("Score = ")  # a definition
    assert found.summary.endswith(".")
    fields = {field for _, field, _, _ in Formatter().parse(found.summary) if field is not None}
    assert fields <= {"quantity", "scale", "unit", "baseline"}
    assert found().cost(7, 9) == found().cost(7, 9)


@pytest.mark.parametrize("name", METHODS)
def test_a_longer_text_costs_no_less(name: str) -> None:
    short, long = (method_class(name)().cost(units, 2 * units) for units in (3, 30))
    assert 0 <= short.forward <= long.forward
    assert 0 <= short.backward <= long.backward


def test_a_plain_class_gets_the_defaults() -> None:
    plain: Any = Plain()
    found = resolve_method(plain)
    assert isinstance(found, Method)
    assert resolve_method(found) is found
    assert pickle.loads(pickle.dumps(found)) == found
    assert not isinstance(plain, Method)  # its class is left as it was
    assert not hasattr(Plain, "uses_baseline")
    assert format_spec(resolve_method(Plain(samples=5))) == "plain:samples=5"  # type: ignore[arg-type]
    assert (found.uses_baseline, found.is_signed, found.exact, found.refines) == (True, False, False, False)
    assert found.cost(5, 9) == Cost(backward=1)
    assert found.steps_label == "3 samples"
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))
    explanation = explainer.explain("good film", method=plain)
    assert explanation.method.settings == {"samples": 3}
    assert "attribution to the log-odds of" in explanation.to_html()


def test_a_plain_class_in_the_registry_is_listed_and_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "plain", f"{__name__}:Plain")
    assert resolve_method("plain:samples=5").steps_label == "5 samples"
    assert "passes: not stated · approximate · needs outputs" in CliRunner().invoke(app, ["methods"]).output


def test_aliases_and_objects() -> None:
    assert resolve_method("sequential_integrated_gradients") == SIG()
    mine = Drawing()
    assert resolve_method(mine) is mine


def test_a_seed_reaches_those_that_draw() -> None:
    assert resolve_method(Drawing(), seed=7) == Drawing(seed=7)
    assert resolve_method("sig", seed=7) == SIG()


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(ArgumentError, match="unknown method 'sgi'; did you mean 'sig'"):
        resolve_method("sgi")
    with pytest.raises(ArgumentError, match="neither a name nor a method object"):
        resolve_method(SIG)  # type: ignore[arg-type]


def test_case_does_not_matter() -> None:
    assert resolve_method("IG:steps=7") == resolve_method("ig:steps=7")
    assert resolve_method("Integrated_Gradients") == resolve_method("ig")
