"""Where the alteration enters: a forward hook that gives other vectors for the words, while a batch runs and no longer.

The ids still go into the model, so that all that it derives from them stays true: RoBERTa's positions, the token at
which a GPT-2 classifier reads its answer.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn

from ...errors import GateError
from .embedding import WordEmbedding, embedded_ids, is_shifted


@contextmanager
def replace_embeddings(words: WordEmbedding, ids: Tensor, vectors: Tensor) -> Iterator[None]:
    """Let the text's embedding be `vectors`, and its copy for a decoder the same shifted by one.

    Only the module's first call is the text's: GPT-2 embeds token types with the same module afterwards.
    """
    text = _Text(words, ids, vectors)
    with ExitStack() as hooks:
        for module in dict.fromkeys([words.module, *words.shifted]):
            hooks.callback(module.register_forward_hook(text.answer, with_kwargs=True).remove)
        yield
    text.check()


class _Text:
    """What the hooks give, and what they have seen."""

    def __init__(self, words: WordEmbedding, ids: Tensor, vectors: Tensor) -> None:
        self._words, self._ids = words, ids
        self._vectors = vectors.transpose(0, 1) if words.is_transposed else vectors
        self._is_replaced = False
        self._copies = 0

    def answer(
        self, module: nn.Module, args: tuple[object, ...], kwargs: dict[str, object], written: object
    ) -> Tensor | None:
        """Other vectors, where the call embeds the text."""
        if not self._is_replaced and module is self._words.module:
            self._is_replaced = True
            return self._checked(written)
        ids = embedded_ids(args, kwargs)
        if module in self._words.shifted and ids is not None and is_shifted(ids, self._ids):
            assert isinstance(written, Tensor)
            self._copies += 1
            return torch.cat([written[:, :1], self._vectors[:, :-1]], dim=1)
        return None

    def check(self) -> None:
        """Refuse a model that did not ask for the vectors."""
        if not self._is_replaced or (self._words.shifted and not self._copies):
            raise GateError(
                "this model cannot be explained: its word embedding was not called, so no word can be replaced",
                hint="a model that was compiled in place ignores hooks; give the model as it was before",
            )

    def _checked(self, written: object) -> Tensor:
        """The vectors, if they are what the module gives."""
        shape, expected = getattr(written, "shape", None), self._vectors.shape
        if shape != expected:
            what = "no tensor" if shape is None else f"{tuple(shape)}, not {tuple(expected)}"
            raise GateError(f"this model cannot be explained: its word embedding gives {what}")
        return self._vectors
