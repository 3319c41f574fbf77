"""The paper's tables: exactly, what is bold, what is missing, and what stands beside a figure."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from support import evaluations

from unmask.render.reports import render
from unmask.render.tables import Table, TableCell
from unmask.results.report import Report
from unmask.results.rows import GREEDY, EvaluationRow
from unmask.studies.sig2023.published import PublishedFigures
from unmask.studies.sig2023.tables import ABOVE, paper_tables

MARKDOWN = r"""# small: 1 dataset, 2 models, 2 methods

## sst2, baseline mask: units are removed

| method | bert: LO ↓ | bert: Comp ↑ | bert: Suff ↓ | roberta: LO ↓ | roberta: Comp ↑ | roberta: Suff ↓ |
| :--- | ---: | ---: | ---: | ---: | ---: | ---: |
| ig | -1.000 paper: -0.981 | 0.250 paper: 0.345 | 0.125 paper: 0.352 | — | — | — |
| sig | **-1.500** | **0.375** | **0.062** | — | — | — |
| random | -0.500 | 0.062 | 0.500 | — | — | — |

- LO ↓: log p without the top units minus log p of the whole text
- Comp ↑: p of the whole text minus p without the top units; for language models, log p
- Suff ↓: p of the whole text minus p of the top units alone; for language models, log p

Means over texts at the top 20% of the units. Bold: the best method in a column. Methods evaluated on fewer texts or by their own operator (°) are not ranked; if that excludes most methods, nothing is bold.

random: scores drawn at random, mean of 10 draws; the floor

paper: the published figure, over all texts in the paper; ours is over the 5 texts of this run.

The published figures use the protocol 'paper'; ours use 'corrected'.

roberta: not the published model, so its figures are not comparable with the paper's.

The paper uses other settings for sig (sig\_path:steps=50), so its figures are not shown.

bert is some/bert (0123456789ab); roberta is some/roberta

bert: computed for 4 of 5 texts; 1 failed (text 5: the text is empty)

roberta: not run yet: 0 of 5 texts

<small>plan small · protocol corrected · top 20% of the units · unit word · function the model · target predicted · scale log\_odds · seed 0 · max\_length the model's limit · texts 10 in 2 cells</small>
"""  # noqa: E501

VALUES = (-1.0, -1.25, -1.5, -0.5)
LATEX = r"""\begin{tabular}{@{}lrrrrrr@{}}
\toprule
 & \multicolumn{3}{c}{bert} & \multicolumn{3}{c}{roberta} \\
