"""The table of tasks: a new task is one entry here."""

from pkgutil import resolve_name
from typing import Any

from .task import Task

TASKS: dict[str, str | type[Task]] = {  # a class, or where it is: imported when first needed
    "classification": "unmask.tasks.classification:Classification"
}


def task_of_model(model: Any) -> type[Task] | None:
    """The task for a Hugging Face model, by the name of its class or of one that it inherits from; None if unknown."""
    classes = [base.__name__ for base in type(model).__mro__]
    for entry in TASKS.values():
        task: type[Task] = resolve_name(entry) if isinstance(entry, str) else entry
        if any(name.endswith(task.model_classes) for name in classes):
            return task
    return None
