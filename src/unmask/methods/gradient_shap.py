"""GradientShap (Lundberg and Lee 2017; Erion et al. 2021): gradients at random points between baselines and the text.

With one baseline and no noise, this is a Monte Carlo estimate of Integrated Gradients; the random error falls with the
square root of the number of samples.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias

import numpy as np

from ..errors import ArgumentError
from ..questions import Asking, Instance, Perturbation, Point, Scores, ask_embeddings, ask_gradients
from .base import MOST, Cost, Method, check_choice, check_count

if TYPE_CHECKING:
    from torch import Tensor

Pool = Literal["baseline", "baseline_and_text"]
Noise: TypeAlias = "Iterator[Tensor | None]"  # the noise of each sample, [tokens, width]
HELD = 2**25  # the most numbers held for one question, which covers some of the samples: 256 MB
SAMPLES = 50
NOTHING_DRAWN = "every sample drew the text itself as its baseline, so all scores are 0; use more samples"


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Fixed random draws for one text, used to reproduce the draws of another program."""

    alphas: Sequence[float]  # the position of each sample between its baseline (0) and the text (1)
    from_text: Sequence[bool] | None = None  # for each sample, whether its baseline is the text itself
    noise: "Tensor | None" = None  # [samples, tokens, width], added to the text's vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientShap(Method):
    """Gradients at random points between the baseline and the text: a Monte Carlo estimate of Integrated Gradients.

    Args:
        noise: The standard deviation of the noise added to the text's embeddings.
        pool: Where baselines are drawn from; a sample whose baseline is the text itself contributes 0.
        draws: Fixed draws to use instead of random ones; they fit only texts of one length.
    """

    samples: int = SAMPLES
    noise: float = 0.0
    seed: int = 0
    pool: Pool = "baseline"
    draws: Draws | None = None

    name: ClassVar[str] = "gradient_shap"
    summary: ClassVar[str] = (
        "Score = the {unit}'s share of the change in {quantity}, from gradients at random points between "
        "{baseline} and the text."
    )
    passes: ClassVar[str] = "2 forward + samples forward and backward"
    needs: ClassVar[str] = "gradients"
    source: ClassVar[str] = "Lundberg and Lee 2017"

    def __post_init__(self) -> None:
        check_count("samples", self.samples, most=MOST)
        check_count("seed", self.seed, least=0)
        if isinstance(self.noise, bool) or not isinstance(self.noise, int | float) or not 0 <= self.noise < np.inf:
            raise ArgumentError(f"noise={self.noise!r}: expected a number of at least 0")
        if self.draws is not None:
            self._check_draws()
        check_choice("pool", self.pool, Pool)

    def _check_draws(self) -> None:
        """Take the number of samples from `draws`, and reject settings that conflict with it."""
        if not isinstance(self.draws, Draws):
            raise ArgumentError("draws must be a Draws(alphas, ...) object, which only Python code can pass")
        count = len(self.draws.alphas)
        lengths = [len(one) for one in (self.draws.from_text, self.draws.noise) if one is not None]
        if not count or any(length != count for length in lengths):
            raise ArgumentError(f"draws has {count} alphas but {lengths} of from_text and noise; give one per sample")
        if self.samples not in (SAMPLES, count) or self.noise or self.seed or self.pool != "baseline":
            raise ArgumentError("draws replaces samples, noise, seed and pool; remove those")
        object.__setattr__(self, "samples", count)

    @classmethod
    def paper(cls) -> Self:
        """The settings of the paper's comparison: 5 samples, no noise, and a pool of the baseline and the text."""
        return cls(samples=5, pool="baseline_and_text")

    def ask(self, instance: Instance) -> Asking:
        """Request gradients at the drawn points."""
        written, baseline = yield from ask_embeddings()
        draws, noise = self._drawn(instance, written) if self.draws is None else (self.draws, _given_noise(self.draws))
        samples = _samples(instance, draws, noise, written, baseline)
        tokens, warnings = written.new_zeros(len(written)), (NOTHING_DRAWN,) if any(draws.from_text or ()) else ()
        while some := list(islice(samples, max(1, HELD // written.numel()))):
            weights = np.full((1, len(some)), 1 / len(draws.alphas))
            perturbations, steps = zip(*some, strict=True)
            (features,) = yield from ask_gradients(instance.target, perturbations, weights, steps=steps)
            tokens, warnings = tokens + features.sum(-1), ()
        return Scores(instance.totals(tokens), warnings=warnings)

    def cost(self, units: int, tokens: int) -> Cost:
        """One gradient for each sample."""
        return Cost(backward=self.samples)

    def _drawn(self, instance: Instance, written: "Tensor") -> "tuple[Draws, Noise]":
        """The draws, plus the noise of each sample, which is drawn only when needed."""
        draw = instance.rng(self.seed)
        alphas = draw.random(self.samples).tolist()
        from_text = (draw.random(self.samples) < 0.5).tolist() if self.pool != "baseline" else None
        noise = (written.new_tensor(draw.normal(0.0, self.noise, written.shape)) for _ in alphas)
        return Draws(alphas, from_text), noise if self.noise else repeat(None)


def _given_noise(draws: Draws) -> "Noise":
    return repeat(None) if draws.noise is None else iter(draws.noise)


def _samples(
    instance: Instance, draws: Draws, noise: "Noise", written: "Tensor", baseline: "Tensor"
) -> "Iterator[tuple[Perturbation, Tensor]]":
    """The points at which to compute gradients, each with its step; samples with a zero step are skipped."""
    moved = list(instance.everything)
    for sample, (alpha, added) in enumerate(zip(draws.alphas, noise, strict=False)):
        if added is not None and added.shape != written.shape:
            raise ArgumentError(f"the noise has shape {tuple(added.shape)}, but the text has {tuple(written.shape)}")
        text = written[moved] if added is None else (written + added)[moved]
        start = written[moved] if draws.from_text and draws.from_text[sample] else baseline[moved]
        step = text - start
        if step.any():
            yield Perturbation(instance.everything, to=Point(start + alpha * step)), step
