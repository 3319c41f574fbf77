"""An evaluation as a whole: what is counted, what is shared, what is refused, and how it is kept."""

import json
import re
from collections import Counter
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import tiny
from torch import Tensor

from unmask import Explainer, Request
from unmask.errors import ArgumentError, SchemaError, TextError
from unmask.experiments.examples import Example, embedded_examples, example_with_scores
from unmask.metrics.plausibility import Annotation
from unmask.metrics.registry import Measure
from unmask.models.adapter import Batch
from unmask.models.formula import FormulaModel
from unmask.results.evaluation import Evaluation
from unmask.tasks.targets import Head

WEIGHTS = {"good": 2.0, "bad": -3.0, "film": 0.25, "great": 4.0, "dull": -1.0}
TEXTS = ["a good film", "a great and good film", "bad dull film , not good", "great day"]
TOP = 0.2


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))


def value(found: Evaluation, row: str, metric: str, operator: str | None = "remove", share: float | None = TOP) -> Any:
    return found.row(row).values[Measure(metric, operator, share)]


def sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def test_a_sum_of_words_is_judged_as_by_hand(explainer: Explainer) -> None:
    found = explainer.evaluate(["a great and good film"], methods=["sig"], operators="remove", top=0.2)
    whole, without, alone = sigmoid(6.25), sigmoid(2.25), sigmoid(4.0)  # `great` is the top fifth of five words
    assert value(found, "sig", "log_odds") == pytest.approx(np.log(without) - np.log(whole))
    assert value(found, "sig", "comprehensiveness") == pytest.approx(whole - without)
    assert value(found, "sig", "sufficiency") == pytest.approx(whole - alone)


def test_where_words_add_up_sig_is_what_greedy_finds(explainer: Explainer) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig", "leave_one_out"], operators=["remove", "mask"])
    for metric in ("log_odds", "comprehensiveness", "sufficiency"):
        for operator in ("remove", "mask"):
            best = value(found, "greedy", metric, operator)
            assert value(found, "sig", metric, operator) == pytest.approx(best)
            assert value(found, "leave_one_out", metric, operator) == pytest.approx(best)
            assert found.relative_to_greedy("sig", Measure(metric, operator, TOP)) == pytest.approx(1)
    assert found.relative_to_greedy("random", Measure("comprehensiveness", "remove", TOP)) == pytest.approx(0)


def test_the_target_s_class_is_judged(explainer: Explainer) -> None:
    found = explainer.evaluate(["a bad film"], methods=["sig"], target="positive", operators="remove")
    whole, without, alone = sigmoid(-2.75), sigmoid(-3), sigmoid(0.25)  # `film` speaks for it, though less than `bad`
    assert value(found, "sig", "log_odds") == pytest.approx(np.log(without) - np.log(whole))
    assert value(found, "sig", "comprehensiveness") == pytest.approx(whole - without)
    assert value(found, "sig", "sufficiency") == pytest.approx(whole - alone)


class Counted(FormulaModel):
    """Counts every altered text that goes through."""

    rows: Counter[tuple[tuple[float, ...], ...]]

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        for row, attention in zip(vectors, batch.attention, strict=True):
            self.rows[tuple(map(tuple, row[attention.bool()].tolist()))] += 1
        return super().outputs(batch, vectors)


def test_the_same_altered_text_is_run_once() -> None:
    adapter = Counted({word: [weight, at] for at, (word, weight) in enumerate(WEIGHTS.items(), 1)}, _first_feature)
    adapter.rows = Counter()
    explainer = Explainer.from_adapter(adapter)
    methods = ["sig", "leave_one_in", "shapley"]  # which agree on the top word
    text = "good great film dull bad"
    options: dict[str, Any] = {"methods": methods, "operators": "remove", "controls": ()}
    explainer.evaluate([text], **options)
    scored = [explainer.explain(text, method=method) for method in methods]
    # 1, 2 and 3 of 5 words: without the top, and the top alone; each text once, whatever the methods
    without = [row for row in adapter.rows if len(row) == 4]
    assert without
    assert len({one.top(1)[0][0].text for one in scored}) == 1
    assert all(adapter.rows[row] == 1 for row in without)


def _first_feature(vectors: Tensor, attention: Tensor) -> Tensor:
    positive = (vectors[..., 0] * attention).sum(-1)
    return positive[:, None] * vectors.new_tensor([[0.0, 1.0]])


