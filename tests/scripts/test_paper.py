"""The page of the paper's claims: its statistics against slow references, its verdicts on made-up values."""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.shared import sst2

from unmask.methods.registry import resolve_methods
from unmask.methods.spec import format_spec

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PAGE = ["statistics", "claims", "parts", "tables", "facts", "figures", "findings", "models", "page", "summary"]
MODULES = {name: f"paper_page.{name}" for name in PAGE}
MODULES |= {"work": "paper_values.work", "schedule": "paper_values.schedule", "values": "per_text_values"}


@pytest.fixture(scope="module")
def paper() -> Iterator[Any]:
    """The modules of the benchmark, by their own names."""
    sys.path.insert(0, str(BENCHMARKS))
    yield {name: import_module(module) for name, module in MODULES.items()}
    sys.path.remove(str(BENCHMARKS))


MODELS = {name: f"{name}-sst2@{name}" for name in ("bert", "distilbert", "roberta")}
TEXTS = [f"{at:03}" for at in range(60)]


def made(paper: Any, shifts: dict[tuple[str, str, str], float], *, texts: int = 60) -> Any:
    """Values for every (protocol, baseline, method): a shift that makes it better, and noise that texts share."""
    draw = np.random.default_rng(0)
    noise = {text: draw.normal(0, 0.3, 3) for text in TEXTS}
    rows = {}
    for protocol, baseline, method in shifts:
        for model in MODELS.values():
            row = paper["values"].Row("sst2", model, protocol, baseline, method)
            better = shifts[protocol, baseline, method]
            rows[row] = {
                text: {
                    "log_odds": noise[text][0] - better + draw.normal(0, 0.01),
                    "comprehensiveness": noise[text][1] + better + draw.normal(0, 0.01),
                    "sufficiency": noise[text][2] - better + draw.normal(0, 0.01),
                    "delta": 1.0,
                    "residual": np.nan,
                    "forward": 10.0,
                    "backward": 0.0,
                }
                for text in TEXTS[:texts]
            }
    return paper["values"].Values((row, text, one) for row, each in rows.items() for text, one in each.items())


def test_equivalence_is_the_share_of_all_resamples_beyond_the_margin(paper: Any) -> None:
    values, margin = np.array([0.3, -0.1, 0.25, 0.05, 0.0]), 0.2
    means = np.array([np.mean(one) for one in product(values, repeat=len(values))])  # every resample there is
    expected = max(np.mean(means <= -margin), np.mean(means >= margin))
    assert paper["statistics"].bootstrapped(values, margin) == pytest.approx(expected, abs=0.01)
    assert 0.05 < expected < 0.3


def test_equivalence_is_the_share_of_all_sign_patterns_as_far_inside(paper: Any) -> None:
    values, margin = np.array([0.3, -0.1, 0.25, 0.05, 0.0]), 0.3
    shares = []
    for inside in (margin + values, margin - values):
        means = [np.mean(signs * inside) for signs in product((-1, 1), repeat=len(values))]
        shares.append(np.mean(np.array(means) >= inside.mean() - 1e-9))
    assert paper["statistics"].flipped(values, margin) == pytest.approx(max(shares), abs=0.01)
    assert shares[0] < shares[1] < 0.3
    assert paper["statistics"].equivalence(np.zeros(3), margin) == pytest.approx(1 / 8, abs=0.01)  # 2 ** -3: few texts


def test_equivalence_needs_both_sides(paper: Any) -> None:
    equivalence = paper["statistics"].equivalence
    spread = np.linspace(-0.05, 0.05, 50)
    assert equivalence(spread, 0.1) < 0.001
    assert equivalence(spread + 0.2, 0.1) > 0.99
    assert equivalence(spread - 0.2, 0.1) > 0.99
    assert equivalence(np.linspace(-3, 3, 50), 0.1) > 0.3