\cmidrule(lr){2-4} \cmidrule(lr){5-7}
method & LO $\downarrow$ & Comp $\uparrow$ & Suff $\downarrow$ & LO $\downarrow$ & Comp $\uparrow$ & Suff $\downarrow$ \\
\midrule
ig & -1.000 {\scriptsize paper: -0.981} & 0.250 {\scriptsize paper: 0.345} & 0.125 {\scriptsize paper: 0.352} & — & — & — \\
sig & \textbf{-1.500} & \textbf{0.375} & \textbf{0.062} & — & — & — \\
\midrule
random & -0.500 & 0.062 & 0.500 & — & — & — \\
\bottomrule
\end{tabular}
"""  # noqa: E501


PUBLISHED = PublishedFigures(frozenset({("sst2", "bert")}))


def tables(report: Report) -> list[Table]:
    """Those of the metrics alone: what other layouts have too comes behind them."""
    behind = ("each method minus", "deleted at random", "agreement with rationales", "cost per text")
    return [table for table in paper_tables(report) if not any(words in table.title for words in behind)]


def first(report: Report) -> Table:
    return next(iter(tables(report)))


def column(table: Table, at: int = 1) -> dict[str, TableCell]:
    return {row[0].text: row[at] for row in table.rows}


def bold(table: Table, at: int = 1) -> list[str]:
    return [name for name, cell in column(table, at).items() if cell.is_best]


def test_the_whole_document_in_markdown() -> None:
    assert render(evaluations.small(references=PUBLISHED), "markdown") == MARKDOWN


def test_the_table_in_latex() -> None:
    assert LATEX in render(evaluations.small(references=PUBLISHED), "latex")


def test_other_models_than_the_published_ones_are_said_to_be() -> None:
    said = "These are not the published models, so their figures are not comparable with the paper's."
    others = evaluations.report(evaluations.cell(evaluations.evaluation(4)), references=PublishedFigures(frozenset()))
    assert said in first(others).notes
    assert {cell.detail for row in first(others).rows for cell in row} == {None}
    assert not any("publish" in note for note in first(evaluations.small()).notes)


def test_the_published_model_is_not_another_one_where_the_paper_lacks_the_methods() -> None:
    found = evaluations.constant({"shapley": (-1.0, 0.25, 0.125), "leave_one_in": (-1.5, 0.375, 0.0625)})
    notes = first(evaluations.report(evaluations.cell(found), references=PUBLISHED)).notes
    assert not any("not the published models" in note for note in notes)
    assert "The paper has no figures for shapley, leave_one_in." in notes


def test_every_dataset_baseline_and_operator_has_a_table_and_removal_is_first() -> None:
    found = evaluations.evaluation(6, operators=("mask", "remove"))
    cells = [
        evaluations.cell(found, baseline=baseline, dataset=one)
        for one in ("sst2", "imdb")
        for baseline in ("mask", "pad")
    ]
    titles = [table.title for table in tables(evaluations.report(*cells))]
    assert titles[:3] == [
        "sst2, baseline mask: units are removed",
        "sst2, baseline mask: units are replaced by the mask token",
        "sst2, baseline pad: units are removed",
    ]
    assert len(titles) == 8


def test_the_protocol_of_the_paper_has_one_table() -> None:
    found = evaluations.evaluation(6, operators=("paper",))
    (table,) = tables(evaluations.report(evaluations.cell(found), protocol="paper"))
    assert table.title == "sst2, baseline mask"
    assert (
        "For log-odds, units are replaced by the attribution's baseline; for the other metrics, they are removed."
        in table.notes
    )


def test_what_was_judged_by_its_own_operator_is_marked_and_never_bold() -> None:
    headline, other = tables(evaluations.report(evaluations.cell(evaluations.evaluation(30))))
    assert bold(headline) == ["shapley"]
    assert column(headline)["shapley"].text.startswith("-")
    assert bold(other) == []
    assert all(cell.text.endswith("°") for name, cell in column(other).items() if name not in ("random", "greedy"))
    assert any("its own operator" in note for note in other.notes)


def test_controls_are_faint_below_a_rule_and_never_bold() -> None:
    table = first(
        evaluations.report(
            evaluations.cell(evaluations.constant({"random": (-9, 9, -9), "ig": (-1, 1, 1), "sig": (-2, 2, 0)}))
        )
    )
    assert [row[0].text for row in table.rows] == ["ig", "sig", "random"]
    assert table.rules == {2}
    assert column(table)["random"].is_faint
    assert [bold(table, at) for at in (1, 2, 3)] == [["sig"]] * 3


def test_a_method_on_fewer_texts_is_never_bold() -> None:
    found = evaluations.constant({"ig": (-1, 1, 1), "dig": (-1.5, 1, 1), "sig": (-2, 2, 0)}, texts=40)
    rows = tuple(_on(row, 30) if row.name == "sig" else row for row in found.rows)
    table = first(evaluations.report(evaluations.cell(replace(found, rows=rows))))
    assert bold(table) == ["dig"]
    assert "bert: sig computed for 30 of 40 texts; 10 not run yet" in table.notes


def test_greedy_choices_that_were_not_computed_say_why() -> None:
    found = evaluations.constant({"ig": (-1, 1, 1), GREEDY: (-3, 3, 0)}, texts=10)
    rows = tuple(_on(row, 6) if row.name == GREEDY else row for row in found.rows)
    cell = evaluations.cell(replace(found, rows=rows), lengths=(9,) * 6 + (65,) * 4)
    said = "bert: greedy computed for 6 of 10 texts; 4 exceed the limit of 64 units"
    assert said in first(evaluations.report(cell)).notes
    none = evaluations.cell(
        replace(found, rows=tuple(_on(row, 0) if row.name == GREEDY else row for row in found.rows))
    )
    assert column(first(evaluations.report(none)))["greedy"].text == "—"


def test_planned_methods_that_nothing_was_computed_of_are_there() -> None:
    table = first(evaluations.small(methods=("ig", "dig", "random")))
    assert [row[0].text for row in table.rows] == ["ig", "dig", "sig", "random"]
    failed = "1 failed (text 5: the text is empty)"
    assert f"bert: dig computed for 0 of 5 texts; {failed}; 4 not run yet" in table.notes


def test_nothing_was_computed_at_all() -> None:
    (table,) = tables(evaluations.report(evaluations.cell(), methods=("sig", "random")))
    assert [cell.text for cell in column(table).values()] == ["—", "—"]
    assert "bert: not run yet: 0 of 20 texts" in table.notes
    (unread,) = tables(evaluations.report(evaluations.cell(planned=0), methods=("sig", "random")))
    assert "bert: not run yet" in unread.notes


def test_an_operator_that_was_not_finished_says_so_in_its_own_table() -> None:
    found = evaluations.evaluation(12, methods=("ig", "dig", "sig"), baseline="pad")
    rows = tuple(evaluations.without(row, range(2, 12), "mask") if row.name == "sig" else row for row in found.rows)
    headline, other = tables(evaluations.report(evaluations.cell(replace(found, rows=rows))))
    assert bold(headline) == ["sig"]
    assert bold(other) == ["dig"]
    assert not any("of 12 texts" in note for note in headline.notes)
    assert "bert: sig computed for 2 of 12 texts; 10 not run yet" in other.notes


def test_what_is_missing_by_all_operators_is_said_once() -> None:
    found = evaluations.evaluation(12)
    rows = tuple(evaluations.without(row, [0]) if row.name == "sig" else row for row in found.rows)
    headline, other = tables(evaluations.report(evaluations.cell(replace(found, rows=rows))))
    assert "bert: sig computed for 11 of 12 texts; 1 not run yet" in headline.notes
    assert ABOVE in other.notes


def test_a_model_without_an_operator_says_so() -> None:
    cells = [
        evaluations.cell(evaluations.evaluation(6)),
        evaluations.cell(evaluations.evaluation(6, operators=("remove",)), model="gpt2", note="no mask"),
    ]
    headline, other = tables(evaluations.report(*cells))
    assert "gpt2: no mask" in headline.notes
    assert "gpt2: not evaluated by mask" in other.notes


def test_auto_says_what_it_was() -> None:
    cells = [
        evaluations.cell(evaluations.evaluation(4), baseline="auto"),
        evaluations.cell(baseline="auto", model="roberta"),
    ]
    assert first(evaluations.report(*cells)).title == "sst2, baseline auto (mask): units are removed"
    other = replace(evaluations.evaluation(4), baselines=("eos",))
    cells[1] = evaluations.cell(other, baseline="auto", model="gpt2")
    assert first(evaluations.report(*cells)).title == "sst2, baseline auto (bert: mask, gpt2: eos): units are removed"


def test_texts_that_were_cut_off_are_counted() -> None:
    cell = evaluations.cell(evaluations.evaluation(4, truncated=3))
    said = "bert: 3 texts are longer than the model's limit; the truncated part was not evaluated"
    assert said in first(evaluations.report(cell)).notes


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_words_that_are_missing_at_random_have_a_table(form: str) -> None:
    found = evaluations.with_missing_words(evaluations.evaluation(6))
    cells = [evaluations.cell(found, baseline=one, planned=8) for one in ("mask", "pad")]
    made = render(evaluations.report(*cells), form)
    title = "sst2: predictions with words deleted at random. Units are removed."
    assert made.count(title) == {"html": 2, "markdown": 1, "latex": 1}[form]  # in HTML also for who cannot see
    assert "0.950" in made
    assert "accuracy" not in made  # there are no labels
    assert "bert: 6 of 8 texts" in made


CSV = """dataset,model,baseline,baseline_used,operator,method,texts,log_odds,log_odds own_operator,log_odds paper,log_odds minus sig,log_odds minus sig low,log_odds minus sig high,log_odds minus sig p
sst2,bert,mask,mask,remove,ig,4,-1,,-0.981,0.5,0.5,0.5,0.125
sst2,bert,mask,mask,remove,leave_one_out,4,-1.25,yes,,0.25,0.25,0.25,0.125
sst2,bert,mask,mask,remove,sig,4,-1.5,,,,,,
sst2,bert,mask,mask,remove,random,4,-0.5,,,1,1,1,0.125
sst2,roberta,mask,mask,remove,ig,0,,,,,,,
sst2,roberta,mask,mask,remove,leave_one_out,0,,,,,,,
sst2,roberta,mask,mask,remove,sig,0,,,,,,,
sst2,roberta,mask,mask,remove,random,0,,,,,,,
"""  # noqa: E501


def test_for_programs_numbers_are_numbers_and_marks_stand_apart() -> None:
    figures = {
        name: (value, 0.5, 0.5) for name, value in zip(("ig", "leave_one_out", "sig", "random"), VALUES, strict=True)
    }
    found = evaluations.constant(figures)
    rows = tuple(replace(row, baseline="remove") if row.name == "leave_one_out" else row for row in found.rows)
    cells = evaluations.cell(replace(found, rows=rows)), evaluations.cell(model="roberta")
    made = render(evaluations.report(*cells, references=PUBLISHED, reference="sig"), "csv")
    assert "".join(",".join(line.split(",")[:14]) + "\n" for line in made.splitlines()) == CSV


def test_for_programs_it_is_one_table_whatever_the_controls() -> None:
    made = render(
        evaluations.report(evaluations.cell(evaluations.with_missing_words(evaluations.evaluation(6)))), "csv"
    )
    lines = list(csv.reader(io.StringIO(made)))
    assert len({len(line) for line in lines}) == 1


def test_a_cell_s_own_note_is_said() -> None:
    cell = evaluations.cell(evaluations.evaluation(4), note="the folder's content changed since")
    assert "bert: the folder's content changed since" in first(evaluations.report(cell)).notes


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_single_method_is_not_the_best(at: int) -> None:
    assert bold(first(evaluations.report(evaluations.cell(evaluations.constant({"ig": (-1, 1, 1)})))), at) == []


def _on(row: EvaluationRow, texts: int) -> EvaluationRow:
    """The row with figures of the first texts alone."""
    values = {one: np.where(np.arange(len(all_)) < texts, all_, np.nan) for one, all_ in row.values.items()}
    return replace(row, values=values)


def test_what_a_text_took_is_shown_only_with_times() -> None:
    cell = evaluations.cell(evaluations.run_once(evaluations.evaluation(10, methods=("ig", "sig")), texts=9))
    assert "took" not in render(evaluations.report(cell), "markdown")
    timed = evaluations.report(cell, times=True)
    assert "| sig | 27 (6 with gradients) | 0.022 |" in render(timed, "markdown").replace("\\", "")  # 240 over 9 texts
    header, *lines = render(timed, "csv").splitlines()
    assert header.endswith(",passes,seconds")
    assert lines[0].endswith(",13.3333,0.0111111")