def test_costs_are_those_of_the_methods(explainer: Explainer) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig", "shapley"])
    for name in ("sig", "shapley"):
        passes = [explainer.explain(text, method=name).passes.forward for text in TEXTS]
        assert found.row(name).passes.forward == sum(passes)
    assert found.row("sig").seconds > 0


def test_one_text_fails_alone(explainer: Explainer) -> None:
    found = explainer.evaluate(["a good film", "", "great day", TextError("line 4 is torn")], methods=["sig"])
    assert [(one.example, one.row) for one in found.failures] == [(1, None), (3, None)]
    assert "empty" in found.failures[0].reason
    assert np.isnan(value(found, "sig", "log_odds")).tolist() == [False, True, False, True]
    summary = found.summary("sig", "log_odds", "remove", TOP)
    assert summary is not None
    assert summary.count == 2
    with pytest.raises(ArgumentError, match="no text could be evaluated: the text has no unit to explain: it is empty"):
        explainer.evaluate([""], methods=["sig"])


def test_a_text_that_one_method_cannot_score_is_missing_in_that_row() -> None:
    explainer = tiny.explainer("gpt2")
    found = explainer.evaluate(["lovely", "a lovely film"], methods=["sig", "leave_one_out"], operators="remove")
    assert [(one.example, one.row) for one in found.failures] == [(0, "leave_one_out")]
    assert np.isnan(value(found, "leave_one_out", "sufficiency")).tolist() == [True, False]
    assert not np.isnan(value(found, "sig", "sufficiency")).any()
    assert np.isnan(value(found, "sig", "comprehensiveness")).tolist() == [True, False]  # nothing would be left


def test_greedy_choices_of_long_texts_are_not_computed(explainer: Explainer) -> None:
    found = explainer.evaluate(["good " * 65, "good good"], methods=["sig"])
    assert np.isnan(value(found, "greedy", "log_odds")).tolist() == [True, False]
    assert (
        found.relative_to_greedy("sig", Measure("log_odds", "remove", TOP)) is None
    )  # chance does as well where both words are one


def test_people_are_agreed_with_where_the_model_is_right(explainer: Explainer) -> None:
    people = (Annotation((False, True, False), "positive"), Annotation((False, True, True), "positive"))
    examples = [
        Example(Request("a good film"), "positive", people),
        Example(Request("a bad film"), "positive", people),  # the model says negative
        Example(Request("a great film"), "positive"),  # nobody marked it
    ]
    found = explainer.evaluate(examples, methods=["sig"])
    assert found.rationale_length == 1
    for metric in ("auprc", "token_f1", "iou_f1"):
        summary = found.summary("sig", metric)
        assert summary is not None
        assert (summary.mean, summary.count) == (1.0, 1)
        everyone = explainer.evaluate(examples, methods=["sig"], plausibility="all").summary("sig", metric)
        assert everyone is not None
        assert everyone.count == 2


def test_people_explain_the_gold_label(explainer: Explainer) -> None:
    """Scores for another label are not what they marked words for."""
    people = (Annotation((False, True, False), None),)
    examples = [Example(Request(f"a {word} film"), at, people) for word, at in (("good", "positive"), ("bad", 0))]
    counts = {}
    for target in ("predicted", "max", "positive"):
        found = explainer.evaluate(examples, methods=["sig"], target=target)
        summary = found.summary("sig", "auprc")
        counts[target] = None if summary is None else summary.count
        assert ("where the target is the gold label" in found.to_markdown()) == (target == "positive")
    assert counts == {"predicted": 2, "max": 2, "positive": 1}


def test_differences_are_written_beside_what_has_none(explainer: Explainer) -> None:
    people = (Annotation((False, True, False), "positive"),)
    examples = [Example(Request(f"a {word} film"), "positive", people) for word in ("good", "great")]
    found = explainer.evaluate(examples, methods=["sig", "ig"], reference="ig")
    table = found.to_pandas().set_index(["row", "metric"])["minus ig"]
    assert np.isfinite(table["sig", "auprc"]).all()
    assert np.isnan(table["sig", "iou_f1"]).all()  # no mean over texts
    assert "iou_f1" in found.to_csv()
    again = Evaluation.from_dict(found.to_dict()).summary("sig", "iou_f1")
    assert again == found.summary("sig", "iou_f1")


