"""A folder that an earlier version of the package wrote: its results are found again, and nothing is computed anew.

But for figures of the protocol `paper`, whose log-odds were corrected since: its scores are found, its metrics are not.
"""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.stored import status

from unmask.experiments import Plan, Run
from unmask.experiments.scheduler import RunProgress
from unmask.experiments.store import NAME
from unmask.models.huggingface.loading import embedded_model

STORED = Path(__file__).parent / "stored_run"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where it was written, with the package's model and the texts beside it."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / NAME).write_bytes(gzip.decompress((STORED / f"{NAME}.gz").read_bytes()))
    shutil.copy(STORED / "films.jsonl", tmp_path)
    (tmp_path / "minilm").symlink_to(embedded_model())
    monkeypatch.chdir(tmp_path)  # its plan has relative paths
    return tmp_path / "run"


def stored_plan(protocol: str) -> Plan:
    return Plan.from_dict(json.loads((STORED / "plan.json").read_text())).under(protocol)


def scores(folder: Path) -> list[Any]:
    with closing(sqlite3.connect(folder / NAME)) as database:
        return database.execute("SELECT cell, text, body, failed FROM scores ORDER BY cell, text").fetchall()


def cells(report: str) -> dict[tuple[str, str], Any]:
    """Every row of a report in JSON by its baseline and name."""
    return {(cell["baseline"], row.pop("name")): row for cell in json.loads(report)["cells"] for row in cell["rows"]}


def test_its_report_has_the_same_figures(folder: Path) -> None:
    expected = cells(gzip.decompress((STORED / "corrected.json.gz").read_bytes()).decode())
    assert cells(Run(folder, stored_plan("corrected")).report().to_json()) == expected


def test_its_status_is_the_same(folder: Path) -> None:
    for one in status(folder, stored_plan("corrected")):
        assert (one.planned, one.missing) == (190, 0)
        assert any("line 8 under people's marks: a rationale has 2 marks" in failure for failure in one.failures)
        assert any(failure.startswith("line 9: broken JSON") for failure in one.failures)


def test_nothing_is_computed_again(folder: Path) -> None:
    computed: list[RunProgress] = []
    Run(folder, stored_plan("corrected"), device="cpu").go(progress=computed.append)
    assert not computed


def test_metrics_of_the_paper_from_before_its_correction_are_missing(folder: Path) -> None:
    for one in status(folder, stored_plan("paper")):
        assert (one.planned, one.missing) == (70, 4 * 8)  # sig, ig, random, greedy: scores and random words stay
    report = json.loads(Run(folder, stored_plan("paper")).report().to_json())
    figures = [figure for cell in report["cells"] for row in cell["rows"] for figure in row["figures"]]
    assert {figure["mean"] for figure in figures if figure["metric"] == "log_odds"} == {None}


@pytest.mark.slow
def test_only_log_odds_of_the_paper_change(folder: Path) -> None:
    before = cells(gzip.decompress((STORED / "paper.json.gz").read_bytes()).decode())
    run, stored = Run(folder, stored_plan("paper"), device="cpu"), scores(folder)
    run.go()
    assert scores(folder) == stored
    after = cells(run.report().to_json())
    moved = set()
    for one, row in before.items():
        for old, new in zip(row["figures"], after[one]["figures"], strict=True):
            assert {name: new[name] for name in ("metric", "share", "operator", "count")}.items() <= old.items()
            if "log_odds" not in old["metric"]:
                assert new["mean"] == pytest.approx(old["mean"], abs=1e-5)
            elif abs(new["mean"] - old["mean"]) > 1e-3:
                moved.add(one)
    assert {("mask", "random"), ("pad", "sig")} <= moved
