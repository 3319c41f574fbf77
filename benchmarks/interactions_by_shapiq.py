"""Compare shapiq's indices on our engine with ours: exact values on short texts, approximators on longer ones.

OMP_NUM_THREADS=1 scripts/compare benchmarks/interactions_by_shapiq.py
"""

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from math import factorial
from typing import Any

import numpy as np
import shapiq
import torch
from timing import SHARED, sst2

from unmask import Explainer
from unmask.compat.shapiq import TextGame, game

MODELS = ("embedded", "bert-sst2", "roberta-sst2")
SHORT, LONG = 8, (18, 22)  # units of texts for exact values, and for approximators
ALLOWED = 1e-9
BUDGET = 500  # coalitions for an approximator; SPEX needs more for its grid
SPEX_BUDGET = 4000
APPROXIMATORS: dict[str, Callable[[int], Any]] = {
    "KernelSHAP (SV)": lambda n: shapiq.KernelSHAP(n=n, random_state=0),
    "PermutationSamplingSII (SII)": lambda n: shapiq.PermutationSamplingSII(n=n, max_order=2, random_state=0),
    "KernelSHAPIQ (k-SII)": lambda n: shapiq.KernelSHAPIQ(n=n, max_order=2, index="k-SII", random_state=0),
    "RegressionFSII (FSII)": lambda n: shapiq.RegressionFSII(n=n, max_order=2, random_state=0),
    "SPEX (FBII)": lambda n: shapiq.SPEX(n=n, max_order=2, index="FBII", random_state=0),
}


def explainer_of(name: str) -> Explainer:
    """Load a model in float64, so that differences are not due to rounding."""
    if name == "embedded":
        made = Explainer.default(device="cpu")
        return Explainer(made.model.double(), made.tokenizer)
    return Explainer.from_pretrained(SHARED / "models" / name, device="cpu", dtype="float64")


def texts(explainer: Explainer, least: int, most: int, count: int) -> list[str]:
    """The first sentences of SST-2 with that many words."""
    found = (text for text in sst2("dev") if least <= len(explainer.units(text)) <= most)
    return list(itertools.islice(found, count))


def defined_sii(values: Any, count: int, first: int, second: int) -> float:
    """Compute the Shapley interaction index of two players from its definition; bit masks index the subsets' values."""
    total, pair = 0.0, 1 << first | 1 << second
    for row in range(2**count):
        if not row & pair:
            size = row.bit_count()
            weight = factorial(size) * factorial(count - size - 2) / factorial(count - 1)
            added = values[row | pair] - values[row | 1 << first] - values[row | 1 << second] + values[row]
            total += weight * added
    return total


def differences(explainer: Explainer, text: str) -> Iterator[tuple[str, float]]:
    """Return the differences between shapiq's exact values on our game and ours."""
    played = game(explainer, text)
    count, exact = played.n_players, shapiq.ExactComputer(game=played, n_players=played.n_players)
    ours, found = explainer.explain(text, method="shapley"), explainer.interactions(text, top=count)
    shapley = exact("SV", 1)
    yield "SV, against `shapley`", max(abs(shapley[(unit,)] - score) for unit, score in enumerate(ours.scores))
    last = exact("Co-Moebius", 2)
    apart = [abs(last[(pair.first, pair.second)] - pair.interaction) for pair in found]
    yield "Co-Moebius of pairs, against `interactions`", max(apart)
    subsets = np.array([[row >> unit & 1 for unit in range(count)] for row in range(2**count)], dtype=bool)
    values, index = played(subsets), exact("SII", 2)
    pairs = itertools.combinations(range(count), 2)
    yield (
        "SII of pairs, against its definition",
        max(abs(index[pair] - defined_sii(values, count, *pair)) for pair in pairs),
    )


def exact_table(count: int) -> float:
    """Print the largest differences, and return the largest of all."""
    worst = dict[tuple[str, str], float]()
    for name in MODELS:
        explainer = explainer_of(name)
        for text in texts(explainer, 3, SHORT, count):
            for what, apart in differences(explainer, text):
                worst[name, what] = max(worst.get((name, what), 0.0), apart)
    rows = list(dict.fromkeys(what for _, what in worst))
    print(f"| shapiq's exact index | {' | '.join(MODELS)} |\n|---|{'---|' * len(MODELS)}")
    for what in rows:
        print(f"| {what} | {' | '.join(f'{worst[name, what]:.1e}' for name in MODELS)} |", flush=True)
    return max(worst.values())


class TimedGame:
    """A game that measures its processor time; it runs one coalition at a time, or as many as shapiq requests."""

    def __init__(self, played: TextGame, *, rows: int | None = None) -> None:
        self._played, self._rows, self.seconds = played, rows, 0.0

    def __call__(self, coalitions: Any) -> Any:
        started = time.process_time()
        matrix = np.atleast_2d(coalitions)
        size = self._rows or len(matrix)
        values = [self._played(matrix[start : start + size]) for start in range(0, len(matrix), size)]
        self.seconds += time.process_time() - started
        return np.concatenate(values)


def approximator_table(count: int) -> None:
    """Print how many coalitions each approximator requests, and how much faster they run together than one by one."""
    explainer = Explainer.default(device="cpu")
    listed = texts(explainer, *LONG, count)
    print("| approximator | coalitions per text | speedup over one coalition at a time |\n|---|---|---|")
    for name, make in APPROXIMATORS.items():
        is_spex, seconds, coalitions = "SPEX" in name, [0.0, 0.0], 0
        for text in listed:
            for at, rows in enumerate((None,) if is_spex else (None, 1)):  # SPEX takes minutes itself: once is enough
                played = game(explainer, text)
                timed = TimedGame(played, rows=rows)
                make(played.n_players).approximate(SPEX_BUDGET if is_spex else BUDGET, timed)
                seconds[at] += timed.seconds
            coalitions += played.evaluations
        speedup = "not measured" if is_spex else f"{seconds[1] / seconds[0]:.1f}"
        print(f"| {name} | {coalitions / len(listed):.0f} | {speedup} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=10, help="number of short texts per model")
    parser.add_argument("--long-texts", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    largest = exact_table(given.texts)
    print(f"\nThe largest difference is {largest:.1e}; the limit is {ALLOWED:.0e}.\n")
    approximator_table(given.long_texts)
    sys.exit(largest > ALLOWED)


if __name__ == "__main__":
    main()
