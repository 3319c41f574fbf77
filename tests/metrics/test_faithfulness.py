"""The three metrics, their areas and greedy choices against slow references that alter ids and run the plain model."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from support import paper_protocol, slow_metrics, slow_reference, tiny
from support.shared import MODELS, SHARED, needs_shared, sst2

from unmask import Explainer, Request
from unmask.attribution.attribute import attribution_job
from unmask.experiments.config import resolve_evaluation
from unmask.experiments.examples import Example
from unmask.metrics.faithfulness import CURVE, METRICS
from unmask.metrics.registry import Measure
from unmask.results.evaluation import Evaluation

TEXTS = [*tiny.TEXTS, "not bad, a lovely film! the mysteries of cinema"]
SEED = 3
ROW = f"random:seed={SEED}"  # a method whose scores can be told without it


def told(ids: list[int], units: int, seed: int = SEED) -> list[float]:
    drawn: list[float] = np.random.default_rng((seed, *ids)).standard_normal(units).tolist()
    return drawn


def figures(found: Evaluation, at: int, operator: str, share: float, row: str = ROW) -> list[float]:
    return [float(found.row(row).values[Measure(metric, operator, share)][at]) for metric in METRICS]


# Not RoBERTa's padding: given as an id it moves the positions of what stands behind it.
PAIRS: list[Any] = [("bert", "remove"), ("distilbert", "pad"), ("roberta", "mask"), ("gpt2", "remove")]
MORE = [("bert", "mask"), ("bert", "pad"), ("bert", "unk"), ("distilbert", "remove"), ("distilbert", "mask")]
MORE += [("distilbert", "unk"), ("roberta", "remove"), ("modernbert", "mask"), ("bart", "remove")]
PAIRS += [pytest.param(*pair, marks=pytest.mark.slow) for pair in MORE]


@pytest.mark.slow
@pytest.mark.parametrize(("architecture", "operator"), PAIRS)
def test_metrics_are_those_of_altered_ids(architecture: str, operator: str) -> None:
    explainer = tiny.explainer(architecture)
    found = explainer.evaluate(TEXTS, methods=[ROW], operators=operator, top=0.3)
    token = None if operator == "remove" else getattr(explainer.tokenizer, f"{operator}_token_id")
    for at, text in enumerate(TEXTS):
        if text == "lovely" and architecture == "gpt2":  # nothing would be left
            assert np.isnan(figures(found, at, operator, 0.3)[:2]).all()
            continue
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        check_corrected(
            found, at, operator, explainer.model, ids, units, target=said(explainer.model, ids), token=token
        )


def test_a_target_that_is_not_predicted_is_followed() -> None:
    explainer = tiny.explainer("bert")
    found = explainer.evaluate(TEXTS[:2], methods=[ROW], operators="remove", top=0.3, target=0)
    for at, text in enumerate(TEXTS[:2]):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        assert said(explainer.model, ids) != 0
        check_corrected(found, at, "remove", explainer.model, ids, units, target=0)


def test_delta_and_residual_are_those_of_masked_ids() -> None:
    """Delta: the sum of the scores minus what all units carry together; a residual: a unit's error against its own."""
    explainer, path = tiny.explainer("bert"), "sig_path:steps=2"
    found = explainer.evaluate(TEXTS, methods=["sig", "grad_x_input", path], baseline="mask", controls=())
    for at, text in enumerate(TEXTS):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        label, mask = said(explainer.model, ids), explainer.tokenizer.mask_token_id

        def carried(*some: list[int], label: int = label, mask: int = mask, ids: list[int] = ids) -> float:
            """How far the log-odds of the label fall when these units are masked."""
            masked = slow_metrics.altered_ids(ids, {place for unit in some for place in unit}, mask)
            logs = [slow_metrics.log_probability(explainer.model, one, label) for one in (ids, masked)]
            whole, rest = (one - np.log1p(-np.exp(one)) for one in logs)
            return float(whole - rest)

        together, alone = carried(*map(list, units)), [carried(list(unit)) for unit in units]
        gradient, steps = (explainer.explain(text, method=name).scores for name in ("grad_x_input", path))
        for row, scores in (("sig", alone), ("grad_x_input", gradient), (path, steps)):
            delta = sum(scores) - together
            values = [float(found.row(row).values[Measure(name)][at]) for name in ("delta", "absolute_delta")]
            assert values == pytest.approx([delta, abs(delta)], abs=1e-9)
        residual = max(abs(one - other) for one, other in zip(steps, alone, strict=True))
        assert residual > 1e-6
        assert float(found.row(path).values[Measure("residual")][at]) == pytest.approx(residual, abs=1e-9)
    assert Measure("residual") not in found.row("grad_x_input").values
    assert np.abs(found.row("sig").values[Measure("delta")]).max() > 1e-3


