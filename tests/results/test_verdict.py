"""The verdict on evaluations whose answer is known."""

from dataclasses import replace

import numpy as np
import pytest
from support import evaluations

from unmask.metrics.registry import Measure
from unmask.metrics.statistics import holm
from unmask.results.evaluation import Evaluation
from unmask.results.rows import EvaluationRow

MEASURE = Measure("comprehensiveness", "remove", 0.2)
TEXTS = 10
CONTROLS = {"random": 0.0625, "greedy": 0.75}
NOISE = np.resize([0.5, -0.5], TEXTS)  # its mean is 0; no sign-flip test finds it clear
ALONE = "Without the top 20% of the words by sig, the probability falls by 0.50 (greedy 0.75, random 0.06)."


def made(figures: dict[str, object], controls: dict[str, float] = CONTROLS, **fields: object) -> Evaluation:
    """Rows with these figures for every text; an array has one for each."""
    found = evaluations.constant(dict.fromkeys((*figures, *controls), (0.0, 0.0, 0.0)), TEXTS, **fields)
    rows = (
        replace(row, values={MEASURE: np.zeros(TEXTS) + np.asarray(value)})
        for row, value in zip(found.rows, (*figures.values(), *controls.values()), strict=True)
    )
    return replace(found, rows=tuple(rows))


def test_the_leader_with_clear_and_unclear_differences() -> None:
    found = made({"sig": 0.5, "grad_x_input": 0.25, "ig": 0.5 - 1 / 64 + NOISE})
    assert found.verdict == (
        "sig leads by 0.02 over ig: without the top 20% of the words the probability falls by 0.50 (greedy 0.75, "
        "random 0.06). "
        "Clearly better than grad_x_input (Holm-corrected p < 0.05); not clearly better than ig."
    )


def test_all_differences_are_clear() -> None:
    found = made({"grad_x_input": 0.25, "sig": 0.5, "ig": 0.375})
    assert found.verdict.endswith(" Clearly better than grad_x_input and ig (Holm-corrected p < 0.05).")


def test_no_difference_is_clear() -> None:
    found = made({"sig": 0.5, "shapley": 0.375 + NOISE, "ig": 0.4375 + NOISE, "lime": 0.375 - NOISE})
    assert found.verdict.startswith(
        "No method clearly leads; sig has the highest mean, 0.06 above ig: without the top 20% of the words "
    )
    assert found.verdict.endswith(" Not clearly better than shapley, ig and lime (Holm-corrected p ≥ 0.05).")


def test_a_margin_that_rounds_to_nothing_is_small() -> None:
    found = made({"sig": 0.5, "leave_one_in": 0.4996 + NOISE, "two_sided": 0.4998 + NOISE})
    assert found.verdict.startswith("No method clearly leads; sig has the highest mean, less than 0.01 above two_sided")


def test_p_values_are_corrected_for_the_number_of_methods() -> None:
    """Nine texts for and one against: p is 22/1024 alone, and three times that with three methods."""
    other = 0.5 - np.array([0.25] * 9 + [-0.25])
    assert "Clearly better than ig" in made({"sig": 0.5, "ig": other}).verdict
    assert (
        "Not clearly better than ig, dig and sdig"
        in made({"sig": 0.5, "ig": other, "dig": other, "sdig": other}).verdict
    )


def test_equal_means_share_the_lead() -> None:
    found = made({"sig": 0.5, "ig": 0.25, "leave_one_out": 0.5})
    assert found.verdict.startswith("sig and leave_one_out lead by 0.25 over ig: without the top 20% of the words")
    assert "Clearly better than ig (" in found.verdict
    equal = made({"sig": 0.5, "ig": 0.5}).verdict
    assert equal.startswith("sig and ig are equal: without the top 20% of the words the probability falls by 0.50")
    assert equal.endswith(" Clearly better than random (p < 0.05).")


@pytest.mark.parametrize(
    ("random", "words"),
    [
        (0.0625, "Clearly better than random (p < 0.05)."),
        (0.75, "Clearly worse than random (p < 0.05)."),
        (0.5, "Not clearly better than random (p ≥ 0.05)."),
    ],
)
def test_a_single_method_is_compared_with_random(random: float, words: str) -> None:
    found = made({"sig": 0.5}, {"random": random, "greedy": 0.75})
    assert found.verdict == f"{ALONE.replace('0.06', f'{random:.2f}')} {words}"


