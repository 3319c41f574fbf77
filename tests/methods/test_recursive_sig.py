"""Recursive SIG against a slow reference written from its definition, and the plain model on altered ids."""

import math
from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np
import pytest
import torch
from support import slow_reference, tiny
from support.formula_models import explainer as formula_explainer
from support.formula_models import interacting_words

from unmask.errors import ArgumentError, TextError
from unmask.methods import RecursiveSIG, resolve_method
from unmask.methods.spec import format_spec

Worth = Callable[[Collection[int]], float]  # the value of the text with only these units
SETTINGS = (
    RecursiveSIG(),
    RecursiveSIG(share=0.5),
    RecursiveSIG(share=0.4, pool=1.5, two_sided=False),
    RecursiveSIG(share=0.3, pool=None),
    RecursiveSIG(share=1, pool=1),
)


def ceiling(share: float, count: int) -> int:
    """The share as written: 0.2 of 15 is 3, in floats a little more."""
    return math.ceil(Fraction(str(share)) * count)


def reference(units: int, worth: Worth, method: RecursiveSIG) -> tuple[list[float], list[int]]:
    """Scores and ranking, one text at a time."""
    everything = set(range(units))
    count = ceiling(method.share, units)
    promise = {}
    for unit in everything:
        lost = worth(everything) - worth(everything - {unit})
        added = worth({unit}) - worth(())
        promise[unit] = (lost + added) / 2 if method.two_sided else lost
    size = units if method.pool is None else min(units, ceiling(method.pool, count))
    pool = sorted(everything, key=lambda unit: -promise[unit])[:size]
    chosen: list[int] = []
    scores = [0.0] * units
    while len(chosen) < count:
        left = everything - set(chosen)
        losses = {unit: worth(left) - worth(left - {unit}) for unit in pool if unit not in chosen}
        unit = max(losses, key=lambda one: losses[one])
        scores[unit] = losses[unit]
        chosen.append(unit)
    left = everything - set(chosen)
    for unit in left:
        scores[unit] = worth(left) - worth(left - {unit})
    return scores, chosen + sorted(left, key=lambda unit: -scores[unit])


@pytest.mark.parametrize("method", SETTINGS, ids=format_spec)
@pytest.mark.parametrize("units", [1, 2, 3, 7, 10, 12])
def test_scores_and_ranking_are_their_definition(units: int, method: RecursiveSIG) -> None:
    for seed in range(3):
        explainer, text, worth = interacting_words(units, seed=seed)
        found = explainer.explain(text, method=method)
        scores, ranking = reference(units, worth, method)
        assert found.scores == pytest.approx(scores, abs=1e-12)
        assert found.ranking == tuple(ranking)
        assert [unit.text for unit, _ in found.top(3)] == [text.split()[at] for at in ranking[:3]]


@pytest.mark.parametrize("method", SETTINGS, ids=format_spec)
def test_losses_of_the_chosen_add_up_to_what_masking_all_of_them_costs(method: RecursiveSIG) -> None:
    explainer, text, worth = interacting_words(11)
    found = explainer.explain(text, method=method)
    assert found.ranking is not None
    chosen = found.ranking[: ceiling(method.share, 11)]
    expected = worth(range(11)) - worth(set(range(11)) - set(chosen))
    assert sum(found.scores[unit] for unit in chosen) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", SETTINGS, ids=format_spec)
@pytest.mark.parametrize("units", [5, 8, 13])
def test_passes_are_counted_and_known_in_advance(units: int, method: RecursiveSIG) -> None:
    explainer, text, _ = interacting_words(units)
    found = explainer.explain(text, method=method)
    count, pool = ceiling(method.share, units), units
    if method.pool is not None:
        pool = min(units, ceiling(method.pool, count))
    alone = units if method.two_sided and pool < units else 0
    rows = 2 + units + alone + sum(pool - step for step in range(1, count)) + units - count
    known = units - count == 1 or (count == units and units > 1)  # all units masked, which is run anyway
    assert found.passes.forward == rows - known
    assert method.cost(units, units).forward == rows - 2
    assert explainer.estimate([text], method=method).passes == found.passes.forward


