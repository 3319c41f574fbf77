"""Methods by name."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from unmask.errors import ArgumentError
from unmask.methods import METHODS, SIG, resolve_method
from unmask.methods.registry import method_class
from unmask.questions import Asking, Instance, Perturbation, Scores, ask_outputs


@dataclass(frozen=True)
class Drawing:
    """A method that draws."""

    name: ClassVar[str] = "drawing"
    seed: int = 0

    def ask(self, instance: Instance) -> Asking:
        yield from ask_outputs([Perturbation()])
        return Scores(instance.whole)


@pytest.mark.parametrize("name", METHODS)
def test_every_name_is_its_methods_own(name: str) -> None:
    found = method_class(name)
    assert found().name == name
    assert found.__doc__
    assert found.passes
    assert isinstance(found.exact, bool)


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
