"""Time an evaluation of six methods by three metrics, against Captum, time-interpret and a plain loop.

scripts/compare benchmarks/evaluation.py > docs/results/evaluation-speed.md

It takes the better part of an hour. Measurements are stored in .results, block by block; rerun to resume.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from dig_against_time_interpret import Clock
from evaluation_others import METHODS, SAMPLES, TOP, Others
from evaluation_page import page
from stored import Store
from timing import explainer_of, sst2

from unmask import Explainer
from unmask.methods import DIG
from unmask.metrics.faithfulness import METRICS
from unmask.metrics.registry import Measure
from unmask.models.vocabulary import Vocabulary
from unmask.progress import Progress
from unmask.results.evaluation import Evaluation

MODEL = "bert-sst2"
SPELLED = {name: name for name in METHODS} | {"gradient_shap": f"gradient_shap:samples={SAMPLES}"}


class Ours:
    """All six methods and the metrics in one call."""

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer

    def evaluated(self, texts: list[str]) -> dict[str, Any]:
        """Seconds by part, and the three figures of every text by method."""
        clock, scored = Clock({}), list[float]()

        def report(progress: Progress) -> None:
            if progress.texts >= len(texts) * len(METHODS):  # first: all scores, no metric yet
                scored.append(time.process_time())

        with _watched(clock):
            started = time.process_time()
            found = self._evaluation(texts, report)
            ended = time.process_time()
        if found.failures:
            sys.exit(f"not evaluated: {found.failures[0]}")
        parts = _parts(found, clock) | {"judging": ended - scored[0]}
        return {"seconds": parts | {"rest": ended - started - sum(parts.values())}, "figures": _figures(found)}

    def _evaluation(self, texts: list[str], report: Callable[[Progress], None]) -> Evaluation:
        return self._explainer.evaluate(
            texts,
            methods=list(SPELLED.values()),
            progress=report,
            unit="token",
            target="predicted",
            scale="logit",
            baseline="mask",
            operators="remove",
            controls=(),
            top=TOP,
        )


@contextmanager
def _watched(clock: Clock) -> Iterator[None]:
    """Add up the time for neighbors and paths, and make the package measure in processor seconds."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(time, "perf_counter", time.process_time))
        for owner, name in ((DIG, "points"), (Vocabulary, "neighbors")):
            stack.enter_context(patch.object(owner, name, _timed(clock, name, getattr(owner, name))))
        yield


def _timed(clock: Clock, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given, **named: clock(name, partial(function, *given, **named))


def _parts(found: Evaluation, clock: Clock) -> dict[str, float]:
    """Return the seconds of each method, with separate entries for paths and neighbors."""
    neighbors, points = clock.seconds["neighbors"], clock.seconds["points"]
    methods = {name: found.row(row).seconds for name, row in SPELLED.items()}
    return methods | {"dig: neighbors": neighbors, "dig: paths": points - neighbors}


def _figures(found: Evaluation) -> dict[str, list[list[float]]]:
    """By method, [texts, metrics]."""
    measures = [Measure(metric, "remove", TOP) for metric in METRICS]
    values = {name: [found.row(row).values[one].tolist() for one in measures] for name, row in SPELLED.items()}
    return {name: [list(text) for text in zip(*columns, strict=True)] for name, columns in values.items()}


def measure(store: Store, blocks: dict[str, list[str]], size: str) -> list[dict[str, Any]]:
    """Measure all missing blocks. The two sides alternate, and so does the side that goes first."""
    explainer = explainer_of(MODEL)
    others = Others(explainer)
    sides: dict[str, Callable[[list[str]], Any]] = {
        "ours": Ours(explainer).evaluated,
        "theirs": others.evaluated,
    }
    store.kept(f"{size}: neighbors", others.neighbors)
    found = []
    for at, (name, texts) in enumerate(blocks.items()):
        turns = list(sides)[:: -1 if at % 2 else 1]
        found.append(store.kept(name, partial(_taken, {side: sides[side] for side in turns}, texts)))
        print(name, {side: sum(found[-1][side]["seconds"].values()) for side in sides}, file=sys.stderr, flush=True)
    return found


def _taken(sides: dict[str, Callable[[list[str]], Any]], texts: list[str]) -> dict[str, Any]:
    return {side: evaluated(texts) for side, evaluated in sides.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=50)
    parser.add_argument("--block", type=int, default=10, help="sentences before switching to the other side")
    parser.add_argument("--store", type=Path, default=Path(".results/evaluation.jsonl"), help="resume from this file")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    store, texts, size = Store(given.store), sst2("test", given.texts), f"{given.texts} by {given.block}"
    starts = range(0, len(texts), given.block)
    blocks = {f"{size}: from {start}": texts[start : start + given.block] for start in starts}
    found = measure(store, blocks, size)
    print("\n".join(page(found, neighbors=store.known[f"{size}: neighbors"], sentences=len(texts))))


if __name__ == "__main__":
    main()
