"""Deciding sets of an explanation: known answers, exact numbers, bounds, and what a changed target keeps."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_reference, tiny
from support.shared import MODELS, SHARED, needs_shared, sst2
from torch import Tensor

from unmask import Contrast, Explainer, Explanation, Failure, Request
from unmask.errors import ArgumentError, KeywordError, TextError
from unmask.methods import METHODS
from unmask.models.adapter import Batch
from unmask.models.formula import FormulaModel
from unmask.results.deciding_sets import DecidingSet
from unmask.tasks.targets import Head

WORDS = {"good": 2.0, "fine": 1.5, "bad": -3.0, "dull": -1.0, "film": 0.25}


def weighted(weights: dict[str, float] | None = None, *, bias: float = 0.0, head: Head | None = None) -> Explainer:
    """The second of two outputs is a bias and the sum of the words' weights."""

    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        total = bias + (vectors[..., 0] * attention).sum(-1)
        return torch.stack([torch.zeros_like(total), total], -1)

    words = {word: [weight] for word, weight in (weights or WORDS).items()}
    return Explainer.from_adapter(FormulaModel(words, formula, head=head or Head(("negative", "positive"))))


def names(explanation: Explanation, one: DecidingSet | None) -> list[str]:
    assert one is not None
    return [explanation.units[unit].text for unit in one.units]


def sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def test_the_sets_of_a_sum_of_words_are_those_by_hand() -> None:
    found = weighted(bias=-1.0).explain("a good and fine film")  # -1 + 3.75
    assert found.sets is not None
    assert names(found, found.sets.necessary) == ["good", "fine"]
    assert names(found, found.sets.sufficient) == ["good"]
    necessary, sufficient = found.sets.necessary, found.sets.sufficient
    assert necessary is not None
    assert sufficient is not None
    assert [(step.label, step.value) for step in necessary.steps] == [("positive", 0.75), ("negative", -0.75)]
    assert [step.probability for step in necessary.steps] == pytest.approx([sigmoid(0.75), sigmoid(-0.75)])
    assert necessary.label == "negative"
    assert necessary.label_probability == pytest.approx(sigmoid(0.75))
    assert [(step.label, step.value) for step in sufficient.steps] == [("positive", 1.0)]
    for one in (necessary, sufficient):
        assert (one.question, one.is_minimal, one.is_smallest, one.stopped) == ("label", True, True, None)
    assert found.sets_note is None


def test_passes_of_the_search_are_told_apart_from_those_of_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, run = [], FormulaModel.outputs

    def counted(self: FormulaModel, batch: Batch, vectors: Tensor) -> Tensor:
        rows.append(len(vectors))
        return run(self, batch, vectors)

    explainer, text = weighted(bias=-1.0), "a good and fine film , not bad"
    explainer.explain(text)  # the equivalence check runs rows, too
    monkeypatch.setattr(FormulaModel, "outputs", counted)
    for method in ("sig", "leave_one_in", "shapley", "two_sided", "recursive_sig", "leave_one_out", "ig", "random"):
        rows.clear()
        found = explainer.explain(text, method=method, sets="auto")
        assert found.sets is not None
        knows_singles = method in ("shapley", "two_sided", "recursive_sig")  # and single units decide here
        assert (found.sets.passes.forward == 0) == knows_singles
        assert found.sets.passes.forward <= 3 * len(found)
        assert sum(rows) == found.passes.forward + found.sets.passes.forward
        assert found.passes == explainer.explain(text, method=method, sets="none").passes
    assert explainer.explain(text).passes.forward == len(found) + 2


@pytest.mark.parametrize("steps", ["sig_path:steps=5,rule=trapezoid", "ig:steps=5,rule=trapezoid"])
def test_rows_that_ran_for_a_gradient_are_not_counted_again(steps: str) -> None:
    """The first node of these rules is a masked text."""
    explainer = tiny.explainer("bert")
    for text in tiny.TEXTS[:2]:
        found = explainer.explain(text, method=steps, sets="auto")
        assert found.sets is not None
        assert found.passes == explainer.explain(text, method=steps).passes


def test_every_method_finds_the_same_sets() -> None:
    explainer, text = weighted(bias=-1.0), "a good and fine film"
    expected = explainer.explain(text).sets
    assert expected is not None
    for method in (name for name in METHODS if name != "deeplift"):  # which explains a few architectures only
        found = explainer.explain(text, method=method, sets=100).sets
        assert found is not None
        assert (found.necessary, found.sufficient) == (expected.necessary, expected.sufficient)


