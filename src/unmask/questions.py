"""The data that methods and metrics receive about a text, and the questions they may ask.

A method is a generator: it yields questions about perturbations of one text and receives the answers. It never sees
a model, a device or a batch.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError
from .tasks.targets import Target

if TYPE_CHECKING:
    from torch import Tensor

    from .models.vocabulary import Vocabulary
    from .results.deciding_sets import DecidingSets
    from .results.windows import Windows

Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Embeddings for the moved tokens. Points are compared by identity."""

    vectors: "Tensor"  # [moved, width]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One altered version of a text: the embedding of a moved token is to + alpha * (written - to).

    `written` is the token's original embedding. `to` is `baseline` (the explanation's baseline), the name of another
    baseline (`zero`, `mask`, ...), or a point. Dropped tokens are deleted, and later tokens move up.
    """

    moved: tuple[int, ...] = ()
    alpha: float = 0.0
    to: str | Point = "baseline"
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outputs:
    """Asks for the raw outputs of perturbations, [perturbations, outputs]."""

    perturbations: tuple[Perturbation, ...]

    def __post_init__(self) -> None:
        _check_any(self.perturbations)


@dataclass(frozen=True, slots=True)
class WindowOutputs:
    """Asks for the raw outputs of perturbations in each window of a long text, [perturbations, windows, outputs]."""

    perturbations: tuple[Perturbation, ...]

    def __post_init__(self) -> None:
        _check_any(self.perturbations)


@dataclass(frozen=True, slots=True, eq=False)
class PathGradients:
    """Asks for weighted sums of gradient times step over perturbations.

    The answer is Σ_k weights[s, k] * gradient_k * step_k, [sums, tokens, width]. gradient_k is the target's gradient
    with respect to the embeddings of the moved tokens. A step is `written - to` by default; `steps` overrides it with
    one step per perturbation, broadcastable to [moved, width].
    """

    target: Target
    perturbations: tuple[Perturbation, ...]
    weights: Numbers  # [sums, perturbations]
    steps: "tuple[Tensor, ...] | None" = None

    def __post_init__(self) -> None:
        _check_any(self.perturbations)
        if any(perturbation.dropped for perturbation in self.perturbations):
            raise ArgumentError("a dropped token has no gradient; use moved tokens")
        if self.weights.ndim != 2 or self.weights.shape[1] != len(self.perturbations):
            raise ArgumentError(
                f"weights {tuple(self.weights.shape)} for {len(self.perturbations)} perturbations: "
                "expected [sums, perturbations]"
            )
        if self.steps is not None and len(self.steps) != len(self.perturbations):
            raise ArgumentError(
                f"{len(self.steps)} steps for {len(self.perturbations)} perturbations: expected one for each"
            )


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Asks for the embeddings of the text and of its baseline, [2, tokens, width]."""


@dataclass(frozen=True, slots=True)
class DeepLiftQuery:
    """Asks for DeepLift's multipliers times the difference between the text and a perturbation, [tokens, width]."""

    target: Target
    perturbation: Perturbation


Question: TypeAlias = Outputs | WindowOutputs | PathGradients | Embeddings | DeepLiftQuery


def _none_known() -> "Vocabulary":
    raise ArgumentError("this method needs the vocabulary, which this model does not expose")


@dataclass(frozen=True, slots=True)
class Instance:
    """One text as a method sees it."""

    units: tuple[tuple[int, ...], ...]  # each unit's token positions; units do not overlap
    whole: "Tensor"  # [outputs], raw: the unaltered text
    target: Target
    ids: tuple[int, ...]  # all tokens, including those that are never masked
    baseline: int | None = None  # token id; None for the zero vector
    precision: float = 2.0**-52  # the model's machine epsilon
    vocabulary: "Callable[[], Vocabulary]" = _none_known
    own_baseline: frozenset[int] = frozenset()  # tokens whose baseline is their own embedding
    prompt: int | None = None  # for a language model: the number of tokens before the answer

    @property
    def length(self) -> int:
        """Number of tokens, including those that are never masked."""
        return len(self.ids)

    @property
    def everything(self) -> tuple[int, ...]:
        """The token positions of all units."""
        return tuple(sorted(token for unit in self.units for token in unit))

    def keep_only(self, units: Iterable[int]) -> Perturbation:
        """Keep only these units and mask all others."""
        positions = {token for unit in units for token in self.units[unit]}
        return Perturbation(tuple(token for token in self.everything if token not in positions))

    def rng(self, seed: int) -> np.random.Generator:
        """A random generator that depends only on the seed and this text, not on other texts."""
        return np.random.default_rng((seed, *self.ids))

    def totals(self, tokens: "Tensor") -> "Tensor":
        """Sum the values of the tokens of each unit, from [tokens] to [units]."""
        return sum_by_unit(tokens, self.units)