def test_what_the_model_says_when_words_are_missing(explainer: Explainer) -> None:
    examples = [Example(Request("good good good good"), "positive"), Example(Request("bad bad bad bad"), 1)]
    found = explainer.evaluate(examples, methods=["sig"], operators="mask")
    at = {share: float(np.mean(value(found, "random words", "confidence", "mask", share))) for share in (0.0, 0.1, 0.5)}
    assert at[0.0] == pytest.approx((sigmoid(8) + sigmoid(12)) / 2)
    assert at[0.1] == pytest.approx((sigmoid(6) + sigmoid(9)) / 2)  # one word at least
    assert at[0.5] == pytest.approx((sigmoid(4) + sigmoid(6)) / 2)
    assert value(found, "random words", "accuracy", "mask", 0.5).tolist() == [1, 0]
    assert value(found, "random words", "agreement", "mask", 0.5).tolist() == [1, 1]
    unlabelled = explainer.evaluate(["good"], methods=["sig"], operators="mask")
    assert np.isnan(value(unlabelled, "random words", "accuracy", "mask", 0.5)).all()


@pytest.mark.parametrize(("method", "own"), [("sig", "mask"), ("leave_one_out", "remove"), ("grad_x_input", None)])
def test_explanations_know_by_what_they_were_made(explainer: Explainer, method: str, own: str | None) -> None:
    example = example_with_scores(explainer.explain("a great and good film", method=method).to_dict())
    found = explainer.evaluate([example], methods=[method], given="lime")
    assert found.row("lime").baseline == found.row(method).baseline == own


def test_scores_from_elsewhere_go_through_the_same_metrics(explainer: Explainer) -> None:
    ours = explainer.explain("a great and good film")
    theirs = example_with_scores(ours.to_dict())
    spans = {"text": ours.text, "spans": [[one.start, one.end] for one in ours.units], "scores": list(ours.scores)}
    for example in (theirs, example_with_scores(spans)):
        found = explainer.evaluate([example], methods=["sig"], given="lime")
        for measure, values in found.row("lime").values.items():
            assert values == pytest.approx(found.row("sig").values[measure], nan_ok=True)
    with pytest.raises(ArgumentError, match="2 scores for 1 spans"):
        example_with_scores({"text": "a film", "spans": [[0, 1]], "scores": [1, 2]})
    with pytest.raises(TextError, match="KeyError at 'units'"):
        example_with_scores({"text": "a film"})


def test_scores_of_spans_that_share_a_token_add_up() -> None:
    found = tiny.explainer("bert")
    example = example_with_scores(
        {"text": "lovely film", "spans": [[0, 3], [3, 6], [7, 11]], "scores": [1.0, 1.0, 1.5]}
    )
    row = found.evaluate([example], methods=["sig"], controls=()).row("given")
    whole = found.evaluate(
        [example_with_scores({"text": "lovely film", "spans": [[0, 6], [7, 11]], "scores": [2, 1.5]})]
    )
    assert (
        row.values[Measure("log_odds", "remove", TOP)] == whole.row("given").values[Measure("log_odds", "remove", TOP)]
    )


def test_several_baselines_are_rows_of_their_own(explainer: Explainer) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig", "grad_x_input", "leave_one_out"], baseline=["mask", "pad"])
    names = [row.name for row in found.rows if row.kind == "method"]
    assert names == ["sig (mask)", "sig (pad)", "grad_x_input", "leave_one_out"]
    assert [found.row(name).baseline for name in names] == ["mask", "pad", None, "remove"]
    markdown = found.to_markdown()
    assert "sig: attribution baseline by metric operator" in markdown
    assert "°" in markdown


def test_tables_for_programs_have_the_differences(explainer: Explainer) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig", "grad_x_input"], reference="sig", operators="remove")
    measure = Measure("sufficiency", "remove", TOP)
    mine, other = (found.row(name).values[measure] for name in ("random", "sig"))
    table = found.to_pandas()
    line = table[(table.row == "random") & (table.metric == "sufficiency") & (table.share == TOP)].iloc[0]
    assert line["minus sig"] == pytest.approx(np.mean(mine - other))
    assert 0 < line["minus sig p"] <= 1
    assert table[table.row == "sig"]["minus sig"].isna().all()
    figures = next(row for row in found.to_dict()["rows"] if row["name"] == "random")["figures"]
    kept = next(one for one in figures if (one["metric"], one["share"]) == ("sufficiency", TOP))
    assert kept["difference"]["mean"] == line["minus sig"]
    assert "minus sig low" in found.to_csv()
    assert "minus" not in explainer.evaluate(TEXTS, methods=["sig"]).to_csv()


