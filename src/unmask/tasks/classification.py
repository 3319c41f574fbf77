"""Classification and regression of whole texts, explained by the model's raw outputs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import ModelError
from .targets import Activation, Head, distinct_names
from .task import BaseTask

if TYPE_CHECKING:
    from torch import Tensor

    from ..models.adapter import Encoded

ACTIVATIONS: dict[str | None, Activation] = {
    None: "softmax",
    "single_label_classification": "softmax",
    "multi_label_classification": "sigmoid",
    "regression": "none",
}


@dataclass(frozen=True, slots=True)
class AllOutputs:
    """For a model that returns one vector per text: reads all raw outputs."""

    positions: ClassVar[None] = None

    def reduce(self, raw: "Tensor") -> "Tensor":
        """The raw outputs, unchanged."""
        return raw


@dataclass(frozen=True, slots=True)
class Classification(BaseTask):
    """One output per class or label, or a single value. The meaning of the outputs does not depend on the text."""

    name: ClassVar[str] = "classification"
    model_classes: ClassVar[tuple[str, ...]] = ("ForSequenceClassification",)
    kind: ClassVar[str] = "sequence classifier"
    auto_class: ClassVar[str] = "AutoModelForSequenceClassification"
    adapter: ClassVar[str] = "unmask.models.huggingface.adapter:HuggingFaceAdapter"
    segments: ClassVar[tuple[str, ...]] = ()
    is_decided: ClassVar[bool] = True
    head: Head

    @classmethod
    def for_model(cls, model: Any) -> Self:
        """The task of a Hugging Face sequence classifier.

        A single output is a regression unless the model's configuration says otherwise.
        """
        kind, outputs = model.config.problem_type, int(getattr(model, "num_labels", model.config.num_labels))
        if kind is None and outputs == 1:
            kind = "regression"
        if kind not in ACTIVATIONS or (kind == "regression") != (outputs == 1 and ACTIVATIONS[kind] != "sigmoid"):
            raise ModelError(
                f"a head with {outputs} output{'' if outputs == 1 else 's'} for {kind!r} is not supported; unmask "
                "explains classes (two or more), labels (multi_label_classification) and one value (regression)",
                hint="if the configuration is wrong, set model.config.problem_type",
            )
        names = model.config.id2label or {}
        labels = distinct_names([str(names.get(index, f"LABEL_{index}")) for index in range(outputs)])
        return cls(Head(labels, ACTIVATIONS[kind]))

    def text_head(self, encoded: "Encoded") -> Head:
        """The model's head."""
        return self.head

    def readout(self, encoded: "Encoded") -> AllOutputs:
        """A readout that reads all outputs."""
        return AllOutputs()
