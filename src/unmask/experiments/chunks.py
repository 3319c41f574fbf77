"""Texts that are run and kept together: few enough that little is lost when a run is cut off.

Where a chunk ends depends on the texts, the method and the model's size alone, and not on time, so that a run that was
cut off has the same batches as one that was not, and the same numbers to the last bit.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Text = TypeVar("Text")
TEXTS = 256  # of a chunk at the most: what a text costs beside its passes
OPERATIONS = {"cpu": 2e11, "cuda": 2e13, "mps": 2e12}  # of a chunk: some seconds


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
