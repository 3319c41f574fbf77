"""Taggers: every word has one output per label, read at the word's first token."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from ..errors import ModelError
from ..text.units import AlignedUnit, UnitSelection, align_units
from .grouped import log_odds, present
from .tag_targets import ENTITIES, TAGS, TagHead
from .targets import Activation, distinct_names
from .task import BaseTask, Display

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded


@dataclass(frozen=True, slots=True)
class TagReadout:
    """Reads the log-odds of every label at the first token of each word."""

    positions: tuple[int, ...]

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Reduce logits, [rows, words, labels], to [rows, words * labels]."""
        return log_odds(raw).flatten(1)

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The same positions; an absent token cannot be read and raises an error."""
        return present(self.positions, absent)


@dataclass(frozen=True, slots=True)
class TokenClassification(BaseTask):
    """One output per word and label, so the outputs depend on the text."""

    name: ClassVar[str] = "token_classification"
    model_classes: ClassVar[tuple[str, ...]] = ("ForTokenClassification",)
    kind: ClassVar[str] = "token classifier"
    auto_class: ClassVar[str] = "AutoModelForTokenClassification"
    adapter: ClassVar[str] = "unmask.models.huggingface.adapter:HuggingFaceAdapter"
    segments: ClassVar[tuple[str, ...]] = ("text",)
    activation: ClassVar[Activation] = "grouped"
    spans: ClassVar[Literal["entities"]] = "entities"
    display: ClassVar[Display] = Display(prediction="Tags", output="Entity", whole=(ENTITIES, TAGS), is_selectable=True)
    head: ClassVar[None] = None
    labels: tuple[str, ...]

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face token classifier."""
        count, names = int(model.config.num_labels), model.config.id2label or {}
        if count < 2:
            raise ModelError(f"a tagger needs two or more labels, but this one has {count}")
        return cls(distinct_names([str(names.get(index, f"LABEL_{index}")) for index in range(count)]))

    def text_head(self, encoded: "Encoded") -> TagHead:
        """The head with all labels of each of this text's words."""
        words = tagged_words(encoded)
        spans = tuple((*word.span, 0) for word in words for _ in self.labels)
        return TagHead(self.labels * len(words), "grouped", spans, texts=(encoded.segments[0].text,))

    def readout(self, encoded: "Encoded") -> TagReadout:
        """A readout that reads every label at the first token of each word."""
        return TagReadout(tuple(word.tokens[0] for word in tagged_words(encoded)))


def tagged_words(encoded: "Encoded") -> tuple[AlignedUnit, ...]:
    """The words that have labels; they do not depend on the units of the explanation."""
    return align_units(encoded.segments, encoded.tokens, UnitSelection("word"))
