"""Finds the module that embeds a model's words by watching one forward pass, and replaces its outputs with a hook."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ...errors import GateError


@dataclass(frozen=True, slots=True)
class WordEmbedding:
    """The module that embeds the text, and the modules that embed the text shifted by one for a decoder."""

    module: nn.Module
    is_transposed: bool  # whether it is called with ids [length, rows], as in XLNet
    shifted: tuple[nn.Module, ...] = ()


@dataclass(slots=True)
class Call:
    """A recorded call of a module whose input has one integer per token, with its output."""

    module: nn.Module
    ids: Tensor
    answer: object = None

    @property
    def looks_up(self) -> bool:
        """Whether equal ids got equal vectors. Some position tables are called with ids too, but only count them."""
        answer = self.answer
        return isinstance(answer, Tensor) and answer.ndim == 3 and torch.equal(answer, answer.flip(0, 1))


def tied_modules(model: nn.Module, words: nn.Module) -> list[nn.Module]:
    """The result of `get_input_embeddings()` and all modules that share its weight, as in encoder-decoders."""
    weight = getattr(words, "weight", None)
    shared = {id(weight)} if isinstance(weight, Tensor) else set()
    return [module for module in model.modules() if module is words or id(getattr(module, "weight", None)) in shared]


def find_word_embedding(
    model: nn.Module, tied: Sequence[nn.Module], *, ids: Sequence[int], run: Callable[[Tensor], object]
) -> WordEmbedding:
    """Find the module that embeds words by watching the model read a short text.

    Args:
        tied: The modules that may embed the model's words.
        ids: The ids of any text, from which the short text is made.
        run: Runs the model on ids, [1, length].

    Raises:
        GateError: If no such module is called with the text, or if the model also looks up tokens in other tables.
    """
    tables = [module for module in model.modules() if isinstance(module, nn.Embedding)]
    text = torch.tensor([telling(ids)], device=device_of(tied[0]))
    with _watched([*tied, *tables]) as calls:
        run(text)
    reading = [call for call in calls if torch.equal(call.ids, text) or torch.equal(call.ids, text.T)]
    first = next((call for call in reading if call.module in tied), None)
    if first is None:
        raise GateError(
            "this model cannot be explained: its word embedding was not called with the text, so no word can be "
            "replaced",
            hint="the model may change the ids before it embeds them, as Longformer does with its padding",
        )
    inside = set(first.module.modules())
    if any(call.looks_up for call in reading if call.module not in tied and call.module not in inside):
        raise GateError(
            "this model cannot be explained: it also looks up tokens in other tables (per-layer token embeddings), "
            "so it would still see a word whose embedding is replaced"
        )
    shifted = [call.module for call in calls if call.module in tied and is_shifted(call.ids, text)]
    is_transposed = not torch.equal(first.ids, text)
    return WordEmbedding(first.module, is_transposed, tuple(dict.fromkeys(shifted)))


def telling(ids: Sequence[int]) -> list[int]:
    """Make a palindrome from ids of the text, which cannot be confused with positions (ascending) or types (all equal).

    >>> telling([7, 8, 9, 10, 11])
    [7, 8, 10, 11, 11, 10, 8, 7]
    >>> telling([0, 0])
    [0, 0, 1, 1, 0, 0]
    """
    ends = list(ids) if len(ids) < 4 else [*ids[:2], *ids[-2:]]
    if len(set(ends)) == 1:
        ends.append(1 if ends[0] == 0 else 0)
    return [*ends, *reversed(ends)]


def is_shifted(ids: Tensor, text: Tensor) -> bool:
    """Whether `ids` are the text's ids shifted right by one, with a decoder's start token in front."""
    return ids.shape == text.shape and torch.equal(ids[:, 1:], text[:, :-1])


def device_of(module: nn.Module) -> torch.device:
    """The device of a module, even of a quantized one without `weight`."""
    tensors = (*module.parameters(), *module.buffers())
    return tensors[0].device if tensors else torch.device("cpu")


def embedded_ids(args: tuple[object, ...], kwargs: dict[str, object]) -> Tensor | None:
    """The integer tensor that a module is called with, as a positional or keyword argument."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, Tensor) and not value.is_floating_point():
            return value
    return None


@contextmanager
def _watched(modules: Sequence[nn.Module]) -> Iterator[list[Call]]:
    """Record the calls of the modules in the order in which they start: a wrapper before the module it wraps."""
    calls: list[Call] = []

    def note(module: nn.Module, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        if (ids := embedded_ids(args, kwargs)) is not None:
            calls.append(Call(module, ids))

    def note_answer(module: nn.Module, _args: object, answer: object) -> None:
        for call in calls:
            if call.module is module and call.answer is None:
                call.answer = answer

    with ExitStack() as hooks:
        for module in dict.fromkeys(modules):
            hooks.callback(module.register_forward_pre_hook(note, with_kwargs=True).remove)
            hooks.callback(module.register_forward_hook(note_answer).remove)
        yield calls


@contextmanager
def replace_embeddings(words: WordEmbedding, ids: Tensor, vectors: Tensor) -> Iterator[None]:
    """Replace the embeddings of the text with `vectors`, and those for a decoder with `vectors` shifted by one.

    The model still gets the ids, so everything it derives from them stays valid, such as RoBERTa's positions or the
    token at which a GPT-2 classifier reads its output. Only the result of the first call is replaced, because GPT-2
    later embeds token types with the same module.
    """
    text = _Text(words, ids, vectors)
    with ExitStack() as hooks:
        for module in dict.fromkeys([words.module, *words.shifted]):
            hooks.callback(module.register_forward_hook(text.answer, with_kwargs=True).remove)
        yield
    text.check()


class _Text:
    """The hook that replaces the embeddings of the text."""

    def __init__(self, words: WordEmbedding, ids: Tensor, vectors: Tensor) -> None:
        self._words, self._ids = words, ids
        self._vectors = vectors.transpose(0, 1) if words.is_transposed else vectors
        self._is_replaced = False
        self._copies = 0

    def answer(
        self, module: nn.Module, args: tuple[object, ...], kwargs: dict[str, object], written: object
    ) -> Tensor | None:
        """The vectors to return instead of the module's result if the call embeds the text, else None."""
        if not self._is_replaced and module is self._words.module:
            self._is_replaced = True
            shape, expected = getattr(written, "shape", None), self._vectors.shape
            if shape != expected:
                what = "no tensor" if shape is None else f"shape {tuple(shape)}, not {tuple(expected)}"
                raise GateError(f"this model cannot be explained: its word embedding returns {what}")
            return self._vectors
        ids = embedded_ids(args, kwargs)
        if module in self._words.shifted and ids is not None and is_shifted(ids, self._ids):
            assert isinstance(written, Tensor)
            self._copies += 1
            return torch.cat([written[:, :1], self._vectors[:, :-1]], dim=1)
        return None

    def check(self) -> None:
        """Reject a model that did not use the replacement."""
        if not self._is_replaced or (self._words.shifted and not self._copies):
            raise GateError(
                "this model cannot be explained: its word embedding was not called, so no word can be replaced",
                hint="a model that was compiled in place ignores hooks; pass the model before compilation",
            )