def test_kept_and_read_again_it_is_the_same(explainer: Explainer, tmp_path: Path) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig", "ig"], reference="sig")
    for name in ("x.json", "x.html", "x.md", "x.tex", "x.csv"):
        found.save(tmp_path / name)
    again = Evaluation.load(tmp_path / "x.json")
    assert again.to_dict() == found.to_dict()
    assert again.to_markdown() == found.to_markdown() == (tmp_path / "x.md").read_text()
    assert len(found.to_pandas()) == sum(len(row.values) for row in found.rows)
    with pytest.raises(ArgumentError, match=r"no format is known for a file that ends in '.png'"):
        found.save(tmp_path / "x.png")
    with pytest.raises(SchemaError, match="not an evaluation"):
        Evaluation.from_dict({"schema": 1})
    with pytest.raises(SchemaError, match="evaluation is incomplete"):
        Evaluation.from_dict({"schema": 1, "kind": "evaluation", "rows": []})


def test_parts_merge_to_the_whole(explainer: Explainer) -> None:
    options: dict[str, Any] = {"methods": ["sig", "shapley"], "reference": "sig"}
    whole = explainer.evaluate([*TEXTS, ""], **options)
    merged = Evaluation.merged([explainer.evaluate(part, **options) for part in (TEXTS[:2], [*TEXTS[2:], ""])])
    ours, theirs = whole.to_dict(), merged.to_dict()
    for record in (ours, theirs):
        for row in record["rows"]:
            row.pop("seconds")
    assert ours == theirs
    with pytest.raises(ArgumentError, match="top is"):
        Evaluation.merged([whole, explainer.evaluate(TEXTS, top=0.5, **options)])
    with pytest.raises(ArgumentError, match="different methods"):
        Evaluation.merged([whole, explainer.evaluate(TEXTS, methods=["sig"], reference="sig")])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"protocol": "papper"}, "unknown protocol 'papper'; did you mean 'paper'"),
        ({"operators": "delete"}, "unknown operator 'delete'"),
        ({"operators": []}, "empty list"),
        ({"top": 0}, "top=0: expected a share"),
        ({"top": 1.5}, "top=1.5: expected a share"),
        ({"methods": ["sig", "sig"]}, "duplicate method 'sig'"),
        ({"methods": ["sgi"]}, "unknown method 'sgi'"),
        ({"controls": ["luck"]}, "unknown control 'luck'"),
        ({"reference": "ig"}, "unknown reference 'ig'"),
        ({"reference": "given"}, "'given': no text has imported scores"),
        ({"reference": "random", "controls": ()}, "unknown reference 'random'"),
        ({"reference": "random words"}, "unknown reference 'random words'; did you mean 'random'"),
        ({"curve": []}, r"curve=\[\]: expected a list of shares"),
        ({"curve": 0.5}, "curve=0.5: expected a list of shares"),
        ({"curve": [0.5, 2]}, "curve=2: expected a share"),
        ({"plausibility": "some"}, "unknown plausibility"),
        ({"protocol": "paper"}, "supports only Hugging Face's BERT"),
        ({"distilbert": "twice"}, "'corrected' does not take distilbert"),
        ({"operator": "mask"}, "Explainer.evaluate has no keyword 'operator'; did you mean 'operators'"),
        ({"topp": 0.5}, "Explainer.evaluate has no keyword 'topp'; did you mean 'top'"),
        ({"method": "sig"}, "Explainer.evaluate has no keyword 'method'; did you mean 'methods'"),
    ],
)
def test_what_does_not_apply_is_refused(explainer: Explainer, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        explainer.evaluate(["a good film"], **{"methods": ["sig"], **options})


def test_scores_from_elsewhere_are_a_reference_where_a_text_has_some(explainer: Explainer) -> None:
    theirs = example_with_scores({"text": "a good film", "spans": [[2, 6], [7, 11]], "scores": [1.0, 9.0]})
    found = explainer.evaluate([theirs, "great day"], methods=["sig"], reference="given")
    assert "Each method minus given" in found.to_markdown()
    torn = example_with_scores({"text": "a", "spans": [[0, 9]], "scores": [1.0]})
    failed = explainer.evaluate([torn, "great day"], methods=["sig"], reference="given")
    assert [one.example for one in failed.failures] == [0]
    assert "minus given" not in failed.to_markdown()


def test_what_the_protocol_of_the_paper_says_itself_is_refused() -> None:
    explainer = tiny.explainer("bert")
    for name, given in (("unit", "word"), ("target", "predicted"), ("scale", "logit"), ("operators", "mask")):
        with pytest.raises(ArgumentError, match=f"does not take {name}"):
            explainer.evaluate(tiny.TEXTS, protocol="paper", **{name: given})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="supports one baseline at a time, not 2"):
        explainer.evaluate(tiny.TEXTS, protocol="paper", baseline=["mask", "pad"])
    with pytest.raises(RuntimeError, match="supports BERT, DistilBERT, RoBERTa, not gpt2"):
        tiny.explainer("gpt2").evaluate(tiny.TEXTS, protocol="paper")