def test_a_single_method_without_a_control() -> None:
    assert made({"sig": 0.5}, {}).verdict == (
        "Without the top 20% of the words by sig, the probability falls by 0.50. "
        "There is no other method and no random control to compare with."
    )


def test_a_leader_that_does_not_beat_random() -> None:
    found = made({"sig": -0.25, "ig": -0.5})
    assert found.verdict.startswith(
        "sig leads by 0.25 over ig but does not clearly beat random: without the top 20% of the words the probability "
        "rises by 0.25 ("
    )


def test_too_few_texts() -> None:
    few = evaluations.constant({"sig": (-1.0, 0.5, 0.0), "ig": (-1.0, 0.25, 0.0)}, 5)
    assert few.verdict == "5 texts are too few for a verdict: evaluate at least 6."
    enough = evaluations.constant({"sig": (-1.0, 0.5, 0.0), "ig": (-1.0, 0.25, 0.0)}, 6)
    assert enough.verdict.endswith("Clearly better than ig (Holm-corrected p < 0.05).")


def test_a_method_that_perturbs_as_the_metric_does_is_not_ranked() -> None:
    found = made({"sig": 0.5, "leave_one_out": 0.625})
    rows = [replace(row, baseline="remove") if row.name == "leave_one_out" else row for row in found.rows]
    assert replace(found, rows=tuple(rows)).verdict == (
        f"{ALONE} Clearly better than random (p < 0.05). Not ranked: leave_one_out (metric and method perturb alike)."
    )
    own = tuple(replace(row, baseline=row.baseline and "remove") for row in found.rows)
    assert replace(found, rows=own).verdict == (
        "No method is ranked: sig and leave_one_out (metric and method perturb alike). Use another operator."
    )


def test_texts_that_failed_in_one_row_count_in_none() -> None:
    """The text without a figure of `ig` would have made `sig` the better one."""
    figures = {"sig": np.array([9.0, *[0.25] * 19]), "ig": np.array([np.nan, *[0.5] * 19])}
    found = evaluations.constant(dict.fromkeys(figures, (0.0, 0.0, 0.0)), 20)
    rows = tuple(EvaluationRow(name, "method", {MEASURE: values}) for name, values in figures.items())
    assert replace(found, rows=rows).verdict == (
        "ig leads by 0.25 over sig: without the top 20% of the words the probability falls by 0.50. "
        "Clearly better than sig (Holm-corrected p < 0.05)."
    )


def test_a_method_with_far_fewer_texts_is_not_ranked() -> None:
    found = made({"sig": 0.5, "shapley": np.array([0.75] * 4 + [np.nan] * 6)})
    assert found.verdict == f"{ALONE} Clearly better than random (p < 0.05). Not ranked: shapley (4 of 10 texts)."


def test_a_control_with_far_fewer_texts_is_not_named() -> None:
    found = made({"sig": 0.5, "ig": 0.25})
    rows = tuple(evaluations.without(row, range(5)) if row.name == "greedy" else row for row in found.rows)
    assert "0.50 (random 0.06)." in replace(found, rows=rows).verdict


def test_nothing_was_evaluated() -> None:
    assert made({}).verdict == made({"sig": np.nan}).verdict == "No method was evaluated."


def test_the_headline_operator_decides_wherever_it_stands() -> None:
    found = evaluations.evaluation(20, operators=("mask", "remove"), baseline="pad")
    means = {row.name: row.mean(MEASURE) or 0.0 for row in found.rows if row.kind == "method"}
    assert found.verdict.startswith(f"{max(means, key=means.__getitem__)} leads")


def test_the_units_are_named() -> None:
    assert "of the tokens" in made({"sig": 0.5}, unit="token").verdict
    assert "of the units" in made({"sig": 0.5}, unit="span").verdict


def test_a_verdict_survives_json() -> None:
    found = made({"sig": 0.5, "ig": 0.25})
    record = found.to_dict()
    assert record["verdict"] == found.verdict == Evaluation.from_dict(record).verdict
    del record["verdict"]  # as earlier versions wrote it
    assert Evaluation.from_dict(record).verdict == found.verdict


def test_holm_against_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.75]) == [1.0, 1.0]
    assert holm([]) == []
