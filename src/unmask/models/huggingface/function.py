"""The adapter for a Hugging Face model with any head, whose output the user's own function converts to numbers."""

from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...errors import ArgumentError, ModelError
from ...tasks.classification import Classification
from ...tasks.scales import Activation
from ...tasks.targets import Head
from ...tasks.task import Task
from ..adapter import Batch
from .adapter import HuggingFaceAdapter, pad_lent
from .compatibility import check_explainable

ReadoutFunction: TypeAlias = Callable[[Any, Tensor], Tensor]  # (the model's output, attention mask) -> [rows, outputs]
SHOWN = ("softmax", "sigmoid", "none")


class FunctionAdapter(HuggingFaceAdapter):
    """A model, its tokenizer, and a function that reads the model's output."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        readout: ReadoutFunction,
        activation: Activation | None = None,
    ) -> None:
        if not callable(readout):
            raise ArgumentError(f"readout must be a function of the model's output and the mask, not {readout!r:.80}")
        if activation is not None and activation not in SHOWN:
            raise ArgumentError(f"activation must be one of {', '.join(SHOWN)}, not {activation!r}")
        self._readout, self._activation = readout, activation
        super().__init__(model, tokenizer)
        self.task = self._counted()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy includes the function, so the function must support copying or pickling."""
        return type(self), (*self.parts, self._readout, self._activation)

    def _find_task(self) -> Task:
        check_explainable(self._model)
        return Classification(Head(("value",), "none"))  # replaced once the number of outputs is known

    def _counted(self) -> Task:
        """The task, with as many outputs as the function returns for a short text."""
        ids = torch.tensor([self.encode("a", max_length=None).ids], device=self.device)
        with self.inference_context(), torch.inference_mode():
            count = self._run(Batch(ids, torch.ones_like(ids), self._pad(set(ids[0].tolist())))).shape[1]
        chosen: Activation = self._activation or ("none" if count == 1 else "softmax")
        if (chosen == "none") != (count == 1 and chosen != "sigmoid"):
            raise ArgumentError(
                f"activation {chosen!r} does not fit a readout that returns {count} output{'' if count == 1 else 's'}: "
                "use none or sigmoid for one output, softmax or sigmoid for several"
            )
        labels = ("value",) if count == 1 else tuple(f"OUTPUT_{at}" for at in range(count))
        return Classification(Head(labels, chosen))

    def _run(self, batch: Batch) -> Tensor:
        """The numbers that the function returns, [rows, outputs]."""
        with pad_lent(self._model.config, batch.pad):
            found = self._readout(self._model(**self._inputs(batch)), batch.attended)
        if not isinstance(found, Tensor) or found.ndim not in (1, 2) or len(found) != len(batch.ids):
            shape = f"shape {tuple(found.shape)}" if isinstance(found, Tensor) else type(found).__name__
            raise ModelError(
                f"readout returned {shape} for a batch of {len(batch.ids)}: it must return a tensor of shape [rows] or "
                "[rows, outputs]"
            )
        return found if found.ndim == 2 else found[:, None]
