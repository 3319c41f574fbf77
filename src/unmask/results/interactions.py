"""Interactions of pairs of units: which units cover for each other, and which need each other. Needs no torch.

The cost of a set of units is c_S = F(text) - F(text without S). For a pair, `interaction` is exactly F(text) -
F(without i) - F(without j) + F(without both) = c_i + c_j - c_ij. It is negative for redundant support, as in the
literature on interaction indices. `net` is the same number with the opposite sign, as in `Explanation.interaction`.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError, SchemaError
from ..tasks.targets import Target, TargetName
from ..text.spans import shorten
from . import schema
from .answers import head_of, target_of
from .drawable import Drawable
from .explanation import Explanation

Relation = Literal["cover for each other", "need each other", "add up"]
SCHEMA = 1
ROUNDING = 1e-5  # a net effect below this share of the largest value involved may be rounding error
NAMED = 3  # how many pairs `repr` shows


@dataclass(frozen=True, slots=True)
class UnitPair:
    """Two units, as indices in text order, and how much the target drops without both of them.

    `cost` is that drop, `net` is the cost minus the costs of the two units masked one at a time, and `interaction` is
    `-net`. Units that cover for each other cost more together than one at a time; units that need each other cost less.
    """

    first: int
    second: int
    cost: float
    net: float
    relation: Relation

    @property
    def interaction(self) -> float:
        """F(text) - F(without the first) - F(without the second) + F(without both)."""
        return -self.net


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactions(Drawable):
    """The pairs among the most important units of a text.

    `explanation` has the two-sided scores of all units, the raw outputs behind them, and the number of passes, which
    includes those for the pairs. `chosen` are the units with the largest scores, strongest first. `without_pairs` are
    the raw outputs without each pair of chosen units: one row for each of `combinations(sorted(chosen), 2)`.
    """

    kind: ClassVar = "interactions"
    explanation: Explanation
    chosen: tuple[int, ...]
    without_pairs: tuple[tuple[float, ...], ...]  # [pairs, outputs]

    def __post_init__(self) -> None:
        count, units = len(self.chosen), len(self.explanation)
        if self.explanation.without is None or self.explanation.alone is None:
            raise ArgumentError("the explanation of interactions needs the raw outputs `without` and `alone`")
        if len(set(self.chosen)) != count or not all(0 <= unit < units for unit in self.chosen):
            raise ArgumentError(f"chosen units must be different indices below {units}, not {list(self.chosen)}")
        if len(self.without_pairs) != count * (count - 1) // 2:
            raise ArgumentError(f"{len(self.without_pairs)} rows for the pairs of {count} units; give one row per pair")
        if any(len(row) != len(self.explanation.outputs) for row in self.without_pairs):
            raise ArgumentError(f"each row of without_pairs must have {len(self.explanation.outputs)} outputs")

    def __repr__(self) -> str:
        """The strongest pairs."""
        named = "; ".join(
            f"{' + '.join(self._texts(pair))} {pair.relation} {pair.net:+.3g}" for pair in self.pairs[:NAMED]
        )
        more = "; ..." if len(self) > NAMED else ""
        return f"<Interactions in {shorten(self.explanation.text)!r}: {named or self.sentence}{more}>"

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.without_pairs)

    def __iter__(self) -> Iterator[UnitPair]:
        """The pairs, largest interaction first."""
        return iter(self.pairs)

    @property
    def pairs(self) -> tuple[UnitPair, ...]:
        """The pairs, largest interaction first."""
        value, single = float(self._target(np.array(self.explanation.whole))), self.costs
        nets, costs, indices = self._nets(self._target), value - self._both(self._target), self._indices
        found = []
        for at in self._order:
            (first, second), cost, net = indices[at], float(costs[at]), float(nets[at])
            size = max(map(abs, (value, cost, single[first], single[second])))
            found.append(UnitPair(first, second, cost, net, _relation(cost, net, rounding=ROUNDING * size)))
        return tuple(found)

    @property
    def by_output(self) -> NDArray[np.float64]:
        """The `interaction` of each of `pairs` for every output, on the explanation's scale, [pairs, outputs]."""
        head, scale = head_of(self.explanation), self.explanation.scale
        columns = [self._nets(Target(head, scale, at)) for at in range(len(head.labels))]
        return np.negative(np.stack(columns, -1))[self._order] + 0.0  # no -0.0

    @property
    def costs(self) -> tuple[float, ...]:
        """How much the target drops without each unit of the text."""
        whole, without = (np.array(raw) for raw in (self.explanation.whole, self.explanation.without))
        return tuple(map(float, self._target(whole) - self._target(without)))

    @property
    def sentence(self) -> str:
        """A sentence on why there are no pairs; empty if there are some."""
        return "" if self.without_pairs else f"The text is one {self.explanation.unit}: there are no pairs."

    def toward(self, target: TargetName, scale: str | None = None) -> Self:
        """The same pairs for another label, contrast or scale, computed without running the model again."""
        return replace(self, explanation=self.explanation.toward(target, scale))

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values, plus derived values for readers that do not use unmask."""
        rows = zip(self._order, self.pairs, self.by_output.tolist(), strict=True)
        pairs = [
            {
                **asdict(pair),
                "interaction": pair.interaction,
                "interactions": by_output,
                "without": list(self.without_pairs[at]),
            }
            for at, pair, by_output in rows
        ]
        return {
            "schema": SCHEMA,
            "chosen": list(self.chosen),
            "costs": list(self.costs),
            "pairs": pairs,
            "explanation": self.explanation.to_dict(),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Restore interactions from `to_dict`."""
        if "pairs" not in record:
            raise SchemaError("this is not a record of interactions: it has no 'pairs'")
        if record.get("schema") != SCHEMA:
            raise SchemaError(f"these are not interactions with schema {SCHEMA}, the only one that this version reads")
        try:
            rows = {(pair["first"], pair["second"]): tuple(map(float, pair["without"])) for pair in record["pairs"]}
            return cls(
                explanation=Explanation.from_dict(record["explanation"]),
                chosen=tuple(record["chosen"]),
                without_pairs=tuple(rows[pair] for pair in combinations(sorted(record["chosen"]), 2)),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise SchemaError(
                f"this record of interactions is incomplete: {type(error).__name__} at {error}"
            ) from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load interactions that `save` wrote as JSON."""
        return cls.from_dict(schema.load(path, what="a record of interactions"))

    @property
    def _target(self) -> Target:
        return target_of(self.explanation)

    @property
    def _indices(self) -> list[tuple[int, int]]:
        return list(combinations(sorted(self.chosen), 2))

    @property
    def _order(self) -> list[int]:
        """The indices of `without_pairs`, ordered by the size of the interaction, largest first."""
        sizes = np.abs(self._nets(self._target))
        return sorted(range(len(self)), key=lambda at: -sizes[at])

    def _both(self, target: Target) -> NDArray[np.float64]:
        """The target's value without each pair, [pairs]."""
        return np.asarray(target(np.array(self.without_pairs)) if self.without_pairs else [])

    def _nets(self, target: Target) -> NDArray[np.float64]:
        """The cost of each pair minus the costs of its two units, [pairs]."""
        single = target(np.array(self.explanation.without))
        first, second = np.array(self._indices, dtype=int).reshape(-1, 2).T
        value = target(np.array(self.explanation.whole))
        return np.asarray(single[first] + single[second] - value - self._both(target))

    def _texts(self, pair: UnitPair) -> list[str]:
        return [shorten(self.explanation.units[unit].text, 20) for unit in (pair.first, pair.second)]


def _relation(cost: float, net: float, *, rounding: float) -> Relation:
    if abs(net) <= rounding:
        return "add up"
    return "cover for each other" if net * cost > 0 else "need each other"