def test_a_regression_has_no_probabilities() -> None:
    adapter = FormulaModel({"good": [1.0]}, lambda vectors, _: vectors.sum(1), head=Head(("stars",), "none"))
    with pytest.raises(ArgumentError, match="which a regression model does not output"):
        Explainer.from_adapter(adapter).evaluate(["good"])


def test_a_model_without_a_mask_is_judged_by_removal() -> None:
    assert tiny.explainer("gpt2").evaluate(["a lovely film"], methods=["sig"]).operators == ("remove",)
    with pytest.raises(ArgumentError, match="has no mask token"):
        tiny.explainer("gpt2").evaluate(["a lovely film"], methods=["sig"], operators="mask")


def test_the_embedded_sentences_are_whole() -> None:
    examples = embedded_examples()
    assert len(examples) == 480
    assert {example.label for example in examples} == {"negative", "positive"}
    for example in examples:
        assert len(example.annotations) == 6
        assert {len(one.mask) for one in example.annotations} == {len(example.request.text.split())}
    notice = files("unmask").joinpath("data/dynasent-rationales/NOTICE").read_text(encoding="utf-8")
    assert all(words in notice for words in ("Potts", "Thorn Jakobsen", "CC BY 4.0", "MIT"))


def test_json_has_no_number_that_is_none(explainer: Explainer) -> None:
    found = explainer.evaluate(["good " * 65, ""], methods=["sig"])
    assert found.to_markdown().startswith("# 1 method evaluated on 1 text\n")
    assert "NaN" not in json.dumps(found.to_dict(), allow_nan=False)


def test_a_text_that_stands_twice_is_run_once(explainer: Explainer) -> None:
    once, twice = (explainer.evaluate(["a good film"] * count, methods=["sig"]) for count in (1, 2))
    assert twice.examples == 2
    assert twice.row("sig").passes == once.row("sig").passes
    assert (twice.row("sig").texts, Evaluation.merged([once, twice]).row("sig").texts) == (1, 2)
    assert Evaluation.from_dict(twice.to_dict()).row("sig").texts == 1
    table, four = (one.to_markdown() for one in (once, explainer.evaluate(["a good film"] * 4, methods=["sig"])))
    assert re.findall(r"\| (\d+) \| \d\.\d{3} \|", four) == re.findall(r"\| (\d+) \| \d\.\d{3} \|", table) == ["5"]
    assert value(twice, "sig", "log_odds").tolist() == value(once, "sig", "log_odds").tolist() * 2


def test_people_mark_the_first_text_of_a_pair(explainer: Explainer) -> None:
    marks = (Annotation((True, False, False)),)
    found = explainer.evaluate([Example(Request("a good film", text_pair="truly bad"), None, marks)], methods=["sig"])
    assert found.rationale_length == 1


def test_where_the_class_is_unknown_people_are_agreed_with_only_if_all_count(explainer: Explainer) -> None:
    example = Example(Request("a good film"), None, (Annotation((False, True, False)),))
    right = explainer.evaluate([example], methods=["sig"])
    assert right.summary("sig", "auprc") is None
    assert [one for one in right.warnings if "1 text with a rationale has no gold label" in one]
    found = explainer.evaluate([example], methods=["sig"], plausibility="all")
    assert found.summary("sig", "auprc") is not None
    assert not found.warnings
    assert "and the model is right" not in found.to_markdown()


def test_what_explain_was_asked_is_what_is_judged(explainer: Explainer) -> None:
    record = explainer.explain("a good film", target="negative").to_dict()
    found = explainer.evaluate([example_with_scores(record)], methods=["sig"], target="positive")
    assert found.target == "negative"
    expected = explainer.evaluate(["a good film"], methods=["sig"], target="negative")
    assert value(found, "given", "sufficiency") == value(expected, "sig", "sufficiency")