def test_an_advantage_is_the_mean_over_models_then_texts(paper: Any) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.2, ("paper", "mask", "ig"): 0.1})
    row = paper["values"].Row
    pairs = {
        name: (row("sst2", model, "paper", "mask", "sig"), row("sst2", model, "paper", "mask", "ig"))
        for name, model in MODELS.items()
    }
    for metric, sign in (("log_odds", -1), ("comprehensiveness", 1), ("sufficiency", -1)):
        (found,) = paper["statistics"].advantages([paper["statistics"].pooled(values, pairs, metric)])
        each = [
            sign * (values.rows[mine][text][metric] - values.rows[other][text][metric])
            for text in TEXTS
            for mine, other in pairs.values()
        ]
        slow = sum(each) / len(each)
        assert found.difference.mean == pytest.approx(slow)
        assert found.difference.count == len(TEXTS)
        assert np.mean(list(found.models.values())) == pytest.approx(slow)


def verdicts(paper: Any, values: Any) -> dict[tuple[str, str], str]:
    found = paper["claims"].tested(values, paper["claims"].CLAIMS, ["sst2"])
    return {(one.claim.sentence, one.protocol): one.verdict for one in found}


def test_verdicts_follow_from_the_values(paper: Any) -> None:
    shifts = {("paper", "mask", "sig"): 0.3, ("paper", "mask", "ig"): 0.1, ("paper", "mask", "dig"): 0.1}
    shifts |= {("paper", "pad", "sig"): 0.3, ("corrected", "mask", "sig"): 0.1, ("corrected", "mask", "ig"): 0.3}
    found = verdicts(paper, made(paper, shifts))
    assert found["SIG is better than IG", "paper"] == "yes"
    assert found["SIG is better than IG", "corrected"] == "no, the reverse"
    assert found["With mask, IG is better than DIG", "paper"] == "not shown"
    assert found["SIG is the same with mask and with pad", "paper"] == "yes"
    assert found["SIG is the same with mask and with pad", "corrected"] == "not measured yet"
    shifts["paper", "pad", "sig"] = 0.6
    assert verdicts(paper, made(paper, shifts))["SIG is the same with mask and with pad", "paper"] == "no"


def test_p_values_are_corrected_over_all_claims(paper: Any) -> None:
    shifts = {("paper", "mask", "sig"): 0.3, ("paper", "mask", "ig"): 0.297, ("paper", "mask", "deeplift"): 0.0}
    found = paper["claims"].tested(made(paper, shifts), paper["claims"].CLAIMS, ["sst2"])
    plain = [one.difference.p for each in found for one in each.found]
    corrected = [each.p[one.metric] for each in found for one in each.found]
    count = len(plain)
    order = np.argsort(plain)
    slow, largest = [0.0] * count, 0.0
    for rank, at in enumerate(order):  # Holm's definition, step by step
        largest = max(largest, min(1.0, plain[at] * (count - rank)))
        slow[at] = largest
    assert corrected == pytest.approx(slow)
    assert count == 6


def test_a_part_that_turns_the_order_is_found(paper: Any) -> None:
    protocols = list(paper["parts"].ADDED)
    shifts = {(one, "mask", "ig"): 0.2 for one in protocols} | {(one, "mask", "sig"): 0.1 for one in protocols}
    shifts |= {(one, "mask", "sig"): 0.4 for one in ("paper:tokens", "paper")}
    values = made(paper, shifts)
    found = paper["parts"].changes(values, "ig", paper["parts"].ADDED)
    clear = {one.protocol for one in found if one.is_clear}
    assert clear == {"paper:tokens", "paper"}
    assert {one.protocol: round(one.advantage.mean, 1) for one in found if one.metric == "log_odds"}["paper"] == 0.2
    assert without_brackets(paper["findings"].turning(found)) == (
        "We added each of the six parts of `paper` to `corrected`, on 60 sentences of SST-2. On average over the "
        "models, these parts clearly change SIG's advantage over IG: tokens instead of words (log-odds +0.3, "
        "comprehensiveness +0.3, sufficiency +0.3). All six together change it by log-odds +0.3, comprehensiveness "
        "+0.3 and sufficiency +0.3. Explaining the logit of the predicted class, without following the largest, "
        "changes nothing clearly."
    )


def without_brackets(text: str) -> str:
    """The text without the figures of each model, and with one digit."""
    return re.sub(r"0\.30\d|0\.29\d", "0.3", re.sub(r" \[.*?\]", "", text))


