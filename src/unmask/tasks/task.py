"""Tasks: which numbers are read from a model's outputs, and what they mean. Also the table of tasks."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, TypeAlias, runtime_checkable

from .targets import Activation, Head

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded
    from ..questions import Scores
    from ..text.request import Request
    from ..text.units import AlignedUnit

ANY = "..."  # in the names of a task's texts: any number of texts like the one before
Parts: TypeAlias = "tuple[Sequence[Request], Callable[[Sequence[Scores]], Scores]]"


class Readout(Protocol):
    """Reduces a model's raw outputs to a short vector per input, for a whole batch and on the model's device.

    Readouts are frozen and hashable, because inputs with equal readouts are reduced together.
    """

    @property
    def positions(self) -> tuple[int, ...] | None:
        """The positions of the tokens whose outputs are read; None for a model that returns one vector per text."""

    def reduce(self, raw: "Tensor") -> "Tensor":
        """Reduce raw outputs, [rows, ...], to [rows, outputs]. Must be differentiable.

        If the readout has `positions`, `raw` has only those tokens, in order: [rows, positions, ...].
        """


@runtime_checkable
class SequentialReadout(Protocol):
    """A readout that reads each output at the token before it, or further back if that token is absent."""

    def positions_without(self, absent: Collection[int]) -> tuple[int, ...]:
        """The tokens to read, one per output, if some tokens are absent (dropped or ignored)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How drawings name and arrange what a model predicts."""

    prediction: str = "Prediction"
    output: str = "Class"  # one of the outputs that a reader can choose
    value: str = "value"  # a prediction that is a number
    context: str = "Prompt"  # the text that an answer is attributed to
    whole: tuple[str, ...] = ()  # targets that are all of what the model predicts
    is_selectable: bool = False  # whether selecting a word recolors the others
    is_beside: bool = False  # whether two texts are drawn side by side
    is_quoted: bool = False  # whether its outputs are texts, which stand in quotation marks inside a sentence


class BaseTask:
    """What a task says of itself unless it says otherwise."""

    __slots__ = ()
    activation: ClassVar[Activation | None] = None  # the activation of all its heads, if labels differ between texts
    spans: ClassVar[Literal["entities", "answer"] | None] = None  # which parts of the text the model predicts
    is_decided: ClassVar[bool] = False  # whether `explain` searches for deciding sets by default
    display: ClassVar[Display] = Display()


class Task(Protocol):
    """How to read the outputs of one kind of model, and what they mean. An instance belongs to one model.

    Derive a task from `BaseTask`, which has the defaults.
    """

    name: ClassVar[str]
    model_classes: ClassVar[tuple[str, ...]]  # suffixes of the names of supported Hugging Face classes
    activation: ClassVar[Activation | None]
    spans: ClassVar[Literal["entities", "answer"] | None]
    is_decided: ClassVar[bool]
    display: ClassVar[Display]

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face model."""

    @property
    def head(self) -> Head | None:
        """What the outputs mean; None if that depends on the text."""

    def text_head(self, encoded: "Encoded") -> Head:
        """What the outputs mean for this text."""

    def readout(self, encoded: "Encoded") -> Readout:
        """How to read the outputs for this text."""


class LoadableTask(Task, Protocol):
    """A task whose models are loaded by name."""

    kind: ClassVar[str]  # a name for models of this task
    auto_class: ClassVar[str]  # the transformers class that loads the model
    adapter: ClassVar[str]  # the location of the adapter that runs the model
    segments: ClassVar[tuple[str, ...]]  # names for texts given without names; empty for any


@runtime_checkable
class SplittingTask(Protocol):
    """A task that may split a request into several: the windows of a long text, or the two answers of a contrast."""

    def split(self, request: "Request", units: "Sequence[AlignedUnit]") -> "Parts | None":
        """The requests to score instead, and a function to combine their scores; None to score the request itself."""


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
    """The class of the task of that name, imported on first use; most are `LoadableTask`s."""
    entry = TASKS[name]
    return resolve_name(entry) if isinstance(entry, str) else entry


def task_facts(name: str) -> type[BaseTask]:
    """What the task of that name says of itself; the defaults if it is unknown, as in a file of a later version."""
    found: type[BaseTask] = task_named(name) if name in TASKS else BaseTask
    return found
