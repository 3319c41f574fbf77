"""What a plan would take on this machine: its passes counted, a few of them timed."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product

from ..attribution.estimate import rehearse
from ..methods.registry import resolve_methods
from .chunk_runner import KeyedExample
from .cost import GRADIENT, Size, row_counts
from .planned_pair import PlannedPair
from .scheduler import Run, pending_items
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
    for one in run.plan.pairs():
        one.check_there()
    rates, seen = dict[str, Rates](), set[tuple[str, bytes]]()
    with closing(Store(None)) as store:
        for pair in run.pairs(store):
            texts = pair.runner.texts[:: -(-len(pair.runner.texts) // SAMPLE) or 1]
            sample = [(text, size) for text in texts if all(size := pair.runner.size(text))]
            name = pair.pair.name
            if sample:
                rates[name] = rates.get(name) or _rates(pair, sample)
                yield _estimate(pair, [size for _, size in sample], rates[name], seen)
            else:
                yield PairEstimate(name, pair.baseline, 0, 0, 0, 0.0, 0.0, is_least=False)
            pair.close()


def _estimate(pair: PlannedPair, sizes: Sequence[Size], rates: Rates, seen: set[tuple[str, bytes]]) -> PairEstimate:
    """From the passes of some texts to those of all."""
    name, runner = pair.pair.name, pair.runner
    items = [one.item for one in pending_items([pair]) if (name, one.item.digest) not in seen]
    seen.update((name, item.digest) for item in items)
    passes = tokens = seconds = 0.0
    for item, size in product(items, sizes):
        if item.max_units is not None and size[0] > item.max_units:
            continue
        for rows in row_counts(item, size, runner.config.faithfulness):
            read = rows.count * rows.share * size[1]
            passes += rows.count
            tokens += read * (GRADIENT if rows.has_gradient else 1)
            seconds += read * rates[rows.has_gradient]
    texts = len({text.keys["text"] for text in runner.texts})
    each = texts / len(sizes)
    return PairEstimate(
        name=name,
        baseline=pair.baseline,
        cells=len(items),
        texts=texts,
        passes=round(passes * each),
        operations=tokens * each * pair.operations,
        seconds=seconds * each,
        is_least=any(isinstance(item, ScoreItem) and item.method is not None and item.method.refines for item in items),
    )


def _rates(pair: PlannedPair, sample: Sequence[tuple[KeyedExample, Size]]) -> Rates:
    """Rows of a text of middle length, timed."""
    session = pair.model.session
    middle, _ = sorted(sample, key=lambda one: one[1])[len(sample) // 2]
    (gradient,) = resolve_methods(["grad_x_input"])
    config = replace(next(iter(pair.model.baselines.values())), method=gradient)
    rows = rehearse(session.prepare(middle.example.request, config), config, session.engine)
    both = [next(row for row in rows if (row.target is not None) is sloped) for sloped in (False, True)]
    seconds = session.engine.seconds_per_row(both)
    return {row.target is not None: one / row.length for row, one in zip(both, seconds, strict=True)}
