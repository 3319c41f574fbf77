"""What a work item asks of the model for one text: how many rows, how long, with a gradient or without.

In closed form, so that nothing need be run: for where a chunk ends, for the time left, for an estimate.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ..metrics.faithfulness import SEEDS, FaithfulnessConfig
from ..metrics.greedy import UNITS as GREEDY_UNITS
from ..metrics.perturbations import share_left
from ..metrics.random_deletion import DRAWS, SHARES
from ..results.rows import GREEDY, RANDOM, WORDS
from .work_items import ScoreItem, WorkItem

Text = TypeVar("Text")
TEXTS = 256  # of a chunk at the most: what a text costs beside its passes
OPERATIONS = {"cpu": 2e11, "cuda": 2e13, "mps": 2e12}  # of a chunk: some seconds
Size: TypeAlias = tuple[int, int]  # a text's units and tokens

GRADIENT = 2  # times what a row without a gradient costs
GRADIENT_TIME = 2.5  # times as long as one without, about: for the time left


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
        cost = item.method.cost(*size)
        yield RowCount(cost.forward)
        yield RowCount(cost.backward, has_gradient=True)
        return
    yield RowCount(1)
    if item.operator is None:
        return
    if item.row == GREEDY:
        yield from _greedy(units, exam, item.operator)
    elif item.row == WORDS:
        yield from (RowCount(DRAWS, share_left(share, item.operator)) for share in SHARES if share)
    else:
        for one in _judging(units, exam, item.operator):
            yield RowCount(one.count * (SEEDS if item.row == RANDOM else 1), one.share)


def _judging(units: int, exam: FaithfulnessConfig, operator: str) -> Iterator[RowCount]:
    """The text without its top units, once or twice, and these alone, for every number of them."""
    for_odds, for_loss, for_rest = exam.taken(operator)
    for count in {exam.protocol.count(units, share) for share in exam.shares} - {0}:
        yield from (RowCount(1, share_left(count / units, one)) for one in {for_odds, for_loss})
        yield RowCount(1, share_left(1 - count / units, for_rest))


def _greedy(units: int, exam: FaithfulnessConfig, operator: str) -> Iterator[RowCount]:
    """Every unit that is left, for every choice."""
    if units > GREEDY_UNITS:
        return
    for_odds, for_loss, for_rest = exam.taken(operator)
    for chosen in range(1, exam.protocol.count(units, exam.top) + 1):
        tried = units - chosen + 1
        yield from (RowCount(tried, share_left(chosen / units, one)) for one in {for_odds, for_loss})
        yield RowCount(tried, share_left(1 - chosen / units, for_rest))


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
