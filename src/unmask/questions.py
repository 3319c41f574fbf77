"""The seam between questions and the model: all that a method knows.

A method is a generator. It yields a question about altered versions of one text, receives the answer, and may ask
again. It never sees a model, a device or a batch.
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

Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where moved tokens stand, given outright; told apart from every other point, also from an equal one."""

    vectors: "Tensor"  # [moved, width]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One altered version of a text: the moved tokens stand at to + alpha * (written - to).

    `to` is `baseline`, the explanation's own; another baseline by its name (`zero`, `mask`, `pad`, ...); or a point.
    The dropped tokens are not there at all; those behind them close up.
    """

    moved: tuple[int, ...] = ()
    alpha: float = 0.0
    to: str | Point = "baseline"
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outputs:
    """The question for the raw outputs of altered texts; its answer is [perturbations, outputs]."""

    perturbations: tuple[Perturbation, ...]

    def __post_init__(self) -> None:
        _check_any(self.perturbations)


@dataclass(frozen=True, slots=True, eq=False)
class PathGradients:
    """The question for weighted sums of gradient times step over altered texts.

    Its answer is Σ_k weights[s, k] * gradient_k * step_k, [sums, tokens, width]: the gradient of the target with
    respect to the moved tokens' vectors. A step is written - to, unless steps are given: one for each
    perturbation, of a shape that broadcasts to [moved, width].
    """

    target: Target
    perturbations: tuple[Perturbation, ...]
    weights: Numbers  # [sums, perturbations]
    steps: "tuple[Tensor, ...] | None" = None

    def __post_init__(self) -> None:
        _check_any(self.perturbations)
        if any(perturbation.dropped for perturbation in self.perturbations):
            raise ArgumentError("a token that is dropped has no vector, and so no gradient")
        if self.weights.ndim != 2 or self.weights.shape[1] != len(self.perturbations):
            raise ArgumentError(
                f"weights {tuple(self.weights.shape)} for {len(self.perturbations)} perturbations: "
                "[sums, perturbations] is expected"
            )
        if self.steps is not None and len(self.steps) != len(self.perturbations):
            raise ArgumentError(f"{len(self.steps)} steps for {len(self.perturbations)} perturbations: give one each")


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The question for the text's own vectors and those of its baseline; its answer is [2, tokens, width]."""


@dataclass(frozen=True, slots=True)
class DeepLiftQuery:
    """The question for DeepLift's multipliers times steps, from an altered text to the text.

    Its answer is [tokens, width]. Few models have one, since it depends on what a model is made of.
    """

    target: Target
    perturbation: Perturbation


Question: TypeAlias = Outputs | PathGradients | Embeddings | DeepLiftQuery


def _none_known() -> "Vocabulary":
    raise ArgumentError("this model does not tell its vocabulary, which the method needs")


@dataclass(frozen=True, slots=True)
class Instance:
    """One text as a method sees it."""

    units: tuple[tuple[int, ...], ...]  # each unit's token positions; no two share one
    whole: "Tensor"  # [outputs], of the untouched text
    target: Target
    ids: tuple[int, ...]  # of all tokens, those that never move included
    baseline: int | None = None  # its row in the vocabulary; None for the zero vector
    precision: float = 2.0**-52  # how far apart two neighboring numbers of the model's are, at 1
    vocabulary: "Callable[[], Vocabulary]" = _none_known
    own_baseline: frozenset[int] = frozenset()  # tokens whose baseline is their own vector

    @property
    def length(self) -> int:
        """In tokens, those that never move included."""
        return len(self.ids)

    @property
    def everything(self) -> tuple[int, ...]:
        """The token positions of all units."""
        return tuple(sorted(token for unit in self.units for token in unit))

    def keep_only(self, units: Iterable[int]) -> Perturbation:
        """The text with these units alone, all others at the baseline."""
        positions = {token for unit in units for token in self.units[unit]}
        return Perturbation(tuple(token for token in self.everything if token not in positions))

    def rng(self, seed: int) -> np.random.Generator:
        """Random numbers of this text: the same for the same seed, wherever the text stands among others."""
        return np.random.default_rng((seed, *self.ids))

    def totals(self, tokens: "Tensor") -> "Tensor":
        """What the tokens of each unit add up to, from [tokens] to [units]."""
        return sum_by_unit(tokens, self.units)


@dataclass(frozen=True, slots=True)
class Scores:
    """A method's result: one value per unit, and what else is known from computing it.

    The last three are filled in around the method, which leaves them out.
    """

    values: "Tensor"  # [units]
    without: "Tensor | None" = None  # [units, outputs], raw: the text without each unit
    alone: "Tensor | None" = None  # [units, outputs], raw: each unit with all others at the baseline
    by_output: "Tensor | None" = None  # [units, outputs]: the scores of every output on the target's scale
    standard_errors: "Tensor | None" = None  # [units]
    residuals: "Tensor | None" = None  # [units]: what is known to be wrong with each value
    tokens: "Tensor | None" = None  # [tokens]
    features: "Tensor | None" = None  # [tokens, width]
    above: tuple[int, ...] = ()  # units whose error is above the tolerance
    warnings: tuple[str, ...] = ()
    target: Target | None = None
    whole: "Tensor | None" = None  # [outputs], raw: the untouched text
    at_baseline: "Tensor | None" = None  # [outputs], raw: all units at the baseline

    @property
    def together(self) -> float:
        """What all units carry: the target's value for the text minus that with every unit at the baseline."""
        assert self.target is not None
        return float(self.target(self.whole) - self.target(self.at_baseline))


def sum_by_unit(tokens: "Tensor", groups: Sequence[tuple[int, ...]]) -> "Tensor":
    """What the tokens of each group add up to, from [tokens] to [groups]."""
    return tokens.new_tensor([float(tokens[list(group)].sum()) for group in groups])


Asking: TypeAlias = "Generator[Question, Tensor, Scores]"


def ask_outputs(perturbations: Iterable[Perturbation]) -> "Generator[Question, Tensor, Tensor]":
    """Ask for the raw outputs of altered texts; use with `yield from`."""
    return (yield Outputs(tuple(perturbations)))


def ask_gradients(
    target: Target, perturbations: Iterable[Perturbation], weights: Numbers, *, steps: "Sequence[Tensor] | None" = None
) -> "Generator[Question, Tensor, Tensor]":
    """Ask for weighted sums of gradient times step; use with `yield from`."""
    return (yield PathGradients(target, tuple(perturbations), weights, None if steps is None else tuple(steps)))


def ask_embeddings() -> "Generator[Question, Tensor, Tensor]":
    """Ask for the vectors of the text and of its baseline; use with `yield from`."""
    return (yield Embeddings())


def ask_deeplift(target: Target, perturbation: Perturbation) -> "Generator[Question, Tensor, Tensor]":
    """Ask for DeepLift's multipliers times steps; use with `yield from`."""
    return (yield DeepLiftQuery(target, perturbation))


def _check_any(perturbations: tuple[Perturbation, ...]) -> None:
    if not perturbations:
        raise ArgumentError("a question needs at least one perturbation")
