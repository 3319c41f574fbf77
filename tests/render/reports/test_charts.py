"""Pictures of a report: where there is data, well-formed, and without a style of their own."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.text import Text
from support import evaluations

from unmask.errors import ArgumentError
from unmask.metrics.faithfulness import CURVE
from unmask.render.reports.charts import pictures_of, taus
from unmask.render.tables import Picture
from unmask.results.evaluation import Evaluation
from unmask.results.report import Report

SVG = "{http://www.w3.org/2000/svg}"


def pictures(report: Report) -> dict[str, Picture]:
    return {picture.title: picture for picture in pictures_of(report)}


def parsed(picture: Picture) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in (picture.svg, *picture.more)]


def texts(element: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in element.iter(f"{SVG}text")]


def some_greedy() -> Evaluation:
    """Greedy choices of all texts but one."""
    whole = evaluations.evaluation(8)
    *others, greedy = whole.rows
    values = {one: np.array([*values[:-1], np.nan]) for one, values in greedy.values.items()}
    return replace(whole, rows=(*others, replace(greedy, values=values)))


@pytest.fixture(scope="module")
def found() -> dict[str, Picture]:
    return pictures(evaluations.large(40, baselines=("mask",)))


@pytest.mark.slow
def test_which_pictures_there_are(found: dict[str, Picture]) -> None:
    datasets = ("sst2", "rotten_tomatoes", "imdb")
    assert list(found) == [
        *(f"{one}, baseline mask: curves over shares" for one in datasets),
        *(f"{one}, baseline mask: methods against operators" for one in datasets),
        "baseline mask: agreement of sig and ig against the length of a text",
    ]
    assert [1 + len(picture.more) for picture in found.values()] == [6, 6, 6, 6, 6, 6, 3]


def test_they_are_xml_without_styles_or_links_elsewhere(found: dict[str, Picture]) -> None:
    for picture in found.values():
        for root in parsed(picture):
            assert root.tag == f"{SVG}svg"
            assert root.find(f"{SVG}title") is not None
            assert not any(re.match("style|class|on", name) for one in root.iter() for name in one.attrib)
            links = [value for one in root.iter() for name, value in one.attrib.items() if name.endswith("href")]
            assert all(link.startswith("#") for link in links)


def test_everything_stands_inside_the_picture(found: dict[str, Picture]) -> None:
    for picture in found.values():
        for root in parsed(picture):
            width, height = float(root.attrib["width"]), float(root.attrib["height"])
            for one in root.iter(f"{SVG}text"):
                if "x" not in one.attrib:  # moved by its group: two lines below a tick
                    continue
                assert 0 <= float(one.attrib["x"]) <= width
                assert 0 <= float(one.attrib["y"]) <= height


def test_curves_have_a_line_for_each_method_over_all_shares(found: dict[str, Picture]) -> None:
    root = parsed(found["sst2, baseline mask: curves over shares"])[0]
    tips = [(one.text or "").partition(":") for one in root.iter(f"{SVG}title")]
    points = {name: said.count(" at ") for name, _, said in tips if " at " in said}
    assert len(points) == len(evaluations.METHODS) + 2  # random and greedy too
    assert {count for name, count in points.items() if name != "greedy"} == {len(CURVE)}
    assert {"sig", "gradient_shap", "random", "greedy"} <= set(points)


def test_rows_of_fewer_texts_are_marked(found: dict[str, Picture]) -> None:
    assert "over fewer texts" not in (found["sst2, baseline mask: curves over shares"].note or "")
    (curves, *_) = pictures_of(evaluations.report(evaluations.cell(some_greedy())))
    assert "greedy*" in texts(parsed(curves)[0])
    assert curves.note == "Means over texts. Units are removed. * over fewer texts than the other rows."


def test_a_cell_that_is_not_done_says_how_far_it_is() -> None:
    half = evaluations.cell(evaluations.evaluation(20), planned=40)
    (curves, _) = pictures_of(evaluations.report(half))
    assert "bert: comprehensiveness ↑ (20 of 40 texts)" in texts(parsed(curves)[0])


def test_hollow_points_are_named_where_there_are_any() -> None:
    for baseline, is_said in (("mask", True), ("pad", False)):
        found = pictures(
            evaluations.report(evaluations.cell(evaluations.evaluation(4, baseline=baseline), baseline=baseline))
        )
        picture = found[f"sst2, baseline {baseline}: methods against operators"]
        assert ("Hollow: evaluated by its own operator." in (picture.note or "")) == is_said
        for root in parsed(picture):
            legend = {text for text in texts(root) if text.partition(" ")[0] in ("remove", "mask")}
            assert legend == {"remove", "mask"} | ({"mask (own)"} if is_said else set())


def test_a_picture_is_drawn_only_where_its_data_is() -> None:
    assert list(pictures_of(evaluations.small())) == []  # one share, one operator, no scores
    assert list(pictures_of(evaluations.report(evaluations.cell(), methods=("sig", "ig")))) == []
    one_operator = evaluations.report(evaluations.cell(evaluations.evaluation(5, operators=("remove",))))
    assert list(pictures(one_operator)) == ["sst2, baseline mask: curves over shares"]


def test_agreement_is_over_texts_that_both_scored() -> None:
    scores = {"sig": ((1.0, 2.0), None, (1.0, 2.0, 3.0)), "ig": ((2.0, 1.0), (1.0,), (1.0, 2.0, 3.0))}
    cell = evaluations.cell(evaluations.evaluation(3), scores=scores, lengths=(2, 1, 30))
    assert taus(cell, ("sig", "ig")) == {4: [-1.0], 32: [1.0]}
    assert taus(cell, ("sig", "dig")) == {}


def test_the_reference_is_one_of_the_pair() -> None:
    scores = dict.fromkeys(evaluations.METHODS, ((1.0, 2.0, 0.5),) * 4)
    cell = evaluations.cell(evaluations.evaluation(4), scores=scores)
    assert "baseline mask: agreement of dig and ig against the length of a text" in pictures(
        evaluations.report(cell, reference="dig")
    )


def test_all_pictures_of_a_kind_are_one_figure() -> None:
    report = evaluations.large(6, baselines=("mask",))
    said = [one.get_text() for one in report.plot("operators").findobj(Text) if isinstance(one, Text)]
    assert [text for text in said if "against operators" in text] == [
        f"{one}, baseline mask: methods against operators" for one in ("sst2", "rotten_tomatoes", "imdb")
    ]


def test_equal_points_of_a_row_do_not_hide_each_other() -> None:
    found = evaluations.evaluation(4, methods=("ig", "sig"), operators=("remove", "pad", "unk", "zero"))
    values = {name: np.full(4, 0.5) for name in found.rows[0].values}
    rows = tuple(replace(row, values=values) for row in found.rows[:2])
    figure = evaluations.report(evaluations.cell(replace(found, rows=rows))).plot("operators")
    heights = sorted(float(y) for line in figure.axes[0].get_lines()[1:] for y in np.ravel(line.get_ydata()))
    assert len(heights) == 8
    steps = [later - one for one, later in pairwise(heights)]
    assert min(steps) > 0.1
    assert steps[3] > 0.4  # rows keep apart


@pytest.mark.parametrize(
    ("picture", "words"), [("curve", "did you mean 'curves'"), ("agreement", "nothing to draw as 'agreement'")]
)
def test_a_picture_that_cannot_be_drawn_is_refused(picture: str, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        evaluations.small().plot(picture)
