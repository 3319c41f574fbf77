"""A folder that an earlier version of the package wrote: its results are found again, and nothing is computed anew."""

import gzip
import json
import shutil
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


def cells(report: str) -> dict[tuple[str, str], Any]:
    """Every row of a report in JSON by its baseline and name."""
    return {(cell["baseline"], row.pop("name")): row for cell in json.loads(report)["cells"] for row in cell["rows"]}


@pytest.mark.parametrize("protocol", ["corrected", "paper"])
def test_its_report_has_the_same_figures(folder: Path, protocol: str) -> None:
    expected = cells(gzip.decompress((STORED / f"{protocol}.json.gz").read_bytes()).decode())
    assert cells(Run(folder, stored_plan(protocol)).report().to_json()) == expected


@pytest.mark.parametrize(("protocol", "results"), [("corrected", 190), ("paper", 70)])
def test_its_status_is_the_same(folder: Path, protocol: str, results: int) -> None:
    for one in status(folder, stored_plan(protocol)):
        assert (one.planned, one.missing) == (results, 0)
        assert any("line 8 under people's marks: a rationale has 2 marks" in failure for failure in one.failures)
        assert any(failure.startswith("line 9: broken JSON") for failure in one.failures)


@pytest.mark.parametrize("protocol", ["corrected", "paper"])
def test_nothing_is_computed_again(folder: Path, protocol: str) -> None:
    computed: list[RunProgress] = []
    Run(folder, stored_plan(protocol), device="cpu").go(progress=computed.append)
    assert not computed
