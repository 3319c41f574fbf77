"""Two-sided scores against their definition, Shapley values and the plain model on altered ids."""

from itertools import combinations

import numpy as np
import pytest
import torch
from support import slow_reference, tiny
from support.formula_models import explainer as formula_explainer
from support.formula_models import interacting_words

from unmask import Explainer, Explanation
from unmask.methods import Shapley, TwoSided
from unmask.models.formula import FormulaModel


@pytest.mark.parametrize("units", [1, 2, 5, 9])
def test_scores_are_their_definition(units: int) -> None:
    explainer, text, worth = interacting_words(units)
    found = explainer.explain(text, method=TwoSided())
    everything = set(range(units))
    lost = [worth(everything) - worth(everything - {unit}) for unit in range(units)]
    added = [worth({unit}) - worth(()) for unit in range(units)]
    assert found.scores == pytest.approx(np.add(lost, added) / 2, abs=1e-12)
    assert found.redundancy == pytest.approx(np.subtract(added, lost) / 2, abs=1e-12)
    assert found.passes.forward == {1: 2, 2: 4}.get(units, 2 * units + 2)


def test_they_are_shapley_values_where_only_pairs_interact() -> None:
    draw = np.random.default_rng(0)
    words = {letter: draw.normal(size=3).tolist() for letter in "abcdef"}

    def formula(vectors: torch.Tensor) -> torch.Tensor:  # a quadratic form of a sum: single words and pairs
        total = vectors.sum(1)
        return total[:, 0] * total[:, 1] + total[:, 2]

    explainer = formula_explainer(words, formula)
    found, exact = (explainer.explain("a b c d e f", method=method) for method in (TwoSided(), Shapley()))
    assert found.scores == pytest.approx(exact.scores, abs=1e-12)
    assert max(map(abs, found.redundancy or ())) > 0.1


def test_redundancy_is_positive_for_words_that_cover_for_each_other_and_negative_for_those_that_need_each_other() -> (
    None
):
    words = {"fine": [1.0, 0.0], "good": [1.0, 0.0], "not": [0.0, 1.0], "bad": [0.0, 1.0]}

    def either(vectors: torch.Tensor) -> torch.Tensor:
        return vectors[..., 0].sum(1).clamp(max=1)

    def both(vectors: torch.Tensor) -> torch.Tensor:
        return (vectors[..., 1].sum(1) == 2).double()

    assert formula_explainer(words, either).explain("fine good", method="two_sided").redundancy == (0.5, 0.5)
    assert formula_explainer(words, both).explain("not bad", method="two_sided").redundancy == (-0.5, -0.5)


def test_every_output_target_and_scale_comes_with_the_same_passes() -> None:
    explainer = tiny.explainer("bert")
    found = explainer.explain(tiny.TEXTS[0], method="two_sided", target=0)
    for target, scale in ((1, "log_odds"), (2, "probability"), (0, "logit")):
        again = explainer.explain(tiny.TEXTS[0], method="two_sided", target=target, scale=scale)
        seen = found.toward(target, scale=scale)
        assert seen.scores == pytest.approx(again.scores, abs=1e-12)
        assert seen.redundancy == pytest.approx(again.redundancy, abs=1e-12)
        assert again.scores_by_output is not None
        assert again.scores_by_output[:, target] == pytest.approx(again.scores, abs=1e-12)
    assert Explanation.from_dict(found.to_dict()) == found


def test_the_interaction_is_that_of_masking_one_unit_at_a_time() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    text = "good bad good film"
    found, sig = (
        explainer.explain(text, method=name, scale="probability").interaction for name in ("two_sided", "sig")
    )
    assert found is not None
    assert sig is not None
    assert (found.kind, found.sentence) == (sig.kind, sig.sentence)
    assert found.net == pytest.approx(sig.net)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
def test_scores_are_those_of_the_plain_model_on_altered_ids(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    text = tiny.TEXTS[1]
    found = explainer.explain(text, method="two_sided", target=1, scale="logit")
    units, ids = slow_reference.places(explainer.tokenizer, text, "word")
    mask = explainer.tokenizer.convert_tokens_to_ids(found.baseline_token)

    def logit(masked: set[int]) -> float:
        tokens = {token for unit in masked for token in units[unit]}
        return float(slow_reference.outputs(explainer.model, slow_reference.without(ids, sorted(tokens), mask))[1])

    everything = set(range(len(units)))
    lost = [logit(set()) - logit({unit}) for unit in everything]
    added = [logit(everything - {unit}) - logit(everything) for unit in everything]
    assert len({*found.scores}) > 1
    assert found.scores == pytest.approx(np.add(lost, added) / 2, abs=1e-9)
    assert found.redundancy == pytest.approx(np.subtract(added, lost) / 2, abs=1e-9)


def test_two_units_share_what_both_of_them_are_worth() -> None:
    """With two units, leave-one-in of one is leave-one-out of the other's loss: the scores add up."""
    explainer, text, worth = interacting_words(2)
    found = explainer.explain(text, method="two_sided")
    assert sum(found.scores) == pytest.approx(worth({0, 1}) - worth(()), abs=1e-12)
    assert all(one != other for one, other in combinations(found.scores, 2))
