"""How fast a run goes, learnt from what is done: the time that is left."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Spent:
    """Seconds for so much work."""

    seconds: float = 0.0
    work: float = 0.0


@dataclass(slots=True)
class Pace:
    """Seconds for a unit of work, of each kind that was seen.

    A piece of work has several kinds, the narrowest first: its time is told by the narrowest that was seen.

    >>> pace = Pace()
    >>> pace.learn(["imdb sig", "imdb"], work=10, seconds=30)
    >>> pace.learn(["sst2 sig", "sst2"], work=10, seconds=10)
    >>> [pace.seconds([kind, "imdb"], work=1) for kind in ("imdb sig", "imdb ig")]
    [3.0, 3.0]
    >>> pace.seconds(["rotten_tomatoes sig"], work=1)
    2.0
    """

    _spent: dict[Hashable, Spent] = field(default_factory=lambda: defaultdict(Spent))

    def learn(self, kinds: Sequence[Hashable], *, work: float, seconds: float) -> None:
        """That so much work of these kinds took so long."""
        for kind in (*kinds, None):
            self._spent[kind].seconds += seconds
            self._spent[kind].work += work

    def seconds(self, kinds: Sequence[Hashable], *, work: float) -> float:
        """What so much work will take; nothing where nothing was seen."""
        known = next((self._spent[kind] for kind in (*kinds, None) if kind in self._spent), Spent())
        return work * known.seconds / known.work if known.work else 0.0