def test_tokens_are_units() -> None:
    """Of texts in which no token stands twice: either alone would be the same text, and greedy choices a matter of
    the last digit."""
    explainer = tiny.explainer("bert")
    encoded = {text: explainer.tokenizer(text)["input_ids"] for text in TEXTS}
    texts = [text for text, ids in encoded.items() if len(set(ids)) == len(ids) > 5][:2]
    found = explainer.evaluate(texts, methods=[ROW], operators="remove", top=0.3, unit="token")
    for at, ids in enumerate(encoded[text] for text in texts):
        units = [[place] for place in range(1, len(ids) - 1)]
        check_corrected(found, at, "remove", explainer.model, ids, units, target=said(explainer.model, ids))
    assert texts


def test_labels_that_do_not_exclude_each_other_are_judged_one_by_one() -> None:
    model = tiny.model("bert")
    model.config.problem_type = "multi_label_classification"
    explainer = Explainer(model, tiny.tokenizer("bert"))
    found = explainer.evaluate(TEXTS[:2], methods=[ROW], operators="remove", top=0.3, target=1)
    for at, text in enumerate(TEXTS[:2]):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        check_corrected(found, at, "remove", AloneOrNot(model, 1), ids, units, target=1)


def test_a_pair_is_judged_on_the_words_of_both() -> None:
    explainer = tiny.explainer("distilbert")  # which knows no types
    texts = ["a lovely film", "not bad"]
    found = explainer.evaluate([Request(texts[0], text_pair=texts[1])], methods=[ROW], operators="remove", top=0.3)
    encoded = explainer.tokenizer(*texts)
    words: dict[tuple[int, int], list[int]] = {}
    for place, (segment, word) in enumerate(zip(encoded.sequence_ids(), encoded.word_ids(), strict=True)):
        if segment is not None:
            words.setdefault((segment, word), []).append(place)
    ids, units = encoded["input_ids"], list(words.values())
    assert len(units) == 5
    check_corrected(found, 0, "remove", explainer.model, ids, units, target=said(explainer.model, ids))


class AloneOrNot:
    """One label of several as a choice between it and nothing: the odds of a sigmoid are those of a softmax with 0."""

    def __init__(self, model: Any, label: int) -> None:
        self.model, self.label = model, label

    def __call__(self, **inputs: Any) -> Any:
        logit = self.model(**inputs).logits[0, self.label]
        return SimpleNamespace(logits=torch.stack([torch.zeros_like(logit), logit])[None])


def said(model: Any, ids: list[int]) -> int:
    return int(np.argmax([slow_metrics.log_probability(model, ids, label) for label in range(3)]))


def check_corrected(
    found: Evaluation,
    at: int,
    operator: str,
    model: Any,
    ids: list[int],
    units: Sequence[Sequence[int]],
    *,
    target: int,
    token: int | None = None,
) -> None:
    """A text's figures at all shares, their areas and those of greedy choices."""
    slow: dict[str, Any] = {"target": target, "operator": token}
    groups, scores = [list(unit) for unit in units], told(ids, len(units))
    for share in (0.3, *CURVE):
        expected = slow_metrics.corrected_figures(model, ids, groups, scores, share=share, **slow)
        assert figures(found, at, operator, share) == pytest.approx(expected, abs=1e-9)
    areas = slow_metrics.area(model, ids, groups, scores, **slow)
    assert measured_areas(found, at, operator) == pytest.approx(areas, abs=1e-9)
    best = slow_metrics.greedy(model, ids, groups, share=0.3, **slow)
    assert figures(found, at, operator, 0.3, row="greedy") == pytest.approx(best, abs=1e-9)


def measured_areas(found: Evaluation, at: int, operator: str) -> list[float]:
    return [float(found.row(ROW).values[Measure(f"aopc_{metric}", operator)][at]) for metric in METRICS]


def test_the_random_row_is_the_mean_of_ten_draws() -> None:
    explainer = tiny.explainer("bert")
    found = explainer.evaluate(TEXTS[:2], methods=[ROW], operators="remove", top=0.3, seed=5, controls=["random"])
    for at, text in enumerate(TEXTS[:2]):
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")
        slow: dict[str, Any] = {"target": said(explainer.model, ids), "operator": None, "share": 0.3}
        groups = [list(unit) for unit in units]
        draws = [
            slow_metrics.corrected_figures(explainer.model, ids, groups, told(ids, len(units), seed), **slow)
            for seed in range(50, 60)  # no seed of another evaluation has one of these
        ]
        assert figures(found, at, "remove", 0.3, row="random") == pytest.approx(np.mean(draws, 0), abs=1e-9)


