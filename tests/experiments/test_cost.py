"""What cells cost, counted in closed form, against the rows that the engine is asked for."""

from dataclasses import replace

import pytest
from support import tiny

from unmask import Explainer
from unmask.attribution.estimate import rehearse
from unmask.engine import Job
from unmask.experiments.config import resolve_evaluation
from unmask.experiments.text_metrics import evaluate_text
from unmask.experiments.work_items import MetricItem, ScoreItem, cost, row_counts
from unmask.methods.registry import METHODS, resolve_methods
from unmask.metrics.faithfulness import SEEDS
from unmask.text.request import Request

TEXT = "the film is not bad , but it is far from lovely and much too long for me"


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return tiny.explainer("bert")


@pytest.mark.parametrize("name", [*METHODS, "ig:steps_per_token=3", "sig_path:steps=4", "shapley:permutations=6"])
def test_the_rows_of_a_method_are_those_that_it_asks_for(name: str, explainer: Explainer) -> None:
    (method,) = resolve_methods([name], seed=0)
    model = resolve_evaluation(tiny.session(explainer), (method,), {"baseline": "mask", "controls": ()})
    config = replace(model.baselines["mask"], method=method)
    asked = model.session.prepare(Request(TEXT), config)
    found = rehearse(asked, config, model.session.engine)
    cell = ScoreItem(row=name, method=method, digest=b"", rank=0, baseline="mask")
    counted = list(row_counts(cell, (len(asked.groups), len(asked.encoded.ids)), model.config.faithfulness))
    sloped = sum(row.target is not None for row in found)
    expected = sum(rows.count for rows in counted if rows.has_gradient)
    if method.refines:  # how often is not known before
        assert expected > 0
        return
    assert sloped == expected
    assert len(found) - sloped == pytest.approx(sum(rows.count for rows in counted if not rows.has_gradient), rel=0.15)


@pytest.mark.parametrize("operator", ["remove", "mask"])
@pytest.mark.parametrize("row", ["sig", "random", "greedy", "random words"])
def test_the_rows_of_a_judgment_are_those_that_it_asks_for(row: str, operator: str, explainer: Explainer) -> None:
    (method,) = resolve_methods(["sig"])
    model = resolve_evaluation(tiny.session(explainer), (method,), {"baseline": "mask", "operators": operator})
    config, chosen = model.baselines["mask"], model.config
    asked = model.session.prepare(Request(TEXT), config)
    draws = SEEDS if row == "random" else 0
    scores = [[float(at) for at in range(len(asked.groups))]] if row == "sig" else []
    questions = evaluate_text(asked, config, scores, chosen.faithfulness, seed=0, orders=draws, controls=[row])
    job = Job(asked.with_baseline(config.baseline), questions)
    (outcome,) = model.session.engine.run([job])
    outcome.unwrap()
    cell = MetricItem(row=row, operator=operator, digest=b"", rank=0, scores=None, kind="control")
    counted = list(row_counts(cell, (len(asked.groups), len(asked.encoded.ids)), chosen.faithfulness))
    assert outcome.passes.forward == pytest.approx(sum(rows.count for rows in counted), rel=0.2)
    assert cost(iter(counted)) <= sum(rows.count for rows in counted)


def test_greedy_choices_of_a_long_text_cost_nothing(explainer: Explainer) -> None:
    (method,) = resolve_methods(["sig"])
    chosen = resolve_evaluation(tiny.session(explainer), (method,), {"baseline": "mask"}).config
    cell = MetricItem(row="greedy", operator="remove", digest=b"", rank=0, scores=None, kind="control")
    assert cost(row_counts(cell, (64, 64), chosen.faithfulness)) > 100
    assert cost(row_counts(cell, (65, 65), chosen.faithfulness)) == 1
