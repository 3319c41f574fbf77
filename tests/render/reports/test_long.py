"""One line per figure: exactly, with what was not computed, and with what it took."""

import csv
import io
from dataclasses import replace

import pytest
from support import evaluations

from unmask.metrics.faithfulness import METRICS
from unmask.render.reports import render
from unmask.results.report import Report

CSV = """dataset,model,baseline,baseline_used,protocol,function,unit,target,scale,seed,dtype,max_length,method,operator,share,metric,mean,low,high,count,failures,planned,own_operator
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,ig,remove,0.2,log_odds,-1,-1,-1,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,ig,remove,0.2,comprehensiveness,0.25,0.25,0.25,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,ig,remove,0.2,sufficiency,0.125,0.125,0.125,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,sig,remove,0.2,log_odds,-1.5,-1.5,-1.5,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,sig,remove,0.2,comprehensiveness,0.375,0.375,0.375,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,sig,remove,0.2,sufficiency,0.0625,0.0625,0.0625,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,random,remove,0.2,log_odds,-0.5,-0.5,-0.5,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,random,remove,0.2,comprehensiveness,0.0625,0.0625,0.0625,4,1,5,
sst2,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,128,random,remove,0.2,sufficiency,0.5,0.5,0.5,4,1,5,
sst2,roberta,mask,mask,corrected,,,,,,,,ig,remove,0.2,log_odds,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,ig,remove,0.2,comprehensiveness,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,ig,remove,0.2,sufficiency,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,sig,remove,0.2,log_odds,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,sig,remove,0.2,comprehensiveness,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,sig,remove,0.2,sufficiency,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,random,remove,0.2,log_odds,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,random,remove,0.2,comprehensiveness,,,,0,0,5,
sst2,roberta,mask,mask,corrected,,,,,,,,random,remove,0.2,sufficiency,,,,0,0,5,
"""  # noqa: E501


def lines(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render(report, "csv", "long"))))


def test_the_whole_file() -> None:
    report = evaluations.small()
    first = report.cells[0]
    assert first.evaluation is not None
    known = replace(first, dtype="float32", evaluation=replace(first.evaluation, max_length=128))
    made = render(replace(report, cells=(known, *report.cells[1:])), "csv", "long")
    assert made.replace("\r\n", "\n") == CSV


def test_differences_and_the_papers_figures_have_columns() -> None:
    references = evaluations.Elsewhere("paper", {"ig": (-0.981, 0.345, 0.352)})
    found = lines(evaluations.small(reference="sig", references=references))
    of = {(one["model"], one["method"], one["metric"]): one for one in found}
    assert [of["bert", "ig", metric]["paper"] for metric in METRICS] == ["-0.981", "0.345", "0.352"]
    assert [of["bert", "ig", metric]["minus sig"] for metric in METRICS] == ["0.5", "-0.125", "0.0625"]
    assert [of["bert", "ig", "log_odds"][f"minus sig {part}"] for part in ("low", "high")] == ["0.5", "0.5"]
    for row in (("bert", "sig", "log_odds"), ("roberta", "ig", "log_odds")):
        assert (of[row]["paper"], of[row]["minus sig"]) == ("", "")
    assert not {"paper", "minus sig"} & set(lines(evaluations.small())[0])


def test_every_metric_of_a_method_has_a_line() -> None:
    found = lines(evaluations.report(evaluations.cell(evaluations.evaluation(8, methods=("ig", "sig")))))
    of_ig = [(one["operator"], one["metric"]) for one in found if one["method"] == "ig"]
    by_operator = [
        "log_odds",
        "comprehensiveness",
        "sufficiency",
        "sufficiency_clipped",
        "aopc_log_odds",
        "aopc_comprehensiveness",
        "aopc_sufficiency",
    ]
    assert list(dict.fromkeys(of_ig)) == [
        *(("remove", metric) for metric in by_operator),
        *(("mask", metric) for metric in by_operator),
        ("", "delta"),
        ("", "absolute_delta"),
    ]
    assert {one["own_operator"] for one in found if one["operator"] == "mask" and one["method"] == "ig"} == {"yes"}
    by_removal = [one for one in found if (one["method"], one["operator"]) == ("ig", "remove")]
    shares = {metric: [one["share"] for one in by_removal if one["metric"] == metric] for metric in by_operator}
    assert shares["log_odds"] == shares["sufficiency"] == ["0.2", "0.01", "0.05", "0.1", "0.5"]
    assert shares["sufficiency_clipped"] == ["0.2"]


