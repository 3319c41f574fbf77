"""What the C library keeps for later goes back, where there is a way."""

import ctypes
import platform
from pathlib import Path

import pytest

from unmask.engine.memory import give_memory_back
from unmask.experiments import chunk_runner
from unmask.experiments.plan import Plan
from unmask.experiments.scheduler import Run, RunProgress
from unmask.models.huggingface.loading import embedded_model


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives memory back when asked")
def test_freed_memory_goes_back() -> None:
    pieces = [bytearray(60_000) for _ in range(2_000)]
    kept = pieces[::100]  # which hold the others' places
    del pieces
    before = resident()
    give_memory_back()
    assert before - resident() > 10_000, len(kept)  # pages of 4 kB, of about 29,000


def test_another_library_has_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    give_memory_back()


def test_a_run_gives_back_after_every_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(chunk_runner, "give_memory_back", lambda: said.append("given back"))
    (tmp_path / "films.txt").write_text("a good film\n")
    plan = Plan.from_dict(
        {
            "name": "one",
            "methods": ["sig"],
            "operators": ["remove"],
            "controls": [],
            "datasets": {"films": {"source": str(tmp_path / "films.txt")}},
            "models": {"mini": str(embedded_model())},
        }
    )

    def tell(doing: RunProgress) -> None:
        said.append(doing.what)

    Run(tmp_path / "run", plan, device="cpu").go(progress=tell)
    assert said == ["given back", "films/mini sig (auto)"]
