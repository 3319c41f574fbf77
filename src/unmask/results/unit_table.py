"""The units of an explanation as a pandas table; pandas is an optional dependency."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from ..errors import ArgumentError
from ..tasks.targets import distinct_names

if TYPE_CHECKING:
    from pandas import DataFrame

    from .explanation import Explanation


def unit_table(explanation: "Explanation") -> "DataFrame":
    """A table with one row per unit."""
    try:
        import pandas
    except ImportError as error:
        raise ArgumentError(
            "to_pandas needs pandas, which is not installed", hint="pip install 'unmask[data]'"
        ) from error
    table = pandas.DataFrame([asdict(unit) for unit in explanation.units])
    table["score"], table["normalized"] = explanation.scores, explanation.normalized
    if explanation.window_scores is not None:
        table["window_score"] = explanation.window_scores
    for name in ("residuals", "standard_errors"):
        if getattr(explanation, name) is not None:
            table[name.removesuffix("s")] = getattr(explanation, name)
    if explanation.scores_by_output is not None:
        for label, scores in zip(distinct_names(explanation.outputs), explanation.scores_by_output.T, strict=True):
            table[f"score of {label}"] = scores
    return table
