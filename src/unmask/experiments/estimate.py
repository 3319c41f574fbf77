"""What a plan would take on this machine: its passes counted, a few of them timed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from ..attribution.estimate import rehearse
from ..methods.registry import resolve_methods
from .chunk_runner import KeyedExample
from .cost import GRADIENT, Size, row_counts
from .model_record import operations
from .runner import PairRunner
from .scheduler import Run, missing
from .store import Store
from .work_items import ScoreItem

SAMPLE = 50  # texts of a pair whose passes are counted
Rates = dict[bool, float]  # seconds for a token of a row, without a gradient and with one


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """What one pair under one baseline would take; what two baselines have in common is counted once.

    No texts, where none of them can be read.
    Where `is_least` is true, a method adds passes until it is exact enough, and may take several times as many.
    """

    name: str
    baseline: str
    cells: int
    texts: int
    passes: int
    operations: float  # additions and multiplications
    seconds: float
    is_least: bool


def estimate_plan(run: Run) -> Iterator[PairEstimate]:
    """Every pair of the plan under every baseline, whatever is there already."""
    for pair in run.plan.pairs():
        pair.check_there()
    rates, seen = dict[str, Rates](), set[tuple[str, bytes]]()
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        try:
            for bench in run.benches(store):
                works = bench.works[:: -(-len(bench.works) // SAMPLE) or 1]
                sample = [(work, size) for work in works if all(size := bench.sizes[work.key])]
                if sample:
                    rate = rates.get(bench.pair.name) or _rated(bench, sample)
                    rates[bench.pair.name] = rate
                    yield _bench(bench, [size for _, size in sample], rate, seen)
                else:
                    yield PairEstimate(bench.pair.name, bench.baseline, 0, 0, 0, 0.0, 0.0, is_least=False)
                bench.close()
        finally:
            store.close()


def _bench(bench: PairRunner, sizes: Sequence[Size], rate: Rates, seen: set[tuple[str, bytes]]) -> PairEstimate:
    """From the passes of some texts to those of all."""
    name = bench.pair.name
    cells = [one.cell for one in missing([bench]) if (name, one.cell.digest) not in seen]
    seen.update((name, cell.digest) for cell in cells)
    passes = tokens = seconds = 0.0
    for cell, size in product(cells, sizes):
        if cell.max_units is not None and size[0] > cell.max_units:
            continue
        for rows in row_counts(cell, size, bench.exam):
            read = rows.count * rows.share * size[1]
            passes += rows.count
            tokens += read * (GRADIENT if rows.has_gradient else 1)
            seconds += read * rate[rows.has_gradient]
    each = len(bench.works) / len(sizes)
    return PairEstimate(
        name=name,
        baseline=bench.baseline,
        cells=len(cells),
        texts=len(bench.works),
        passes=round(passes * each),
        operations=tokens * each * operations(bench.session[0]),
        seconds=seconds * each,
        is_least=any(isinstance(cell, ScoreItem) and cell.method.refines for cell in cells),
    )


def _rated(bench: PairRunner, sample: Sequence[tuple[KeyedExample, Size]]) -> Rates:
    """Rows of a text of middle length, timed."""
    session, contest = bench.session
    middle, _ = sorted(sample, key=lambda one: one[1])[len(sample) // 2]
    (gradient,) = resolve_methods(["grad_x_input"])
    config = replace(contest.contenders[0].config, method=gradient)
    rows = rehearse(session.prepare(middle.example.request, config), config, session.engine)
    both = [next(row for row in rows if (row.target is not None) is sloped) for sloped in (False, True)]
    seconds = session.engine.seconds_per_row(both)
    return {row.target is not None: one / row.length for row, one in zip(both, seconds, strict=True)}
