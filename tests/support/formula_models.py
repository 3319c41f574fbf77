"""Models defined by a formula of their words' vectors, to test methods against results derived by hand."""

from collections.abc import Callable, Collection, Mapping, Sequence

import torch
from torch import Tensor

from unmask import Explainer
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

PLACES = 3  # that every formula may read; zeros where the text has fewer words
VALUE = Head(("value",), "none")
LETTERS = "abcdefghijklm"


def explainer(
    vectors: Mapping[str, Sequence[float]], formula: Callable[[Tensor], Tensor], *, batch_tokens: int | None = None
) -> Explainer:
    """An explainer for a formula from [rows, words, features] to [rows]; the baseline is the zero vector."""

    def outputs(found: Tensor, attention: Tensor) -> Tensor:
        shown = found * attention[..., None]
        return formula(torch.nn.functional.pad(shown, (0, 0, 0, max(0, PLACES - shown.shape[1]))))[:, None]

    return Explainer.from_adapter(FormulaModel(vectors, outputs, head=VALUE), batch_tokens=batch_tokens)


def network(features: int, *, seed: int = 0) -> Callable[[Tensor], Tensor]:
    """A smooth formula in which all features of all words interact."""
    draw = torch.Generator().manual_seed(seed)
    first, second = (torch.randn(size, generator=draw, dtype=torch.float64) for size in ((features, 7), (7,)))
    return lambda vectors: torch.tanh((vectors @ first).tanh().sum(1)) @ second


def interacting_words(units: int, *, seed: int = 0) -> tuple[Explainer, str, Callable[[Collection[int]], float]]:
    """A model with `units` interacting words, a text, and a function from some of its words to the model's value."""
    vectors = torch.randn(units, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    formula = network(3, seed=seed)

    def worth(present: Collection[int]) -> float:
        kept = torch.tensor([[float(unit in present)] for unit in range(units)], dtype=torch.float64)
        padded = torch.nn.functional.pad(vectors * kept, (0, 0, 0, max(0, PLACES - units)))
        return float(formula(padded[None])[0])

    words = dict(zip(LETTERS, vectors.tolist(), strict=False))
    return explainer(words, formula), " ".join(LETTERS[:units]), worth
