"""Multiple choice: one output per choice; the model reads each choice together with the prompt."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..text.spans import shorten
from .targets import Activation, Head, distinct_names
from .task import BaseTask, Display

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded

LONGEST = 60  # how many characters of a choice are used as the name of its output


@dataclass(frozen=True, slots=True)
class ChoiceReadout:
    """Reads the logits of the first `count` sequences of each row."""

    count: int
    positions: ClassVar[None] = None

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Trim the padding from [rows, max_choices] to [rows, choices]."""
        return raw[:, : self.count]


@dataclass(frozen=True, slots=True)
class MultipleChoice(BaseTask):
    """One output per choice of the text."""

    name: ClassVar[str] = "multiple_choice"
    model_classes: ClassVar[tuple[str, ...]] = ("ForMultipleChoice",)
    kind: ClassVar[str] = "multiple-choice model"
    auto_class: ClassVar[str] = "AutoModelForMultipleChoice"
    adapter: ClassVar[str] = "unmask.models.huggingface.sequences:ChoiceAdapter"
    segments: ClassVar[tuple[str, ...]] = ("prompt", "choice 1", "choice 2", "...")
    activation: ClassVar[Activation] = "softmax"
    is_decided: ClassVar[bool] = True
    display: ClassVar[Display] = Display(output="Choice", is_quoted=True)
    head: ClassVar[None] = None

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face multiple-choice model."""
        return cls()

    def text_head(self, encoded: "Encoded") -> Head:
        """The head whose outputs are the choices, named after their texts."""
        return Head(distinct_names([shorten(one.text, LONGEST) for one in encoded.segments[1:]]))

    def readout(self, encoded: "Encoded") -> ChoiceReadout:
        """A readout that reads one logit per choice."""
        return ChoiceReadout(len(encoded.segments) - 1)
