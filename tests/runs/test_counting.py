"""What cells cost, counted in closed form, against the rows that the engine is asked for."""

import pytest
import tiny

from unmask import Explainer
from unmask.contests import contest
from unmask.engine import Job
from unmask.estimate import rehearsed
from unmask.examining import Questions, examining
from unmask.methods.table import METHODS, methods_named
from unmask.metrics.faithfulness import SEEDS
from unmask.request import Request
from unmask.runs.cells import JudgeCell, ScoreCell
from unmask.runs.counting import cost, rows_of

TEXT = "the film is not bad , but it is far from lovely and much too long for me"


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return tiny.explainer("bert")


@pytest.mark.parametrize("name", [*METHODS, "ig:steps_per_token=3", "sig_path:steps=4", "shapley:permutations=6"])
def test_the_rows_of_a_method_are_those_that_it_asks_for(name: str, explainer: Explainer) -> None:
    (method,) = methods_named([name], seed=0)
    opened, chosen = contest(explainer._opened, (method,), {"baseline": "mask", "controls": ()})
    (contender,) = chosen.contenders
    asked = opened.asked(Request(TEXT), contender.wanted)
    found = rehearsed(asked, contender.wanted, opened.engine)
    cell = ScoreCell(row=name, method=method, digest=b"", rank=0, baseline="mask")
    counted = list(rows_of(cell, (len(asked.groups), len(asked.encoded.ids)), chosen.exam))
    sloped = sum(row.target is not None for row in found)
    expected = sum(rows.count for rows in counted if rows.has_gradient)
    if getattr(method, "refines", False):  # how often is not known before
        assert expected > 0
        return
    assert sloped == expected
    assert len(found) - sloped == pytest.approx(sum(rows.count for rows in counted if not rows.has_gradient), rel=0.15)


@pytest.mark.parametrize("operator", ["remove", "mask"])
@pytest.mark.parametrize("row", ["sig", "random", "greedy", "random words"])
def test_the_rows_of_a_judgment_are_those_that_it_asks_for(row: str, operator: str, explainer: Explainer) -> None:
    (method,) = methods_named(["sig"])
    opened, chosen = contest(explainer._opened, (method,), {"baseline": "mask", "operators": operator})
    (contender,) = chosen.contenders
    asked = opened.asked(Request(TEXT), contender.wanted)
    draws = SEEDS if row == "random" else 0
    questions = Questions(None, 0, draws, row == "greedy", row == "random words")
    scores = [[float(at) for at in range(len(asked.groups))]] if row == "sig" else []
    job = Job(contender.wanted.subject(asked), examining(asked, contender.wanted, scores, chosen.exam, questions))
    (outcome,) = opened.engine.run([job])
    outcome.unwrapped()
    cell = JudgeCell(row=row, operator=operator, digest=b"", rank=0, scores=None, kind="control")
    counted = list(rows_of(cell, (len(asked.groups), len(asked.encoded.ids)), chosen.exam))
    assert outcome.passes.forward == pytest.approx(sum(rows.count for rows in counted), rel=0.2)
    assert cost(iter(counted)) <= sum(rows.count for rows in counted)


def test_greedy_choices_of_a_long_text_cost_nothing(explainer: Explainer) -> None:
    (method,) = methods_named(["sig"])
    _, chosen = contest(explainer._opened, (method,), {"baseline": "mask"})
    cell = JudgeCell(row="greedy", operator="remove", digest=b"", rank=0, scores=None, kind="control")
    assert cost(rows_of(cell, (64, 64), chosen.exam)) > 100
    assert cost(rows_of(cell, (65, 65), chosen.exam)) == 1
