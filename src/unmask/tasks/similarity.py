"""Similarity of two texts: the cosine of their pooled embeddings, and how much each pair of words adds to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .scales import array_library
from .targets import Head
from .task import BaseTask, Display

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded
    from ..questions import Scores
    from ..text.units import AlignedUnit
    from .task import Readout


@dataclass(frozen=True, slots=True)
class SimilarityReadout:
    """Reads the cosine of the two texts' embeddings, followed by both embeddings, normalized."""

    positions: ClassVar[None] = None

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Extend two embeddings, [rows, 2 * width], to [rows, 1 + 2 * width]."""
        torch = array_library(raw)
        both = raw.double().unflatten(-1, (2, -1))
        both = both / torch.linalg.vector_norm(both, dim=-1, keepdim=True).clamp_min(1e-12)
        return torch.cat([both.prod(1).sum(-1, keepdim=True), both.flatten(1)], -1)  # type: ignore[no-any-return]  # torch, by another name


@dataclass(frozen=True, slots=True)
class Similarity(BaseTask):
    """One value: the cosine similarity of two texts."""

    name: ClassVar[str] = "similarity"
    model_classes: ClassVar[tuple[str, ...]] = ()  # encoders without a head
    kind: ClassVar[str] = "sentence encoder"
    auto_class: ClassVar[str] = "AutoModel"
    adapter: ClassVar[str] = "unmask.models.huggingface.sequences:SimilarityAdapter"
    segments: ClassVar[tuple[str, ...]] = ("first text", "second text")
    is_decided: ClassVar[bool] = True
    display: ClassVar[Display] = Display(
        prediction="Similarity", value="similarity", whole=("similarity",), is_selectable=True, is_beside=True
    )
    head: Head

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of any encoder."""
        return cls(Head(("similarity",), "none"))

    def text_head(self, encoded: "Encoded") -> Head:
        """A head with one output, the similarity."""
        return self.head

    def readout(self, encoded: "Encoded") -> SimilarityReadout:
        """A readout that reads the similarity and both embeddings."""
        return SimilarityReadout()


def pair_effects(whole: "Tensor", without: "Tensor", first: int) -> "Tensor":
    """The interaction of each pair of units, [units of the first text, units of the second].

    I_ij = F(x) - F(without i) - F(without j) + F(without both). The two embeddings do not depend on each other, so
    F(without both) follows from the embeddings with one unit masked.

    Args:
        whole: The readout of the two texts.
        without: The readout without each unit, [units, 1 + 2 * width]; units of the first text come first.
        first: The number of units of the first text.
    """
    width = (len(whole) - 1) // 2
    one, other = without[:first], without[first:]
    both = one[:, 1 : 1 + width] @ other[:, 1 + width :].T
    return whole[0] - one[:, :1] - other[:, 0][None] + both


def pair_scores(
    readout: "Readout", units: "Sequence[AlignedUnit]", scores: "Scores"
) -> tuple[tuple[float, ...], ...] | None:
    """The effects of all pairs, as stored in a result; None for other tasks or if `without` is missing."""
    first = sum(unit.segment == 0 for unit in units)
    if not isinstance(readout, SimilarityReadout) or scores.without is None or scores.whole is None:
        return None
    return tuple(map(tuple, pair_effects(scores.whole, scores.without, first).tolist()))
