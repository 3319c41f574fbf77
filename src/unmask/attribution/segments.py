"""Fits the texts of a request to a task: their number, names and order, and the spans that are never masked."""

from collections.abc import Sequence
from dataclasses import replace

from ..errors import ArgumentError, TextError
from ..models.adapter import Adapter
from ..models.huggingface.masked import MaskedAdapter
from ..tasks.task import ANY, Task
from ..text.request import NAMES, Request, Segment

CHOICES = "give a prompt and its choices: Request(segments=...), or --choice once per choice"


def prepare_request(adapter: Adapter, request: Request) -> Request:
    """Give the texts the names that the task uses, and mark the mask token (if any) as never perturbed."""
    request = name_segments(adapter.task, request)
    if not isinstance(adapter, MaskedAdapter):
        return request
    found = [(*adapter.mask_span(one.text), at) for at, one in enumerate(request.segments) if adapter.mask in one.text]
    if len(found) != 1:
        adapter.mask_span(" ".join(request.texts))  # raises an error: no mask, or too many
    return with_segments(request, request.segments, fixed=(*request.fixed, *found))


def name_segments(task: Task, request: Request) -> Request:
    """Give the texts the task's names and order; names in the request are kept. Reject a wrong number of texts."""
    names, count = getattr(task, "segments", ()), len(request.segments)
    if not names:
        return request
    listed = " and ".join(f"a {name}" for name in names)
    if names[-1] == ANY:
        names = tuple(f"choice {at}" if at else names[0] for at in range(max(count, 3)))
        listed = f"a {names[0]} and two or more choices"
    if count != len(names):
        raise TextError(
            f"the task {task.name} reads {listed}; the request has {count} text{'' if count == 1 else 's'}",
            hint=_HINTS.get(len(names), CHOICES),
        )
    if tuple(request.names) not in NAMES.values():
        return _in_order(task, request, names)
    pairs = zip(names, request.segments, strict=True)
    return with_segments(request, tuple(replace(segment, name=name) for name, segment in pairs))


def _in_order(task: Task, request: Request, names: Sequence[str]) -> Request:
    """Put the texts in the task's order, as far as their names say it: a question or prompt first."""
    given = {segment.name: segment for segment in request.segments}
    segments = request.segments
    if set(given) == set(names):
        segments = tuple(given[name] for name in names)
    elif names[0] in given:
        segments = (given[names[0]], *(one for one in segments if one.name != names[0]))
    elif len(names) == 2 and segments[0].name == names[1]:
        segments = segments[::-1]
    if segments == request.segments:
        return request
    if request.spans is not None or request.fixed:
        raise ArgumentError(
            f"the task {task.name} reads {', '.join(segment.name for segment in segments)} in this order, but the "
            f"request, which has spans, gives {', '.join(request.names)}",
            hint="give the segments in the task's order, and number the spans' texts accordingly",
        )
    return with_segments(request, segments)


def with_segments(request: Request, segments: tuple[Segment, ...], *, fixed: object = None) -> Request:
    """Return the request with other segments, or with other spans that are never masked."""
    changed = Request(segments=segments)
    for name in ("target", "spans", "fixed", "line", "columns", "label", "continuation"):
        object.__setattr__(changed, name, getattr(request, name))
    if fixed is not None:
        object.__setattr__(changed, "fixed", fixed)
    return changed


_HINTS = {
    1: "give one text",
    2: "give two texts: explain(first, text_pair=second), or Request(segments=...)",
}
