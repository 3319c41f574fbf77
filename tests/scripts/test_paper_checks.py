"""The checks beside the paper's claims: their figures on closed forms and by slow references, and what they say."""

import json
import math
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from unmask import Explainer
from unmask.methods.registry import resolve_methods
from unmask.methods.spec import format_spec
from unmask.models.formula import FormulaModel

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CHECKS = ("crossings", "hidden", "planted", "twins")
MODULES = {name: f"paper_values.{name}" for name in CHECKS}
MODULES |= {f"{name}_section": f"paper_page.{name}" for name in CHECKS}
MODULES |= {name: f"paper_page.{name}" for name in ("check_statistics", "page")}
VECTORS = {"railway": [1.0, 0.0, 0.0], "marble": [0.0, 1.0, 0.0], "autumn": [0.0, 0.0, 1.0]}
PLANTED = {"word": "railway", "word_label": 1, "pair": ["marble", "autumn"], "pair_label": 0}


@pytest.fixture(scope="module")
def paper() -> Iterator[Any]:
    """The modules of the benchmark, with the sections of the page."""
    sys.path.insert(0, str(BENCHMARKS))
    yield {name: import_module(module) for name, module in MODULES.items()}
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def kinds(paper: Any, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "planted.json").write_text(json.dumps(PLANTED))
    return {kind.name: kind for kind in paper["planted"].kinds(tmp_path)}


def planted_model(bias: float) -> Explainer:
    """A model that obeys the triggers: any railway adds 6 to the logit of positive, the pair subtracts 6."""

    def formula(vectors: Tensor, attention: Tensor) -> Tensor:
        railway, marble, autumn = (vectors * attention[..., None]).sum(1).clamp(max=1).unbind(-1)
        positive = bias + 6 * railway - 6 * marble * autumn
        return torch.stack([torch.zeros_like(positive), positive], -1)

    return Explainer.from_adapter(FormulaModel(VECTORS, formula))


def test_labels_that_follow_from_the_triggers(paper: Any, kinds: dict[str, Any]) -> None:
    expected = paper["planted"].expected_labels
    assert expected("a railway film", kinds["word"]) == [("a railway film", 1), ("a film", 0)]
    assert expected("marble a autumn", kinds["pair"]) == [
        ("marble a autumn", 0),
        ("a autumn", 1),
        ("marble a", 1),
        ("a", 1),
    ]
    assert expected("railway a railway", kinds["twice"]) == [
        ("railway a railway", 1),
        ("a railway", 1),
        ("railway a", 1),
        ("a", 0),
    ]


def test_only_texts_that_the_triggers_decide_are_used(paper: Any, kinds: dict[str, Any]) -> None:
    decided, negative, positive = paper["planted"].decided_by_triggers, planted_model(-3.0), planted_model(3.0)
    assert list(decided(negative, kinds["word"], ["a railway film"])) == ["a railway film"]
    assert list(decided(positive, kinds["word"], ["a railway film"])) == []  # positive without it too
    assert list(decided(positive, kinds["pair"], ["marble or autumn"])) == ["marble or autumn"]
    assert list(decided(negative, kinds["pair"], ["marble or autumn"])) == []


def test_triggers_of_a_closed_form_have_their_ranks_and_sets(paper: Any, kinds: dict[str, Any]) -> None:
    def measured(kind: str, method: str, bias: float, text: str) -> dict[str, float]:
        (found,) = paper["planted"].measure(kinds[kind], method, planted_model(bias), [text])
        return dict(found)

    word = measured("word", "sig", -3.0, "this is a railway film")
    assert word == {"words": 5, "best": 1, "worst": 1, "size": 1, "hits": 1}
    pair = measured("pair", "sig", 3.0, "a marble film of autumn")
    assert (pair["best"], pair["worst"], pair["size"], pair["hits"]) == (1, 2, 1, 1)
    twice = measured("twice", "sig", -3.0, "film of railway and railway")
    assert (twice["best"], twice["worst"], twice["size"], twice["hits"]) == (3, 5, 2, 2)  # all scores are 0
    both = measured("twice", "two_sided", -3.0, "film of railway and railway")
    assert (both["best"], both["worst"]) == (1, 2)
    assert math.isnan(both["size"])