def test_sets_come_by_default_with_sig_and_with_explain_alone() -> None:
    explainer, text = weighted(), "a good film"
    assert explainer.explain(text).sets is not None
    assert explainer.explain(text, method="sig", target="negative").sets is not None
    assert explainer.explain(text, method="sig", sets="none").sets is None
    (many,) = explainer.explain_many([text])
    (attempt,) = explainer.attempts([text])
    assert not isinstance(attempt, Failure)
    compared = explainer.compare(text, methods=["sig", "leave_one_in"]).explanations
    for without in (explainer.explain(text, method="leave_one_in"), many, attempt, *compared):
        assert without.sets is None
        assert without.sets_note == 'deciding sets were not requested; use sets="auto"'
    (many,) = explainer.explain_many([text], sets="auto")
    compared = explainer.compare(text, methods=["sig", "leave_one_in"], sets="auto").explanations
    assert [one.sets is not None for one in (many, *compared)] == [True] * 3
    with pytest.raises(ArgumentError, match="sets"):
        explainer.evaluate([text], sets="auto")  # type: ignore[call-arg]


@pytest.mark.parametrize("sets", ["all", 0, -1, 1.5, True, None])
def test_other_values_are_refused(sets: Any) -> None:
    with pytest.raises(ArgumentError, match='expected "auto", "none" or a number of passes, at least 1'):
        weighted().explain("a good film", sets=sets)
    with pytest.raises(KeywordError, match="did you mean 'sets'"):
        weighted().explain("a good film", set=sets)  # type: ignore[call-arg]


@pytest.mark.parametrize("budget", [1, 2, 3, 7, 30])
def test_a_number_of_rows_is_kept(budget: int) -> None:
    explainer = tiny.explainer("bert")
    for text in tiny.TEXTS:
        found = explainer.explain(text, sets=budget)
        assert found.sets is not None
        assert found.sets.passes.forward <= budget
        assert found.passes == explainer.explain(text, sets="none").passes


@pytest.mark.parametrize("weight", [0.3, 0.7, 1.0])
def test_a_larger_budget_never_loses_the_necessary_set(weight: float) -> None:
    explainer = weighted({f"word{at}": weight * (1 + at % 3) for at in range(8)}, bias=-0.5)
    text = " ".join(f"word{at}" for at in range(8))  # only several words together change the label
    found = [explainer.explain(text, sets=budget) for budget in range(1, 3 * 8 + 1)]
    is_found = [one.sets is not None and one.sets.necessary is not None for one in found]
    assert is_found == [False] * 5 + [True] * 19, "from six on: the steps between one word and all eight"
    for one in found:
        assert one.sets is not None
        missing = [kind for kind in ("necessary", "sufficient") if getattr(one.sets, kind) is None]
        told = one.sets_note or ""
        assert [kind for kind in ("necessary", "sufficient") if f"no {kind}" in told] == missing


def masked_by_ids(explainer: Explainer, explanation: Explanation, units: Iterable[int]) -> Tensor:
    """The plain model on the ids with these units masked."""
    places, ids = slow_reference.places(explainer.tokenizer, explanation.text, "word")
    mask = explainer.tokenizer.convert_tokens_to_ids(explanation.baseline_token)
    tokens = [token for unit in units for token in places[unit]]
    outputs: Tensor = slow_reference.outputs(explainer.model, slow_reference.without(ids, tokens, mask))
    return outputs.double()