def test_a_part_whose_loss_turns_the_order_is_found(paper: Any) -> None:
    protocols = list(paper["parts"].TAKEN)
    shifts = {(one, "mask", "ig"): 0.2 for one in protocols} | {(one, "mask", "sig"): 0.4 for one in protocols}
    without = next(one for one, title in paper["parts"].TAKEN.items() if title == "- target")
    shifts |= {(one, "mask", "sig"): 0.1 for one in (without, "corrected")}
    found = paper["parts"].changes(made(paper, shifts), "ig", paper["parts"].TAKEN)
    assert without_brackets(paper["findings"].turning(found)) == (
        "We took each of the six parts from `paper`, on 60 sentences of SST-2. On average over the models, these parts "
        "clearly change SIG's advantage over IG: leaving out following the largest logit (log-odds -0.3, "
        "comprehensiveness -0.3, sufficiency -0.3). All six together change it by log-odds -0.3, comprehensiveness "
        "-0.3 and sufficiency -0.3."
    )


def test_a_change_is_given_on_each_model(paper: Any) -> None:
    protocols = list(paper["parts"].ADDED)
    values = made(paper, {(one, "mask", method): 0.2 for one in protocols for method in ("sig", "ig")})
    for row in [row for row in values.rows if (row.protocol, row.method) == ("paper:tokens", "sig")]:
        shift = {"bert": 0.0, "distilbert": 0.3, "roberta": 0.6}[row.name.partition("-")[0]]
        moved = {text: one | {"sufficiency": one["sufficiency"] - shift} for text, one in values.rows[row].items()}
        values.add((row, text, one) for text, one in moved.items())
    found = paper["findings"].turning(paper["parts"].changes(values, "ig", paper["parts"].ADDED))
    models = re.search(r"tokens instead of words \(sufficiency \+0\.\d+ \[(.*?)\]\)", found)
    assert models is not None
    assert [float(one) for one in models[1].split(" / ")] == pytest.approx([0.0, 0.3, 0.6], abs=0.011)


def test_the_first_sentences_say_where_sig_leads(paper: Any) -> None:
    shifts = {("paper", "mask", "sig"): 0.3, ("paper", "mask", "ig"): 0.1}
    shifts |= {("corrected", "mask", "sig"): 0.3, ("corrected", "mask", "ig"): 0.3}
    values = made(paper, shifts)
    for row, texts in list(values.rows.items()):  # another dataset, on which the order under `paper` is the other one
        shift = {"sig": -0.3, "ig": 0.0}[row.method] if row.protocol == "paper" else 0.0
        other = replace(row, dataset="imdb", model=row.model.replace("sst2", "imdb"))
        moved = {text: one | {"log_odds": one["log_odds"] - 2 * shift} for text, one in texts.items()}
        values.add((other, text, one) for text, one in moved.items())
    found = paper["claims"].tested(values, paper["claims"].CLAIMS, ["sst2", "imdb"])
    assert without_brackets(paper["findings"].finding(found)) == (
        "Under the paper's protocol, on SST-2 (60 texts, log-odds), SIG is clearly better than IG by log-odds, "
        "comprehensiveness and sufficiency; on IMDB (60 texts, log-odds), SIG is clearly better than IG by "
        "comprehensiveness and sufficiency and clearly worse than IG by log-odds. Under `corrected`, on SST-2 (60 "
        "texts, log-odds) and IMDB (60 texts, log-odds), SIG and IG do not clearly differ by any of the three metrics "
        "on average over the models."
    )
    assert paper["findings"].tally(found) == (
        "Under the paper's protocol, SIG is clearly better by all three metrics than IG on SST-2, than none of the "
        "five on IMDB. Under `corrected`, SIG is clearly better by all three metrics than none of the five on SST-2 "
        "and IMDB."
    )


def test_parts_without_effect_are_not_tested(paper: Any) -> None:
    parts = paper["parts"]
    values = made(paper, {(one, "mask", method): 0.1 for one in parts.ADDED for method in ("sig", "ig")})
    found = parts.changes(values, "ig", parts.ADDED)
    assert {(one.part, one.metric) for one in found if one.change is None and one.title != "corrected"} == {
        ("own_baseline", "comprehensiveness"),
        ("own_baseline", "sufficiency"),
    }
    single = {(one.part, one.metric): one for one in found if one.part and one.change is not None}
    assert len(single) == 16
    plain = sorted(one.change.p for one in single.values())
    smallest = min(single.values(), key=lambda one: one.change.p)
    assert smallest.p == pytest.approx(min(1.0, plain[0] * 16))  # Holm over the single parts alone


