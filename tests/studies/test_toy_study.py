"""A study is one entry of one table; its protocol, settings, layout, plan and published figures work everywhere."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support import evaluations

import unmask
from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.experiments.plan import Plan
from unmask.experiments.reporting import report
from unmask.experiments.store import Store
from unmask.metrics.faithfulness import METRICS
from unmask.metrics.protocols import Protocol
from unmask.metrics.registry import Measure
from unmask.models.formula import FormulaModel
from unmask.render.reports import render
from unmask.render.tables import Column, Table, TableCell
from unmask.results.report import Report
from unmask.studies import STUDIES, Study

PLAN = """
protocol = "toy"
loudness = "shouted"
methods.toy = ["leave_one_in"]
datasets.films.source = "films.txt"
models.one = "some/model"
"""


class ToyProtocol(Protocol):
    """Looks at exactly one unit of a text, and remembers what it was told."""

    told: Mapping[str, Any] = {}

    def adapt_session(self, session: Any, settings: Mapping[str, Any]) -> Any:
        type(self).told = dict(settings)
        return session

    def note(self, functions: Sequence[str]) -> str:
        return f"A toy looked at {' and '.join(functions)}."


TOY = ToyProtocol(
    "toy", lambda units, share: 1, methods=("leave_one_in",), operators=("mask", "mask", "mask"),
    caption=("Units are masked", "Every share is one unit."),
    fixed={"unit": "word", "target": "positive", "scale": "logit"},
    settings=("loudness",), choices={"loudness": ("whispered", "shouted")},
)  # fmt: skip


class ToyFigures:
    """Figures that somebody published."""

    label = "toy's"

    def __init__(self, plan: Plan) -> None:
        self.plan = plan.name


def tables(report: Report) -> list[Table]:
    return [Table("toy", (Column("plan"),), ((TableCell(report.plan),),))]


@pytest.fixture(autouse=True)
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A study of which the package knows one thing: where it is."""
    folder = tmp_path / "toy_study"
    (folder / "plans").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "plans" / "toy-plan.toml").write_text(PLAN)
    monkeypatch.syspath_prepend(tmp_path)
    package = import_module("toy_study")
    study = Study(
        protocols={"toy": "toy_study:TOY"},
        layouts={"toy": ("toy_study:tables", "toy_study:tables")},
        plans="toy_study",
        references="toy_study:ToyFigures",
    )
    vars(package).update(TOY=TOY, STUDY=study, ToyFigures=ToyFigures, tables=tables)
    monkeypatch.setitem(STUDIES, "toy", "toy_study:STUDY")
    yield
    del sys.modules["toy_study"]


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))


def test_its_protocol_is_applied_everywhere(explainer: Explainer) -> None:
    found = explainer.evaluate(["a good film of good days", "a bad film"], protocol="toy")
    assert [row.name for row in found.rows if row.kind == "method"] == ["leave_one_in"]
    assert (found.protocol, found.operators, found.target, found.scale) == ("toy", ("toy",), "positive", "logit")
    assert len(found.row("leave_one_in").values[Measure("log_odds", "toy", 0.2)]) == 2
    assert all(found.row("leave_one_in").is_own(Measure(metric, "toy", 0.2)) for metric in METRICS)
    page = found.to_html()
    assert "Units are masked" in page
    assert "A toy looked at the model." in page
    with pytest.raises(ArgumentError, match="the protocol 'toy' does not take unit"):
        explainer.evaluate(["a good film"], protocol="toy", unit="token")


def test_its_own_setting_is_a_keyword_with_its_protocol_alone(explainer: Explainer) -> None:
    setting: Any = {"loudness": "shouted"}
    explainer.evaluate(["a good film"], protocol="toy", **setting)
    assert ToyProtocol.told["loudness"] == "shouted"
    with pytest.raises(ArgumentError, match="the protocol 'corrected' does not take loudness"):
        explainer.evaluate(["a good film"], **setting)


def test_it_ships_a_plan_with_its_setting() -> None:
    plan = Plan.load("toy-plan")
    assert (plan.protocol, plan.setting("loudness")) == ("toy", "shouted")
    assert plan.evaluation_options()["loudness"] == plan.to_dict()["loudness"] == "shouted"
    assert Plan.from_dict(plan.to_dict()) == plan
    with pytest.raises(ArgumentError, match="unknown loudness 'shouts'; did you mean 'shouted'"):
        Plan.from_dict({**plan.to_dict(), "loudness": "shouts"})


def test_a_plan_takes_its_protocol() -> None:
    tables = {"name": "tried", "methods": ["sig"], "models": {"one": "some/model"}}
    plan = Plan.from_dict({**tables, "datasets": {"films": {"source": "films.txt"}}}).under("toy")
    assert plan.evaluation_options() == {"protocol": "toy", "top": 0.2, "controls": ("random", "greedy"), "seed": 0}


def test_its_layout_is_one_of_the_reports() -> None:
    assert "## toy\n\n| plan |" in render(evaluations.small(), "markdown", "toy")


def test_its_published_figures_are_asked_for() -> None:
    references: object = report(Store(None), Plan.load("toy-plan")).references
    assert isinstance(references, ToyFigures)
    assert references.plan == "toy-plan"


def test_outside_their_room_nothing_names_a_study_but_what_draws_its_paths() -> None:
    package = Path(unmask.__file__).parent
    outside = [
        file for file in package.rglob("*.py") if file.parent.parts[len(package.parts) :][:2] != ("studies", "sig2023")
    ]
    naming = {str(file.relative_to(package)) for file in outside if "sig2023" in file.read_text("utf-8")}
    assert naming == {"studies/__init__.py", "explainer.py", "cli/paths.py", "compat/renamed.py"}
    settings = {str(file.relative_to(package)) for file in outside if "distilbert" in file.read_text("utf-8")}
    assert settings == {"engine/deeplift.py"}  # an architecture there, not the setting