def check_by_ids(explainer: Explainer, found: Explanation, *, tolerance: float) -> int:
    """Every number of both sets against the plain model; returns the number of steps."""
    assert found.sets is not None
    whole = masked_by_ids(explainer, found, ())
    predicted, everything, steps = int(whole.argmax()), set(range(len(found))), 0
    for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
        for size, step in enumerate(one.steps if one else (), start=1):
            assert one is not None
            chosen = set(one.units[:size])
            outputs = masked_by_ids(explainer, found, chosen if kind == "necessary" else everything - chosen)
            shares = outputs.softmax(-1)
            assert step.unit == one.units[size - 1]
            assert step.outputs == pytest.approx(outputs.tolist(), abs=tolerance)
            assert step.value == pytest.approx(float(torch.logit(shares[predicted])), abs=10 * tolerance)
            assert step.probability == pytest.approx(float(shares[predicted]), abs=tolerance)
            assert step.label == found.outputs[int(outputs.argmax())]
            steps += 1
        if one is not None:
            assert one.label == one.steps[-1].label
            assert one.label_probability == pytest.approx(float(shares.max()), abs=tolerance)
            is_changed = one.label != found.prediction.label
            assert one.question == "value" or is_changed == (kind == "necessary")
    return steps


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2"])
def test_every_number_is_that_of_the_plain_model_on_altered_ids(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    texts = [*tiny.TEXTS, "not bad, a lovely film! the mysteries of cinema"]
    assert sum(check_by_ids(explainer, explainer.explain(text), tolerance=1e-9) for text in texts) > len(texts)


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_every_number_is_that_of_the_real_model_on_altered_ids(name: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / name, device="cpu")
    texts = [one["text"] for one in sst2("test")[900:906]]
    assert sum(check_by_ids(explainer, explainer.explain(text), tolerance=2e-4) for text in texts) > len(texts)


def test_a_text_of_one_unit() -> None:
    found = weighted(bias=-1.0).explain("good")
    assert found.sets is not None
    for one in (found.sets.necessary, found.sets.sufficient):
        assert names(found, one) == ["good"]
        assert one is not None
        assert (one.question, one.is_smallest) == ("label", True)
    assert found.sets.passes.forward == 0
    kept = weighted(bias=1.0).explain("good").sets  # positive with and without it
    assert kept is not None
    assert kept.necessary is not None
    assert kept.necessary.question == "value"


def test_a_text_without_a_unit_is_refused_as_before() -> None:
    with pytest.raises(TextError):
        weighted().explain(Request("a film", fixed=[(0, 6)]))


def test_units_of_both_texts_of_a_pair_can_decide() -> None:
    found = weighted(bias=-3.0).explain("a good film", text_pair="a fine film")  # -3 + 4
    assert found.sets is not None
    assert names(found, found.sets.necessary) == ["good"]
    assert sorted(names(found, found.sets.sufficient)) == ["fine", "good"]
    assert found.sets.sufficient is not None
    assert {found.units[unit].segment for unit in found.sets.sufficient.units} == {0, 1}


def test_a_regression_is_decided_by_value() -> None:
    model = FormulaModel(
        {word: [weight] for word, weight in WORDS.items()},
        lambda vectors, attention: (vectors[..., :1] * attention[..., None]).sum(1),
        head=Head(("value",), "none"),
    )
    found = Explainer.from_adapter(model).explain("a good and bad film")  # 2 - 3 + 0.25
    assert found.sets is not None
    assert names(found, found.sets.necessary) == ["bad"]
    assert names(found, found.sets.sufficient) == ["bad"]
    necessary = found.sets.necessary
    assert necessary is not None
    assert (necessary.question, necessary.label, necessary.label_probability) == ("value", None, None)
    assert [(step.value, step.label, step.probability) for step in necessary.steps] == [(2.25, None, None)]


def test_a_contrast_is_decided_by_value_and_shows_the_label() -> None:
    found = weighted(bias=-1.0).explain("a good and fine film", target=Contrast("positive", "negative"))
    assert found.sets is not None
    assert names(found, found.sets.necessary) == ["good", "fine"]  # 3.5 of 3.75 is more than nine tenths
    assert found.sets.necessary is not None
    assert found.sets.necessary.question == "value"
    assert [step.label for step in found.sets.necessary.steps] == ["positive", "negative"]


def test_the_label_of_a_multi_label_model_crosses_one_half() -> None:
    explainer = weighted({"vile": 3.0, "rude": 2.0, "you": 0.5}, bias=-1.0, head=Head(("spam", "toxic"), "sigmoid"))
    found = explainer.explain("you vile rude you", target="toxic")
    assert found.sets is not None
    assert names(found, found.sets.necessary) == ["vile", "rude"]
    assert names(found, found.sets.sufficient) == ["vile"]
    necessary = found.sets.necessary
    assert necessary is not None
    assert [step.probability for step in necessary.steps] == pytest.approx([sigmoid(2.0), sigmoid(0.0)])
    assert necessary.label == "toxic"
    assert necessary.label_probability == necessary.steps[-1].probability
    spam = explainer.explain("you vile rude you", target="spam")  # 0.5 whatever is masked
    assert spam.sets is not None
    assert not spam.sets
    assert spam.sets_note == UNMOVED


UNMOVED = "the answer stays the same when every word is masked, so it does not depend on the words"


def test_an_answer_that_no_word_changes_is_said_to_come_from_elsewhere() -> None:
    found = weighted({"good": 0.0001}, bias=1.0).explain("a good film")
    assert found.sets is not None
    assert (found.sets.necessary, found.sets.sufficient) == (None, None)
    assert found.sets_note == UNMOVED
    units = weighted({"good": 0.0001}, bias=1.0).explain("a good film", unit="token")
    assert units.sets_note == UNMOVED.replace("word", "token")


def test_words_that_cancel_out_are_not_said_to_do_nothing() -> None:
    explainer = weighted({"good": 1.0, "bad": -1.0}, bias=2.0)
    found = explainer.explain("good bad", target=Contrast("positive", "negative"))
    assert found.sets is not None
    assert not found.sets
    assert found.sets_note == "no deciding sets: masking all words together changes the value by less than 0.001"


def test_the_largest_output_is_not_one_answer() -> None:
    explainer = weighted()
    found = explainer.explain("a good film", target="max")
    assert found.sets is None
    assert str(found.sets_note).startswith('no deciding sets for the target "max"')
    with pytest.raises(ArgumentError, match='sets=9: no deciding sets for the target "max"'):
        explainer.explain("a good film", target="max", sets=9)
    failed, done = explainer.attempts([Request("a good film", target="max"), "a good film"], sets=9)
    assert isinstance(failed, Failure)
    assert isinstance(done, Explanation)
    assert found.toward("positive").sets_note == OTHER


OTHER = "a deciding set belongs to another target or scale; explain again for this one"


def test_another_target_keeps_the_sets_that_decide_the_label() -> None:
    explainer, text = weighted(bias=-1.0), "a good and fine film"
    found = explainer.explain(text)
    for target, scale in (("negative", "log_odds"), ("positive", "probability"), ("negative", "logit")):
        expected = explainer.explain(text, target=target, scale=scale)
        assert found.toward(target, scale=scale).sets == expected.sets
    contrast = found.toward(Contrast("positive", "negative"))
    assert (contrast.sets, contrast.sets_note) == (None, OTHER)
    assert found.toward("positive") is found


def test_another_target_drops_the_sets_that_decide_its_value() -> None:
    explainer = weighted(bias=1.0)  # positive without any word, too
    found = explainer.explain("a good and fine film , not bad")
    assert found.sets is not None
    assert found.sets.necessary is not None
    assert found.sets.sufficient is not None
    assert found.sets.sufficient.question == "value"
    is_kept = found.sets.necessary.question == "label"
    other = found.toward("negative")
    assert (other.sets is not None) == is_kept
    assert other.sets is None or other.sets.sufficient is None
    assert other.sets_note == OTHER, "a set that was dropped is told, also beside one that was kept"


def test_the_sets_of_one_label_of_several_are_not_those_of_another() -> None:
    explainer = weighted({"vile": 3.0}, bias=-1.0, head=Head(("spam", "toxic"), "sigmoid"))
    found = explainer.explain("you vile", target="toxic")
    assert found.sets
    assert found.toward("toxic", scale="probability").sets
    assert (found.toward("spam").sets, found.toward("spam").sets_note) == (None, OTHER)


def test_sets_survive_json() -> None:
    found = weighted(bias=-1.0).explain("a good and fine film")
    record = found.to_dict()
    assert Explanation.from_dict(record) == found
    assert record["sets"]["necessary"]["units"] == [1, 3]
    assert set(record["sets"]["necessary"]["steps"][0]) == {"unit", "label", "value", "probability", "outputs"}
    older = {**record, "sets": None, "sets_note": None}
    assert Explanation.from_dict(older).sets is None


def test_an_estimate_counts_the_most_that_the_search_may_take() -> None:
    explainer = tiny.explainer("bert")
    texts = tiny.TEXTS
    scores = explainer.estimate(texts)
    assert not scores.is_most
    found = explainer.estimate(texts, sets="auto")
    assert found.is_most
    assert found.passes == scores.passes + 3 * found.units
    assert explainer.estimate(texts, sets=10).passes == scores.passes + 10 * len(texts)
    assert explainer.estimate(texts, sets="auto", target="max").passes == scores.passes
    spent = [one.sets.passes.forward for one in explainer.explain_many(texts, sets="auto") if one.sets is not None]
    assert len(spent) == len(texts)
    assert sum(spent) <= found.passes - scores.passes


def test_batches_and_neighbors_change_nothing() -> None:
    alone = [tiny.explainer("bert").explain(text).sets for text in tiny.TEXTS]
    explainer = tiny.explainer("bert", batch_tokens=24)
    together = [one.sets for one in explainer.explain_many(tiny.TEXTS, sets="auto")]
    for one, other in zip(alone, together, strict=True):
        assert one is not None
        assert other is not None
        for mine, theirs in ((one.necessary, other.necessary), (one.sufficient, other.sufficient)):
            assert (mine is None) == (theirs is None)
            if mine is not None and theirs is not None:
                assert mine.units == theirs.units
                values = [step.value for step in theirs.steps]
                assert [step.value for step in mine.steps] == pytest.approx(values, abs=1e-9)
