"""Methods with their settings, as they are written on the command line and in tables."""

import pytest

from unmask.errors import ArgumentError
from unmask.methods import IG, SIG, GradientShap, Random, Shapley, SIGPath, method_named
from unmask.methods.spelling import read, spelled
from unmask.methods.table import made
from unmask.probes import Method

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
    assert method_named(text) == method
    assert spelled(method) == text


def test_several_methods_stand_behind_each_other() -> None:
    found = [made(one) for one in read("ig:steps=250, sig_path:steps=10 ,sig,ig:steps=20,rule=trapezoid")]
    assert found == [IG(steps=250), SIGPath(steps=10), SIG(), IG(steps=20, rule="trapezoid")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ig:stepps=5", "unknown ig setting 'stepps'; did you mean 'steps'"),
        ("sig:steps=5", "method 'sig' has no settings"),
        ("ig:steps", "'steps' is no setting"),
        ("ig:", "is no setting"),
        ("steps=5", "is a setting; write METHOD:steps=5"),
        ("", "no method was named"),
        ("ig,sig", "spells 2 methods where one was expected"),
        ("ig:steps=many", "steps='many'"),
        ("ig:rule=simpson", "unknown rule 'simpson'"),
        ("sig_path:keep=all", "unknown keep 'all'"),
        ("sig_path:path=curve", "in Python only"),
        ("gradient_shap:draws=5", "in Python only"),
        ("gradient_shap:pool=all", "unknown pool 'all'"),
        ("gradient_shap:noise=-1", "noise=-1"),
        ("sig_path:tolerance=0", "tolerance=0"),
        ("sig_path:rule=trapezoid", "a rule is for fixed steps"),
        ("ig:steps=none,rule=trapezoid", "a rule is for fixed steps"),
        ("ig:steps=7,steps_per_token=10", "give one of them"),
        ("random:seed=-1", "seed=-1"),
    ],
)
def test_what_is_no_spelling_is_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        method_named(text)
