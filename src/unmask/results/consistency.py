"""Whether the fields of an explanation fit together: one score per unit, one raw output per label."""

from typing import TYPE_CHECKING

from ..errors import ArgumentError
from .metadata import COUNTED

if TYPE_CHECKING:
    from .explanation import Explanation


def check_consistency(explanation: "Explanation") -> None:
    """Reject an explanation whose fields differ in length."""
    if len(explanation.units) != len(explanation.scores):
        raise ArgumentError(
            f"{len(explanation.units)} units but {len(explanation.scores)} scores: there must be one per unit"
        )
    for name, kind in COUNTED.items():
        values, count = getattr(explanation, name), len(getattr(explanation, kind))
        if values is not None and len(values) != count:
            raise ArgumentError(f"{count} {kind} but {len(values)} values of {name}: there must be one for each")
    if not explanation.segments:
        raise ArgumentError("an explanation needs at least one text")
    if explanation.output_spans is not None and len(explanation.output_spans) != len(explanation.outputs):
        raise ArgumentError(
            f"{len(explanation.output_spans)} spans but {len(explanation.outputs)} outputs; give one per output"
        )
    known = (explanation.without, explanation.alone, explanation.by_output, explanation.without_segments)
    for raw in (
        explanation.whole,
        explanation.at_baseline,
        *(raw for rows in known for raw in rows or () if raw is not None),
    ):
        if len(raw) != len(explanation.outputs):
            raise ArgumentError(f"{len(raw)} raw outputs but {len(explanation.outputs)} labels: give one per label")
    if explanation.windows is not None:
        explanation.windows.check(len(explanation.units), len(explanation.outputs))
