"""Which methods fit a baseline and a task."""

from ..errors import ArgumentError
from ..methods.base import Method
from ..models.adapter import Baseline
from ..tasks.task import Task


def check_method(method: Method, baseline: Baseline, *, task: Task) -> None:
    """Reject a method that cannot explain any text with this baseline and task."""
    if baseline.is_ignored and method.uses_baseline and method.needs != "outputs":
        raise ArgumentError(
            f"method {method.name!r} follows a path from the baseline to the text, but the baseline 'ignored' has no "
            "embedding to start from",
            hint="use another baseline, such as pad, zero or token:the, or an exact method such as sig",
        )
    if method.removes and task.spans is not None:
        raise ArgumentError(
            f"method {method.name!r} removes words, but the task {task.name} reads outputs at the words themselves",
            hint="use a method that replaces words, such as sig",
        )
