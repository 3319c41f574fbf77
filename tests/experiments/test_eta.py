"""The time that is left, by a clock that goes on with the tokens that pass through the model and with nothing else."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import tiny
from torch import Tensor

from unmask.engine.forward import PendingRow, run_rows
from unmask.experiments import Plan, Run, runner, scheduler
from unmask.experiments.scheduler import RunProgress
from unmask.models.adapter import Adapter

TEXT = "the film is not bad but it is far from lovely and much too long for me"
WITH_GRADIENT = 2.7  # times as long: not what the code begins with


@pytest.fixture
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second for every token."""
    now = SimpleNamespace(seconds=0.0)

    def timed_rows(adapter: Adapter, rows: Sequence[PendingRow]) -> list[tuple[Tensor, Tensor | None]]:
        now.seconds += sum(row.length * (WITH_GRADIENT if row.target is not None else 1) for row in rows)
        return run_rows(adapter, rows)

    monkeypatch.setattr("unmask.engine.prefix.run_rows", timed_rows)
    monkeypatch.setattr(runner, "TEXTS", 1)  # there is much to be said
    monkeypatch.setattr(scheduler, "time", SimpleNamespace(perf_counter=lambda: now.seconds))


@pytest.mark.slow
@pytest.mark.usefixtures("_clock")
@pytest.mark.parametrize("protocol", ["corrected", "paper"])
def test_it_is_right_within_a_fifth_after_the_first_tenth(protocol: str, tmp_path: Path) -> None:
    tiny.model("bert").float().save_pretrained(tmp_path / "bert")
    tiny.tokenizer("bert").save_pretrained(tmp_path / "bert")
    for name, times in (("short", 1), ("long", 3)):
        texts = (" ".join(TEXT.split()[:length] * times) for length in (5, 7, 9, 11, 13))
        (tmp_path / f"{name}.txt").write_text("\n".join(texts))
    plan = Plan.from_dict(
        {
            "name": "tried",
            "protocol": protocol,
            "methods": {protocol: ["sig", "grad_x_input", "ig:steps=20", "dig:steps=5", "sig_path:steps=20"]},
            "controls": ["random", "greedy"],
            "datasets": {name: {"source": str(tmp_path / f"{name}.txt")} for name in ("short", "long")},
            "models": {"bert": {name: str(tmp_path / "bert") for name in ("short", "long")}},
        }
    )
    said: list[RunProgress] = []
    Run(tmp_path / "run", plan, device="cpu").go(progress=said.append)
    whole = said[-1].seconds
    late = [(one.left, whole - one.seconds) for one in said if one.seconds > whole / 10]
    assert len(late) > 5
    for left, took in late:
        assert left == pytest.approx(took, rel=0.2)
