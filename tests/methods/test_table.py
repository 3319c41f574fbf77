"""Methods by name."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from unmask.errors import ArgumentError
from unmask.methods import METHODS, SIG, method_named
from unmask.methods.table import method_class
from unmask.probes import Asking, Case, Probe, Scores, outputs


@dataclass(frozen=True)
class Drawing:
    """A method that draws."""

    name: ClassVar[str] = "drawing"
    seed: int = 0

    def ask(self, case: Case) -> Asking:
        yield from outputs([Probe()])
        return Scores(case.whole)


@pytest.mark.parametrize("name", METHODS)
def test_every_name_is_its_methods_own(name: str) -> None:
    found = method_class(name)
    assert found().name == name
    assert found.__doc__
    assert found.passes
    assert isinstance(found.exact, bool)


def test_aliases_and_objects() -> None:
    assert method_named("sequential_integrated_gradients") == SIG()
    mine = Drawing()
    assert method_named(mine) is mine


def test_a_seed_reaches_those_that_draw() -> None:
    assert method_named(Drawing(), seed=7) == Drawing(seed=7)
    assert method_named("sig", seed=7) == SIG()


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(ArgumentError, match="unknown method 'sgi'; did you mean 'sig'"):
        method_named("sgi")
    with pytest.raises(ArgumentError, match="neither a name nor a method object"):
        method_named(SIG)  # type: ignore[arg-type]
