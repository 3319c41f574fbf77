"""The figures of methods.py as Markdown: ratios within one run, and where the time goes."""

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from clock import Clock

Found = Mapping[str, Mapping[str, Any]]  # by model


def tables(found: Found) -> Iterator[str]:
    """Everything, one table behind the other."""
    yield from _against(found)
    yield from _adaptive(found)
    yield from _words(found)
    yield from _shares(found)


def _against(found: Found) -> Iterator[str]:
    yield _head("so many times as fast as the other library", found)
    for part, theirs, rows in (
        ("author", "author", ("fixed", "adaptive, units", "adaptive, features")),
        ("captum", "captum", ("fixed", "adaptive")),
    ):
        for ours in rows:
            name = f"{'sig_path' if part == 'author' else 'ig'}, {ours}"
            yield _row(name, [f"{_ratio(one[part], theirs, ours):.2f}" for one in found.values()])
    yield _row("time-interpret's best rows at a time", [one["best"] for one in found.values()])


def _adaptive(found: Found) -> Iterator[str]:
    yield _head("adaptive, tolerance 0.01", found)
    for keep in ("units", "tokens", "features"):
        yield _row(
            f"sig_path, {keep}: gradient passes a word", [f"{one['passes'][keep]:.1f}" for one in found.values()]
        )
    parts = [one["adaptive_ig"] for one in found.values()]
    yield _row("ig: gradient passes a text", [f"{median(one['passes']):g} / {max(one['passes'])}" for one in parts])
    for name, key in (
        ("ig: error of the sum", "sum"),
        ("ig: error of a score", "scores"),
        ("the same with 50 fixed steps", "usual scores"),
    ):
        yield _row(name, [f"{median(one[key]):.1e} / {max(one[key]):.1e}" for one in parts])


def _words(found: Found) -> Iterator[str]:
    yield _head("so many times the time of exact SIG", found)
    for name in next(iter(found.values()))["words"]:
        yield _row(name, [f"{_ratio(one['words'], name, 'sig'):.2f}" for one in found.values()])
    for keep in ("units", "tokens", "features"):
        yield _row(f"sig_path, {keep}", [f"{_ratio(one['kept'], keep, 'sig'):.2f}" for one in found.values()])


def _shares(found: Found) -> Iterator[str]:
    yield _head("forward / backward / outside the model", found)
    for part in ("author", "captum", "kept", "words"):
        for name in next(iter(found.values()))[part]:
            yield _row(f"{part}: {name}", [Clock(**one[part][name]).shares() for one in found.values()])


def _ratio(clocks: Mapping[str, Mapping[str, float]], slow: str, fast: str) -> float:
    return clocks[slow]["seconds"] / clocks[fast]["seconds"]


def _head(what: str, found: Found) -> str:
    return f"\n| {what} | {' | '.join(found)} |\n|---|{'---|' * len(found)}"


def _row(name: str, cells: list[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"
