"""What a task is: which numbers are read from what a model returns for a text, and what they stand for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

from .targets import Head

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded
    from ..questions import Scores
    from ..text.request import Request
    from ..text.units import AlignedUnit

Parts: TypeAlias = "tuple[Sequence[Request], Callable[[Sequence[Scores]], Scores]]"


class Readout(Protocol):
    """Reduces a model's raw outputs to a short vector, inside the batch and on the device.

    A frozen, hashable value: rows with equal readouts are reduced together.
    """

    @property
    def positions(self) -> tuple[int, ...] | None:
        """The tokens at which it reads; None for a model that returns one vector per text."""

    def reduce(self, raw: "Tensor") -> "Tensor":
        """The outputs, [rows, outputs], of raw ones, [rows, ...]; differentiable.

        Where it names positions, `raw` holds those alone, in its order: [rows, positions, ...].
        """


class Task(Protocol):
    """What can be asked of the models of one kind. A task is made for one model."""

    name: ClassVar[str]
    model_classes: ClassVar[tuple[str, ...]]  # how the class names of Hugging Face models that it is for end

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face model."""

    @property
    def head(self) -> Head | None:
        """What the outputs stand for; None where that differs from text to text."""

    def text_head(self, encoded: "Encoded") -> Head:
        """What the outputs stand for in this text."""

    def readout(self, encoded: "Encoded") -> Readout:
        """How the outputs for this text are read."""


@runtime_checkable
class SplittingTask(Protocol):
    """A task that may score one request by several others: windows of a long text, two answers in contrast."""

    def split(self, request: "Request", units: "Sequence[AlignedUnit]") -> "Parts | None":
        """The requests to score instead, and how their scores become one per unit; None to score it as it is."""
