"""Compare every architecture with exact SIG written from its definition, on tiny models in float64.

.venv/bin/python benchmarks/architectures.py
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from support import slow_reference, tiny
from support.tiny_architectures import TABLE
from torch import Tensor

ROWS = (1, 7, 64)
UNITS = ("word", "token")
PADDING = 3


def apart(found: Tensor, expected: Tensor) -> float:
    """Return the largest difference, relative to the largest score."""
    return float((found - expected).abs().max() / expected.abs().max())


class Comparison:
    """One architecture's scores by the engine and by the definition."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._explainer = tiny.explainer(name)
        self._model = self._explainer.model
        baseline = self._explainer.explain(tiny.TEXTS[0])
        self._baseline = baseline.baseline
        self._token = self._explainer.tokenizer.convert_tokens_to_ids(baseline.baseline_token)
        self._sides = ("right",) if self._model.config.model_type in slow_reference.ONLY_RIGHT else ("right", "left")
        self.units = 0
        self.engine = self.padding = 0.0

    def run(self) -> "Comparison":
        for unit in UNITS:
            places = [slow_reference.places(self._explainer.tokenizer, text, unit) for text in tiny.TEXTS]
            expected = [slow_reference.scores(self._model, ids, units, self._token) for units, ids in places]
            self.units += sum(len(units) for units, _ in places)
            for side in self._sides:
                for (units, ids), scores in zip(places, expected, strict=True):
                    padded = slow_reference.scores(self._model, ids, units, self._token, **{side: PADDING})
                    self.padding = max(self.padding, apart(padded, scores))
            for rows in ROWS:
                self.engine = max(self.engine, self._engine_apart(rows, unit, expected))
        return self

    def _engine_apart(self, rows: int, unit: str, expected: list[Tensor]) -> float:
        explainer = tiny.explainer(self._name, batch_tokens=rows * 24)
        found = explainer.explain_many(tiny.TEXTS, unit=unit, scale="logit")
        pairs = zip(found, expected, strict=True)
        return max(apart(torch.tensor(one.scores_by_output), scores) for one, scores in pairs)

    def row(self) -> str:
        own = "left" if self._model.config.model_type == "xlnet" else "right"
        return (
            f"| {self._name} | {TABLE[self._name].kind} | {own} | {self._baseline} | {self.units} | "
            f"{self.engine:.1e} | {self.padding:.1e} ({', '.join(self._sides)}) |"
        )


def main() -> None:
    torch.set_num_threads(1)
    print("| architecture | tokenizer | padding | baseline | units | engine error | effect of padding |")
    print("|---|---|---|---|---|---|---|")
    for name in TABLE:
        print(Comparison(name).run().row(), flush=True)


main()