def test_a_protocol_has_the_means_of_both_methods(paper: Any) -> None:
    values = made(paper, {(one, "mask", method): 0.1 for one in paper["parts"].ADDED for method in ("sig", "ig")})
    for one in paper["parts"].changes(values, "ig", paper["parts"].ADDED):
        sums = {"sig": 0.0, "ig": 0.0}
        for row, texts in values.rows.items():
            if row.protocol == one.protocol:
                sums[row.method] += sum(figures[one.metric] for figures in texts.values())
        assert one.both == pytest.approx(tuple(total / (3 * len(TEXTS)) for total in sums.values()))


def test_parts_need_all_three_models(paper: Any) -> None:
    values = made(paper, {(one, "mask", method): 0.1 for one in paper["parts"].ADDED for method in ("sig", "ig")})
    for row in [row for row in values.rows if row.name == "roberta-sst2"]:
        del values.rows[row]
    assert paper["parts"].changes(values, "ig", paper["parts"].ADDED) == []


def test_mask_and_pad_are_not_compared_by_two_kinds_of_log_odds(paper: Any) -> None:
    shifts = {(protocol, baseline, "sig"): 0.1 for protocol in ("paper", "corrected") for baseline in ("mask", "pad")}
    found = paper["claims"].tested(made(paper, shifts), paper["claims"].CLAIMS, ["sst2"])
    (same,) = [
        {
            one.protocol: [each.metric for each in one.found]
            for one in found
            if one.claim.first[0] == "sig" and one.claim.second == ("sig", "pad")
        }
    ]
    assert same["paper"] == ["comprehensiveness", "sufficiency"]
    assert same["corrected"] == ["log_odds", "comprehensiveness", "sufficiency"]


def test_equality_takes_enough_texts(paper: Any) -> None:
    shifts = {("paper", "mask", "sig"): 0.3, ("paper", "pad", "sig"): 0.3}
    sentence = "SIG is the same with mask and with pad"
    assert verdicts(paper, made(paper, shifts))[sentence, "paper"] == "yes"
    assert verdicts(paper, made(paper, shifts, texts=59))[sentence, "paper"] == "too few texts"


def test_models_that_disagree_with_the_average_are_named(paper: Any) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.3, ("paper", "mask", "ig"): 0.1})
    for row in [row for row in values.rows if (row.name, row.method) == ("bert-sst2", "ig")]:
        values.add(
            (row, text, one | {"log_odds": one["log_odds"] - 0.3}) for text, one in list(values.rows[row].items())
        )
    found = paper["claims"].tested(values, paper["claims"].CLAIMS[:1], ["sst2"])
    text = paper["findings"].finding(found)
    start = "Under the paper's protocol, on SST-2 (60 texts, log-odds ["
    assert text.startswith(start)
    bert, *others = text.removeprefix(start).partition("]")[0].split(" / ")
    assert [float(one) for one in (bert, *others)] == pytest.approx([-0.1, 0.2, 0.2], abs=0.011)


def test_the_summary_says_what_was_compared_and_no_more(paper: Any) -> None:
    shifts = {
        ("corrected", "mask", "sig"): 0.1,
        ("corrected", "mask", "ig"): 0.1,
        ("corrected", "mask", "two_sided"): 0.3,
    }
    values = made(paper, shifts)
    bold, _, _, _, *points = paper["summary"].summary(values, paper["claims"].all_tested(values, ["sst2"]))
    start, models = "Under `corrected`, on SST-2 (60 texts, log-odds), ", "on average over the models"
    same = f"{start}SIG and IG do not clearly differ by any of the three metrics {models}."
    assert without_brackets(bold) == f"**{same}**"
    metrics = "log-odds, comprehensiveness and sufficiency"
    assert list(map(without_brackets, points)) == [
        "- *Claims.* Under `corrected`, SIG is clearly better by all three metrics than none of the five on SST-2.",
        f"- *Two sides.* {start}the two-sided score is clearly better than SIG by {metrics}.",
    ]


