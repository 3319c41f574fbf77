"""What a cell takes, about, in rows of a text: for an order of work and a time that is left, not for anything exact."""

from typing import Any

from ..evaluation import GREEDY, RANDOM, WORDS
from ..metrics.faithfulness import SEEDS
from .cells import JudgeCell, ScoreCell
from .chunks import GRADIENT

JUDGING = 12  # rows: some shares, without the top and the top alone
REFINED = 12  # gradients of a path that is refined


def weight(cell: ScoreCell | JudgeCell, units: int) -> float:
    """Rows of a text of so many units."""
    if isinstance(cell, JudgeCell):
        controls = {RANDOM: JUDGING * SEEDS, GREEDY: 2 * units * max(1, units // 5), WORDS: 10}
        return JUDGING if cell.scores is not None else controls[cell.row]
    return 2 + _asked(cell.method, units)


def _asked(method: Any, units: int) -> float:
    steps = getattr(method, "steps", None)
    one_at_a_time = {"sig_path": steps or REFINED, "sdig": (steps or 30) + 1}
    together = {"ig": steps or REFINED, "dig": (steps or 30) + 1, "gradient_shap": getattr(method, "samples", 0)}
    rows = {"sig": units, "leave_one_in": units, "leave_one_out": units, "random": 0}
    if method.name == "shapley":
        return float(method.permutations * units)
    if method.name in one_at_a_time:
        return float(GRADIENT * units * one_at_a_time[method.name])
    if method.name in together:
        per_token = getattr(method, "steps_per_token", None)
        return float(GRADIENT * (per_token * (units + 2) if per_token else together[method.name]))
    return float(rows.get(method.name, GRADIENT))
