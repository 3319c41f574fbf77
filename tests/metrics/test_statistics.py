"""Means, intervals and tests against enumeration, closed forms and themselves merged."""

from dataclasses import astuple

import numpy as np
import pytest
from support import slow_metrics

from unmask.metrics import statistics
from unmask.metrics.statistics import compare_paired, comparisons, summaries, summarize

DRAW = np.random.default_rng(7)


def test_the_mean_leaves_out_what_is_not_a_number() -> None:
    found = summarize(np.array([1.0, np.nan, 3.0]))
    assert found is not None
    assert (found.mean, found.count) == (2.0, 2)
    assert summarize(np.array([np.nan])) is None


def test_the_interval_is_that_of_a_normal_mean() -> None:
    values = DRAW.normal(5, 2, 400)
    found = summarize(values)
    assert found is not None
    error = values.std() / 20
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_equal_values_have_no_interval_and_the_same_seed_the_same_one() -> None:
    equal = summarize(np.full(30, 0.25))
    assert equal is not None
    assert (equal.low, equal.high) == (0.25, 0.25)
    values = DRAW.random(50)
    assert summarize(values, seed=1) == summarize(values, seed=1) != summarize(values, seed=2)


def test_two_columns_are_the_harmonic_mean_of_their_means() -> None:
    found = summarize(np.array([[1.0, 0.5], [0.0, 0.5], [np.nan, 1.0]]))
    assert found is not None
    assert (found.mean, found.count) == (0.5, 2)


@pytest.mark.parametrize("count", [1, 4, 9])
def test_few_differences_are_tested_exactly(count: int) -> None:
    one, other = DRAW.normal(0.4, 1, (2, count))
    found = compare_paired(one, other)
    assert found is not None
    assert found.p == pytest.approx(slow_metrics.permutation_p(list(one - other)))
    assert found.mean == pytest.approx((one - other).mean())


def test_sums_that_cancel_are_equal_whatever_their_last_digits() -> None:
    drawing = np.random.default_rng(3)
    for count in (2, 4, 6, 8, 10):
        for tenths in (drawing.integers(-6, 7, (20, count)) / 10).tolist():
            found = compare_paired(np.array(tenths), np.zeros(count))
            assert found is not None
            assert found.p == pytest.approx(slow_metrics.permutation_p(tenths))
    nothing = compare_paired(np.array([0.1, 0.2, 0.3, -0.6]), np.zeros(4))
    assert nothing is not None
    assert nothing.p == 1


def test_many_sums_that_cancel_are_equal_too() -> None:
    found = compare_paired(np.array([0.1, 0.2, 0.3, -0.6] * 5), np.zeros(20))
    assert found is not None
    assert found.p == 1


def test_many_differences_are_tested_nearly() -> None:
    one, other = DRAW.normal(0, 1, (2, 15))
    found = compare_paired(one, other)
    assert found is not None
    assert found.p == pytest.approx(slow_metrics.permutation_p(list(one - other)), abs=0.02)


def test_pairs_that_lack_different_examples_are_tested_each_on_its_own() -> None:
    one, other = DRAW.normal(0.3, 1, (2, 16))
    lacking = np.where(np.arange(16) == 3, np.nan, one), np.where(np.arange(16) > 4, np.nan, one), np.full(16, np.nan)
    nearly, exactly, none = comparisons([(mine, other) for mine in lacking])
    assert none is None
    for found, mine, near in ((nearly, lacking[0], 0.02), (exactly, lacking[1], 1e-12)):
        assert found is not None
        kept = (mine - other)[~np.isnan(mine)]
        assert found.p == pytest.approx(slow_metrics.permutation_p(list(kept)), abs=near)


def test_a_difference_that_is_always_there_is_no_chance() -> None:
    found = compare_paired(np.full(100, 1.0) + DRAW.normal(0, 0.1, 100), np.zeros(100))
    assert found is not None
    assert found.p == pytest.approx(1 / 10_001)
    assert found.low > 0.9
    none = compare_paired(np.zeros(50), np.zeros(50))
    assert none is not None
    assert none.p == 1


def test_what_single_precision_makes_of_equal_numbers_is_no_difference() -> None:
    noise = np.float32(0.7) - np.linspace(0.70000001, 0.7000001, 40)
    found = compare_paired(noise, np.zeros(40))
    assert found is not None
    assert (found.mean, found.p) == (0.0, 1.0)


def test_only_examples_that_both_have_are_compared() -> None:
    found = compare_paired(np.array([1.0, np.nan, 2.0]), np.array([0.0, 5.0, np.nan]))
    assert found is not None
    assert (found.mean, found.count) == (1.0, 1)


def test_many_figures_are_those_of_each_alone() -> None:
    gaps = np.array([1.0, np.nan, 0.5, 2.0])
    many = [np.arange(4.0), gaps, np.array([[1.0, 0.5], [0.0, 1.0], [0.5, 0.5], [np.nan, 1.0]]), np.full(4, np.nan)]
    for one, alone in zip(summaries(many, seed=3), (summarize(values, seed=3) for values in many), strict=True):
        assert (one is None) == (alone is None)
        if one is not None and alone is not None:
            assert astuple(one) == pytest.approx(astuple(alone))
    pairs = [(many[0], gaps), (gaps, many[0]), (many[0], many[3]), (many[0], many[0])]
    for other, pair in zip(comparisons(pairs, seed=3), pairs, strict=True):
        assert other == compare_paired(*pair, seed=3)


def test_draws_in_blocks_are_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    values = DRAW.normal(0, 1, 40)
    whole = compare_paired(values, np.zeros(40))
    monkeypatch.setattr(statistics, "BLOCK", 400)
    parted = compare_paired(values, np.zeros(40))
    assert whole is not None
    assert parted is not None
    assert astuple(whole)[:3] == pytest.approx(astuple(parted)[:3])


def test_more_flips_come_nearer_to_all_patterns() -> None:
    differences = np.linspace(0.1, 1.0, 15)
    exact = slow_metrics.permutation_p(list(differences))
    assert exact < 1e-4  # ten thousand flips cannot tell it from 0, and a correction for 700 tests would hide it
    (found,) = comparisons([(differences, np.zeros(15))], flips=400_000)
    assert found is not None
    assert found.p == pytest.approx(exact, rel=0.4)
