"""What a cell asks of the model for one text: how many rows, how long, with a gradient or without.

In closed form, so that nothing need be asked: for where a chunk ends, for the time that is left, for an estimate.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..metrics.faithfulness import SEEDS, FaithfulnessConfig
from ..metrics.greedy import UNITS as GREEDY_UNITS
from ..metrics.perturbations import share_left
from ..metrics.random_deletion import DRAWS, SHARES
from ..results.rows import GREEDY, RANDOM, WORDS
from .work_items import MetricItem, ScoreItem, WorkItem

Size: TypeAlias = tuple[int, int]  # a text's units and tokens

GRADIENT = 2  # times what a row without a gradient costs
FEW = 2  # gradients of a text: its time is not that of its rows


@dataclass(frozen=True, slots=True)
class RowCount:
    """Some rows of one text, each so long as a share of the whole text."""

    count: float
    share: float = 1.0
    has_gradient: bool = False


def cost(rows: Iterator[RowCount]) -> float:
    """In rows of the whole text without a gradient."""
    return sum(one.count * one.share * (GRADIENT if one.has_gradient else 1) for one in rows)


def row_counts(cell: WorkItem, size: Size, exam: FaithfulnessConfig) -> Iterator[RowCount]:
    """All rows of a cell for a text of that size; rows that happen to be the same are counted apart."""
    units, _ = size
    if isinstance(cell, ScoreItem):
        yield RowCount(2)  # the text, and nothing but the baseline
        asked = cell.method.cost(*size)
        yield RowCount(asked.forward)
        yield RowCount(asked.backward, has_gradient=True)
        return
    yield RowCount(1)
    if cell.operator is None:
        return
    if cell.row == GREEDY:
        yield from _greedy(units, exam, cell.operator)
    elif cell.row == WORDS:
        yield from (RowCount(DRAWS, share_left(share, cell.operator)) for share in SHARES if share)
    else:
        for one in _judging(units, exam, cell.operator):
            yield RowCount(one.count * (SEEDS if cell.row == RANDOM else 1), one.share)


def eta_kinds(cell: WorkItem) -> tuple[str, ...]:
    """Cells of one sort are alike: a row of the same length takes about as long in each; the narrowest first.

    Judging has rows of many lengths. Where rows come in bulk, a text's time is theirs. A method that has few of
    them, or refines, takes more than its rows tell: it is a sort of its own.
    """
    if isinstance(cell, MetricItem):
        return cell.row, "judging"
    spent = cell.method.cost(1, 1)
    if cell.method.refines or (not spent.forward and spent.backward <= FEW):
        return (cell.row,)
    return cell.row, "gradients" if spent.backward else "unit by unit", "bulk"


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
