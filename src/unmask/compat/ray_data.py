"""A class for `Dataset.map_batches` that explains texts in a Ray Data pipeline. Does not import Ray itself."""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..explainer import Explainer
from ..results.explanation import Explanation


class Explain:
    """Explains the texts of a column; each worker loads the model once.

    Adds the columns `prediction`, `units`, `scores`, `explanation` (complete, as JSON) and `error`, which is empty
    unless the text failed. Ray Data creates the batches, so the last digits of a score may depend on the batch size.

    Args:
        model: A folder or hub name; None for the built-in model.
        column: The column with the texts.
        loading: Options of `Explainer.from_pretrained`.
        settings: Settings of `Explainer.explain_many`.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | None = None,
        *,
        column: str = "text",
        loading: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        options = dict(loading or {})
        self.explainer = Explainer.default(**options) if model is None else Explainer.from_pretrained(model, **options)
        self.column, self.settings = column, settings

    def __call__(self, batch: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """Return the batch with the new columns."""
        attempts = list(self.explainer.attempts([str(text) for text in batch[self.column]], **self.settings))
        found = [one if isinstance(one, Explanation) else None for one in attempts]
        return {
            **batch,
            "prediction": [one.prediction.label if one else "" for one in found],
            "units": [[unit.text for unit in one.units] if one else [] for one in found],
            "scores": [list(one.scores) if one else [] for one in found],
            "explanation": [json.dumps(one.to_dict()) if one else "" for one in found],
            "error": ["" if isinstance(one, Explanation) else str(one.error) for one in attempts],
        }
