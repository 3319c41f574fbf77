"""The equivalence check: replacing a word's embedding must have the same effect as replacing the word.

It also checks whether padding changes outputs, that no output depends on an ignored token, and that no token of a
language model sees later tokens.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

import torch
from torch import Tensor

from ..errors import GateError
from .adapter import Adapter, Baseline, Batch, Encoded

TOLERANCE = 1e-5  # relative to the largest output, or to 1 if that is larger
PADDING_TOLERANCE = 1e-3
HALF_TOLERANCE = 0.05  # 16-bit results depend on the shape of a batch
NOISE = 10  # padding may change outputs this many times as much as a neighbor of equal length does
LAST = 4  # how many tokens' outputs are compared if every token has outputs
SHORT = 8  # number of content tokens in the padding check: small, so that two texts fit in memory


class PaddingCheck(Enum):
    """Whether a model can be run with padding."""

    UNKNOWN = "not known from this text"
    PADDED = "texts of different lengths may share a batch"
    UNPADDED = "only texts of the same length may share a batch: padding changes the model's outputs"


def check_equivalence(
    adapter: Adapter, encoded: Encoded, baseline: Baseline, *, reads_tokens: bool = False
) -> PaddingCheck:
    """Check that replacing a word's embedding has the same effect as replacing the word.

    The replacements are another word and the baseline. Returns whether the model can be run with padding.

    Args:
        reads_tokens: Whether the model has outputs for every token. If so, only the last ones are compared.
    """
    with adapter.inference_context(), torch.inference_mode():
        batch = _read_last(adapter.batch([encoded]), len(encoded.ids), reads_tokens)
        position = _position(encoded, batch.pad)
        taken = {*encoded.ids, batch.pad}
        other = next(candidate for candidate in range(len(taken) + 1) if candidate not in taken)
        if position is None or not _is_embedded(adapter, batch, position, other):
            return PaddingCheck.UNKNOWN
        if encoded.answer is not None:
            _check_causal(adapter, batch)
        if baseline.is_ignored:
            _check_unseen(adapter, batch, position, other)
        # Models may treat padding and end-of-text ids specially, so baselines with these ids are not compared.
        if baseline.id is not None and baseline.id not in {batch.pad, *_special_ids(encoded)}:
            _is_embedded(adapter, batch, position, baseline.id, baseline.token)
        return _padding(adapter, encoded, reads_tokens) if adapter.pads else PaddingCheck.UNPADDED


def _read_last(batch: Batch, length: int, reads_tokens: bool) -> Batch:
    """If every token has outputs, compute only the last ones, because logits for a whole vocabulary are large."""
    if not reads_tokens:
        return batch
    return replace(batch, positions=torch.arange(max(0, length - LAST), length, device=batch.ids.device))


def _check_causal(adapter: Adapter, batch: Batch) -> None:
    """Reject a language model in which a later token changes the outputs at an earlier one."""
    changed = adapter.embed(batch.ids)
    before = adapter.outputs(batch, changed.clone())
    changed[:, -1] = changed[:, 0]
    behind = adapter.outputs(batch, changed)
    if before.shape[1] < 2 or _difference(behind[:, :-1], before[:, :-1], TOLERANCE) is None:
        return
    raise GateError(
        "this model does not read from left to right: a later token changes its outputs at an earlier one",
        hint="use a causal language model, or explain an encoder as a classifier",
    )


def _check_unseen(adapter: Adapter, batch: Batch, position: int, other: int) -> None:
    """Reject a model whose outputs still depend on an ignored token."""
    ids, ignored = batch.ids.clone(), torch.zeros_like(batch.ids, dtype=torch.bool)
    ids[0, position], ignored[0, position] = other, True
    batch = replace(batch, ignored=ignored)
    one, another = (adapter.outputs(batch, adapter.embed(each)) for each in (batch.ids, ids))
    if one.ndim > 2:  # one output per token: compare all except the ignored token's
        kept = [at for at, token in enumerate(_tokens_read(batch, one)) if token != position][: one.shape[1]]
        one, another = one[:, kept], another[:, kept]
    if one.numel() and (difference := _difference(another, one, TOLERANCE)) is not None:
        raise GateError(
            f"this model cannot be explained with the baseline 'ignored': a token that nothing attends to still "
            f"changes its outputs by {difference:.2g}",
            hint="choose another baseline, for example pad, zero or token:the",
        )


def _tokens_read(batch: Batch, outputs: Tensor) -> Sequence[int]:
    """The token that each output belongs to. Not every adapter limits its outputs to `positions`."""
    length = batch.ids.shape[1]
    return range(length) if batch.positions is None or outputs.shape[1] == length else batch.positions.tolist()


def _special_ids(encoded: Encoded) -> set[int]:
    return {index for index, token in zip(encoded.ids, encoded.tokens, strict=True) if token.special}


def _is_embedded(adapter: Adapter, batch: Batch, position: int, other: int, name: str | None = None) -> bool:
    """Replace one word with another token, once by embedding and once by id, and compare the outputs."""
    changed = batch.ids.clone()
    changed[0, position] = other
    by_vectors = adapter.outputs(batch, adapter.embed(changed))
    by_ids = adapter.reference_outputs(replace(batch, ids=changed))
    if not torch.isfinite(by_ids).all():
        return False
    if (difference := _difference(by_vectors, by_ids, TOLERANCE)) is None:
        return True
    if name is not None:
        raise GateError(
            f"this model cannot be explained with the baseline {name}: it treats that token's id "
            f"specially, so replacing only the embedding changes its outputs by {difference:.2g}",
            hint="choose another baseline, for example pad, zero or token:the",
        )
    raise GateError(
        f"this model cannot be explained: replacing a word's embedding and replacing the word give outputs that "
        f"differ by {difference:.2g}",
        hint="unmask does not support how this model embeds words; please report its architecture",
    )


def _padding(adapter: Adapter, encoded: Encoded, reads_tokens: bool) -> PaddingCheck:
    """Compare the outputs of a short text alone and in a batch with a text twice as long."""
    longer = _part(encoded, 0, SHORT)
    half = sum(not token.special for token in longer.tokens) // 2
    shorter = _part(longer, 0, half)
    if half == 0 or len(shorter.ids) == len(longer.ids):
        return PaddingCheck.UNKNOWN
    alone = adapter.reference_outputs(_read_last(adapter.batch([shorter]), len(shorter.ids), reads_tokens))
    if not torch.isfinite(alone).all():
        return PaddingCheck.UNKNOWN

    def beside(neighbor: Encoded) -> Tensor:
        """The short text's outputs in a batch with a neighbor, without the outputs of padding tokens."""
        raw = adapter.reference_outputs(_read_last(adapter.batch([shorter, neighbor]), len(shorter.ids), reads_tokens))
        return raw[:1] if raw.ndim < 3 else raw[:1, : alone.shape[1]]

    tolerance = PADDING_TOLERANCE if alone.element_size() > 2 else HALF_TOLERANCE
    if (difference := _difference(beside(longer), alone, tolerance)) is None:
        return PaddingCheck.PADDED
    # A neighbor of equal length may change outputs as much: 8-bit activations share one scale per batch.
    noise = float((beside(_part(longer, half, 2 * half)) - alone).abs().max())
    return PaddingCheck.PADDED if difference <= NOISE * noise else PaddingCheck.UNPADDED


def _difference(outputs: Tensor, reference: Tensor, tolerance: float) -> float | None:
    """The largest difference if it exceeds the tolerance, else None; NaN counts as exceeding it."""
    difference = float((outputs - reference).abs().max())
    return None if difference <= tolerance * max(1.0, float(reference.abs().max())) else difference


def _part(encoded: Encoded, start: int, end: int) -> Encoded:
    """The content tokens from `start` to `end`, and all special tokens, because some models depend on their number."""
    special = _special_ids(encoded)
    content = [at for at, index in enumerate(encoded.ids) if index not in special]
    return encoded.without({*content[:start], *content[end:]})


def _position(encoded: Encoded, pad: int) -> int | None:
    """A content token in the middle of the text, but not a padding token, whose id a model may treat specially."""
    tokens = enumerate(zip(encoded.tokens, encoded.ids, strict=True))
    content = [position for position, (token, index) in tokens if not token.special and index != pad]
    return content[len(content) // 2] if content else None