@dataclass(frozen=True, slots=True)
class Scores:
    """A method's result: one value per unit, and by-products. The fields from `target` on are set by the caller."""

    values: "Tensor"  # [units]
    without: "Tensor | None" = None  # [units, outputs], raw: each unit masked in turn
    alone: "Tensor | None" = None  # [units, outputs], raw: all units masked except one
    by_output: "Tensor | None" = None  # [units, outputs]: the scores for every output, on the target's scale
    standard_errors: "Tensor | None" = None  # [units]
    residuals: "Tensor | None" = None  # [units]: the known error of each value
    redundancy: "Tensor | None" = None  # [units]: how far other units can stand in for each unit
    ranking: tuple[int, ...] | None = None  # all units, most important first; None to rank by value
    tokens: "Tensor | None" = None  # [tokens]
    features: "Tensor | None" = None  # [tokens, width]
    above: tuple[int, ...] = ()  # units whose error is above the tolerance
    warnings: tuple[str, ...] = ()
    target: Target | None = None
    whole: "Tensor | None" = None  # [outputs], raw: the unaltered text
    at_baseline: "Tensor | None" = None  # [outputs], raw: all units masked
    sets: "DecidingSets | None" = None
    sets_note: str | None = None  # why there are no sets
    without_documents: "Tensor | None" = None  # [outputs], raw: the prompt without its documents
    without_blocks: "Tensor | None" = None  # [blocks, outputs], raw: the prompt without each of its blocks
    detail: "Scores | None" = None  # scores of smaller units; NaN where not computed
    windows: "Windows | None" = None  # for a text longer than the model reads

    @property
    def together(self) -> float:
        """The target's value for the text minus its value with all units masked."""
        assert self.target is not None
        return float(self.target(self.whole) - self.target(self.at_baseline))


def sum_by_unit(tokens: "Tensor", groups: Sequence[tuple[int, ...]]) -> "Tensor":
    """Sum the values of the tokens of each group, from [tokens] to [groups]."""
    return tokens.new_tensor([float(tokens[list(group)].sum()) for group in groups])


Asking: TypeAlias = "Generator[Question, Tensor, Scores]"


def ask_outputs(perturbations: Iterable[Perturbation]) -> "Generator[Question, Tensor, Tensor]":
    """Ask for the raw outputs of perturbations; use with `yield from`."""
    return (yield Outputs(tuple(perturbations)))


def ask_windows(perturbations: Iterable[Perturbation]) -> "Generator[Question, Tensor, Tensor]":
    """Ask for the raw outputs of perturbations in each window of a long text; use with `yield from`."""
    return (yield WindowOutputs(tuple(perturbations)))


def ask_gradients(
    target: Target, perturbations: Iterable[Perturbation], weights: Numbers, *, steps: "Sequence[Tensor] | None" = None
) -> "Generator[Question, Tensor, Tensor]":
    """Ask for weighted sums of gradient times step; use with `yield from`."""
    return (yield PathGradients(target, tuple(perturbations), weights, None if steps is None else tuple(steps)))


def ask_embeddings() -> "Generator[Question, Tensor, Tensor]":
    """Ask for the embeddings of the text and of its baseline; use with `yield from`."""
    return (yield Embeddings())


def ask_deeplift(target: Target, perturbation: Perturbation) -> "Generator[Question, Tensor, Tensor]":
    """Ask for DeepLift's multipliers times differences; use with `yield from`."""
    return (yield DeepLiftQuery(target, perturbation))


def _check_any(perturbations: tuple[Perturbation, ...]) -> None:
    if not perturbations:
        raise ArgumentError("a question needs at least one perturbation")
