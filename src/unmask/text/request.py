"""What can be asked about one text, and what comes back where it cannot be answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import ArgumentError, UnmaskError
from .units import GivenSpans

if TYPE_CHECKING:
    from ..tasks.targets import TargetName


@dataclass(frozen=True, slots=True)
class Request:
    """One text, or a pair, and what is particular to it.

    Args:
        target: What is explained here; None takes what the call says for all.
        spans: Units of one's own, as (start, end) in characters, or (start, end, 1) in the second text of a pair; what
            is outside them stays as it is. A span that cuts a token is widened to it.
        fixed: Spans that never move, whatever the unit.
        line: Where it stands in a file: the line on which it begins, or the row of a parquet file, from 1.
        columns: The other columns of its row in a file, as JSON values.
    """

    text: str
    target: "TargetName | None" = None
    text_pair: str | None = None
    spans: GivenSpans | None = None
    fixed: GivenSpans = ()
    line: int | None = field(default=None, kw_only=True)
    columns: Mapping[str, Any] = field(default_factory=dict, kw_only=True, hash=False)

    def __post_init__(self) -> None:
        """Keep the spans as tuples: an iterator could be read only once."""
        for name in ("spans", "fixed"):
            given = getattr(self, name)
            if given is None and name == "spans":
                continue
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise ArgumentError(f"{name} must be spans such as [(3, 9), (12, 20)], not {given!r}")
            object.__setattr__(self, name, tuple(given))

    @property
    def texts(self) -> list[str]:
        """The text, or the two texts of a pair."""
        return [self.text] if self.text_pair is None else [self.text, self.text_pair]

    def column(self, name: str | None) -> Any:
        """What another column holds; None where it is empty, or where a line of JSON lacks it."""
        value = None if name is None else self.columns.get(name)
        return None if value == "" else value


TextLike: TypeAlias = str | Request | UnmaskError  # an error stands for a text that could not be read


@dataclass(frozen=True, slots=True)
class Failure:
    """A text that could not be explained, and why."""

    index: int
    text: str
    error: UnmaskError
