"""The gate: before a model is explained, altered embeddings must do what altered words do, and padding nothing."""

from dataclasses import replace

import torch
from torch import Tensor

from ..errors import GateError
from .adapter import Adapter, Batch, Encoded

TOLERANCE = 1e-5  # of the largest output, or of 1
PADDING_TOLERANCE = 1e-3
HALF_TOLERANCE = 0.05  # in 16 bits numbers move with the shape of a batch
NOISE = 10  # times what a neighbor of like length changes
KEPT = 8  # content tokens of the texts that padding is tried on: short, so that two fit where one does


def check(adapter: Adapter, encoded: Encoded) -> bool:
    """Try out what every explanation rests on; False where this text cannot tell.

    Raises:
        GateError: Where the function that would be explained is not the model's, or depends on the batch.
    """
    with adapter.guarded(), torch.inference_mode():
        batch = adapter.batch([encoded])
        position = _position(encoded, batch.pad)
        if position is None or not _words_are_embeddings(adapter, batch, position):
            return False
        return _padding_is_nothing(adapter, encoded)


def _words_are_embeddings(adapter: Adapter, batch: Batch, position: int) -> bool:
    """Compare one text with one word changed, by embeddings and by ids."""
    changed = batch.ids.clone()
    changed[0, position] = _other_id(changed[0].tolist(), batch.pad)
    by_vectors = adapter.outputs(batch, adapter.embed(changed))
    by_ids = adapter.plain(replace(batch, ids=changed))
    if not torch.isfinite(by_ids).all():
        return False
    if (difference := _difference(by_vectors, by_ids, TOLERANCE)) is not None:
        raise GateError(
            f"this model cannot be explained: changing a word's embedding and changing the word give outputs that "
            f"differ by {difference:.2g}",
            hint="the model embeds its words in a way that unmask does not know; please report its architecture",
        )
    return True


def _padding_is_nothing(adapter: Adapter, encoded: Encoded) -> bool:
    """Compare a short text alone with the same text beside one that is twice as long."""
    longer = _part(encoded, 0, KEPT)
    half = sum(not token.special for token in longer.tokens) // 2
    shorter = _part(longer, 0, half)
    if half == 0 or len(shorter.ids) == len(longer.ids):
        return False
    alone, beside = adapter.plain(adapter.batch([shorter])), adapter.plain(adapter.batch([shorter, longer]))
    if not torch.isfinite(alone).all():
        return False
    tolerance = PADDING_TOLERANCE if alone.element_size() > 2 else HALF_TOLERANCE
    difference = _difference(beside[:1], alone, tolerance)
    if difference is None or _moves_by_itself(adapter, shorter, _part(longer, half, 2 * half), difference):
        return True
    raise GateError(
        f"this model cannot be explained: padding changes what it says. A text beside a longer one in a batch gets "
        f"outputs that differ by {difference:.2g} from those that it gets alone",
        hint="it has no attention mask, or ignores it; unmask explains models whose answer is the text's alone",
    )


def _moves_by_itself(adapter: Adapter, encoded: Encoded, other: Encoded, difference: float) -> bool:
    """Whether a neighbor of like length moves the outputs as much: 8-bit activations share one scale in a batch."""
    alone = adapter.plain(adapter.batch([encoded]))
    beside = adapter.plain(adapter.batch([encoded, other]))[:1]
    return difference <= NOISE * float((beside - alone).abs().max())


def _difference(one: Tensor, other: Tensor, tolerance: float) -> float | None:
    """How far apart they are, where that is too far; NaN always is."""
    difference = float((one - other).abs().max())
    return None if difference <= tolerance * max(1.0, float(other.abs().max())) else difference


def _part(encoded: Encoded, start: int, end: int) -> Encoded:
    """Some of the content tokens and all special ones, be they the tokenizer's or typed: some models count them."""
    special = {index for index, token in zip(encoded.ids, encoded.tokens, strict=True) if token.special}
    content = [at for at, index in enumerate(encoded.ids) if index not in special]
    dropped = {*content[:start], *content[end:]}
    kept = [at for at in range(len(encoded.ids)) if at not in dropped]
    return replace(
        encoded,
        ids=tuple(encoded.ids[at] for at in kept),
        tokens=tuple(encoded.tokens[at] for at in kept),
        inputs={name: tuple(values[at] for at in kept) for name, values in encoded.inputs.items()},
    )


def _position(encoded: Encoded, pad: int) -> int | None:
    """A content token in the middle of the text; not a padding token, which a model may treat by its id."""
    content = [
        position
        for position, (token, index) in enumerate(zip(encoded.tokens, encoded.ids, strict=True))
        if not token.special and index != pad
    ]
    return content[len(content) // 2] if content else None


def _other_id(ids: list[int], pad: int) -> int:
    """A small id that is neither in the text nor the padding."""
    return next(candidate for candidate in range(len(ids) + 2) if candidate not in ids and candidate != pad)