def test_words_that_are_missing_at_random_are_drawn_three_times() -> None:
    explainer, text = tiny.explainer("bert"), TEXTS[-1]
    found = explainer.evaluate([Example(Request(text), 1)], methods=[ROW], operators="mask", seed=5)
    units, ids = slow_reference.places(explainer.tokenizer, text, "word")
    predicted, drawing = said(explainer.model, ids), np.random.default_rng((5, *ids))
    orders = [drawing.permutation(len(units)).tolist() for _ in range(3)]
    for share in (0.0, 0.1, 0.2, 0.5):
        count = slow_metrics.count(len(units), share) if share else 0
        missing = [{place for unit in order[:count] for place in units[unit]} for order in orders]
        altered = [slow_metrics.altered_ids(ids, places, explainer.tokenizer.mask_token_id) for places in missing]
        logs = [[slow_metrics.log_probability(explainer.model, one, label) for label in range(3)] for one in altered]
        now = np.argmax(logs, 1)
        expected = [np.mean(now == 1), np.mean(now == predicted), np.mean(np.exp(logs), 0)[predicted]]
        values = found.row("random words").values
        measured = [float(values[Measure(name, "mask", share)][0]) for name in ("accuracy", "agreement", "confidence")]
        assert measured == pytest.approx(expected, abs=1e-9)


def test_sufficiency_is_also_counted_from_0() -> None:
    found = tiny.explainer("bert").evaluate(TEXTS, methods=[ROW], operators="remove")
    values = found.row(ROW).values
    plain, clipped = (values[Measure(name, "remove", 0.2)] for name in ("sufficiency", "sufficiency_clipped"))
    assert (plain < 0).any()
    assert clipped == pytest.approx(np.maximum(plain, 0))


@pytest.mark.parametrize("baseline", ["mask", "pad"])
@pytest.mark.parametrize("architecture", ["bert", "distilbert", "distilbert-twice", "roberta"])
def test_the_protocol_of_the_paper(architecture: str, baseline: str) -> None:
    family, _, twice = architecture.partition("-")
    explainer = tiny.explainer(family)
    options = {"distilbert": "twice"} if twice else {}
    found = explainer.evaluate(TEXTS, methods=[ROW], protocol="paper", baseline=baseline, **options)  # type: ignore[arg-type]
    is_doubled = family != "distilbert" or bool(twice)
    check_paper(explainer, found, TEXTS, baseline=baseline, is_doubled=is_doubled, tolerance=1e-9)
    assert found.function == ("the model embedded twice" if is_doubled else "the model")


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("model", MODELS)
def test_the_protocol_of_the_paper_on_trained_models(model: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / model, device="cpu")
    texts = [row["text"] for row in sst2("test")[:12]]
    found = explainer.evaluate(texts, methods=[ROW], protocol="paper", baseline="mask", controls=())
    check_paper(explainer, found, texts, baseline="mask", is_doubled=model != "distilbert-sst2", tolerance=1e-5)


def check_paper(
    explainer: Explainer, found: Evaluation, texts: list[str], *, baseline: str, is_doubled: bool, tolerance: float
) -> None:
    tokenizer = explainer.tokenizer
    for at, text in enumerate(texts):
        ids = tokenizer(text)["input_ids"]
        asked: tuple[Any, Any, str] = (explainer.model, tokenizer, text)
        options: dict[str, Any] = {
            "baseline": getattr(tokenizer, f"{baseline}_token_id"),
            "is_doubled": is_doubled,
        }
        expected = paper_protocol.paper_figures(*asked, told(ids, len(ids)), **options)
        assert figures(found, at, "paper", 0.2) == pytest.approx(expected, abs=tolerance)
        areas = paper_protocol.paper_areas(*asked, told(ids, len(ids)), **options)
        assert measured_areas(found, at, "paper") == pytest.approx(areas, abs=tolerance)
        if any(row.name == "greedy" for row in found.rows):
            best = paper_protocol.paper_greedy(*asked, **options)
            assert figures(found, at, "paper", 0.2, row="greedy") == pytest.approx(best, abs=tolerance)


def test_short_texts_score_0_under_the_protocol_of_the_paper() -> None:
    found = tiny.explainer("bert").evaluate(["lovely"], methods=["sig"], protocol="paper")
    assert figures(found, 0, "paper", 0.2, row="sig") == [0, 0, 0]
    assert figures(found, 0, "paper", 0.2, row="greedy") == [0, 0, 0]


def test_special_tokens_are_units_of_the_paper_alone() -> None:
    """They keep their own vector: a score of 0 for methods with a baseline, not for gradient times input."""
    explainer = tiny.explainer("bert")
    methods = ["sig", "sig_path:steps=5", "sdig", "ig", "dig", "gradient_shap", "deeplift", "grad_x_input"]
    model = resolve_evaluation(tiny.session(explainer), methods, {"protocol": "paper"})
    for method in model.config.methods:
        config = replace(next(iter(model.baselines.values())), method=method)
        asked = model.session.prepare(Request(TEXTS[0]), config)
        (outcome,) = model.session.engine.run([attribution_job(asked, config)])
        scores = outcome.unwrap().values
        assert len(scores) == len(explainer.tokenizer(TEXTS[0])["input_ids"])
        ends, inside = scores[[0, -1]].abs().max(), scores[1:-1].abs().max()
        assert inside > 1e-3
        if method.name == "grad_x_input":
            assert ends > 1e-3
        else:
            assert ends == pytest.approx(0, abs=1e-12)
