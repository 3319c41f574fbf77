"""Parts of a drawing with their places, in blocks that are put below and beside each other. Draws nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text in one line that stands around `x` and takes `width`; `y` is its baseline."""

    text: str
    x: float
    y: float
    width: float
    size: float
    ink: str
    bold: bool = False
    rtl: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A filled rectangle; `x` and `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A triangle that points up or down; `x` and `y` are its center."""

    x: float
    y: float
    size: float
    ink: str
    up: bool

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Its three corners."""
        wide, high = self.size / 2, self.size * 0.43 * (-1 if self.up else 1)
        return (self.x - wide, self.y - high), (self.x + wide, self.y - high), (self.x, self.y + high)


Part: TypeAlias = Words | Bar | Sign


@dataclass(frozen=True, slots=True)
class Item:
    """Parts that belong together, and what is said of them when one points at them."""

    parts: tuple[Part, ...]
    tip: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Items in a place of their own: `height` is the room that they take."""

    items: tuple[Item, ...] = ()
    height: float = 0.0

    def moved(self, x: float, y: float) -> Self:
        """The same elsewhere."""
        items = tuple(
            Item(tuple(replace(part, x=part.x + x, y=part.y + y) for part in item.parts), item.tip)
            for item in self.items
        )
        return replace(self, items=items)


def below(blocks: Iterable[Block], *, gap: float = 0.0) -> Block:
    """Blocks below each other; those without height leave no gap."""
    items: tuple[Item, ...] = ()
    y = 0.0
    for block in blocks:
        if not block.height:
            continue
        y += gap if items else 0.0
        items += block.moved(0.0, y).items
        y += block.height
    return Block(items, y)


def beside(*columns: tuple[float, Block]) -> Block:
    """Blocks beside each other, each at its x."""
    items = tuple(item for x, block in columns for item in block.moved(x, 0.0).items)
    return Block(items, max(block.height for _, block in columns))
