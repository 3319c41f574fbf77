"""The three metrics, their areas and greedy choices against slow references that alter ids and run the plain model."""

from typing import Any

import numpy as np
import paper_protocol
import pytest
import reference
import slow_metrics
import tiny
from shared import MODELS, SHARED, needs_shared, sst2

from unmask import Explainer, Request
from unmask.asking import asking
from unmask.contests import contest
from unmask.engine import Job
from unmask.evaluation import Evaluation
from unmask.metrics.faithfulness import CURVE, METRICS
from unmask.metrics.measures import Measure

TEXTS = [*tiny.TEXTS, "not bad, a lovely film! the mysteries of cinema"]
SEED = 3
ROW = f"random:seed={SEED}"  # a method whose scores can be told without it


def told(ids: list[int], units: int) -> list[float]:
    drawn: list[float] = np.random.default_rng((SEED, *ids)).standard_normal(units).tolist()
    return drawn


def figures(found: Evaluation, at: int, operator: str, share: float, row: str = ROW) -> list[float]:
    return [float(found.row(row).values[Measure(metric, operator, share)][at]) for metric in METRICS]


# Not RoBERTa's padding: given as an id it moves the positions of what stands behind it.
PAIRS: list[Any] = [("bert", "remove"), ("distilbert", "pad"), ("roberta", "mask"), ("gpt2", "remove")]
MORE = [("bert", "mask"), ("bert", "pad"), ("bert", "unk"), ("distilbert", "remove"), ("distilbert", "mask")]
MORE += [("distilbert", "unk"), ("roberta", "remove"), ("modernbert", "mask"), ("bart", "remove")]
PAIRS += [pytest.param(*pair, marks=pytest.mark.slow) for pair in MORE]


@pytest.mark.parametrize(("architecture", "operator"), PAIRS)
def test_metrics_are_those_of_altered_ids(architecture: str, operator: str) -> None:
    explainer = tiny.explainer(architecture)
    found = explainer.evaluate(TEXTS, methods=[ROW], operators=operator, top=0.3)
    token = None if operator == "remove" else getattr(explainer.tokenizer, f"{operator}_token_id")
    for at, text in enumerate(TEXTS):
        if text == "lovely" and architecture == "gpt2":  # nothing would be left
            assert np.isnan(figures(found, at, operator, 0.3)[:2]).all()
            continue
        units, ids = reference.places(explainer.tokenizer, text, "word")
        whole = slow_metrics._log_probability
        target = int(np.argmax([whole(explainer.model, ids, label) for label in range(3)]))
        slow: dict[str, Any] = {"target": target, "operator": token}
        groups, scores = [list(unit) for unit in units], told(ids, len(units))
        for share in (0.3, *CURVE):
            expected = slow_metrics.corrected_figures(explainer.model, ids, groups, scores, share=share, **slow)
            assert figures(found, at, operator, share) == pytest.approx(expected, abs=1e-9)
        areas = slow_metrics.area(explainer.model, ids, groups, scores, **slow)
        measured = [float(found.row(ROW).values[Measure(f"aopc_{metric}", operator)][at]) for metric in METRICS]
        assert measured == pytest.approx(areas, abs=1e-9)
        best = slow_metrics.greedy(explainer.model, ids, groups, share=0.3, **slow)
        assert figures(found, at, operator, 0.3, row="greedy") == pytest.approx(best, abs=1e-9)


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
        expected = paper_protocol.paper_figures(
            explainer.model,
            tokenizer,
            text,
            told(ids, len(ids)),
            baseline=getattr(tokenizer, f"{baseline}_token_id"),
            is_doubled=is_doubled,
        )
        assert figures(found, at, "paper", 0.2) == pytest.approx(expected, abs=tolerance)


def test_short_texts_score_0_under_the_protocol_of_the_paper() -> None:
    found = tiny.explainer("bert").evaluate(["lovely"], methods=["sig"], protocol="paper")
    assert figures(found, 0, "paper", 0.2, row="sig") == [0, 0, 0]
    assert figures(found, 0, "paper", 0.2, row="greedy") == [0, 0, 0]


def test_special_tokens_are_units_of_the_paper_alone() -> None:
    """They keep their own vector: a score of 0 for methods with a baseline, not for gradient times input."""
    explainer = tiny.explainer("bert")
    methods = ["sig", "sig_path:steps=5", "sdig", "ig", "dig", "gradient_shap", "deeplift", "grad_x_input"]
    opened, chosen = contest(explainer._opened, methods, {"protocol": "paper"})
    for contender in chosen.contenders:
        asked = opened.asked(Request(TEXTS[0]), contender.wanted)
        (outcome,) = opened.engine.run([Job(contender.wanted.subject(asked), asking(asked, contender.wanted))])
        scores = outcome.unwrapped().scores.values
        assert len(scores) == len(explainer.tokenizer(TEXTS[0])["input_ids"])
        ends, inside = scores[[0, -1]].abs().max(), scores[1:-1].abs().max()
        assert inside > 1e-3
        if contender.name == "grad_x_input":
            assert ends > 1e-3
        else:
            assert ends == pytest.approx(0, abs=1e-12)