@pytest.mark.parametrize("share", [evaluations.TOP, 0.01, 0.5])
def test_figures_are_those_of_the_evaluation(share: float) -> None:
    evaluation = evaluations.evaluation(25)
    (line,) = [
        one
        for one in lines(evaluations.report(evaluations.cell(evaluation)))
        if (one["method"], one["operator"], one["metric"]) == ("sig", "remove", "log_odds")
        and one["share"] == f"{share:g}"
    ]
    found = evaluation.summary("sig", "log_odds", "remove", share)
    assert found is not None
    assert [float(line[name]) for name in ("mean", "low", "high", "count")] == pytest.approx(
        [found.mean, found.low, found.high, found.count], rel=1e-5
    )


def test_costs_are_shown_only_with_times() -> None:
    report = evaluations.report(evaluations.cell(evaluations.evaluation(10, methods=("ig", "sig"))))
    costs = {"passes", "gradient_passes", "seconds"}
    assert not costs & {one["metric"] for one in lines(report)}
    timed = lines(evaluations.report(*report.cells, times=True))
    found = {(one["method"], one["metric"]): one["mean"] for one in timed if one["metric"] in costs}
    assert found["sig", "passes"] == "24"
    assert found["sig", "gradient_passes"] == "5"
    assert found["sig", "seconds"] == "0.02"
    assert {method for method, _ in found} == {"ig", "sig"}


def test_people_see_a_table_for_each_cell() -> None:
    made = render(evaluations.small(), "markdown", "long")
    assert made.count("\n## ") == 2
    assert "| sig | remove | log-odds ↓, 20% | -1.500 \\[-1.500, -1.500\\] | 4 of 5 | 1 |" in made
    assert "| sig | remove | log-odds ↓, 20% | — | 0 of 5 | 0 |" in made
    assert made.count("log-odds: log p without the top units minus log p of the whole text") == 1


def test_words_that_are_missing_at_random_have_lines() -> None:
    report = evaluations.report(evaluations.cell(evaluations.with_missing_words(evaluations.evaluation(6))))
    found = [one for one in lines(report) if one["method"] == "random words"]
    assert [(one["share"], one["mean"]) for one in found if one["metric"] == "agreement"] == [
        ("0", "1"),
        ("0.1", "0.95"),
        ("0.2", "0.9"),
        ("0.5", "0.75"),
    ]
    assert {one["mean"] for one in found if one["metric"] == "accuracy"} == {""}
    assert "| random words | remove | agreement ↑, 10% deleted | 0.950" in render(report, "markdown", "long")


def test_what_is_missing_is_said_by_operator() -> None:
    found = evaluations.evaluation(12, methods=("ig", "sig"))
    rows = tuple(evaluations.without(row, range(2, 12), "mask") if row.name == "ig" else row for row in found.rows)
    made = render(evaluations.report(evaluations.cell(replace(found, rows=rows))), "markdown", "long")
    assert "by mask: bert: ig computed for 2 of 12 texts; 10 not run yet" in made
    assert "by remove" not in made


def test_costs_are_those_of_a_text_that_is_computed_once() -> None:
    cell = evaluations.cell(evaluations.run_once(evaluations.evaluation(10, methods=("ig", "sig")), texts=5))
    found = {
        (one["method"], one["metric"]): (one["mean"], one["count"])
        for one in lines(evaluations.report(cell, times=True))
        if one["metric"] in ("passes", "seconds")
    }
    assert found["ig", "passes"] == ("24", "5")  # 120 in all


def test_areas_are_over_the_shares_of_the_plan() -> None:
    cells = [
        evaluations.cell(evaluations.evaluation(4, curve=(0.125, 0.4)), model=model) for model in ("bert", "roberta")
    ]
    made = render(evaluations.report(*cells), "markdown", "long")
    assert made.count("AOPC: over 12.5, 40% of the units") == 1
    assert "1, 5, 10" not in made
