"""`--estimate`: what a run would take, in a sentence or as JSON."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from .output import Format

if TYPE_CHECKING:
    from ..estimate import Estimate


def write_estimate(estimate: "Estimate", *, form: Format, unit: str) -> None:
    """Print it to standard output."""
    typer.echo(sentence(estimate, unit=unit) if form is Format.TERMINAL else json.dumps(asdict(estimate)))


def sentence(estimate: "Estimate", *, unit: str) -> str:
    """The estimate in words."""
    counts = [(estimate.texts, "text"), (estimate.units, unit), (estimate.passes, "pass")]
    least = "at least " if estimate.is_least else ""
    listed = ", ".join(f"{least * (name == 'pass')}{count:,} {_plural(name, count)}" for count, name in counts)
    failed = f"; {estimate.failed:,} of the texts cannot be explained" if estimate.failed else ""
    return f"{listed}: {least}{duration(estimate.seconds)} on this machine{failed}"


def duration(seconds: float) -> str:
    """A time in the two units that matter.

    >>> [duration(seconds) for seconds in (0.2, 59, 61, 7325)]
    ['less than a second', 'about 59 s', 'about 1 min 1 s', 'about 2 h 2 min']
    """
    whole = round(seconds)
    if whole < 1:
        return "less than a second"
    if whole < 60:
        return f"about {whole} s"
    if whole < 3600:
        return f"about {whole // 60} min {whole % 60} s"
    return f"about {whole // 3600:,} h {whole % 3600 // 60} min"


def _plural(name: str, count: int) -> str:
    return name if count == 1 else f"{name}es" if name.endswith("s") else f"{name}s"
