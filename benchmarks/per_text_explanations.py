"""Computes figures from explanations, and keeps those of every text; what is known is not computed again.

per_text_work.py does the same for evaluations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from per_text_values import Figures, Row, Values, append
from per_text_work import key_of

from unmask import Explainer

Measure: TypeAlias = Callable[[Explainer, Sequence[str]], Sequence[Figures]]
PROTOCOL, BASELINE = "explain", "mask"  # in the values: no evaluation, the default baseline


@dataclass(frozen=True, slots=True)
class Task:
    """What to compute of some texts: one row of the values for each model."""

    dataset: str
    models: tuple[str, ...]
    method: str
    measure: Measure


class Explainers:
    """Open models, and the loop that computes what the values lack.

    Args:
        folder: The working folder, to which values are appended.
        place: The folder of a model.
    """

    def __init__(self, values: Values, folder: Path, place: Callable[[str], Path]) -> None:
        self._values, self._folder, self._place = values, folder, place
        self._open: dict[str, tuple[Explainer, str]] = {}

    def compute(self, task: Task, model: str, texts: Sequence[str]) -> None:
        """Compute and keep the figures of the texts that have none."""
        row = self.row(task, model)
        missing = {key: text for text in texts if (key := key_of(text)) not in self._values.rows.get(row, {})}
        if missing:
            figures = task.measure(self.explainer(model), list(missing.values()))
            lines = [(row, key, one) for key, one in zip(missing, figures, strict=True)]
            append(self._folder / f"{task.dataset}-{model}.csv", lines)
            self._values.add(lines)

    def row(self, task: Task, model: str) -> Row:
        """The row of a task in the values."""
        self.explainer(model)
        return Row(task.dataset, f"{model}@{self._open[model][1]}", PROTOCOL, BASELINE, task.method)

    def explainer(self, model: str) -> Explainer:
        """The explainer of a model."""
        if model not in self._open:
            explainer = Explainer.from_pretrained(self._place(model), device="cpu", dtype="float32")
            digest = explainer.explain("a film", sets="none").model.hash
            self._open[model] = explainer, digest.removeprefix("sha256:")[:12]
        return self._open[model][0]
