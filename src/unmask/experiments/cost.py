"""What a work item asks of the model for one text: how many rows, how long, with a gradient or without.

In closed form, so that nothing need be run: for where a chunk ends, for the time left, for an estimate.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ..metrics.faithfulness import SEEDS, FaithfulnessConfig
from ..metrics.greedy import UNITS as GREEDY_UNITS
from ..metrics.random_deletion import DRAWS, SHARES
from ..results.rows import GREEDY, RANDOM, WORDS
from .work_items import ScoreItem, WorkItem

Text = TypeVar("Text")
TEXTS = 256  # of a chunk at the most: what a text costs beside its passes
OPERATIONS = {"cpu": 2e11, "cuda": 2e13, "mps": 2e12}  # of a chunk: some seconds
Size: TypeAlias = tuple[int, int]  # a text's units and tokens

GRADIENT = 2  # times what a row without a gradient costs
GRADIENT_TIME = 2.5  # times as long as one without, about: for the time left
REFINED = 12  # gradients of a path that is refined until it is exact enough: at least, and often no more
ONE_AT_A_TIME = ("sig_path", "sdig")  # of a unit at a time, the steps of a path
TOGETHER = ("ig", "dig")
UNIT_BY_UNIT = ("sig", "leave_one_in", "leave_one_out", "shapley")


@dataclass(frozen=True, slots=True)
class RowCount:
    """Some rows of one text, each so long as a share of the whole text."""

    count: float
    share: float = 1.0
    has_gradient: bool = False


def cost(rows: Iterator[RowCount], *, gradient: float = GRADIENT) -> float:
    """In rows of the whole text without a gradient."""
    return sum(one.count * one.share * (gradient if one.has_gradient else 1) for one in rows)


def row_counts(item: WorkItem, size: Size, exam: FaithfulnessConfig) -> Iterator[RowCount]:
    """All rows of an item for a text of that size; rows that happen to be the same are counted apart."""
    units, _ = size
    if isinstance(item, ScoreItem):
        if item.method is None:
            return
        yield RowCount(2)  # the text, and nothing but the baseline
        yield from _scoring(item.method, size)
        return
    yield RowCount(1)
    if item.operator is None:
        return
    if item.row == GREEDY:
        yield from _greedy(units, exam, item.operator)
    elif item.row == WORDS:
        yield from (RowCount(DRAWS, _left(share, item.operator)) for share in SHARES if share)
    else:
        for one in _judging(units, exam, item.operator):
            yield RowCount(one.count * (SEEDS if item.row == RANDOM else 1), one.share)


def _scoring(method: Any, size: Size) -> Iterator[RowCount]:
    """What a method asks besides; of one that is not known here, a gradient."""
    units, tokens = size
    points = (getattr(method, "steps", None) or REFINED) + (1 if method.name in ("dig", "sdig") else 0)
    if method.name in UNIT_BY_UNIT:
        yield RowCount(getattr(method, "permutations", 1) * units)
    elif method.name in ONE_AT_A_TIME:
        yield RowCount(units)
        yield RowCount(points * units, has_gradient=True)
    elif method.name in TOGETHER:
        per_token = getattr(method, "steps_per_token", None)
        yield RowCount(per_token * tokens if per_token else points, has_gradient=True)
    elif method.name != "random":
        counts = {"gradient_shap": getattr(method, "samples", 1), "deeplift": 2}
        yield RowCount(counts.get(method.name, 1), has_gradient=True)


def _judging(units: int, exam: FaithfulnessConfig, operator: str) -> Iterator[RowCount]:
    """The text without its top units, once or twice, and these alone, for every number of them."""
    for_odds, for_loss, for_rest = exam.taken(operator)
    for count in {exam.protocol.count(units, share) for share in exam.shares} - {0}:
        yield from (RowCount(1, _left(count / units, one)) for one in {for_odds, for_loss})
        yield RowCount(1, _left(1 - count / units, for_rest))


def _greedy(units: int, exam: FaithfulnessConfig, operator: str) -> Iterator[RowCount]:
    """Every unit that is left, for every choice."""
    if units > GREEDY_UNITS:
        return
    for_odds, for_loss, for_rest = exam.taken(operator)
    for chosen in range(1, exam.protocol.count(units, exam.top) + 1):
        tried = units - chosen + 1
        yield from (RowCount(tried, _left(chosen / units, one)) for one in {for_odds, for_loss})
        yield RowCount(tried, _left(1 - chosen / units, for_rest))


def _left(taken: float, operator: str) -> float:
    """The share of a text that is still read when so much of it is taken away."""
    return 1 - taken if operator == "remove" else 1.0


def chunks(texts: Sequence[Text], cost: Callable[[Text], float], *, budget: float) -> Iterator[list[Text]]:
    """Texts in their order, not too many together, the cost of each chunk within the budget or of one text.

    >>> list(chunks([3, 3, 3, 9, 1], float, budget=6))
    [[3, 3], [3], [9], [1]]
    """
    held: list[Text] = []
    total = 0.0
    for text in texts:
        own = cost(text)
        if held and (total + own > budget or len(held) == TEXTS):
            yield held
            held, total = [], 0.0
        held.append(text)
        total += own
    if held:
        yield held
