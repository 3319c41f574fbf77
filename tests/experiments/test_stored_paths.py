"""Paths in a store: relative to its folder, so that a run and its data can be moved or shared together."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support import filled_stores, tiny
from support.stored import plan_of, status

from unmask.experiments import Plan, Run
from unmask.experiments.scheduler import RunProgress
from unmask.experiments.store import NAME
from unmask.experiments.stored_paths import absolute, relative

PLAN = """
methods = ["sig"]
operators = ["remove"]
controls = ["random"]
[datasets.films]
source = "films.jsonl"
max_tokens = 100
[models]
bert = "bert"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a model, texts, a plan and its run."""
    made = tmp_path / "before"
    tiny.model("bert").float().save_pretrained(made / "bert")
    tiny.tokenizer("bert").save_pretrained(made / "bert")
    (made / "films.jsonl").write_text(json.dumps({"text": "a lovely film"}) + "\n")
    (made / "plan.toml").write_text(PLAN)
    Run(made / "results" / "run", Plan.load(made / "plan.toml"), device="cpu").go()
    return made


def test_a_store_holds_no_absolute_path(project: Path) -> None:
    content = (project / "results" / "run" / NAME).read_bytes()
    assert str(project).encode() not in content
    assert b'"../../films.jsonl"' in content


def test_a_project_that_was_moved_goes_on_where_it_stopped(project: Path, tmp_path: Path) -> None:
    moved = tmp_path / "after"
    project.rename(moved)
    plan = Plan.load(moved / "plan.toml")
    assert plan_of(moved / "results" / "run") == plan
    computed: list[RunProgress] = []
    run = Run(moved / "results" / "run", plan, device="cpu")
    run.go(progress=computed.append)
    assert (computed, run.opened) == ([], None)


def test_a_run_that_was_moved_alone_is_still_reported(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "results" / "run", tmp_path / "elsewhere" / "deep" / "copy")
    folder = tmp_path / "elsewhere" / "deep" / "copy"
    (one,) = status(folder, plan_of(folder))
    assert (one.missing, one.is_begun) == (0, True)


def test_notes_under_absolute_paths_are_found(tmp_path: Path) -> None:
    """As every version before wrote them."""
    plan = filled_stores.plan()
    datasets = tuple(replace(one, source=str(tmp_path / one.source)) for one in plan.datasets)
    models = tuple(replace(one, sources={"films": str(tmp_path / one.name)}) for one in plan.models)
    plan = replace(plan, datasets=datasets, models=models)
    filled_stores.fill(tmp_path / "run", plan, texts=3)
    assert str(tmp_path).encode() in (tmp_path / "run" / NAME).read_bytes()
    assert plan_of(tmp_path / "run") == plan
    assert [(one.missing, one.is_begun) for one in status(tmp_path / "run", plan)] == [(0, True)] * 2


@pytest.mark.parametrize(
    ("source", "stored"),
    [
        ("/data/films.csv", "../../films.csv"),
        ("/data/results/run/films.csv", "./films.csv"),
        ("/data/results/run/.films.csv", "./.films.csv"),
        ("/data/results/run", "./."),
        ("/data", "../.."),
        ("/elsewhere/films.csv", "/elsewhere/films.csv"),
        ("somebody/bert", "somebody/bert"),
        ("-", "-"),
    ],
)
def test_a_path_comes_back_as_it_was(source: str, stored: str) -> None:
    assert relative(source, Path("/data/results/run")) == stored
    assert absolute(stored, Path("/data/results/run")) == source
