"""The paper's claims that need no test: they follow from the definition; computed on closed forms or from values."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss
from per_text_values import Row, Values

from .claims import NOT_MEASURED, models_by_name

TINY = 0.01  # of a score: well above the rounding of exact SIG, well below any Delta that matters
TEN_STEPS = "sig_path:steps=10"
NON_MONOTONE = "sdig:strategy=non_monotonic"


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim with its verdict and evidence."""

    claim: str
    verdict: str
    evidence: str


def facts(values: Values) -> list[Fact]:
    """All of them."""
    return [delta(values), completeness(values), monotone(values), symmetry()]


def delta(values: Values) -> Fact:
    """|Delta| of exact SIG and of IG: the paper reads it as an error."""
    claim, found = "Delta (the sum of the scores minus the change when all words are masked) measures SIG's error", {}
    for method in ("sig", "ig"):
        rows = [Row("sst2", model, "corrected", "mask", method) for model in models_by_name(values, "sst2").values()]
        sizes = [abs(each["delta"]) for row in rows for each in values.rows.get(row, {}).values()]
        if not sizes:
            return Fact(claim, NOT_MEASURED, "")
        found[method] = float(np.median(sizes))
    evidence = f"Exact SIG has no error, and a median size of Delta of {found['sig']:.2f}; IG's is {found['ig']:.2g}."
    return Fact(claim, "no" if found["sig"] > TINY else "see the figures", evidence)


def completeness(values: Values) -> Fact:
    """The largest residual of a unit's score by quadrature, against the difference that defines it."""
    claim = "Each word's features add up to the change when the word is masked"
    evidence = "By definition; [quadrature converges to it](convergence.md)."
    return Fact(claim, "yes", " ".join((evidence, *_error(values, TEN_STEPS, "With 10 steps"))))


def monotone(values: Values) -> Fact:
    """Appendix C: a path need not be monotone. That holds for the limit, not for few points."""
    evidence = "By definition, a word's score depends on the ends of its path only."
    said = list(_error(values, NON_MONOTONE, "With 30 words on each path, the sums are far from it"))
    verdict = "in the limit, yes; with 30 words, no" if said else "in the limit, yes"
    return Fact("A path need not be monotone (appendix C)", verdict, " ".join((evidence, *said)))


def _error(values: Values, method: str, opening: str) -> Iterator[str]:
    """The largest error of a word in each text, under `corrected`; nothing if it was not computed."""
    rows = [row for row in values.rows if (row.method, row.protocol) == (method, "corrected")]
    errors = [each["residual"] for row in rows for each in values.rows[row].values()]
    if errors:
        middle, worst = np.nanmedian(errors), np.nanmax(errors)
        yield f"{opening}: the largest error in a text is {middle:.2g} in log-odds (median), at most {worst:.2g}."


def symmetry() -> Fact:
    """Appendix A's example and one that works: SIG on two closed forms."""
    equal = sig_features(lambda u, v: u[0] * v[0], [(1.0,), (1.0,)])
    features = sig_features(lambda u, v: u[0] * v[0] * u[1], [(1.0, 1.0), (1.0,)])
    first, other = features[0][0], features[1][0]
    evidence = (
        f"For F = u v at (1, 1), which is symmetric, SIG gives {equal[0][0]:.2g} and {equal[1][0]:.2g}. For "
        f"F = u1 v u2, symmetric in u1 and v, u1 and u2 in one word, it gives {first:.2g} and {other:.2g}."
    )
    is_words, is_features = np.isclose(equal[0][0], equal[1][0]), np.isclose(first, other)
    verdict = "for features, yes; for words, no" if is_words and not is_features else "see the figures"
    return Fact("SIG breaks symmetry (appendix A)", verdict, evidence)


def sig_features(function: Callable[..., float], units: list[tuple[float, ...]]) -> list[list[float]]:
    """SIG of every feature, baseline 0, by Gauss-Legendre with 20 nodes and central differences."""
    nodes, weights = leggauss(20)
    scores = []
    for unit in range(len(units)):
        own = []
        for feature, value in enumerate(units[unit]):
            slopes = []
            for alpha in (nodes + 1) / 2:
                points = [[alpha * one for one in each] if at == unit else list(each) for at, each in enumerate(units)]
                ends = []
                for step in (1e-5, -1e-5):
                    moved = [list(each) for each in points]
                    moved[unit][feature] += step
                    ends.append(function(*moved))
                slopes.append((ends[0] - ends[1]) / 2e-5)
            own.append(float(value * np.dot(weights / 2, slopes)))
        scores.append(own)
    return scores