def test_a_dataset_with_few_texts_has_no_verdict(paper: Any) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.1, ("paper", "mask", "ig"): 0.1}, texts=10)
    found = paper["claims"].tested(values, paper["claims"].CLAIMS, ["sst2"])
    assert paper["findings"].finding(found) == ""
    assert paper["findings"].tally(found) == "SST-2 has too few texts for a verdict (10)."


def test_parts_are_compared_on_common_texts(paper: Any) -> None:
    protocols = list(paper["parts"].ADDED)
    values = made(paper, {(one, "mask", method): 0.1 for one in protocols for method in ("sig", "ig")})
    for row in values.rows:
        if row.protocol == "paper:tokens" and row.name == "bert-sst2":
            del values.rows[row][TEXTS[0]]
    assert {one.advantage.count for one in paper["parts"].changes(values, "ig", paper["parts"].ADDED)} == {59}


def test_an_incomplete_extra_row_does_not_shrink_the_table(paper: Any) -> None:
    parts = paper["parts"]
    values = made(paper, {(one, "mask", method): 0.1 for one in parts.ADDED for method in ("sig", "ig")})
    for row in values.rows:
        if row.protocol == parts.LOGIT.name:
            del values.rows[row][TEXTS[0]]
    found = parts.changes(values, "ig", parts.ADDED)
    assert {one.advantage.count for one in found} == {60}
    assert parts.LOGIT.name not in {one.protocol for one in found}


def test_values_survive_a_file(paper: Any, tmp_path: Path) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.2}, texts=3)
    paper["values"].pack(values, tmp_path)
    first = (tmp_path / "sst2.csv.gz").read_bytes()
    again = paper["values"].Values.load(tmp_path)
    assert again.rows.keys() == values.rows.keys()
    for row, texts in values.rows.items():
        for text, figures in texts.items():
            assert again.rows[row][text] == pytest.approx(figures, abs=5.1e-6, nan_ok=True)
    paper["values"].pack(again, tmp_path)
    assert (tmp_path / "sst2.csv.gz").read_bytes() == first


def test_a_file_with_the_same_values_is_not_written_again(paper: Any, tmp_path: Path) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.2}, texts=3)
    paper["values"].pack(values, tmp_path)
    path = tmp_path / "sst2.csv.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), 1))  # as another zlib would
    other = path.read_bytes()
    paper["values"].pack(values, tmp_path)
    assert path.read_bytes() == other
    paper["values"].pack(made(paper, {("paper", "mask", "sig"): 0.2}, texts=4), tmp_path)
    assert path.read_bytes() != other


def test_a_line_that_was_cut_off_is_left_out(paper: Any, tmp_path: Path) -> None:
    values = made(paper, {("paper", "mask", "sig"): 0.2}, texts=2)
    lines = [(row, text, one) for row, texts in values.rows.items() for text, one in texts.items()]
    paper["values"].append(tmp_path / "sst2.csv", lines)
    whole = (tmp_path / "sst2.csv").read_text()
    (tmp_path / "sst2.csv").write_text(whole[:-20])
    assert sum(1 for _ in paper["values"].read(tmp_path / "sst2.csv")) == len(lines) - 1


def test_errors_are_those_of_the_values(paper: Any) -> None:
    methods = ("sig_path:steps=10", "sdig:strategy=non_monotonic")
    values = made(paper, {("corrected", "mask", method): 0.0 for method in methods})
    for row, texts in values.rows.items():
        values.add((row, text, one | {"residual": float(at)}) for at, (text, one) in enumerate(list(texts.items())[:5]))
    steps, path = paper["facts"].completeness(values), paper["facts"].monotone(values)
    assert "With 10 steps: the largest error in a text is 2 in log-odds (median), at most 4." in steps.evidence
    assert path.evidence.endswith("is 2 in log-odds (median), at most 4.")
    assert path.verdict == "in the limit, yes; with 30 words, no"
    assert paper["facts"].monotone(paper["values"].Values()).verdict == "in the limit, yes"


