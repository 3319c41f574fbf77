"""Methods with their settings, as they are written on the command line and in tables."""

from typing import Any

import pytest

from unmask.errors import ArgumentError
from unmask.methods import IG, SIG, GradientShap, Method, Random, Shapley, SIGPath, resolve_method
from unmask.methods.gradient_shap import Draws
from unmask.methods.registry import make_method, resolve_methods
from unmask.methods.spec import format_spec, parse_specs

CASES: list[tuple[str, Method]] = [
    ("sig", SIG()),
    ("ig", IG()),
    ("ig:steps=250", IG(steps=250)),
    ("ig:steps=none", IG(steps=None)),
    ("ig:steps=20,rule=trapezoid", IG(steps=20, rule="trapezoid")),
    ("ig:steps_per_token=10", IG(steps_per_token=10)),
    ("sig_path:tolerance=0.001,keep=tokens", SIGPath(tolerance=0.001, keep="tokens")),
    ("gradient_shap:samples=5,noise=0.1,seed=3", GradientShap(samples=5, noise=0.1, seed=3)),
    ("shapley:permutations=32", Shapley(permutations=32)),
    ("random:seed=7", Random(seed=7)),
]


@pytest.mark.parametrize(("text", "method"), CASES)
def test_a_spelling_is_read_and_written(text: str, method: Method) -> None:
    assert resolve_method(text) == method
    assert format_spec(method) == text


def test_several_methods_stand_behind_each_other() -> None:
    found = [make_method(one) for one in parse_specs("ig:steps=250, sig_path:steps=10 ,sig,ig:steps=20,rule=trapezoid")]
    assert found == [IG(steps=250), SIGPath(steps=10), SIG(), IG(steps=20, rule="trapezoid")]


def test_a_number_that_python_does_not_read_is_called_too_long() -> None:
    with pytest.raises(ArgumentError, match=r"^a number of 5,000 digits is too long: '9{50,60}\.\.\.$"):
        resolve_method("ig:steps=" + "9" * 5_000)


def test_a_seed_that_is_spelled_stays() -> None:
    assert resolve_method("random:seed=3", seed=5) == Random(seed=3)
    assert resolve_methods(["random:seed=3,random,sig"], seed=5) == [Random(seed=3), Random(seed=5), SIG()]


def test_steps_for_each_token_take_the_place_of_steps() -> None:
    assert IG(steps=None, steps_per_token=10).refines is False
    assert IG(steps=None).refines


@pytest.mark.parametrize(
    ("draws", "settings", "message"),
    [
        (Draws([]), {}, "draws has 0 alphas"),
        (Draws([0.1, 0.2], from_text=[True]), {}, "give one per sample"),
        (Draws([0.1, 0.2]), {"noise": 0.1}, "draws replaces samples, noise, seed and pool"),
        (Draws([0.1, 0.2]), {"samples": 7}, "draws replaces samples, noise, seed and pool"),
    ],
)
def test_given_draws_must_fit(draws: Draws, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        GradientShap(draws=draws, **settings)
    assert GradientShap(draws=Draws([0.1, 0.2])).samples == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ig:stepps=5", "unknown ig setting 'stepps'; did you mean 'steps'"),
        ("sig:steps=5", "method 'sig' has no settings"),
        ("ig:steps", "'steps' is not a setting"),
        ("ig:", "is not a setting"),
        ("steps=5", "is a setting; write METHOD:steps=5"),
        ("", "no method given"),
        ("ig,sig", "names 2 methods; expected one"),
        ("ig:steps=many", "steps='many'"),
        ("ig:rule=simpson", "unknown rule 'simpson'"),
        ("sig_path:keep=all", "unknown keep 'all'"),
        ("sig_path:path=curve", "path must be a Python function"),
        ("gradient_shap:draws=5", "only Python code can pass"),
        ("gradient_shap:pool=all", "unknown pool 'all'"),
        ("gradient_shap:noise=-1", "noise=-1"),
        ("sig_path:tolerance=0", "tolerance=0"),
        ("sig_path:rule=trapezoid", "rule applies only to fixed steps"),
        ("ig:steps=none,rule=trapezoid", "rule applies only to fixed steps"),
        ("ig:steps=7,steps_per_token=10", "not both"),
        ("random:seed=-1", "seed=-1"),
        ("ig:steps=0", "steps=0"),
        ("ig:steps=3,steps=4", "duplicate setting 'steps' of ig"),
    ],
)
def test_what_is_no_spelling_is_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        resolve_method(text)
