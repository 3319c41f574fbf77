"""Write the figures of cost_of_each_method.py as Markdown: ratios within one run, and where the time goes."""

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import Any

from clock import Clock
from timing import ratio

Found = Mapping[str, Mapping[str, Any]]  # by model and part; None where it was not measured
KEEPS = ("units", "tokens", "features")
SIG_PATH = {
    "fixed": "sig_path, 50 steps",
    "adaptive, units": "sig_path, adaptive, keep=units",
    "adaptive, features": "sig_path, adaptive, keep=features",
}
OUR_IG = {"fixed": "ig, 50 steps", "adaptive": "ig, adaptive"}
WORDS = ("leave_one_in", "two_sided", "recursive_sig", "gradient_shap", "shapley")
IG_ERRORS = {
    "ig, adaptive: error of the sum": "sum",
    "ig, adaptive: error of a score": "scores",
    "ig, 50 steps: error of a score": "usual scores",
}


def tables(found: Found) -> Iterator[str]:
    """All tables, one after another."""
    yield _head("speedup over another library", found)
    for ours, title in SIG_PATH.items():
        yield _row(f"{title}, over time-interpret", found, "author", _ratio("author", ours))
    for ours, title in OUR_IG.items():
        yield _row(f"{title}, over Captum", found, "captum", _ratio("captum", ours))
    yield from _adaptive(found)
    yield _head("time relative to exact SIG", found)
    for name in WORDS:
        yield _row(name, found, "words", _ratio(name, "sig"))
    for keep in KEEPS:
        yield _row(f"sig_path, keep={keep}", found, "kept", _ratio(keep, "sig"))
    yield from _shares(found)


def _adaptive(found: Found) -> Iterator[str]:
    yield _head("adaptive rule, tolerance 0.01", found)
    for keep in KEEPS[1:]:
        title = f"sig_path, keep={keep}"
        yield _row(f"{title}: gradient passes relative to keep=units", found, "kept", _gradients(keep, "units"))
        yield _row(f"{title}: time relative to keep=units", found, "kept", _ratio(keep, "units"))
    yield _row("ig: gradient passes per text", found, "adaptive_ig", _spread("passes", "g"))
    for name, key in IG_ERRORS.items():
        yield _row(name, found, "adaptive_ig", _spread(key, ".1e"))


def _shares(found: Found) -> Iterator[str]:
    yield _head("share of time: forward / backward / outside the model", found)
    for name, title in (SIG_PATH | {"author": "time-interpret's SIG"}).items():
        yield _row(title, found, "author", _clock(name))
    for name, title in (OUR_IG | {"captum": "Captum's IG"}).items():
        yield _row(title, found, "captum", _clock(name))
    for name in ("sig", *WORDS):
        yield _row(name, found, "words", _clock(name))


def _ratio(slow: str, fast: str) -> Callable[[Any], str]:
    return lambda clocks: str(ratio(clocks[slow]["rounds"], clocks[fast]["rounds"]))


def _gradients(some: str, fewer: str) -> Callable[[Any], str]:
    return lambda clocks: f"{clocks[some]['gradients'] / clocks[fewer]['gradients']:.2f}"


def _spread(key: str, form: str) -> Callable[[Any], str]:
    """Median and worst text."""
    return lambda part: f"{median(part[key]):{form}} / {max(part[key]):{form}}"


def _clock(name: str) -> Callable[[Any], str]:
    return lambda clocks: Clock(**clocks[name]).shares()


def _head(what: str, found: Found) -> str:
    return f"\n| {what} | {' | '.join(found)} |\n|---|{'---|' * len(found)}"


def _row(name: str, found: Found, part: str, cell: Callable[[Any], str]) -> str:
    cells = ["not measured" if one[part] is None else cell(one[part]) for one in found.values()]
    return f"| {name} | {' | '.join(cells)} |"