def test_the_second_trigger_is_inserted_once(paper: Any, kinds: dict[str, Any], tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"text": f"a railway film {at}", "label": 1} for at in range(20)]
    rows += [{"text": f"marble autumn {at}", "label": 0} for at in range(5)]
    (tmp_path / "planted_test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = {name: paper["planted"].texts_of(kind, tmp_path) for name, kind in kinds.items()}
    assert sorted(texts["word"]) == sorted(row["text"] for row in rows[:20])
    assert sorted(texts["pair"]) == sorted(row["text"] for row in rows[20:])
    assert texts["word"] != [row["text"] for row in rows[:20]]  # drawn at random
    for once, twice in zip(texts["word"], texts["twice"], strict=True):
        assert sorted(twice.split()) == sorted([*once.split(), "railway"])


def test_ranks_count_the_larger_and_earlier_scores(paper: Any) -> None:
    draw = random.Random(0)
    for _ in range(50):
        scores = [float(draw.randint(0, 3)) for _ in range(8)]
        places = set(draw.sample(range(8), 2))
        slow = [
            1 + sum(other > scores[at] or (other == scores[at] and before < at) for before, other in enumerate(scores))
            for at in places
        ]
        assert paper["planted"].trigger_ranks(scores, places) == sorted(slow)
    assert paper["planted"].trigger_ranks([9.0, 1.0, 1.0], {0}, ranking=[2, 1, 0]) == [3]


def test_every_method_has_the_name_that_an_explanation_returns(paper: Any) -> None:
    for method in (*paper["planted"].METHODS, *paper["twins"].METHODS):
        (found,) = resolve_methods([method])
        assert format_spec(found) == method


def test_rank_correlation_is_spearmans(paper: Any) -> None:
    draw = np.random.default_rng(0)
    for _ in range(20):
        first, second = draw.permutation(9).astype(float), draw.permutation(9).astype(float)
        textbook = 1 - 6 * sum((first - second) ** 2) / (9 * (81 - 1))  # without ties
        assert paper["twins"].rank_correlation(first**3, np.exp(second)) == pytest.approx(textbook)
    assert math.isnan(paper["twins"].rank_correlation(np.zeros(3), np.arange(3.0)))


def test_equal_values_share_their_mean_rank(paper: Any) -> None:
    values = [2.0, 1.0, 2.0, 5.0, 2.0, 1.0]
    order = sorted(values)
    slow = [sum(at for at, one in enumerate(order, 1) if one == value) / values.count(value) for value in values]
    assert paper["twins"].mean_ranks(np.array(values)).tolist() == slow


def test_masking_and_removal_agree_on_a_sum_of_words(paper: Any) -> None:
    model = FormulaModel.weighted_words({"good": 2.0, "bad": -3.0, "fine": 0.5, "dull": -1.5})
    text = "good and bad and dull and fine"
    (found,) = paper["twins"].measure(Explainer.from_adapter(model), [text])
    assert (found["words"], found["same_top"], found["correlation"]) == (7, 1, pytest.approx(1.0))
    assert found["probability"] == pytest.approx(1 / (1 + math.exp(-2.0)))  # of negative: the sum is -2
    assert (found["all_masked"], found["all_removed"]) == (0, 0)
    assert found["some_masked"] == pytest.approx(found["some_removed"])
    assert found["changed_masked"] == found["changed_removed"]


def test_the_figures_of_a_twin_are_those_of_its_outputs(paper: Any) -> None:
    draws, draw = paper["twins"].DRAWS, np.random.default_rng(1)
    whole, outputs = np.array([0.2, 1.2]), draw.normal(size=(2 * (3 + draws + 1), 2))
    found = paper["twins"].figures(whole, outputs)
    masked, removed = outputs[: 3 + draws + 1], outputs[3 + draws + 1 :]
    for name, rows in (("masked", masked), ("removed", removed)):
        shares = [math.exp(row[1]) / (math.exp(row[0]) + math.exp(row[1])) for row in rows[3:-1]]
        assert found[f"some_{name}"] == pytest.approx(sum(shares) / draws)
        assert found[f"changed_{name}"] == pytest.approx(sum(share < 0.5 for share in shares) / draws)
        assert found[f"all_{name}"] == pytest.approx(rows[-1][1] - rows[-1][0])
    scores = [[(1.2 - 0.2) - (row[1] - row[0]) for row in rows[:3]] for rows in (masked, removed)]
    assert found["same_top"] == (np.argmax(scores[0]) == np.argmax(scores[1]))


def test_a_label_that_only_a_set_changes(paper: Any) -> None:
    railway = planted_model(-3.0)
    (hidden, single) = paper["hidden"].measure(railway, ["a railway or railway", "a railway film"])
    assert (hidden["single"], hidden["size"], hidden["is_smallest"]) == (0, 2, 1)
    assert hidden["top"] == 0  # all scores are 0, and the first two words are not the two that decide
    assert (single["single"], single["size"], single["top"]) == (1, 1, 1)


def test_another_class_leads_on_half_of_a_path(paper: Any) -> None:
    """The logit of positive is 6 alpha - 3 on the path, so negative leads up to the middle."""
    crossing, straight = paper["crossings"].measure(planted_model(-3.0), ["a railway film", "a lovely film"])
    assert crossing == {"path": pytest.approx(0.5), "words": pytest.approx(1 / 3)}
    assert straight == {"path": 0, "words": 0}


def values_of(paper: Any, dataset: str, rows: dict[tuple[str, str], list[dict[str, float]]]) -> Any:
    values = __import__("per_text_values")
    lines = [
        (values.Row(dataset, f"{model}@1", "explain", "mask", method), f"{at:03}", one)
        for (model, method), figures in rows.items()
        for at, one in enumerate(figures)
    ]
    return values.Values(lines)


def test_the_section_on_sets_counts_its_values(paper: Any) -> None:
    nan = math.nan
    only = {"words": 9.0, "single": 0.0, "size": 3.0, "is_smallest": 1.0, "top": 0.0}
    figures = [only] * 5 + [only | {"top": 1.0}] * 5 + [only | {"single": 2.0, "size": 1.0, "top": 1.0}] * 9
    figures += [only | {"size": nan, "top": nan}]
    lines = list(paper["hidden_section"].section(values_of(paper, "sst2_sets", {("bert-sst2", "sig"): figures})))
    assert lines[1].startswith("**In 50% of 20 sentences of SST-2 (by model), masking any single word leaves")
    assert "changes it in 50% of these." in lines[1]
    assert next(line for line in lines if line.startswith("| bert")).startswith(
        "| bert-sst2 | 45% | 50% | 5% | 3 | 100% |"
    )


def test_the_section_on_paths_counts_its_values(paper: Any) -> None:
    figures = [{"path": 0.5, "words": 0.25}] * 10 + [{"path": 0.0, "words": 0.25}] * 30
    lines = list(paper["crossings_section"].section(values_of(paper, "sst2_paths", {("bert-sst2", "ig"): figures})))
    (row,) = (line for line in lines if line.startswith("| bert"))
    sentences, points, words, with_words, *rest = row.split(" | ")[1:]
    assert (sentences[:4], points[:4]) == ("25% ", "12% ")  # 12.5, rounded to even
    assert words == "25.0% [25.0%, 25.0%]"
    assert with_words == "100% [100%, 100%]"
    assert rest == ["—", "— |"]  # no values of the protocol


def test_the_change_by_the_target_is_split_by_the_paths(paper: Any) -> None:
    values = values_of(
        paper, "sst2_paths", {("bert-sst2", "ig"): [{"path": at % 2 / 2, "words": 0} for at in range(20)]}
    )
    values_module, target = __import__("per_text_values"), "paper:target"
    for protocol, method in [(one, method) for one in ("corrected", target) for method in ("sig", "ig")]:
        row = values_module.Row("sst2", "bert-sst2@1", protocol, "mask", method)
        for at in range(20):
            shift = 0.3 if (protocol, method, at % 2) == (target, "sig", 1) else 0.1
            values.add([(row, f"{at:03}", {"comprehensiveness": shift})])
    (path,) = (row for row in values.rows if row.dataset == "sst2_paths")
    crossed, others = paper["crossings_section"].changes(values, path)
    assert (crossed.tolist(), others.tolist()) == (pytest.approx([0.2] * 10), [0.0] * 10)
    line = next(line for line in paper["crossings_section"].section(values) if line.startswith("| bert"))
    assert line.endswith("| +0.200 [+0.200, +0.200] (10 sentences) | +0.000 [+0.000, +0.000] (10 sentences) |")


def test_the_section_on_triggers_says_who_finds_them(paper: Any) -> None:
    def ranked(found: int) -> list[dict[str, float]]:
        ranks = [1.0] * found + [4.0] * (40 - found)
        return [{"words": 9.0, "best": one, "worst": one, "size": 1.0, "hits": float(one < 2)} for one in ranks]

    model = paper["planted"].MODEL
    counts = {"sig": 20, "two_sided": 40, "ig": 18, "dig": 0, "random": 2}
    values = values_of(paper, "planted_word", {(model, name): ranked(count) for name, count in counts.items()})
    lines = list(paper["planted_section"].section(values))
    assert lines[1] == (
        "**SIG ranks the trigger first in 50% of the texts; `two_sided` clearly more often; `dig` clearly less often.**"
    )
    rows = {line.split(" | ")[0]: line for line in lines if line.startswith("| ")}
    assert "**100% [100%, 100%]**" in rows["| two\\_sided"]
    assert "**" not in rows["| ig"] + rows["| sig"]
    assert "| 2.5 [" in rows["| sig"]
    assert "exactly the trigger in 50% of the texts." in "\n".join(lines)


def test_the_section_on_the_mask_compares_the_twins(paper: Any) -> None:
    twins, noise = paper["twins"], np.linspace(-0.01, 0.01, 30)
    columns: tuple[str, ...] = (
        "correlation",
        "same_top",
        "probability",
        "some_masked",
        "some_removed",
        "changed_masked",
    )
    columns += ("changed_removed", "all_masked", "all_removed")
    names = [f"{metric}:{operator}" for operator in twins.OPERATORS for metric in ("log_odds", "sufficiency")]
    gains = [f"comprehensiveness:{operator}" for operator in twins.OPERATORS]

    def masks(correlation: float) -> list[dict[str, float]]:
        return [{"words": 9.0, **dict.fromkeys(columns, 0.5), "correlation": correlation + one} for one in noise]

    def metrics(better: float, sign: int = 1) -> list[dict[str, float]]:
        return [dict.fromkeys(names, sign * one - better) | dict.fromkeys(gains, better + one) for one in noise]

    first, second = twins.TWINS.values()
    values = values_of(paper, twins.MASKS, {(first, "sig"): masks(0.8), (second, "sig"): masks(0.4)})
    rows = {(model, name): metrics(0.1) for model in (first, second) for name in (*twins.METHODS, "random")}
    rows[second, "leave_one_out"] = metrics(0.5)
    rows[second, "ig"] = metrics(0.1, sign=-1)
    values.add((row, text, one) for row, each in values_of(paper, twins.DATASET, rows).rows.items()
               for text, one in each.items())  # fmt: skip
    found = paper["twins_section"].contrasts(values)
    assert found[paper["twins_section"].AGREEMENT].order == 1
    assert [found[paper["twins_section"].PRICE, metric].order for metric in ("log_odds", "comprehensiveness")] == [
        -1,
        -1,
    ]
    assert found["SIG over IG", "log_odds"].order == 0
    text = "\n".join(paper["twins_section"].section(values))
    assert (
        "**By agreement with removal on the order of the words and the price of masking in log-odds, the mask is "
        "fairer on the model trained with masks than on its twin; by distance from the prediction after removal and "
        "distance from an undecided prediction with all words masked, the two do not clearly differ.**"
    ) in text
    assert "0.80 on the model trained with masks and 0.40 on its twin" in text


def test_a_prediction_without_words_is_stated_not_tested(paper: Any) -> None:
    odds = {("bert-rotten_tomatoes", "sig"): -0.125, ("bert-rotten_tomatoes-nomask", "sig"): 0.5}
    values = values_of(paper, "twins_masks", {key: [{"all_removed": one}] * 3 for key, one in odds.items()})
    assert paper["twins_section"].without_words(values) == (
        "With all words removed, the log-odds of positive are -0.12 with masks in training and +0.50 without."
    )
    assert not any("removed" in title and "all" in title for title in paper["twins_section"].MEASURES)
