"""The gate: before a model is explained, altered embeddings must do to it what altered words do."""

from dataclasses import replace

import torch

from ..errors import GateError
from .adapter import Adapter, Encoded

TOLERANCE = 1e-5  # of the largest output, or of 1


def check(adapter: Adapter, encoded: Encoded) -> None:
    """Compare one text, untouched and with one word changed, by embeddings and by ids.

    Raises:
        GateError: Where the two differ: the function that would be explained is not the model's.
    """
    with adapter.guarded(), torch.inference_mode():
        batch = adapter.batch([encoded, encoded])
        changed = batch.ids.clone()
        changed[1, _position(encoded)] = _other_id(changed[1].tolist(), batch.pad)
        by_vectors = adapter.outputs(batch, adapter.embed(changed))
        by_ids = adapter.plain(replace(batch, ids=changed))
    difference = float((by_vectors - by_ids).abs().max())
    if not difference <= TOLERANCE * max(1.0, float(by_ids.abs().max())):
        raise GateError(
            f"this model cannot be explained: changing a word's embedding and changing the word give outputs that "
            f"differ by {difference:.2g}",
            hint="the model embeds its words in a way that unmask does not know; please report its architecture",
        )


def _position(encoded: Encoded) -> int:
    """A content token in the middle of the text."""
    content = [position for position, token in enumerate(encoded.tokens) if not token.special]
    return content[len(content) // 2]


def _other_id(ids: list[int], pad: int) -> int:
    """A small id that is neither in the text nor the padding, whose meaning may be special to the model."""
    return next(candidate for candidate in range(len(ids) + 2) if candidate not in ids and candidate != pad)
