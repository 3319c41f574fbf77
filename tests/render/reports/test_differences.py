"""Each method minus the reference."""

from support import evaluations

from unmask.render.reports import render
from unmask.render.reports.shared_tables import difference_tables as tables


def test_each_dataset_and_baseline_has_a_table() -> None:
    cells = [evaluations.cell(evaluations.evaluation(8), baseline=one) for one in ("mask", "pad")]
    found = list(tables(evaluations.report(*cells, reference="sig")))
    assert [table.title for table in found] == [
        f"sst2, baseline {one}: each method minus sig, units are removed" for one in ("mask", "pad")
    ]
    assert "sig" not in [row[0].text for row in found[0].rows]
    assert list(tables(evaluations.report(*cells))) == []


def test_the_figures_are_paired() -> None:
    evaluation = evaluations.evaluation(30)
    (table,) = tables(evaluations.report(evaluations.cell(evaluation), reference="sig"))
    expected = evaluation.difference("ig", evaluations.LOG_ODDS, reference="sig")
    assert expected is not None
    cell = next(row[1] for row in table.rows if row[0].text == "ig")
    assert cell.text == f"{expected.mean:+.3f}"
    assert cell.detail is not None
    assert cell.detail.startswith(f"[{expected.low:+.3f}, {expected.high:+.3f}], p ")


def test_a_model_without_the_reference_has_none() -> None:
    report = evaluations.small(reference="sig")
    (table,) = tables(report)
    assert {row[4].text for row in table.rows} == {"—"}
    assert "No differences are shown for roberta, because sig was not computed there." in table.notes
    assert "each method minus sig" in render(report, "html")


def test_its_own_operator_is_marked() -> None:
    cell = evaluations.cell(evaluations.evaluation(8, methods=("leave_one_out", "sig")))
    (table,) = tables(evaluations.report(cell, reference="sig"))
    assert table.rows[0][1].text.endswith("°")
    assert not table.rows[1][1].text.endswith("°")  # the random row
    (other,) = tables(evaluations.report(cell, reference="leave_one_out"))
    assert all(row[1].text.endswith("°") for row in other.rows)  # which is half of every difference
    assert any(
        note.startswith("° the metric deletes units in the same way as one of the two methods") for note in other.notes
    )
