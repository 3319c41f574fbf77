"""Examples: texts with gold labels, rationales or imported scores."""

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, TypeAlias

from ..errors import ArgumentError, InputError, TextError, UnmaskError
from ..methods.registry import own_method
from ..metrics.faithfulness import ranking_scores
from ..metrics.plausibility import Annotation
from ..tasks.targets import Contrast
from ..text.request import Request, TextLike

NO_RATIONALE = "a rationale is a list of 0s and 1s, one per whitespace-separated word, such as [0, 1, 0]"
EMBEDDED = "data/dynasent-rationales/rationales.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Example:
    """A text with its gold label, rationales and imported scores.

    Args:
        label: The gold label or its index.
        annotations: Rationales.
        scores: Imported scores, one per span of the request.
        taken_by: How the method behind the scores masks units, if known: a baseline or `remove`.
        place: The location in the file, such as `line 12`, for messages.
    """

    request: Request
    label: str | int | None = None
    annotations: tuple[Annotation, ...] = ()
    scores: tuple[float, ...] | None = None
    taken_by: str | None = None
    place: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        spans = tuple(self.request.spans or ())
        if not all(map(math.isfinite, self.scores or ())):
            raise ArgumentError("scores must be finite numbers")
        if self.scores is not None and len(self.scores) != len(spans):
            raise ArgumentError(f"{len(self.scores)} scores for {len(spans)} spans: expected one score per span")


class UnreadError(InputError):
    """A line or row of a dataset that cannot be read."""

    def __init__(self, message: str, *, place: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.place = place


ExampleLike: TypeAlias = TextLike | Example


def example_of(one: ExampleLike) -> Example | UnmaskError:
    """Wrap a plain text as an example."""
    if isinstance(one, Example | UnmaskError):
        return one
    return Example(one if isinstance(one, Request) else Request(one))


def embedded_examples(task: str = "classification") -> list[Example]:
    """The built-in 480 sentences from DynaSent, each with six rationales; see their NOTICE."""
    if task != "classification":
        raise ArgumentError(
            "a language model is evaluated on prompts, but there are no built-in prompts",
            hint="pass requests such as Request(prompt, continuation=...)",
        )
    with gzip.open(embedded_file(), "rt", encoding="utf-8") as lines:
        records = list(map(json.loads, lines))
    return [Example(Request(one["text"]), one["label"], annotations_of(one["annotations"])) for one in records]


def embedded_file() -> str:
    """The path of the built-in sentences."""
    return str(files("unmask").joinpath(EMBEDDED))


def annotations_of(value: Any) -> tuple[Annotation, ...]:
    """Read rationales: a mask of 0s and 1s over the words, or several masks with labels."""
    try:
        given = json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise TextError(NO_RATIONALE) from error
    is_list = isinstance(given, list | tuple) and all(isinstance(one, Mapping | list | tuple) for one in given)
    return tuple(map(_annotation, given if is_list or not given else [given]))


def example_with_scores(record: Mapping[str, Any]) -> Example:
    """Read a text with imported scores: `text`, `spans`, `scores`, or the output of `unmask explain`.

    Raises:
        TextError: If the record is not a text with scores.
    """
    try:
        if "spans" in record:
            spans, scores = [tuple(span) for span in record["spans"]], record["scores"]
        else:  # written by `unmask explain`
            places = [(unit["start"], unit["end"], unit.get("segment", 0)) for unit in record["units"]]
            spans = [place if place[2] else place[:2] for place in places]
            scores = ranking_scores([unit["score"] for unit in record["units"]], record.get("ranking"))
        target = record.get("target")
        if isinstance(target, Mapping):
            target = Contrast(target["label"], target["against"])
        request = Request(record["text"], text_pair=record.get("text_pair"), spans=spans, target=target)
        annotations = annotations_of(record.get("annotations") or ())
        return Example(request, record.get("label"), annotations, tuple(map(float, scores)), _taken_by(record))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, UnmaskError):
            raise
        raise TextError(
            f"not a text with scores: {type(error).__name__} at {error}",
            hint='a line is {"text": "...", "spans": [[0, 4], ...], "scores": [0.5, ...]}',
        ) from error


def _taken_by(record: Mapping[str, Any]) -> str | None:
    """Return how the method masks units, from the output of `unmask explain`."""
    method = record.get("method")
    if not isinstance(method, Mapping):
        return None
    if method.get("uses_baseline"):
        return record.get("baseline")
    known = own_method(str(method.get("name")))
    return method.get("operator") or (known.operator if known else None)


def _annotation(given: Any) -> Annotation:
    mask = given.get("mask") if isinstance(given, Mapping) else given
    if not isinstance(mask, Sequence) or isinstance(mask, str) or any(mark not in (0, 1) for mark in mask):
        raise TextError(NO_RATIONALE)
    label = given.get("label") if isinstance(given, Mapping) else None
    return Annotation(tuple(map(bool, mask)), None if label is None else str(label))
