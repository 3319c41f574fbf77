"""The method that CONTRIBUTING.md shows, installed beside unmask by its entry point."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from unmask import Explainer
from unmask.errors import ArgumentError
from unmask.methods import resolve_method
from unmask.methods.registry import known_methods
from unmask.models.formula import FormulaModel

PAGE = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with the module and the metadata that an installer would write."""
    (tmp_path / "my_methods.py").write_text(block("python"))
    section, line = block("toml").strip().splitlines()
    assert section == '[project.entry-points."unmask.methods"]'
    about = tmp_path / "my_methods-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-methods\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[unmask.methods]\n" + line.replace('"', "") + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def listed(installed: Path) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), *filter(None, sys.path)])}
    command = [sys.executable, "-m", "unmask", "methods"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_it_is_about_twenty_lines() -> None:
    assert len(block("python").strip().splitlines()) <= 22


def test_it_is_found_by_its_name_and_explains(installed: Path) -> None:
    assert "pairs" in known_methods()
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
    found = explainer.explain("good bad film", method="pairs", target="positive")
    assert found.scores == pytest.approx((2.0, -1.0, -3.0), rel=1e-12)
    assert found.method.name == "pairs"


def test_the_command_knows_it(installed: Path) -> None:
    summary = "Score each unit by how much the target drops when the unit and the one before it are masked."
    assert f"pairs {summary}" in " ".join(listed(installed).split())


def test_one_that_cannot_be_loaded_is_a_sentence(installed: Path) -> None:
    (installed / "my_methods-1.0.dist-info" / "entry_points.txt").write_text("[unmask.methods]\npairs = gone:Pairs\n")
    assert "pairs\n  method 'pairs' cannot be loaded from 'gone:Pairs'" in listed(installed)
    with pytest.raises(
        ArgumentError, match="method 'pairs' cannot be loaded from 'gone:Pairs': No module named 'gone'"
    ):
        resolve_method("pairs")
