"""`--estimate`: what a run would take, in a sentence or as JSON."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from .duration import duration

if TYPE_CHECKING:
    from ..attribution.estimate import Estimate


def write_estimate(estimate: "Estimate", *, form: str, unit: str) -> None:
    """Print it to standard output."""
    typer.echo(sentence(estimate, unit=unit) if form == "terminal" else json.dumps(asdict(estimate)))


def sentence(estimate: "Estimate", *, unit: str) -> str:
    """The estimate in words."""
    counts = [(estimate.texts, "text"), (estimate.units, unit), (estimate.passes, "pass")]
    least = "at least " if estimate.is_least else ""
    listed = ", ".join(f"{least * (name == 'pass')}{count:,} {_plural(name, count)}" for count, name in counts)
    failed = f"; {estimate.failed:,} of the texts cannot be explained" if estimate.failed else ""
    about = least or "about " * (round(estimate.seconds) > 0)
    return f"{listed}: {about}{duration(estimate.seconds)} on this machine{failed}"


def _plural(name: str, count: int) -> str:
    return name if count == 1 else f"{name}es" if name.endswith("s") else f"{name}s"
