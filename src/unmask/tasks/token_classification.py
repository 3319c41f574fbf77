"""Taggers: every word has one output per label, read at its first token."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import ModelError
from ..text.units import AlignedUnit, UnitSelection, align_units
from .grouped import log_odds, present
from .tag_targets import TagHead
from .targets import distinct_names

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded


@dataclass(frozen=True, slots=True)
class TagReadout:
    """The log-odds of every label at the first token of each word."""

    positions: tuple[int, ...]

    def reduce(self, raw: "Tensor") -> "Tensor":
        """From logits, [rows, words, labels], to [rows, words * labels]."""
        return log_odds(raw).flatten(1)

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The same: a token that is absent cannot be read."""
        return present(self.positions, absent)


@dataclass(frozen=True, slots=True)
class TokenClassification:
    """One output per word and label; the words depend on the text."""

    name: ClassVar[str] = "token_classification"
    model_classes: ClassVar[tuple[str, ...]] = ("ForTokenClassification",)
    kind: ClassVar[str] = "token classifier"
    auto_class: ClassVar[str] = "AutoModelForTokenClassification"
    adapter: ClassVar[str] = "unmask.models.huggingface.adapter:HuggingFaceAdapter"
    segments: ClassVar[tuple[str, ...]] = ("text",)
    head: ClassVar[None] = None
    labels: tuple[str, ...]

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face token classifier."""
        count, names = int(model.config.num_labels), model.config.id2label or {}
        if count < 2:
            raise ModelError(f"a tagger needs two or more labels, and this one has {count}")
        return cls(distinct_names([str(names.get(index, f"LABEL_{index}")) for index in range(count)]))

    def text_head(self, encoded: "Encoded") -> TagHead:
        """The labels of this text's words."""
        words = tagged_words(encoded)
        spans = tuple((*word.span, 0) for word in words for _ in self.labels)
        return TagHead(self.labels * len(words), "grouped", spans, texts=(encoded.segments[0].text,))

    def readout(self, encoded: "Encoded") -> TagReadout:
        """Every label, read at the first token of each word."""
        return TagReadout(tuple(word.tokens[0] for word in tagged_words(encoded)))


def tagged_words(encoded: "Encoded") -> tuple[AlignedUnit, ...]:
    """The words that have labels, whatever the units of the explanation are."""
    return align_units(encoded.segments, encoded.tokens, UnitSelection("word"))
