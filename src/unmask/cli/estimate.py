"""Formats durations, and prints the result of `--estimate` as a sentence or JSON."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ArgumentError
from .printing import as_json, print_document, print_line

if TYPE_CHECKING:
    from ..attribution.estimate import Estimate

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def duration(seconds: float) -> str:
    """Format seconds with the two largest units.

    >>> [duration(seconds) for seconds in (0.2, 59, 61, 7325, 200_000)]
    ['less than a second', '59 s', '1 min 1 s', '2 h 2 min', '2 d 7 h']
    """
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s" if whole else "less than a second"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE} s"
    if whole < DAY:
        return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"
    return f"{whole // DAY:,} d {whole % DAY // HOUR} h"


def check_printed(form: str, output: Path | None) -> None:
    """Reject an output file, and any format other than text and JSON."""
    if output is not None:
        raise ArgumentError("--estimate prints to standard output and writes no file; remove -o")
    if form not in ("terminal", "json"):
        raise ArgumentError(f"--estimate prints text or JSON, not {form}; use --format terminal or --format json")


def write_estimate(estimate: "Estimate", *, form: str, unit: str) -> None:
    """Print an estimate to standard output."""
    if form != "terminal":
        print_document(as_json(asdict(estimate)))
        return
    counts = [(estimate.texts, "text"), (estimate.units, unit), (estimate.passes, "pass")]
    bound = _bound(estimate)
    listed = ", ".join(f"{bound * (name == 'pass')}{count:,} {_plural(name, count)}" for count, name in counts)
    failed = f"; {estimate.failed:,} {_plural('text', estimate.failed)} cannot be explained" if estimate.failed else ""
    print_line(f"{listed}: {in_words(estimate)} on this machine{failed}")


def in_words(estimate: "Estimate") -> str:
    """The estimated time, such as `about 2 min 5 s`."""
    about = _bound(estimate) or "about "
    return f"{about * (round(estimate.seconds) > 0 or estimate.is_least)}{duration(estimate.seconds)}"


def _bound(estimate: "Estimate") -> str:
    """A prefix that says whether the number of passes is a lower or an upper bound."""
    kinds = {(True, False): "at least ", (False, True): "at most ", (True, True): "about "}
    return kinds.get((estimate.is_least, estimate.is_most), "")


def _plural(name: str, count: int) -> str:
    return name if count == 1 else f"{name}es" if name.endswith("s") else f"{name}s"
