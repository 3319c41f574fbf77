"""Measure how fast quadrature converges to exact SIG, by rule and number of steps, and where the adaptive rule stops.

.venv/bin/python benchmarks/convergence.py > table.md     # and docs/results/convergence.svg
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import chain, product
from pathlib import Path
from statistics import median
from typing import Any

import torch
from stored import Store
from timing import MODELS, explainer_of, sst2

from unmask import Explainer, Explanation, Request
from unmask.methods import SIGPath

STEPS = (2, 3, 5, 10, 20, 50, 100)
RULES = ("gauss_legendre", "riemann_middle", "trapezoid")
TOLERANCES = (1e-2, 1e-3)
WORDS = 1  # of each sentence, those with the largest scores
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "results" / "convergence.svg"


class Sentences:
    """The sentences, the words that are measured, and the scores that their errors are relative to."""

    def __init__(self, model: str, texts: Sequence[str]) -> None:
        self._model, self._texts = model, texts

    @cached_property
    def _explainer(self) -> Explainer:
        return explainer_of(self._model)

    @cached_property
    def _exact(self) -> list[Explanation]:
        return list(self._explainer.explain_many(self._texts))

    def fixed(self, rule: str, steps: int) -> list[float]:
        """Return each sentence's largest residual, relative to its largest score."""
        requests = [Request(one.text, spans=[(u.start, u.end) for u, _ in one.top(WORDS)]) for one in self._exact]
        return self._shares(self._explainer.explain_many(requests, method=SIGPath(steps=steps, rule=rule)))

    def adaptive(self, tolerance: float) -> dict[str, Any]:
        """Return the same for the adaptive rule on all words, and the gradient passes per word."""
        found = list(self._explainer.explain_many(self._texts, method=SIGPath(tolerance=tolerance)))
        passes = [one.passes.backward / len(one.units) for one in found]
        return {"shares": self._shares(found), "passes": passes}

    def _shares(self, found: Iterable[Explanation]) -> list[float]:
        pairs = zip(found, self._exact, strict=True)
        return [max(map(abs, one.residuals or ())) / max(map(abs, exact.scores)) for one, exact in pairs]


def measured(store: Store, models: Sequence[str], texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Measure all models, by rule and steps or by tolerance, the most important combinations first."""
    sentences = {model: Sentences(model, texts) for model in models}
    programs: dict[str, Callable[[Sentences], Any]] = {
        f"{tolerance:.0e}": partial(Sentences.adaptive, tolerance=tolerance) for tolerance in TOLERANCES
    }
    for rule, steps in product(RULES, STEPS):
        programs[f"{rule} {steps}"] = partial(Sentences.fixed, rule=rule, steps=steps)
    found: dict[str, dict[str, Any]] = {model: {} for model in models}
    for (name, program), (model, own) in product(programs.items(), sentences.items()):
        found[model][name] = store.kept(f"{model}, {len(texts)}: {name}", partial(program, own))
    return found


def tables(found: dict[str, dict[str, Any]]) -> Iterable[str]:
    """Write the tables of the page: the median / worst sentence of each model, and of all models."""
    yield f"| rule | steps | {' | '.join(found)} | all |"
    yield f"|---|---|{'---|' * (len(found) + 1)}"
    for rule, steps in product(RULES, STEPS):
        shares = [one[f"{rule} {steps}"] for one in found.values()]
        cells = [f"{median(part):.1e} / {max(part):.1e}" for part in (*shares, [*chain(*shares)])]
        yield f"| {rule} | {steps} | {' | '.join(cells)} |"
    yield f"\n| tolerance | adaptive rule | {' | '.join(found)} |\n|---|---|{'---|' * len(found)}"
    for tolerance in TOLERANCES:
        ends = [one[f"{tolerance:.0e}"] for one in found.values()]
        for what, key, form in (("gradient passes per word", "passes", ".1f"), ("largest residual", "shares", ".1e")):
            cells = [f"{median(one[key]):{form}} / {max(one[key]):{form}}" for one in ends]
            yield f"| {tolerance:g} | {what} | {' | '.join(cells)} |"


def draw(found: dict[str, dict[str, Any]]) -> None:
    """Plot the median and the worst residual over the number of steps, and the points where the adaptive rule stops."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "unmask"  # the same picture from the same figures
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    for rule, color in zip(RULES, ("#1f6fb2", "#c65a11", "#6b6b6b"), strict=True):
        shares = [[*chain(*(one[f"{rule} {steps}"] for one in found.values()))] for steps in STEPS]
        axes.plot(STEPS, [median(part) for part in shares], color=color, label=rule.replace("_", " "))
        axes.plot(STEPS, [max(part) for part in shares], color=color, linestyle=":")
    for tolerance, marker in zip(TOLERANCES, "os", strict=True):
        ends = [one[f"{tolerance:.0e}"] for one in found.values()]
        place = [median(chain(*(end[key] for end in ends))) for key in ("passes", "shares")]
        axes.plot(*place, f"k{marker}", label=f"adaptive, tolerance {tolerance:g}")
    axes.set(xscale="log", yscale="log", xlabel="gradient passes per word", ylabel="largest residual / largest score")
    axes.set_xticks(STEPS, [str(steps) for steps in STEPS], minor=False)
    axes.minorticks_off()
    axes.legend(fontsize=8, frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=20)
    parser.add_argument("--models", nargs="+", default=[*MODELS, "embedded"])
    parser.add_argument("--store", type=Path, default=Path(".results/convergence.jsonl"), help="resume from this file")
    given = parser.parse_args()
    torch.set_num_threads(1)
    store, texts = Store(given.store), sst2("dev", given.texts)
    found = measured(store, given.models, texts)
    print("\n".join(tables(found)))
    draw(found)


if __name__ == "__main__":
    main()
