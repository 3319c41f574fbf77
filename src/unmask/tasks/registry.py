"""The table of tasks: a new task is one entry here."""

from importlib import import_module
from typing import Any

from .task import Task

TASKS: dict[str, str | type[Task]] = {  # a class, or where it is: imported when first needed
    "classification": "unmask.tasks.classification:Classification"
}


def task_named(name: str) -> type[Task]:
    """The task of that name."""
    entry = TASKS[name]
    if not isinstance(entry, str):
        return entry
    module, _, attribute = entry.partition(":")
    task: type[Task] = getattr(import_module(module), attribute)
    return task


def task_of_model(model: Any) -> type[Task] | None:
    """The task for a Hugging Face model, by the name of its class or of one that it inherits from; None if unknown."""
    classes = [base.__name__ for base in type(model).__mro__]
    for task in map(task_named, TASKS):
        if any(name.endswith(task.model_classes) for name in classes):
            return task
    return None
