"""What the sum of scores says against `together`."""

import pytest
import torch

from unmask import Explainer
from unmask.models.formula import FormulaModel
from unmask.results.additivity import interaction
from unmask.tasks.targets import SCALES, Activation, Head


@pytest.mark.parametrize(
    ("scores", "together", "kind"),
    [
        ([0.05, 0.05], 5.5, "redundant"),
        ([-0.05, -0.05], 5.5, "mixed"),  # the sum and together have opposite signs
        ([0.1, 0.1], -4.0, "mixed"),
        ([-0.1, 0.0], -4.0, "redundant"),
        ([4.0, 4.0], 5.0, "synergy"),
        ([-4.0, -4.0], -5.0, "synergy"),
        ([2.0, 3.0], 5.4, "additive"),
        ([2.0, 3.0], 4.6, "additive"),
        ([5.0, -5.0], 0.9, "mixed"),
        ([5.0, -2.5], 9.0, "mixed"),  # the smaller side is half the larger
        ([5.0, -2.4], 9.0, "redundant"),
        ([4.1, -5.9], -1.9, "additive"),  # though it pulls both ways
        ([2.76, 0.0], 1.54, "synergy"),
        ([0.0, 0.0], 0.0, "additive"),
        ([1.0, 1.0], 0.0, "synergy"),
        ([-1.0, -1.0], 0.0, "synergy"),
    ],
)
def test_kinds(scores: list[float], together: float, kind: str) -> None:
    found = interaction(scores, together, unit="word")
    assert found.kind == kind
    assert found.net == pytest.approx(together - sum(scores))


def test_the_border_of_additive_is_a_tenth() -> None:
    assert interaction([9.0, 0.0], 10.0, unit="word").kind == "additive"
    assert interaction([8.99, 0.0], 10.0, unit="word").kind == "redundant"


@pytest.mark.parametrize(
    ("scale", "kind"),
    [("log_odds", "additive"), ("log_probability", "additive"), ("probability", "redundant"), ("value", "redundant")],
)
def test_a_difference_that_is_negligible_on_the_scale_is_none(scale: str, kind: str) -> None:
    assert interaction([0.0, 0.01], 0.05, unit="word", negligible=SCALES[scale].negligible).kind == kind


def test_mixed_evidence_is_told_for_and_against() -> None:
    sentence = interaction([4.1, -5.0, -0.9], 2.0, unit="word").sentence
    assert "for +4.10, against -5.90, together +2.00" in sentence


def test_one_unit_is_all_there_is() -> None:
    assert interaction([2.5], 2.5, unit="word").sentence == "The text is one unit."


def test_the_sentence_names_the_unit_and_both_figures() -> None:
    sentence = interaction([0.2, 0.14], 5.45, unit="token").sentence
    assert sentence.startswith("No single token is decisive; several say the same thing: sum ")
    assert "+0.34" in sentence
    assert "+5.45" in sentence


@pytest.mark.parametrize(("scores", "is_decisive"), [([4.09, 0.9, 0.48, 0.24], False), ([0.4, 0.3], True)])
def test_a_word_that_is_decisive_is_not_denied(scores: list[float], is_decisive: bool) -> None:
    """It carries at least half of the whole effect, or masking it changes the label."""
    found = interaction(scores, 6.53, unit="word", is_one_decisive=is_decisive)
    assert found.kind == "redundant"
    assert found.sentence.startswith("The words are partly redundant: sum ")


def test_a_word_that_is_enough_alone_is_not_denied() -> None:
    found = interaction([0.5, 0.1], 6.53, unit="word", is_one_enough=True)
    assert found.sentence.startswith("Masking any one word changes little; several say the same thing: sum ")
    assert interaction([0.5, 0.1], 6.53, unit="word").sentence.startswith("No single word is decisive; several")


@pytest.mark.parametrize("activation", ["softmax", "sigmoid"])
@pytest.mark.parametrize(("margin", "start"), [(0.35, "The words are partly redundant"), (0.2, "No single word is")])
def test_a_word_that_changes_the_label_is_decisive(activation: Activation, margin: float, start: str) -> None:
    """Each word adds 0.3 to the logit, and all words together 8.6: small scores, but with 0.35 to lose one decides."""

    def formula(vectors: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
        total = vectors[..., 0].sum(-1)
        positive = total - margin - 8.0 * (total == 0)
        return torch.stack([torch.zeros_like(positive), positive], -1)

    model = FormulaModel({"slow": [0.3], "fast": [0.3]}, formula, head=Head(("negative", "positive"), activation))
    found = Explainer.from_adapter(model).explain("slow fast", target="positive", sets="none").interaction
    assert found is not None
    assert found.kind == "redundant"
    assert found.sentence.startswith(start)


def test_where_nothing_matters_it_says_so() -> None:
    found = interaction([0.0, -0.0], 0.0, unit="word")
    assert found.kind == "additive"
    assert found.sentence == "Masking one word or all of them does not change the output."
    assert interaction([0.0, 0.0], 1.0, unit="word").kind == "redundant"
