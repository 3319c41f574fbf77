"""What a plan would take on this machine: cells, passes and time, from a few texts of each dataset."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..estimate import estimate
from .benches import Bench
from .cells import ScoreCell
from .running import Run
from .store import Store
from .weights import weight

SAMPLE = 10  # texts of each pair that are counted and timed


@dataclass(frozen=True, slots=True)
class Estimated:
    """What one pair under one baseline would take; `is_least` where a method adds passes until it is exact enough."""

    name: str
    baseline: str
    cells: int
    texts: int
    passes: int
    seconds: float
    is_least: bool


def estimated(run: Run) -> list[Estimated]:
    """Every pair of the plan under every baseline, whatever is there already."""
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        try:
            return [_bench(bench) for bench in run.benches(store)]
        finally:
            store.close()


def _bench(bench: Bench) -> Estimated:
    opened, contest = bench.opened
    works = bench.works
    sample = works[:: max(1, len(works) // SAMPLE)][:SAMPLE]
    passes, seconds, is_least, rate = 0.0, 0.0, False, 0.0
    for contender in contest.contenders:
        asked = [opened.attempted(work.example.request, contender.wanted) for work in sample]
        found = estimate(asked, contender.wanted, opened.engine)
        share = len(works) / len(sample)
        passes, seconds = passes + found.passes * share, seconds + found.seconds * share
        is_least = is_least or found.is_least
        if contender.name == "sig" or not rate:
            rate = found.seconds / max(1, found.passes)
    cells = list(bench.cells())
    units = [max(1, len(work.example.request.text.split())) for work in sample]
    judging = sum(weight(cell, one) for cell in cells if not isinstance(cell, ScoreCell) for one in units) / len(units)
    passes += judging * len(works)
    seconds += judging * len(works) * rate
    return Estimated(bench.pair.name, bench.baseline, len(cells), len(works), int(passes), seconds, is_least)
