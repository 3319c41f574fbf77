"""Several explanations of one text."""

import json
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from unmask import Comparison, Contrast, Explainer
from unmask.errors import ArgumentError, InputError, SchemaError
from unmask.methods import SIG, Random
from unmask.models.adapter import Batch
from unmask.models.formula import FormulaModel
from unmask.results.comparison import kendall

TEXT = "a good film, not bad"


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0, "not": 0.5}))


def test_over_methods(explainer: Explainer) -> None:
    found = explainer.compare(TEXT, methods=["sig", "random", Random(seed=5)], target="positive")
    assert found.over == "method"
    assert found.names == ("sig", "random", "random:seed=5")
    assert [one.method.name for one in found.explanations] == ["sig", "random", "random"]
    assert {one.target for one in found.explanations} == {"positive"}
    assert found.agreements[0] == 1.0


def test_over_targets_without_a_new_pass(explainer: Explainer, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, run = [], FormulaModel.outputs

    def counted(self: FormulaModel, batch: Batch, vectors: Tensor) -> Tensor:
        rows.append(len(vectors))
        return run(self, batch, vectors)

    monkeypatch.setattr(FormulaModel, "outputs", counted)
    explainer.explain(TEXT)  # the gate too
    rows.clear()
    explainer.explain(TEXT, sets="none")
    alone = sum(rows)
    rows.clear()
    found = explainer.compare(TEXT, targets=["positive", "negative", Contrast("negative", "positive")])
    assert sum(rows) == alone
    assert found.names == ("positive", "negative", "negative rather than positive")
    assert found.agreements == pytest.approx((1.0, -1.0, -1.0))


def test_over_units_that_differ_there_is_no_agreement(explainer: Explainer) -> None:
    found = explainer.compare("It is good. It is bad.", units=["word", "sentence"])
    assert found.names == ("word", "sentence")
    assert found.agreements == (1.0, None)


def test_one_thing_at_a_time(explainer: Explainer) -> None:
    with pytest.raises(ArgumentError, match="compare one setting"):
        explainer.compare(TEXT)
    with pytest.raises(ArgumentError, match="compare one setting"):
        explainer.compare(TEXT, methods=["sig"], units=["word"])


def test_it_survives_json(explainer: Explainer) -> None:
    found = explainer.compare(TEXT, methods=["sig", "random"])
    assert Comparison.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    with pytest.raises(SchemaError, match="not a comparison with schema 1"):
        Comparison.from_dict(found.to_dict() | {"schema": 7})
    with pytest.raises(SchemaError, match="this comparison is incomplete"):
        Comparison.from_dict({"schema": 1, "over": "method", "rows": [{}]})
    with pytest.raises(SchemaError, match="nothing to compare"):
        Comparison.from_dict(found.to_dict() | {"rows": found.to_dict()["rows"][:1]})


def test_it_is_loaded_as_it_was_saved(explainer: Explainer, tmp_path: Path) -> None:
    found, path = explainer.compare(TEXT, methods=["sig", "random"]), tmp_path / "x.json"
    found.save(path)
    assert Comparison.load(path) == found
    found.explanations[0].save(path)
    with pytest.raises(SchemaError, match="not a comparison: it has no 'rows'") as caught:
        Comparison.load(path)
    assert caught.value.hint == "Explanation.load reads one explanation"
    path.write_text("[")
    with pytest.raises(SchemaError, match="this is not a comparison: not JSON"):
        Comparison.load(path)
    with pytest.raises(InputError, match=r"cannot read .*absent\.json"):
        Comparison.load(tmp_path / "absent.json")


def test_one_alone_is_no_comparison(explainer: Explainer) -> None:
    for one in ({"methods": ["sig"]}, {"targets": ["positive"]}, {"units": ["word"]}):
        with pytest.raises(ArgumentError, match="there is nothing to compare: give several methods, targets or units"):
            explainer.compare(TEXT, **one)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"methods": ["sig", "random", SIG()]}, "duplicate method 'sig'"),
        ({"methods": [Random(seed=5), Random(seed=5)]}, "duplicate method 'random'"),
        ({"units": ["word", "word"]}, "duplicate unit 'word'"),
        ({"targets": ["positive", "positive"]}, "duplicate target 'positive'"),
        ({"targets": ["predicted", "negative"]}, "duplicate target 'negative'"),
    ],
)
def test_equal_rows_are_refused(explainer: Explainer, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        explainer.compare(TEXT, **values)


def by_pairs(one: list[int], other: list[int]) -> float | None:
    """Kendall's tau-b, pair by pair."""
    same = different = tied = tied_other = 0
    for a, b in combinations(range(len(one)), 2):
        x, y = one[a] - one[b], other[a] - other[b]
        same, different = same + (x * y > 0), different + (x * y < 0)
        tied, tied_other = tied + (x == 0), tied_other + (y == 0)
    pairs = len(one) * (len(one) - 1) // 2
    below = (pairs - tied) * (pairs - tied_other)
    return (same - different) / sqrt(below) if below else None


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=12))
def test_agreement_is_kendalls(scores: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in scores], [b for _, b in scores]
    found, expected = kendall(tuple(map(float, one)), tuple(map(float, other))), by_pairs(one, other)
    assert found == (None if expected is None else pytest.approx(expected))
