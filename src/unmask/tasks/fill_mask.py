"""Masked language models: the outputs are candidates for one mask, each a token of the vocabulary."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .generation import NARROW, log_sum_without
from .scales import array_library
from .targets import Activation, Head
from .task import BaseTask, Display

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded

CANDIDATES = 5  # how many of the most probable fillings are outputs


@dataclass(frozen=True, slots=True)
class FillingReadout:
    """Reads the log-odds of some tokens of the vocabulary at the mask."""

    positions: tuple[int, ...]  # the position of the mask
    ids: tuple[int, ...]

    def reduce(self, raw: "Tensor") -> "Tensor":
        """From logits, [rows, 1, vocabulary], to [rows, candidates]."""
        torch, logits = array_library(raw), raw[:, 0]
        logits = logits.float() if logits.element_size() <= NARROW else logits
        odds = [logits[:, token].clone() - log_sum_without(logits, token) for token in self.ids]
        return torch.stack(odds, -1)  # type: ignore[no-any-return]  # torch, by another name


@dataclass(frozen=True, slots=True)
class FillMask(BaseTask):
    """One output per candidate. The candidates depend on the text, so the model is first run to find them."""

    name: ClassVar[str] = "fill_mask"
    model_classes: ClassVar[tuple[str, ...]] = ("ForMaskedLM",)
    kind: ClassVar[str] = "masked language model"
    auto_class: ClassVar[str] = "AutoModelForMaskedLM"
    adapter: ClassVar[str] = "unmask.models.huggingface.masked:MaskedAdapter"
    segments: ClassVar[tuple[str, ...]] = ()
    activation: ClassVar[Activation] = "grouped"
    display: ClassVar[Display] = Display(output="Filling", is_quoted=True)
    head: ClassVar[None] = None

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face masked language model."""
        return cls()

    def text_head(self, encoded: "Encoded") -> Head:
        """A head whose candidates are not yet set; they are chosen after the model has read the text."""
        return Head((), "grouped")

    def readout(self, encoded: "Encoded") -> FillingReadout:
        """A readout whose candidates are not yet set; they are chosen after the model has read the text."""
        return FillingReadout((0,), ())
