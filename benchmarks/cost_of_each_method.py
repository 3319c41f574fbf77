"""Compare the cost of each method with time-interpret's SIG, Captum's Integrated Gradients, and exact SIG.

scripts/compare benchmarks/cost_of_each_method.py > table.md     # a quarter of an hour; rerun to resume

Times are processor time of one thread; ratios are taken within a round, and shown with their spread over the rounds.
"""

import argparse
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

import torch
from clock import turns
from cost_of_each_method_tables import tables
from others import TARGET, OthersText
from stored import Store
from timing import MODELS, explainer_of, sst2
from torch import Tensor

from unmask import Explainer, Explanation
from unmask.methods import IG, SIG, GradientShap, LeaveOneIn, Method, RecursiveSIG, Shapley, SIGPath, TwoSided
from unmask.methods.path_integrals import Keep

STEPS = 50
ROWS = (50, 25)  # batch sizes to try with time-interpret; a path has no more points
FEW = 4  # sentences for the methods without a competitor here
KEEPS: tuple[Keep, ...] = ("units", "tokens", "features")


class Bench:
    """One model and its sentences; slow comparisons use only the first few."""

    def __init__(self, model: str, texts: Sequence[str], *, slow: int, rounds: int) -> None:
        self._model, self._texts, self._slow, self._rounds = model, texts, slow, rounds

    @cached_property
    def _explainer(self) -> Explainer:
        explainer = explainer_of(self._model)
        explainer.explain(self._texts[0])  # its first batches are slower
        return explainer

    def rows(self) -> dict[str, Any]:
        """Time time-interpret with different batch sizes, on one sentence of typical length."""
        (text,) = self._theirs(self._texts[2:3])
        programs = {str(rows): partial(self._author, [text], rows) for rows in ROWS}
        return turns(self._explainer.model, programs, 1)

    def author(self, rows: int) -> dict[str, Any]:
        """Time the path integral by tokens: time-interpret's, ours with as many steps, ours with the adaptive rule."""
        texts = self._texts[: self._slow]
        theirs = self._theirs(texts)
        programs = {
            "fixed": self._ours(SIGPath(steps=STEPS, keep="features"), "token", texts),
            "author": partial(self._author, theirs, rows),
            "adaptive, units": self._ours(SIGPath(), "token", texts),
            "adaptive, features": self._ours(SIGPath(keep="features"), "token", texts),
        }
        return turns(self._explainer.model, programs, self._rounds)

    def captum(self) -> dict[str, Any]:
        """Time Integrated Gradients: Captum's one text at a time, ours over all texts, ours with the adaptive rule."""
        theirs = self._theirs(self._texts)
        programs = {
            "fixed": self._ours(IG(), "token"),
            "captum": lambda: [text.captum_ig(steps=STEPS) for text in theirs],
            "adaptive": self._ours(IG(steps=None), "token"),
        }
        return turns(self._explainer.model, programs, self._rounds)

    def words(self) -> dict[str, Any]:
        """Time every other method against exact SIG, with words as units."""
        methods: list[Method] = [SIG(), LeaveOneIn(), TwoSided(), RecursiveSIG(), GradientShap(), Shapley()]
        programs = {method.name: self._ours(method, "word", self._texts[:FEW]) for method in methods}
        return turns(self._explainer.model, programs, self._rounds)

    def kept(self) -> dict[str, Any]:
        """Time the adaptive rule for each value of `keep`, and exact SIG, with words as units."""
        methods: dict[str, Method] = {"sig": SIG(), **{keep: SIGPath(keep=keep) for keep in KEEPS}}
        texts = self._texts[: self._slow]
        programs = {name: self._ours(method, "word", texts) for name, method in methods.items()}
        return turns(self._explainer.model, programs, self._rounds)

    def adaptive_ig(self) -> dict[str, Any]:
        """Measure the gradient passes of adaptive IG, the error of its sum, and on fewer texts the error of scores."""
        adaptive = self._ours(IG(steps=None), "token")()
        usual, exact = (self._ours(IG(steps=n), "token", self._texts[: self._slow])() for n in (STEPS, 4 * STEPS))
        return {
            "passes": [one.passes.backward for one in adaptive],
            "sum": [abs(one.delta / one.together) for one in adaptive],
            "scores": [_difference(*pair) for pair in zip(adaptive, exact, strict=False)],
            "usual scores": [_difference(*pair) for pair in zip(usual, exact, strict=True)],
        }

    def _author(self, texts: Sequence[OthersText], rows: int) -> list[Tensor]:
        return [text.author_sig(steps=STEPS, rows=rows) for text in texts]

    def _ours(self, method: Method, unit: str, texts: Sequence[str] | None = None) -> Any:
        settings: dict[str, Any] = {"target": TARGET, "scale": "logit", "baseline": "mask"}
        chosen = self._texts if texts is None else texts
        return lambda: list(self._explainer.explain_many(chosen, method=method, unit=unit, **settings))

    def _theirs(self, texts: Sequence[str]) -> list[OthersText]:
        return [OthersText(self._explainer, text) for text in texts]


def _difference(found: Explanation, exact: Explanation) -> float:
    """Return the largest error of a score, relative to the largest score."""
    errors = [abs(a - b) for a, b in zip(found.scores, exact.scores, strict=True)]
    return max(errors) / max(map(abs, exact.scores))


PARTS = ("author", "captum", "kept", "adaptive_ig", "words")


def measure(store: Store, benches: Mapping[str, Bench], size: str) -> None:
    """Measure all missing figures; the best batch size for time-interpret is chosen on the first model."""
    first, bench = next(iter(benches.items()))
    trials = store.kept(f"{first}, {size}: rows", bench.rows)
    best = int(min(trials, key=lambda rows: sum(trials[rows]["rounds"])))
    for part, (model, bench) in product(PARTS, benches.items()):
        program = partial(bench.author, best) if part == "author" else getattr(bench, part)
        store.kept(f"{model}, {size}: {part}", program)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slow", type=int, default=2, help="sentences for the comparison with time-interpret")
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--store", type=Path, default=Path(".results/methods.jsonl"), help="resume from this file")
    parser.add_argument("--stored", action="store_true", help="print stored measurements without measuring anything")
    given = parser.parse_args()
    torch.set_num_threads(1)
    store, texts = Store(given.store), sst2("dev", given.texts)
    size = f"{given.texts}, {given.slow}, {given.rounds} rounds"
    if not given.stored:
        sizes = {"slow": given.slow, "rounds": given.rounds}
        measure(store, {model: Bench(model, texts, **sizes) for model in given.models}, size)
    names = {model: {part: f"{model}, {size}: {part}" for part in PARTS} for model in given.models}
    found = {model: {part: store.known.get(name) for part, name in own.items()} for model, own in names.items()}
    print("\n".join(tables(found)))


if __name__ == "__main__":
    main()