def test_scores_that_are_no_numbers_are_refused() -> None:
    for score in (float("nan"), 1e400):
        with pytest.raises(ArgumentError, match="scores must be finite numbers"):
            example_with_scores({"text": "a film", "spans": [[0, 1]], "scores": [score]})


def test_scores_of_what_is_not_read_are_told(explainer: Explainer) -> None:
    example = example_with_scores({"text": "a good film", "spans": [[0, 1], [7, 11]], "scores": [1.0, 9.0]})
    cut = Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS), max_length=2)
    found = cut.evaluate([example], methods=["sig"], operators="mask")
    assert found.truncated == 1
    assert "1 imported score ignored: the model does not read its span" in found.warnings


def test_labels_that_do_not_exclude_each_other_have_no_robustness() -> None:
    head = Head(("joy", "anger"), "sigmoid")
    adapter = FormulaModel({"good": [1.0, -1.0]}, lambda vectors, _: vectors.sum(1), head=head)
    found = Explainer.from_adapter(adapter).evaluate(["a good day"], methods=["sig"])
    assert "random words" not in [row.name for row in found.rows]
    assert any("not mutually exclusive" in warning for warning in found.warnings)


def test_what_differs_is_not_merged(explainer: Explainer) -> None:
    one, other = (explainer.evaluate(TEXTS, methods=["sig"], baseline=name) for name in ("mask", "pad"))
    with pytest.raises(ArgumentError, match="baselines is"):
        Evaluation.merged([one, other])


def test_figures_of_the_paper_from_before_its_correction_are_not_merged() -> None:
    found = tiny.explainer("bert").evaluate(TEXTS[:1], methods=["sig"], protocol="paper", controls=())
    assert Evaluation.merged([found, found]).examples == 2
    old = replace(found, versions={name: one for name, one in found.versions.items() if name != "protocol paper"})
    with pytest.raises(ArgumentError, match="before the protocol paper was corrected"):
        Evaluation.merged([found, old])


def test_what_is_not_known_of_a_part_is_not_known_of_the_whole(explainer: Explainer) -> None:
    found = explainer.evaluate(TEXTS, methods=["sig"])
    assert Evaluation.merged([found, found]).truncated == 0
    assert Evaluation.merged([found, replace(found, truncated=None)]).truncated is None


def test_parts_merge_where_one_has_nothing_to_agree_with(explainer: Explainer) -> None:
    people = (Annotation((False, True, False), "positive"),)
    right, wrong = (Example(Request(f"a {word} film"), "positive", people) for word in ("good", "bad"))
    parts = [explainer.evaluate([one], methods=["sig"], rationale_length=1) for one in (wrong, right)]
    found = Evaluation.merged(parts).summary("sig", "auprc")
    assert found is not None
    assert found.count == 1
    with pytest.raises(ArgumentError, match="no paired differences"):
        parts[1].difference("sig", Measure("iou_f1"), reference="random")


def test_the_protocol_of_the_paper_has_no_spans() -> None:
    explainer = tiny.explainer("bert")
    with pytest.raises(ArgumentError, match="fixes units and target"):
        explainer.evaluate([Request(TEXTS[0], spans=[(0, 1)])], protocol="paper", methods=["sig"])
    found = explainer.evaluate(["a lovely film of friendship"], protocol="paper", methods=["sig"], baseline="zero")
    assert found.baselines == ("zero",)
    assert "°" in found.to_markdown()  # log-odds are by the method's own baseline


def test_rows_over_fewer_texts_say_so() -> None:
    found = tiny.explainer("gpt2").evaluate(["lovely", *tiny.TEXTS[:2]], methods=["sig", "leave_one_out"])
    assert r"leave\_one\_out: 2 of 3 texts" in found.to_markdown()
    assert "sig, log-odds, compr., log-odds AOPC, compr. AOPC: 2 of 3 texts" in found.to_markdown()


def test_an_unknown_metric_is_no_missing_figure(explainer: Explainer) -> None:
    found = explainer.evaluate(["a good film"], methods=["sig"])
    with pytest.raises(ArgumentError, match="did you mean 'comprehensiveness'"):
        found.summary("sig", "comprehensivness")


def test_random_scores_are_evaluated_as_a_method_too() -> None:
    found = tiny.explainer("bert").evaluate(TEXTS[:2], methods=["random:seed=0"], controls=())
    assert [(row.name, row.kind) for row in found.rows] == [("random", "method")]
