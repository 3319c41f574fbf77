"""The task of a Hugging Face model class, inferred from its name and its configuration."""

from collections.abc import Iterable
from typing import Any

from transformers import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
)

from ...tasks.task import TASKS, Task, task_named


def task_of_class(name: str, config: Any = None) -> type[Task] | None:
    """The task of a model class, inferred from the end of its name; None if unknown.

    Args:
        config: The model's configuration. With it, a decoder such as Gemma3ForConditionalGeneration is recognized as a
            causal language model, and a model that reads images or audio as none of the tasks.
    """
    task: type[Task] | None = next((one for one in map(task_named, TASKS) if name.endswith(one.model_classes)), None)
    if task is None or task.name != "text2text" or config is None:
        return task
    kind = str(getattr(config, "model_type", None))
    if not getattr(config, "is_encoder_decoder", False):
        return task_named("generation") if MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.get(kind) == name else None
    is_text = kind in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES or kind not in CONFIG_MAPPING
    return task if is_text else None


def task_of_classes(names: Iterable[str], config: Any) -> type[Task] | None:
    """The task of the first of these classes that has one."""
    return next(filter(None, (task_of_class(str(name), config) for name in names)), None)


def task_of_model(model: Any) -> type[Task] | None:
    """The task of a Hugging Face model, inferred from its class or a base class; None if unknown."""
    return task_of_classes([base.__name__ for base in type(model).__mro__], getattr(model, "config", None))
