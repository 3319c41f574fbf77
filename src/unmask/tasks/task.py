"""What a task is: which numbers are read from a model's outputs, and what they stand for. Also the table of tasks."""

from collections.abc import Callable, Collection, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

from .targets import Head

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded
    from ..questions import Scores
    from ..text.request import Request
    from ..text.units import AlignedUnit

ANY = "..."  # in the names of a task's texts: any number of texts like the one before
Parts: TypeAlias = "tuple[Sequence[Request], Callable[[Sequence[Scores]], Scores]]"


class Readout(Protocol):
    """Reduces a model's raw outputs to a short vector, inside the batch and on the device.

    A frozen, hashable value: rows with equal readouts are reduced together.
    """

    @property
    def positions(self) -> tuple[int, ...] | None:
        """The positions of the tokens whose outputs are read; None for a model that returns one vector per text."""

    def reduce(self, raw: "Tensor") -> "Tensor":
        """From raw outputs, [rows, ...], to outputs, [rows, outputs]; differentiable.

        If there are `positions`, `raw` has only those tokens, in order: [rows, positions, ...].
        """


@runtime_checkable
class SequentialReadout(Protocol):
    """A readout that reads each output at the token before it, or further back if that token is absent."""

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The tokens to read, one per output, if some tokens are absent (dropped or ignored)."""


class Task(Protocol):
    """How to read the outputs of one kind of model, and what they stand for. An instance belongs to one model."""

    name: ClassVar[str]
    model_classes: ClassVar[tuple[str, ...]]  # suffixes of the names of supported Hugging Face classes

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face model."""

    @property
    def head(self) -> Head | None:
        """What the outputs stand for; None if that depends on the text."""

    def text_head(self, encoded: "Encoded") -> Head:
        """What the outputs stand for in this text."""

    def readout(self, encoded: "Encoded") -> Readout:
        """How the outputs for this text are read."""


class LoadableTask(Task, Protocol):
    """A task whose models are loaded by name."""

    kind: ClassVar[str]  # such a model, in words
    auto_class: ClassVar[str]  # the class of transformers that loads it
    adapter: ClassVar[str]  # the location of the adapter that runs it
    segments: ClassVar[tuple[str, ...]]  # names of the texts that it reads, if they come without names; empty for any


@runtime_checkable
class SplittingTask(Protocol):
    """A task that may score one request through several others: windows of a long text, two answers in contrast."""

    def split(self, request: "Request", units: "Sequence[AlignedUnit]") -> "Parts | None":
        """The requests to score instead, and how their scores become one per unit; None to score the request itself."""


TASKS: dict[str, str | type[Task]] = {  # a class, or its location, imported on first use
    "classification": "unmask.tasks.classification:Classification",
    "generation": "unmask.tasks.generation:Generation",
    "token_classification": "unmask.tasks.token_classification:TokenClassification",
    "question_answering": "unmask.tasks.question_answering:QuestionAnswering",
    "fill_mask": "unmask.tasks.fill_mask:FillMask",
    "multiple_choice": "unmask.tasks.multiple_choice:MultipleChoice",
    "text2text": "unmask.tasks.text2text:Text2Text",
    "similarity": "unmask.tasks.similarity:Similarity",
}


def task_named(name: str) -> Any:
    """The task of that name, imported on first use: a class, of most a `LoadableTask`."""
    entry = TASKS[name]
    return resolve_name(entry) if isinstance(entry, str) else entry


def task_of_class(name: str) -> type[Task] | None:
    """The task of a class of models, by how its name ends; None if unknown."""
    return next((task for task in map(task_named, TASKS) if name.endswith(task.model_classes)), None)


def task_of_model(model: Any) -> type[Task] | None:
    """The task for a Hugging Face model, by the name of its class or of one that it inherits from; None if unknown."""
    classes = [base.__name__ for base in type(model).__mro__]
    return next(filter(None, map(task_of_class, classes)), None)