def test_symmetry_is_that_of_the_closed_forms(paper: Any) -> None:
    assert paper["facts"].sig_features(lambda u, v: u[0] * v[0] * u[1], [(1.0, 1.0), (1.0,)]) == [
        pytest.approx([0.5, 0.5]),
        pytest.approx([1.0]),
    ]


def test_best_figures_are_bold(paper: Any) -> None:
    values = made(
        paper, {("paper", "mask", "sig"): 0.5, ("paper", "mask", "ig"): 0.1, ("paper", "mask", "random"): 0.9}
    )
    lines = paper["tables"].table(values, "sst2", "paper", "mask")
    rows = {line.split(" | ")[0].strip("| "): line for line in lines[2:]}
    assert rows["sig"].count("**") == 2 * 9
    assert "**" not in rows["ig"] + rows["random"]
    assert "(-1.19)" in rows["sig"]  # the published log-odds of BERT


def test_a_method_with_fewer_texts_is_placed_by_its_difference_from_sig(paper: Any) -> None:
    values = made(paper, {("corrected", "mask", "sig"): 0.0, ("corrected", "mask", "ig"): 0.5})
    for row, texts in values.rows.items():
        if row.method == "ig":
            for text in TEXTS[10:]:
                del texts[text]
    found = paper["figures"].price(values, "sst2", "corrected")
    assert (found["sig"].is_whole, found["ig"].is_whole, found["ig"].passes) == (True, False, 10.0)
    for metric, better in (("log_odds", -0.5), ("comprehensiveness", 0.5), ("sufficiency", -0.5)):
        assert found["ig"].means[metric] - found["sig"].means[metric] == pytest.approx(better, abs=0.01)


def test_the_cost_is_that_of_its_page(paper: Any) -> None:
    rows = (paper["page"].PAGE.parent / "cost-of-the-experiment.md").read_text(encoding="utf-8").splitlines()
    six, plan = (next(row for row in rows if start in row) for start in ("| the paper's six", "| the whole plan"))
    assert "| 28 days |" in six
    assert "`corrected`" in plan
    assert "| 43 h |" in plan


def test_the_page_says_what_its_values_say(paper: Any) -> None:
    """The committed page is the one that the committed values give."""
    values = paper["values"].Values.load(paper["values"].RESULTS / "paper")
    found = paper["claims"].all_tested(values, list(paper["tables"].DATASETS))
    assert "\n".join(paper["page"].lines(values, found)) + "\n" == paper["page"].PAGE.read_text(encoding="utf-8")


def test_every_stage_names_methods_that_exist(paper: Any) -> None:
    stages = paper["schedule"].SCHEDULE
    assert len({stage.name for stage in stages}) == len(stages)
    for method in {method for stage in stages for block in stage.blocks for method in block.methods}:
        (found,) = resolve_methods([method])
        assert format_spec(found) == method  # the name under which an evaluation returns it


def test_texts_are_drawn_once_and_from_fresh_sentences(paper: Any) -> None:
    if not paper["work"].SHARED.exists():
        pytest.skip("needs ../shared")
    texts = paper["work"].texts_of("sst2")
    early = {row["text"] for row in sst2("test")[: paper["work"].FRESH]}
    assert len(texts) == len(set(texts)) > 800
    assert len(early & set(texts)) < 5  # sentences that occur twice


def test_accuracies_of_several_machines_are_kept(paper: Any, tmp_path: Path) -> None:
    def accuracy(model: str, test: float) -> dict[str, Any]:
        return {"model": model, "test": test, "test, 20 % masked": 0.5, "test texts": 1066}

    kept, trained = tmp_path / "kept.json", tmp_path / "trained"
    trained.mkdir()
    paper["models"].keep(trained, kept)
    assert not kept.exists()
    assert list(paper["models"].section(kept)) == []
    for some in ([accuracy("a_b", 0.7), accuracy("c", 0.8)], [accuracy("c", 0.9)]):
        (trained / kept.name).write_text(json.dumps(some))
        paper["models"].keep(trained, kept)
    rows = [line for line in paper["models"].section(kept) if line.startswith("| ")]
    assert rows[1:] == [
        "| :--- | ---: | ---: | ---: |",
        "| a\\_b | 0.700 | 0.500 | 1,066 |",
        "| c | 0.900 | 0.500 | 1,066 |",
    ]
