"""Sets that no single unit points to: only some combination of units changes the label."""

from itertools import combinations

import numpy as np
import pytest
import torch
from support.value_tables import Table, instance, search, search_function, smallest
from torch import Tensor

from unmask import Explainer
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

HEAD = Head(("a", "b"))
UNMOVED = "the answer stays the same when every word is masked, so it does not depend on the words"


def one_flip(count: int, flipping: tuple[int, ...]) -> tuple[Explainer, str]:
    """A text whose label changes if exactly these words are masked."""
    words = {f"word{at}": [float(at == other) for other in range(count)] for at in range(count)}
    shown = torch.tensor([float(at not in flipping) for at in range(count)])

    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        is_flipped = ((vectors * attention[..., None]).sum(1) - shown).abs().sum(-1) < 0.5
        margin = 1.0 - 2.0 * is_flipped.double()
        return torch.stack([-margin, margin], -1)

    return Explainer.from_adapter(FormulaModel(words, formula)), " ".join(words)


def hidden_table(seed: int, *, units: int = 6) -> Table:
    """Outputs of a small random network on the units that are shown."""
    draw = np.random.default_rng(seed)
    vectors, first, second = draw.normal(size=(units, 6)), draw.normal(size=(6, 8)), draw.normal(size=(8, 2))
    shown = 1.0 - (np.arange(2**units)[:, None] >> np.arange(units) & 1)  # [rows, units]
    return np.asarray(np.tanh(shown @ vectors @ first + draw.normal(size=8)) @ second + 2 * draw.normal(size=2))


@pytest.mark.parametrize("flipping", list(combinations(range(4), 2)))
def test_a_pair_that_alone_changes_the_label_is_found(flipping: tuple[int, ...]) -> None:
    explainer, text = one_flip(4, flipping)
    for settings in ({}, {"sets": 1000}, {"method": "shapley:permutations=100", "sets": 1000}):
        found = explainer.explain(text, **settings)
        assert found.sets is not None
        assert found.sets.necessary is not None
        assert (set(found.sets.necessary.units), found.sets.necessary.question) == (set(flipping), "label")
        assert found.sets.necessary.is_smallest
        assert found.sets_note is None


def test_rows_that_the_method_has_run_are_searched_first() -> None:
    explainer, text = one_flip(6, (1, 3, 4))
    found = explainer.explain(text, method="shapley:permutations=2000", sets=1)
    assert found.sets is not None
    assert found.sets.necessary is not None
    assert set(found.sets.necessary.units) == {1, 3, 4}
    assert found.sets.passes.forward == 0


def test_an_answer_is_not_said_to_ignore_the_words_unless_every_set_was_tried() -> None:
    explainer, text = one_flip(6, (2, 4, 5))
    found = explainer.explain(text)
    assert found.sets_note is not None
    assert found.sets_note.endswith("other sets of words that were tried; to search further, raise sets")
    assert search_function(6, lambda masked: np.array([0.0, 1.0]), head=HEAD, budget=1000).note == UNMOVED


@pytest.mark.parametrize("count", [4, 6, 8])
@pytest.mark.parametrize("budget", [None, 12, 40, 1000])
def test_a_flip_is_found_or_the_note_says_that_it_may_exist(count: int, budget: int | None) -> None:
    for flipping in combinations(range(count), count // 2):

        def outputs(masked: tuple[int, ...], flipping: tuple[int, ...] = flipping) -> Table:
            return np.array([0.0, -1.0 if masked == flipping else 1.0])

        found = search_function(count, outputs, head=HEAD, budget=budget)
        assert found.rows <= (3 * count if budget is None else budget)
        if found.sets.necessary is None:
            assert found.note is not None
            assert found.note.endswith("to search further, raise sets")
            assert budget != 1000
        else:
            assert set(found.sets.necessary.units) == set(flipping)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("count", [7, 8, 9])
def test_no_budget_is_exceeded_where_several_sets_flip(count: int, size: int) -> None:
    draw, every = np.random.default_rng(count * size), list(combinations(range(count), size))
    for budget in (count, 3 * count, 50, 65, 76, 99, 12 * count):
        flipping = {every[at] for at in draw.choice(len(every), 3)}

        def outputs(masked: tuple[int, ...], flipping: set[tuple[int, ...]] = flipping) -> Table:
            return np.array([0.0, -1.0 if masked in flipping else 1.0])

        found = search_function(count, outputs, head=HEAD, budget=budget)
        assert found.rows <= budget
        assert found.sets.necessary is None or tuple(sorted(found.sets.necessary.units)) in flipping


def test_with_enough_passes_the_value_is_asked_for_only_if_no_set_changes_the_label() -> None:
    values = 0
    for seed in range(200):
        table = hidden_table(seed)
        text = instance(table, head=HEAD)
        size = smallest(table, "necessary", "label", text)
        one = search(table, head=HEAD, budget=10_000).sets.necessary
        assert one is not None
        assert (one.question, len(one.units)) == ("label", size) or (one.question == "value" and size is None), seed
        values += one.question == "value"
    assert values > 10
