"""Language models: every token of an answer is an output, namely the token's log-odds among the vocabulary."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import TextError
from .answer_targets import AnswerHead
from .scales import array_library
from .task import BaseTask

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded

NARROW = 2  # logits of at most this many bytes each are converted to float32


@dataclass(frozen=True, slots=True)
class AnswerReadout:
    """Reads the output for each answer token at the token before it.

    For each input, it returns the log-odds of every answer token, then the ids of the most probable tokens at the same
    positions, then their log-probabilities. From log-odds, both log p and log(1 - p) can be computed without loss,
    however close p is to 0 or 1.
    """

    positions: tuple[int, ...]
    ids: tuple[int, ...]

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Reduce logits, [rows, tokens, vocabulary], to [rows, 3 * tokens], one token at a time to save memory."""
        torch = array_library(raw)
        columns = [_token_columns(raw[:, at], token) for at, token in enumerate(self.ids)]
        return torch.cat([torch.stack(column, -1) for column in zip(*columns, strict=True)], -1)  # type: ignore[no-any-return]  # torch, by another name

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The positions to read if some tokens are absent: for each output, the last present token before it."""
        places = []
        for position in self.positions:
            while position in absent:
                position -= 1
            if position < 0:
                raise TextError("no token of the prompt is left before the answer, so the answer cannot be predicted")
            places.append(position)
        return tuple(places)


def _token_columns(logits: "Tensor", token: int) -> "tuple[Tensor, Tensor, Tensor]":
    """A token's log-odds, the most probable token and its log-probability, [rows] each, from [rows, vocabulary]."""
    torch = array_library(logits)
    logits = logits.float() if logits.element_size() <= NARROW else logits
    own, top = logits[:, token].clone(), logits.max(-1)
    others = log_sum_without(logits, token)
    return own - others, top.indices.to(logits.dtype), top.values - torch.logaddexp(others, own)


def log_sum_without(logits: "Tensor", token: int) -> "Tensor":
    """The log-sum-exp over all tokens except one, whose logits are masked in place to avoid a copy."""
    torch = array_library(logits)
    place = torch.tensor([token], device=logits.device)
    if logits.requires_grad:
        return logits.index_fill(-1, place, -torch.inf).logsumexp(-1)
    own = logits[:, token].clone()
    try:
        return logits.index_fill_(-1, place, -torch.inf).logsumexp(-1)
    finally:
        logits[:, token] = own


@dataclass(frozen=True, slots=True)
class Generation(BaseTask):
    """One output per token of the answer, so the outputs depend on the text."""

    name: ClassVar[str] = "generation"
    model_classes: ClassVar[tuple[str, ...]] = (
        *("ForCausalLM", "LMHeadModel"),
        *("BertGenerationDecoder", "ReformerModelWithLMHead"),
    )
    kind: ClassVar[str] = "causal language model"
    auto_class: ClassVar[str] = "AutoModelForCausalLM"
    adapter: ClassVar[str] = "unmask.models.huggingface.causal:CausalAdapter"
    segments: ClassVar[tuple[str, ...]] = ()
    head: ClassVar[None] = None

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face causal language model."""
        return cls()

    def text_head(self, encoded: "Encoded") -> AnswerHead:
        """The head whose outputs are the tokens of this text's answer."""
        answer = encoded.answer
        assert answer is not None
        segment = len(encoded.segments) - 1
        spans = tuple((*span, segment) for span in answer.spans)
        return AnswerHead(answer.tokens, "token", spans, answer=answer.text)

    def readout(self, encoded: "Encoded") -> AnswerReadout:
        """A readout that reads the output for each answer token at the token before it."""
        answer = encoded.answer
        assert answer is not None
        positions = range(answer.start - 1, len(encoded.ids) - 1)
        return AnswerReadout(tuple(positions), encoded.ids[answer.start :])
