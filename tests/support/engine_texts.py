"""Texts as the engine runs them, without units or targets."""

from dataclasses import dataclass

from unmask.models.adapter import Adapter, Baseline, Encoded
from unmask.tasks.task import Readout


@dataclass(frozen=True)
class Text:
    encoded: Encoded
    baseline: Baseline
    readout: Readout
    own_baseline: frozenset[int] = frozenset()


def engine_text(adapter: Adapter, *texts: str, baseline: str = "mask") -> Text:
    encoded = adapter.encode(*texts, max_length=None)
    return Text(encoded, adapter.baseline(baseline), adapter.task.readout(encoded))
