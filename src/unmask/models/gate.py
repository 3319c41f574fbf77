"""The gate: before a model is explained, altered embeddings must do to it what altered words do."""

from dataclasses import replace

import torch

from ..errors import GateError
from .adapter import Adapter, Encoded

TOLERANCE = 1e-5  # of the largest output, or of 1


def check(adapter: Adapter, encoded: Encoded) -> bool:
    """Compare one text with one word changed, by embeddings and by ids; False where this text cannot tell.

    Raises:
        GateError: Where the two differ: the function that would be explained is not the model's.
    """
    with adapter.guarded(), torch.inference_mode():
        batch = adapter.batch([encoded])
        position = _position(encoded, batch.pad)
        if position is None:
            return False
        changed = batch.ids.clone()
        changed[0, position] = _other_id(changed[0].tolist(), batch.pad)
        by_vectors = adapter.outputs(batch, adapter.embed(changed))
        by_ids = adapter.plain(replace(batch, ids=changed))
    if not torch.isfinite(by_ids).all():
        return False
    difference = float((by_vectors - by_ids).abs().max())
    if not difference <= TOLERANCE * max(1.0, float(by_ids.abs().max())):
        raise GateError(
            f"this model cannot be explained: changing a word's embedding and changing the word give outputs that "
            f"differ by {difference:.2g}",
            hint="the model embeds its words in a way that unmask does not know; please report its architecture",
        )
    return True


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
