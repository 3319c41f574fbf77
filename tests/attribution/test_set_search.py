"""The search for deciding sets against brute force over all subsets."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.value_tables import Table, instance, is_met, search, search_function, smallest, units_of

from unmask.results.deciding_sets import DecidingSet
from unmask.tasks.targets import Contrast, Head, TargetName

MANY = settings(max_examples=150, deadline=None)


def random_table(units: int, outputs: int, seed: int, roughness: float) -> Table:
    """Outputs that are sums over units, pairs and, as roughness grows, noise of each subset by itself."""
    draw = np.random.default_rng(seed)
    single, pair = draw.normal(size=(units, outputs)), draw.normal(size=(units, units, outputs))
    rows = np.arange(2**units)
    shown = 1.0 - (rows[:, None] >> np.arange(units) & 1)  # [rows, units]
    smooth = shown @ single + 0.5 * np.einsum("ri,rj,ijo->ro", shown, shown, pair) / units
    return np.asarray(smooth + draw.normal(size=outputs) + roughness * draw.normal(size=smooth.shape))


tables = st.builds(
    random_table,
    st.integers(1, 8),
    st.integers(2, 3),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.0, 0.1, 1.0, 5.0]),
)


def check(table: Table, kind: str, found: DecidingSet, head: Head, target: TargetName = "predicted") -> None:
    """What a set claims holds."""
    text = instance(table, head=head, target=target)
    question, units = found.question, found.units
    assert len(set(units)) == len(units) > 0
    assert is_met(table, kind, question, units, text)
    assert found.stopped == (None if found.is_minimal else "budget")
    if found.is_minimal:
        parts = combinations(units, len(units) - 1)
        assert not any(is_met(table, kind, question, part, text) for part in parts)
    assert found.is_smallest in (True, None)
    if found.is_smallest:
        assert smallest(table, kind, question, text) == len(units)
    if len(units) == 1:
        assert found.is_smallest
    assert tuple(step.unit for step in found.steps) == units
    everything = set(range(units_of(table)))
    for size, step in enumerate(found.steps, start=1):
        masked = set(units[:size]) if kind == "necessary" else everything - set(units[:size])
        outputs = table[sum(1 << unit for unit in masked)]
        assert step.outputs == tuple(outputs)
        assert step.value == pytest.approx(float(text.target(outputs)), abs=1e-12)
        if head.activation == "softmax":
            shares = np.exp(outputs) / np.exp(outputs).sum()
            assert step.label == head.labels[int(np.argmax(outputs))]
            assert step.probability == pytest.approx(shares[int(np.argmax(table[0]))])


@MANY
@given(tables, st.integers(1, 60))
def test_what_a_set_claims_is_true_and_the_budget_is_kept(table: Table, budget: int) -> None:
    head = Head(("a", "b", "c")[: table.shape[1]])
    for rows in (None, budget):
        found = search(table, head=head, budget=rows)
        assert found.rows == found.sets.passes.forward <= (3 * units_of(table) if rows is None else rows)
        for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
            if one is not None:
                check(table, kind, one, head)


@MANY
@given(tables)
def test_a_label_is_decided_wherever_masking_everything_changes_it(table: Table) -> None:
    found = search(table)
    if np.argmax(table[0]) != np.argmax(table[-1]):
        for one in (found.sets.necessary, found.sets.sufficient):
            assert one is not None
            assert one.question == "label"


@MANY
@given(tables)
def test_values_are_decided_only_where_masking_everything_keeps_the_label(table: Table) -> None:
    found, head = search(table), Head(("a", "b", "c")[: table.shape[1]])
    text = instance(table, head=head)
    sets = {"necessary": found.sets.necessary, "sufficient": found.sets.sufficient}
    for kind, one in sets.items():
        if one is not None and one.question == "value":
            assert np.argmax(table[0]) == np.argmax(table[-1])
            check(table, kind, one, head)
            if kind == "necessary":
                assert (smallest(table, kind, "label", text) or 2) > 1  # single units were tried


@MANY
@given(tables)
def test_with_a_row_for_every_subset_sets_are_the_smallest(table: Table) -> None:
    head = Head(("a", "b", "c")[: table.shape[1]])
    text, found = instance(table, head=head), search(table, head=head, budget=2 ** units_of(table))
    keeps = np.argmax(table[0]) == np.argmax(table[-1])
    if not keeps:
        for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
            assert one is not None
            assert len(one.units) == smallest(table, kind, "label", text)
            assert one.is_minimal
            assert one.is_smallest


@MANY
@given(tables)
def test_contrasts_ask_for_the_value(table: Table) -> None:
    head, target = Head(("a", "b", "c")[: table.shape[1]]), Contrast("a", "b")
    found = search(table, head=head, target=target)
    change = (table[0, 0] - table[0, 1]) - (table[-1, 0] - table[-1, 1])
    for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
        assert (one is None) == (abs(change) < 1e-3)
        if one is not None:
            assert one.question == "value"
            check(table, kind, one, head, target)


@MANY
@given(tables)
def test_regressions_ask_for_the_value_and_have_no_label(table: Table) -> None:
    table, head = table[:, :1], Head(("value",), "none")
    found = search(table, head=head)
    for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
        assert (one is None) == (abs(table[0, 0] - table[-1, 0]) < 1e-3)
        if one is not None:
            assert (one.question, one.label, one.label_probability) == ("value", None, None)
            assert {(step.label, step.probability) for step in one.steps} == {(None, None)}
            check(table, kind, one, head)


@MANY
@given(tables, st.integers(0, 1))
def test_one_label_of_several_crosses_one_half(table: Table, label: int) -> None:
    head = Head(("a", "b", "c")[: table.shape[1]], "sigmoid")
    found = search(table, head=head, target=label)
    text = instance(table, head=head, target=label)
    for kind, one in (("necessary", found.sets.necessary), ("sufficient", found.sets.sufficient)):
        if one is not None:
            check(table, kind, one, head, label)
            assert (one.label, one.steps[-1].probability) == (head.labels[label], one.label_probability)
            assert one.question == "value" or is_met(table, kind, "label", one.units, text)


def weighted(weights: list[float], bias: float) -> Callable[[tuple[int, ...]], Table]:
    """Two labels; the second leads by the bias and the weights of the units that are shown."""
    total = bias + sum(weights)
    return lambda masked: np.array([0.0, total - sum(weights[unit] for unit in masked)])


@pytest.mark.parametrize("count", [100, 500])
def test_a_long_text_keeps_its_budget_and_finds_the_smallest_sets_of_a_sum(count: int) -> None:
    weights = np.random.default_rng(count).exponential(size=count).tolist()
    found = search_function(count, weighted(weights, -0.9 * sum(weights)), head=Head(("a", "b")))
    ranked = np.sort(weights)[::-1]
    needed = int(np.argmax(np.cumsum(ranked) > 0.1 * sum(weights))) + 1  # to change the label
    enough = int(np.argmax(np.cumsum(ranked) > 0.9 * sum(weights))) + 1  # to keep it
    assert found.rows == found.sets.passes.forward <= 3 * count
    necessary, sufficient = found.sets.necessary, found.sets.sufficient
    assert necessary is not None
    assert sufficient is not None
    assert len(necessary.units) == needed
    assert necessary.is_minimal
    assert len(sufficient.units) >= enough
    assert len(necessary.steps) == len(necessary.units)


@pytest.mark.parametrize("budget", [1, 2, 5, 12, 40, 200])
def test_a_text_of_many_redundant_words_gives_what_the_budget_allows(budget: int) -> None:
    """Any three of 20 words keep the label, so 18 must be masked to change it."""

    def outputs(masked: tuple[int, ...]) -> Table:
        return np.array([0.0, min(3.0, 20.0 - len(masked)) - 2.5])

    found = search_function(20, outputs, head=Head(("a", "b")), budget=budget)
    assert found.rows == found.sets.passes.forward <= budget
    for one, size in ((found.sets.necessary, 18), (found.sets.sufficient, 3)):
        if one is not None:
            assert len(one.units) >= size
            assert one.is_minimal == (len(one.units) == size and one.stopped is None)
    if budget >= 60:
        assert found.sets.necessary is not None
        assert found.sets.sufficient is not None
        assert len(found.sets.necessary.units) == 18
        assert len(found.sets.sufficient.units) == 3
    missing = [kind for kind in ("necessary", "sufficient") if getattr(found.sets, kind) is None]
    passes = "1 pass" if budget == 1 else f"{budget} passes"
    told = f"no {' and no '.join(missing)} set found within a budget of {passes}; to search further, raise sets"
    assert found.note == (told if missing else None)


def test_one_question_asks_for_many_rows() -> None:
    draw = np.random.default_rng(0)
    weights = draw.normal(0.5, 1.0, size=200).tolist()
    found = search_function(200, weighted(weights, 0.0), head=Head(("a", "b")))
    assert found.questions < 60
    assert found.rows > 5 * found.questions


def test_words_that_only_together_change_the_label_are_found_though_masking_everything_keeps_it() -> None:
    """`not bad`: without `not` the label changes, without both it does not."""

    def outputs(masked: tuple[int, ...]) -> Table:
        shown = {0, 1, 2, 3} - set(masked)
        return np.array([0.0, 1.0 - 3.0 * (0 in shown) + (6.0 if {0, 1} <= shown else 0.0)])

    found = search_function(4, outputs, head=Head(("negative", "positive")))
    assert found.sets.necessary is not None
    assert found.sets.necessary.units == (1,)
    assert found.sets.necessary.question == "label"
    assert found.sets.sufficient is not None
    assert found.sets.sufficient.question == "value"
    assert set(found.sets.sufficient.units) == {0, 1}


@pytest.mark.parametrize("count", [5, 9, 20, 40])
def test_both_sets_are_found_whatever_their_sizes(count: int) -> None:
    """The label holds as long as so many words, whichever they are, are shown."""
    for enough in range(1, count + 1):

        def outputs(masked: tuple[int, ...], enough: int = enough) -> Table:
            return np.array([0.0, count - len(masked) - enough + 0.5])

        found = search_function(count, outputs, head=Head(("a", "b")))
        assert found.rows <= 3 * count
        assert found.sets.necessary is not None
        assert found.sets.sufficient is not None
        for one, size in ((found.sets.necessary, count - enough + 1), (found.sets.sufficient, enough)):
            assert size <= len(one.units) <= size + 2
            assert one.is_minimal == (len(one.units) == size and one.stopped is None)
        if count <= 20:
            assert len(found.sets.necessary.units) + len(found.sets.sufficient.units) == count + 1


@pytest.mark.parametrize("budget", range(1, 24))
def test_the_value_is_never_asked_for_because_rows_ran_out(budget: int) -> None:
    """Masking everything keeps the label; masking one unit changes it, which is known once that unit was tried."""

    def outputs(masked: tuple[int, ...]) -> Table:
        return np.array([0.0, -1.0 if masked == (4,) else 5.0 - 0.5 * len(masked)])

    found = search_function(8, outputs, head=Head(("a", "b")), budget=budget, knows_singles=False)
    assert found.rows <= budget
    assert found.sets.necessary is None or found.sets.necessary.units == (4,)
    assert (found.sets.necessary is not None) == (budget >= 8)


@pytest.mark.parametrize("change", [0.5, 0.0])
def test_a_unit_that_alone_changes_the_label_is_not_overlooked(change: float) -> None:
    """No single word and no few words change the label, nor does masking everything; the first word alone does."""

    def outputs(masked: tuple[int, ...]) -> Table:
        return np.array([0.0, -1.0 if set(masked) == set(range(1, 7)) else 2.0 - change * (len(masked) == 7)])

    found = search_function(7, outputs, head=Head(("a", "b")))
    assert found.rows <= 3 * 7
    assert found.sets.necessary is not None
    assert (found.sets.necessary.question, set(found.sets.necessary.units)) == ("label", {1, 2, 3, 4, 5, 6})


@pytest.mark.parametrize(("seed", "kind", "units", "budget"), [(4, "necessary", 5, 7), (5, "sufficient", 4, 7)])
def test_pruning_ends_though_the_steps_of_a_smaller_set_would_not_fit(
    seed: int, kind: str, units: int, budget: int
) -> None:
    table = random_table(units, 2, seed, 0.1)
    found = getattr(search(table, budget=budget).sets, kind)
    assert len(found.units) == 3
    assert found.is_minimal
    check(table, kind, found, Head(("a", "b")))
