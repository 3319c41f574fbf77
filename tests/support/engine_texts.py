"""Texts as the engine runs them, without units or targets."""

from unmask.engine import EngineText
from unmask.models.adapter import Adapter


def engine_text(adapter: Adapter, *texts: str, baseline: str = "mask") -> EngineText:
    encoded = adapter.encode(*texts, max_length=None)
    return EngineText(encoded=encoded, baseline=adapter.baseline(baseline), readout=adapter.task.readout(encoded))
