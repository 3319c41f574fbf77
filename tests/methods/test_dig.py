"""Paths over words, against a slow and obvious reference on a small vocabulary."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support import tiny
from support.formula_models import VALUE, network
from support.tiny_architectures import TABLE
from torch import Tensor

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import DIG, SDIG
from unmask.methods.dig_paths import DigPaths, Search, doubled
from unmask.models.formula import MASK, PAD, UNKNOWN, FormulaModel
from unmask.models.vocabulary import Vocabulary

STRATEGIES = ("greedy", "max_count", "non_monotonic")
RULES = ("reference", "corrected")
Vector = list[float]


def vocabulary(words: int, width: int = 3, *, seed: int = 0) -> Vocabulary:
    vectors = torch.randn(words, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return Vocabulary(vectors, [f"w{row}" for row in range(words)], special=(0, 1))


class Slow:
    """The published search, one word, one candidate and one dimension at a time."""

    def __init__(self, rows: Sequence[Vector], search: Search, special: Sequence[int]) -> None:
        self.rows, self.search, self.special = rows, search, special
        self.end = [0.0] * len(rows[0]) if search.end is None else rows[search.end]

    def path(self, word: int) -> list[Vector]:
        """From the baseline to the word."""
        taken, anchor, points = [word], word, [self.rows[word]]
        for _ in range(self.search.steps):
            anchor = self.following(anchor, taken, points[-1])
            taken.append(anchor)
            vector = self.end if anchor == -1 else self.rows[anchor]
            is_free = self.search.strategy == "non_monotonic"
            points.append(vector if is_free else self.monotone(points[-1], vector))
        return [*points, self.end][::-1]

    def following(self, anchor: int, taken: list[int], point: Vector) -> int:
        if anchor in (-1, self.search.end):
            return -1
        is_corrected = self.search.rule == "corrected"
        near = sorted(
            (row for row in range(len(self.rows)) if row != anchor and not (is_corrected and row in self.special)),
            key=lambda row: math.dist(self.rows[row], self.rows[anchor]),
        )[: self.search.neighbors]
        seen_from = point if is_corrected else self.rows[anchor]
        left = [row for row in near if row != self.search.end and row not in taken]
        return min(left, key=lambda row: self.cost(seen_from, self.rows[row]), default=-1)

    def cost(self, point: Vector, candidate: Vector) -> float:
        if self.search.strategy == "non_monotonic":
            return math.dist(candidate, self.end)
        moved = self.monotone(point, candidate)
        if self.search.strategy == "max_count":
            return sum(one != other for one, other in zip(moved, candidate, strict=True))
        return math.dist(candidate, moved)

    def monotone(self, point: Vector, candidate: Vector) -> Vector:
        found = []
        for end, here, there in zip(self.end, point, candidate, strict=True):
            is_between = min(end, here) <= there <= max(end, here)
            found.append(there if is_between else here - (here - end) / self.search.steps)
        return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("end", [1, 7, None])
@pytest.mark.parametrize(("words", "neighbors", "steps"), [(60, 8, 6), (25, 24, 10), (9, 500, 12)])
def test_paths_are_those_of_the_slow_search(
    words: int, neighbors: int, steps: int, end: int | None, strategy: str, rule: str
) -> None:
    known = vocabulary(words)
    search = Search(end, steps, neighbors, strategy, rule)
    slow = Slow(known.vectors.tolist(), search, (0, 1))
    asked = [2, 5, 3, 5, 8]
    found = DigPaths(known, search).points(asked)
    assert found.shape == (steps + 2, len(asked), 3)
    for place, word in enumerate(asked):
        assert found[:, place].tolist() == pytest.approx(np.array(slow.path(word)), abs=1e-12)


@given(seed=st.integers(0, 999), strategy=st.sampled_from(STRATEGIES), rule=st.sampled_from(RULES))
@settings(max_examples=30, deadline=None)
def test_a_path_leads_from_the_baseline_to_the_word(seed: int, strategy: str, rule: str) -> None:
    known = vocabulary(40, seed=seed)
    found = DigPaths(known, Search(4, 7, 10, strategy, rule)).points(range(40))
    assert found[0].equal(known.vectors[4].expand(40, 3))
    assert found[-1].equal(known.vectors)
    if strategy != "non_monotonic":
        steps = found.diff(dim=0)
        rising, falling = (steps >= -1e-12).all(0), (steps <= 1e-12).all(0)
        assert (rising | falling).all()  # every dimension of every word


def test_what_is_remembered_is_what_is_found() -> None:
    known, search = vocabulary(50), Search(1, 6, 9, "greedy", "reference")
    paths = DigPaths(known, search)
    apart = torch.cat([paths.points([word]) for word in (3, 9, 20)], 1)
    assert paths.points([3, 9, 20]).equal(apart)
    assert DigPaths(vocabulary(50), search).points([3, 9, 20]).equal(apart)


def test_neighbors_are_the_nearest_words() -> None:
    known = vocabulary(80)
    distances = torch.cdist(known.vectors, known.vectors)
    for word, near in enumerate(known.neighbors(range(80), 5)):
        assert near == distances[word].argsort()[1:6].tolist()
    assert not {0, 1} & {one for near in known.neighbors(range(80), 20, only_words=True) for one in near}
    rows, far = known.nearest(known.vectors + 1e-3)
    assert rows.tolist() == list(range(80))
    assert far.tolist() == pytest.approx([math.sqrt(3) * 1e-3] * 80, rel=1e-6)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = vocabulary(70).neighbors(range(70), 6)
    monkeypatch.setattr("unmask.models.vocabulary.BLOCK", 200)
    assert vocabulary(70).neighbors(range(70), 6) == expected


def test_neighbors_are_the_same_in_any_company() -> None:
    vectors = torch.randn(3000, 384, generator=torch.Generator().manual_seed(1))
    names = [f"w{row}" for row in range(3000)]
    together = Vocabulary(vectors, names).neighbors(range(200), 500)
    assert together == [Vocabulary(vectors, names).neighbors([word], 500)[0] for word in range(200)]


def test_unused_tokens_are_no_words() -> None:
    names = ["[PAD]", "[unused12]", "film", "<unused3>", "madeupword0001", "unused", "<extra_id_5>", ""]
    found = Vocabulary(torch.zeros(10, 2), names, special=[0])
    assert found.apart.tolist() == [0, 1, 3, 4, 6, 7, 8, 9]


def test_middles_are_put_between_points() -> None:
    points = torch.tensor([[0.0], [2.0], [6.0]])
    assert doubled(points, 0).equal(points)
    assert doubled(points, 1).flatten().tolist() == [0, 1, 2, 4, 6]
    assert len(doubled(points, 3)) == 2**3 * 2 + 1


def model(words: int = 30, *, seed: int = 0) -> tuple[Explainer, FormulaModel]:
    vectors = torch.randn(words, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    formula = network(3)

    def outputs(found: Tensor, attention: Tensor) -> Tensor:
        return formula(found * attention[..., None])[:, None]

    adapter = FormulaModel({f"w{row}": vector for row, vector in enumerate(vectors.tolist())}, outputs, head=VALUE)
    special = adapter.vocabulary().vectors[: UNKNOWN + 1]
    special[:] = torch.tensor([[0.1, 0.2, -0.1], [-0.3, 0.1, 0.2], [0.2, -0.2, 0.3]])  # no two alike
    return Explainer.from_adapter(adapter), adapter


@pytest.mark.parametrize("baseline", ["mask", "pad", "zero"])
@pytest.mark.parametrize("factor", [0, 1])
def test_scores_are_sums_over_the_path(factor: int, baseline: str) -> None:
    explainer, adapter = model()
    text, ids = "w3 w9 w20", [UNKNOWN + 1 + word for word in (3, 9, 20)]
    end = {"mask": MASK, "pad": PAD, "zero": None}[baseline]
    search = Search(end, 5, 8, "greedy", "reference")
    slow = Slow(adapter.vocabulary().vectors.tolist(), search, ())
    points = doubled(torch.tensor([slow.path(word) for word in ids], dtype=torch.float64).transpose(0, 1), factor)
    expected = torch.zeros(3, dtype=torch.float64)
    for here, there in pairwise(points):
        at = here.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(network(3)(at[None]).sum(), at)
        expected += (gradient * (there - here)).sum(-1)
    found = explainer.explain(text, method=DIG(steps=5, neighbors=8, factor=factor), baseline=baseline)
    assert found.scores == pytest.approx(expected.tolist(), abs=1e-12)
    assert found.passes.backward == 2**factor * 6


def test_one_at_a_time_comes_to_the_exact_totals() -> None:
    explainer, _ = model()
    exact = explainer.explain("w3 w9 w20").scores
    errors = []
    for factor in (0, 3, 6):
        found = explainer.explain("w3 w9 w20", method=SDIG(steps=5, neighbors=8, factor=factor))
        errors.append(np.abs(np.subtract(found.scores, exact)).max())
        assert found.residuals == pytest.approx(np.subtract(found.scores, exact), abs=1e-12)
    assert errors[2] < errors[1] / 6 < errors[0] / 30  # a left sum: the error halves with every factor


def test_a_word_that_is_the_baseline_scores_nothing() -> None:
    explainer, _ = model()
    assert explainer.explain("w3 unheard w9", method="dig", baseline="unk").scores[1] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ({"strategy": "fast"}, "unknown strategy 'fast'"),
        ({"rule": "right"}, "unknown rule 'right'"),
        ({"steps": 0}, "steps=0"),
        ({"neighbors": 0}, "neighbors=0"),
        ({"factor": -1}, "factor=-1"),
    ],
)
def test_settings_out_of_range_are_refused(text: dict[str, object], message: str) -> None:
    for method in (DIG, SDIG):
        with pytest.raises(ArgumentError, match=message):
            method(**text)  # type: ignore[arg-type]


@pytest.mark.parametrize("architecture", TABLE)
def test_every_kind_of_tokenizer_has_paths(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    baselines = ("mask", "pad") if explainer.tokenizer.mask_token and explainer.tokenizer.pad_token else ("auto",)
    for baseline in baselines:
        for rule in RULES:
            method = f"dig:steps=3,neighbors=10,rule={rule}"
            found = explainer.explain("a gripping film", method=method, baseline=baseline)
            assert np.isfinite(found.scores).all()
            assert np.abs(found.scores).max() > 0