def test_words_that_cover_for_each_other_both_come_first() -> None:
    words = {"fine": [1.0, 0.0], "good": [1.0, 0.0], "long": [0.0, 0.3], "film": [0.0, 0.0], "today": [0.0, 0.0]}

    def formula(vectors: torch.Tensor) -> torch.Tensor:
        return vectors[..., 0].sum(1).clamp(max=1) + vectors[..., 1].sum(1)

    explainer = formula_explainer(words, formula)
    text = "long fine good film today"
    assert explainer.explain(text).scores == pytest.approx((0.3, 0, 0, 0, 0))
    found = explainer.explain(text, method=RecursiveSIG(share=0.6, pool=None))
    assert found.ranking is not None
    assert set(found.ranking[:3]) == {0, 1, 2}
    assert sum(found.scores) == pytest.approx(found.together) == 1.3


def test_the_ranking_is_the_order_of_removal_even_where_a_later_loss_is_larger() -> None:
    words = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.0, 0.0], "d": [0.0, 0.0], "e": [0.0, 0.0]}

    def formula(vectors: torch.Tensor) -> torch.Tensor:
        first, second = vectors[..., 0].sum(1), vectors[..., 1].sum(1)
        return 0.1 * first + torch.maximum(first, second)

    found = formula_explainer(words, formula).explain("e d c b a", method=RecursiveSIG(share=0.4, pool=None))
    assert found.ranking is not None
    assert found.ranking[:2] == (4, 3)
    assert (found.scores[4], found.scores[3]) == pytest.approx((0.1, 1.0))
    assert [unit.text for unit, _ in found.top(2)] == ["a", "b"]


@pytest.mark.parametrize("operator", ["baseline", "remove"])
@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
def test_scores_are_those_of_the_plain_model_on_altered_ids(architecture: str, operator: str) -> None:
    explainer = tiny.explainer(architecture)
    text = tiny.TEXTS[1]
    units, ids = slow_reference.places(explainer.tokenizer, text, "word")
    method = resolve_method(f"recursive_sig:share=0.3,pool=1.5,operator={operator}")
    assert isinstance(method, RecursiveSIG)
    found = explainer.explain(text, method=method, target=1, scale="logit")
    mask = explainer.tokenizer.convert_tokens_to_ids(found.baseline_token)

    def worth(present: Collection[int]) -> float:
        gone = {token for unit, tokens in enumerate(units) if unit not in present for token in tokens}
        if operator == "baseline":
            return float(slow_reference.outputs(explainer.model, slow_reference.without(ids, sorted(gone), mask))[1])
        kept = [token for place, token in enumerate(ids) if place not in gone]
        return float(slow_reference.outputs(explainer.model, kept)[1]) if kept else 0.0

    scores, ranking = reference(len(units), worth, method)
    assert len(units) > 4
    assert found.scores == pytest.approx(scores, abs=1e-9)
    assert found.ranking == tuple(ranking)
    assert found.method.uses_baseline == (operator == "baseline")
    assert found.method.operator == (None if operator == "baseline" else "remove")


def test_removing_everything_a_model_reads_is_refused() -> None:
    explainer = tiny.explainer("gpt2")  # adds no special tokens
    with pytest.raises(TextError, match="recursive_sig cannot remove all units: nothing would be left to read"):
        explainer.explain("good film", method="recursive_sig:operator=remove")
    assert explainer.explain("good film", method="recursive_sig").ranking is not None


def test_settings_are_written_as_they_are_read() -> None:
    written = "recursive_sig:operator=remove,share=0.5,pool=none,two_sided=false"
    method = resolve_method(written)
    assert method == RecursiveSIG(share=0.5, pool=None, two_sided=False, operator="remove")
    assert format_spec(method) == written


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("share=0", "share=0: expected a number above 0"),
        ("share=1.5", "share=1.5: expected a number above 0 and at most 1"),
        ("pool=0.5", "pool=0.5: expected a number of at least 1, or none"),
        ("two_sided=2", "two_sided=2: expected true or false"),
        ("operator=mask", "unknown operator 'mask'"),
    ],
)
def test_settings_out_of_range_are_refused(settings: str, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        resolve_method(f"recursive_sig:{settings}")


def test_other_targets_need_new_passes() -> None:
    """The order of removal belongs to one target."""
    explainer = tiny.explainer("bert")
    found = explainer.explain(tiny.TEXTS[0], method="recursive_sig", target=0)
    assert found.scores_by_output is None
    with pytest.raises(ArgumentError, match="only gives scores for its own target"):
        found.toward(1)
    assert np.isfinite(found.scores).all()
