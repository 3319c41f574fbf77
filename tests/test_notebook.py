"""The notebook runs from its first cell to its last, and is stored with the outputs of such a run.

Renew with: scripts/test --all tests/test_notebook.py --renew.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.ipynb"))
ids = [path.stem for path in NOTEBOOKS]
FIRST = [path for path in NOTEBOOKS if path.stem == "first-steps"]
VIEW = "application/vnd.jupyter.widget-view+json"
KILOBYTES = 300


def cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def texts(cell: dict[str, Any]) -> list[str]:
    """What a cell's outputs say, without pictures."""
    said = [output["text"] if "text" in output else output["data"]["text/plain"] for output in cell["outputs"]]
    return ["".join(text) for text in said]


def strip(notebook: Any) -> None:
    """Leave out what differs from run to run, pages, which are large, and tqdm's wish for ipywidgets."""
    for cell in notebook.cells:
        cell.metadata = {}
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        cell.execution_count = None
        errors = [output for output in cell.outputs if output.get("name") == "stderr"]
        assert all(output.text.count("Warning") == output.text.count("TqdmWarning: IProgress") for output in errors)
        cell.outputs = [output for output in cell.outputs if output not in errors]
        for output in cell.outputs:
            output.update({"execution_count": None} if output.output_type == "execute_result" else {})
            output.get("data", {}).pop("text/html", None)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_every_cell_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in cells(path):
        exec(compile("".join(cell["source"]), f"{path.name}: {cell['id']}", "exec"), names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", FIRST, ids=["first-steps"])
def test_it_is_stored_with_outputs_and_nothing_of_the_machine(path: Path) -> None:
    stored = path.read_text(encoding="utf-8")
    assert len(stored) < KILOBYTES * 1000
    assert sum("image/png" in output.get("data", ()) for cell in cells(path) for output in cell["outputs"]) == 1
    assert any("superb, wonderful 4.7" in text for cell in cells(path) for text in texts(cell))
    assert all(not cell["metadata"] and cell["execution_count"] is None for cell in cells(path))
    said = [text for cell in cells(path) for text in texts(cell)]
    assert not re.search(r"/(home|root|tmp|work|Users)/|Warning|Traceback|0x[0-9a-f]{6}", "\n".join(said))


@pytest.mark.slow
@pytest.mark.parametrize("path", FIRST, ids=["first-steps"])
def test_a_kernel_gives_the_stored_outputs(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    metadata = dict(notebook.metadata)
    shown = nbformat.v4.new_code_cell('explanation.show(palette="red-green")\ncomparison')  # type: ignore[no-untyped-call]
    notebook.cells.append(shown)
    NotebookClient(notebook, timeout=300, coalesce_streams=True, resources={"metadata": {"path": tmp_path}}).execute()
    assert ["text/html" in output["data"] for output in notebook.cells.pop()["outputs"]] == [True, True]
    strip(notebook)
    notebook.metadata = metadata
    ran = [texts(cell) for cell in notebook.cells if cell.cell_type == "code"]
    if request.config.getoption("--renew"):
        path.write_text(f"{nbformat.writes(notebook, indent=1)}\n", encoding="utf-8")  # type: ignore[no-untyped-call]
    assert ran == [texts(cell) for cell in cells(path)]


@pytest.mark.slow
def test_widgets_are_stored_as_pages(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A reader without a kernel sees the explanation; the widget itself has no meaning outside its session."""
    import nbformat
    from nbclient import NotebookClient

    path = next(path for path in NOTEBOOKS if path.stem == "widget")
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    metadata = dict(notebook.metadata)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    shown = [
        output.data for cell in notebook.cells for output in cell.get("outputs", ()) if VIEW in output.get("data", ())
    ]
    pages = [data.pop("text/html") for data in shown]
    assert [VIEW in data for data in shown] == [True, True]
    strip(notebook)
    for data, page in zip(shown, pages, strict=True):
        data.pop(VIEW)
        data["text/html"] = page
    notebook.metadata = metadata
    ran = [texts(cell) for cell in notebook.cells if cell.cell_type == "code"]
    if request.config.getoption("--renew"):
        path.write_text(f"{nbformat.writes(notebook, indent=1)}\n", encoding="utf-8")  # type: ignore[no-untyped-call]
    assert ran == [texts(cell) for cell in cells(path)]
    assert all("um-outlined" in page for page in pages)
    assert sum("text/html" in output.get("data", ()) for cell in cells(path) for output in cell["outputs"]) == 2
