"""Prefix caching for causal models: computes the keys and values of a common prefix once, and reuses them.

The results are exact up to rounding, because no token attends to later ones. On first use, they are compared with the
results without a cached prefix; if they differ, the cache is not used again.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from ..models.adapter import Adapter, Batch
from .forward import EngineText, PendingRow, is_out_of_memory, run_rows

LEAST_ROWS = 4  # per text: fewer inputs are not worth a cached prefix, unless they share most of it
REPAID = 1.25  # fewer inputs must together share this many times the prefix's tokens
LEAST_TOKENS = 8  # the minimum number of tokens in a prefix
WASTE = 1.15  # a batch shares its shortest prefix; limits the extra tokens compared with each input's own prefix
FULL = 256  # a batch with this many tokens may be closed to reduce waste
HELD = 4  # the most tokens in a batch, prefixes included, as a multiple of its budget: keys and values are copied
TOLERANCE, HALF_TOLERANCE = 1e-5, 0.05  # relative to the largest output, or to 1 if that is larger
logger = logging.getLogger(__name__)


class SharingAdapter(Adapter, Protocol):
    """An adapter that supports prefix caching."""

    def can_share_prefix(self, length: int) -> bool:
        """Whether inputs of this length may share the keys and values of their first tokens."""

    def prefix(self, ids: Sequence[int]) -> Any:
        """Compute the keys and values of the first tokens of a text."""

    def outputs_behind(self, prefix: Any, length: int, batch: Batch, vectors: Tensor) -> Tensor:
        """Compute the outputs from the first `length` tokens of a cached prefix and the rest of each input."""


class PrefixRunner:
    """Runs batches that reuse a text's cached prefix; keeps one prefix at a time."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter: Any = adapter
        self._held: tuple[EngineText, Any] | None = None
        self._checked = set[bool]()  # the kinds of batches checked so far: without and with ignored tokens
        self.is_used = hasattr(adapter, "can_share_prefix")

    def shares(self, row: PendingRow) -> bool:
        """Whether an input can reuse a cached prefix."""
        text = row.text
        return (
            self.is_used
            and text.shares_prefix
            and row.target is None
            and row.shared >= LEAST_TOKENS
            and bool(self._adapter.can_share_prefix(len(text.encoded.ids)))
        )

    def run(self, rows: Sequence[PendingRow]) -> list[tuple[Tensor, Tensor | None]]:
        """Run inputs like `run_rows`, but reuse their common prefix if they have one."""
        first = rows[0]
        if len({id(row.text) for row in rows}) > 1 or not all(map(self.shares, rows)):
            return run_rows(self._adapter, rows)
        length = min(row.shared for row in rows)

        def behind(batch: Batch, vectors: Tensor) -> Tensor:
            prefix = self._prefix(first.text, length)
            return self._adapter.outputs_behind(prefix, length, batch, vectors)  # type: ignore[no-any-return]  # any adapter

        kind = bool(first.ignored)
        if kind in self._checked:
            return run_rows(self._adapter, rows, run=behind)
        return self._first_run(rows, behind, kind)

    def forget(self) -> None:
        """Free the cached prefix, because the model may change before the next text."""
        self._held = None

    def _first_run(self, rows: Sequence[PendingRow], behind: Any, kind: bool) -> list[tuple[Tensor, Tensor | None]]:
        """Run a batch with and without a cached prefix; if the outputs differ, do not use the cache again."""
        plain = run_rows(self._adapter, rows)
        try:
            shared = run_rows(self._adapter, rows, run=behind)
            differs = _differ([one for one, _ in shared], [one for one, _ in plain], self._adapter.precision)
        except Exception as error:  # a model may store its cache in any form
            if is_out_of_memory(error):
                raise
            differs = True
        if differs:
            logger.info("this model cannot reuse the prefix of a prompt; every input is computed in full")
            self.is_used = False
        self._checked.add(kind)
        return plain

    def _prefix(self, text: EngineText, length: int) -> Any:
        """Return a cached prefix of at least `length` tokens, normally the longest that any input can use."""
        if self._held is None or self._held[0] is not text or self._held[1].length < length:
            self._held = None
            longest = max(length, longest_prefix(text))
            self._held = (text, self._adapter.prefix(text.encoded.ids[:longest]))
        return self._held[1]


def longest_prefix(text: EngineText) -> int:
    """Return the number of tokens before the first position whose output is needed."""
    return min(text.readout.positions or (0,))


def repays(rows: Sequence[PendingRow]) -> bool:
    """Whether inputs of one text share enough tokens to be worth a cached prefix; two inputs can be enough."""
    return len(rows) >= LEAST_ROWS or sum(row.shared for row in rows) >= REPAID * longest_prefix(rows[0].text)


def pack_by_prefix(rows: Iterable[PendingRow], budget: int) -> Iterator[list[PendingRow]]:
    """Yield batches of one text's inputs with prefixes of similar length, longest first."""
    batch, own = list[PendingRow](), 0
    for row in sorted(rows, key=lambda row: -row.shared):
        behind = row.length - row.shared
        tokens = (len(batch) + 1) * behind
        is_full = tokens > budget or (len(batch) + 1) * row.length > HELD * budget
        is_wasteful = own >= FULL and tokens > WASTE * (own + behind)
        if batch and (is_full or is_wasteful):
            yield batch
            batch, own = [], 0
        batch.append(row)
        own += behind
    if batch:
        yield batch


def _differ(outputs: Sequence[Tensor], reference: Sequence[Tensor], precision: float) -> bool:
    one, other = torch.cat(list(outputs)), torch.cat(list(reference))
    tolerance = TOLERANCE if precision < 1e-4 else HALF_TOLERANCE
    return not float((one - other).abs().max()) <= tolerance * max(1.0, float(other.abs().max()))
