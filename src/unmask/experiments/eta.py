"""How fast a run goes, learnt from what is done: the time that is left."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Spent:
    """Seconds for so many texts and so much work, chunk by chunk."""

    texts: float = 0.0
    work: float = 0.0
    seconds: float = 0.0
    by_text: tuple[float, float] = (0.0, 0.0)  # sums of texts² / work and of texts · seconds / work

    def add(self, *, texts: float, work: float, seconds: float) -> None:
        """Take in a chunk."""
        self.texts, self.work, self.seconds = self.texts + texts, self.work + work, self.seconds + seconds
        squares, products = self.by_text
        self.by_text = (squares + texts * texts / work, products + texts * seconds / work)

    @property
    def per_text(self) -> float:
        """Seconds that a text costs whatever is asked of it.

        The a of seconds = a · texts + b · work by least squares, where a chunk's error grows with the root of its work.
        """
        squares, products = self.by_text
        spread = squares * self.work - self.texts**2
        if spread <= 1e-6 * self.texts**2:  # all had the same work a text: nothing tells the two apart
            return 0.0
        most = self.seconds / self.texts
        return min(max(0.0, (products * self.work - self.texts * self.seconds) / spread), most)


@dataclass(slots=True)
class EtaModel:
    """Seconds for a unit of work, of each kind that was seen, and for a text whatever is asked of it.

    A piece of work has several kinds, the narrowest first: its time is told by the narrowest that was seen, and what a
    text costs by the widest.

    >>> pace = EtaModel()
    >>> pace.learn(["imdb sig", "imdb"], texts=1, work=10, seconds=30)
    >>> pace.learn(["sst2 sig", "sst2"], texts=1, work=10, seconds=10)
    >>> [pace.seconds([kind, "imdb"], texts=1, work=1) for kind in ("imdb sig", "imdb ig")]
    [3.0, 3.0]
    >>> pace.seconds(["rotten_tomatoes sig"], texts=1, work=1)
    2.0
    >>> pace.learn(["imdb ig", "imdb"], texts=1, work=100, seconds=210)
    >>> round(pace.seconds(["imdb greedy", "imdb"], texts=1, work=1000))  # 10 s a text, and 2 s a unit of work
    2010
    """

    _spent: dict[Hashable, Spent] = field(default_factory=lambda: defaultdict(Spent))

    def learn(self, kinds: Sequence[Hashable], *, texts: int, work: float, seconds: float) -> None:
        """That so many texts and so much work of these kinds took so long."""
        for kind in (*kinds, None) if work else ():
            self._spent[kind].add(texts=texts, work=work, seconds=seconds)

    def seconds(self, kinds: Sequence[Hashable], *, texts: int, work: float) -> float:
        """What so many texts and so much work will take; nothing where nothing was seen."""
        known = [self._spent[kind] for kind in (*kinds, None) if kind in self._spent]
        if not known:
            return 0.0
        narrowest, widest = known[0], known[-2:][0]  # the last is of all that was done
        per_text = min(widest.per_text, narrowest.seconds / narrowest.texts)
        per_work = (narrowest.seconds - per_text * narrowest.texts) / narrowest.work
        return per_text * texts + per_work * work
