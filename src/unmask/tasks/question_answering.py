"""Extractive question answering: the outputs say where in the context the answer begins and where it ends."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from ..errors import TextError
from .grouped import log_odds, present
from .scales import array_library
from .span_targets import CONTEXT, SpanHead
from .targets import ANSWER, Activation
from .task import BaseTask, Display

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded


@dataclass(frozen=True, slots=True)
class SpanReadout:
    """Reads each context token's log-odds of being the answer's first token, then of being its last token."""

    positions: tuple[int, ...]

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Reduce start and end logits, [rows, tokens, 2], to [rows, 2 * tokens]."""
        return array_library(raw).cat([log_odds(raw[..., 0]), log_odds(raw[..., 1])], -1)  # type: ignore[no-any-return]  # torch, by another name

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The same positions; an absent token cannot be read and raises an error."""
        return present(self.positions, absent)


@dataclass(frozen=True, slots=True)
class QuestionAnswering(BaseTask):
    """Two outputs per token of the context, so the outputs depend on the text."""

    name: ClassVar[str] = "question_answering"
    model_classes: ClassVar[tuple[str, ...]] = ("ForQuestionAnswering", "ForQuestionAnsweringSimple")
    kind: ClassVar[str] = "question-answering model"
    auto_class: ClassVar[str] = "AutoModelForQuestionAnswering"
    adapter: ClassVar[str] = "unmask.models.huggingface.spans:SpanAdapter"
    segments: ClassVar[tuple[str, ...]] = ("question", "context")
    activation: ClassVar[Activation] = "grouped"
    spans: ClassVar[Literal["answer"]] = "answer"
    display: ClassVar[Display] = Display(prediction="Answer", whole=(ANSWER,), is_beside=True)
    head: ClassVar[None] = None

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face question-answering model."""
        return cls()

    def text_head(self, encoded: "Encoded") -> SpanHead:
        """The head with two outputs for each token of the context: the answer starts there, or ends there."""
        spans = tuple((*encoded.tokens[at].span, CONTEXT) for at in context_tokens(encoded))
        labels = ("start",) * len(spans) + ("end",) * len(spans)
        return SpanHead(labels, "grouped", spans * 2, texts=tuple(one.text for one in encoded.segments))

    def readout(self, encoded: "Encoded") -> SpanReadout:
        """A readout that reads the start and end log-odds of every token of the context."""
        return SpanReadout(context_tokens(encoded))


def context_tokens(encoded: "Encoded") -> tuple[int, ...]:
    """The positions of the context's tokens."""
    found = tuple(at for at, token in enumerate(encoded.tokens) if token.segment == CONTEXT and not token.special)
    if len(found) < 2:
        raise TextError(
            f"the model reads {len(found)} token{'' if len(found) == 1 else 's'} of the context; at least two are "
            "needed to choose an answer",
            hint="give a longer context, or a shorter question if the context was truncated",
        )
    return found
