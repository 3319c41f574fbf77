"""Where the alteration enters: a forward hook that gives other vectors for the words, while a batch runs and no longer.

The ids still go into the model, so that all that it derives from them stays true: RoBERTa's positions, the token at
which a GPT-2 classifier reads its answer.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor, nn

from ..errors import GateError


@contextmanager
def words_replaced(embedding: nn.Module, vectors: Tensor) -> Iterator[None]:
    """Let the module's first call answer `vectors`; GPT-2 embeds token types with the same module afterwards."""
    shapes: list[tuple[int, ...]] = []

    def hook(_module: nn.Module, _inputs: object, written: Tensor) -> Tensor | None:
        shapes.append(tuple(written.shape))
        return vectors if len(shapes) == 1 else None

    handle = embedding.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()
    if not shapes:
        raise GateError(
            "this model cannot be explained: its word embedding was not called, so no word can be replaced",
            hint="a model that was compiled in place ignores hooks; give the model as it was before",
        )
    if shapes[0] != tuple(vectors.shape):
        raise GateError(f"this model cannot be explained: it embeds words as {shapes[0]}, not {tuple(vectors.shape)}")
