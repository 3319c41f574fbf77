"""From a file to the examples that explanations are judged on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ..errors import ArgumentError, InputError, UnmaskError
from ..inputs import Source, check_others
from ..text.request import Request

if TYPE_CHECKING:
    from ..experiments.examples import Example

FOR_A_FILE = "--column, --quoting, --read-as, --label and --rationale are for a file; give -f FILE"


def examples(
    file: str | None,
    *,
    columns: tuple[str, ...],
    quoting: str | None,
    form: str | None,
    label: str | None,
    rationale: str | None,
    scores: str | None,
    limit: int | None,
) -> "list[Example | UnmaskError]":
    """The examples of a file, of a file with scores, or of the package."""
    if file is not None and scores is not None:
        raise ArgumentError("--scores has texts of its own: leave -f away")
    if file is None and (quoting or form or (scores is None and (columns or label or rationale))):
        raise ArgumentError(FOR_A_FILE)
    if scores is None and file is None:
        from ..experiments.examples import embedded_examples

        return list(embedded_examples()[:limit])
    if scores is not None:
        _check_lines(scores)
        source = Source(scores, form="jsonl", columns=columns, keep=True)
    else:
        source = Source(str(file), form=form, columns=columns, keep=bool(label or rationale), quoting=quoting)
    source.check()
    records = [_unpacked(record) for record in islice(source.records(), limit)]
    check_others(records, label, rationale)
    read = _example if scores is None else _scored
    found = [read(record, label, rationale) for record in records]
    if rationale is not None:
        _check_labelled(found)
    return found


def _unpacked(record: Request | InputError) -> Request | InputError:
    """With the columns that `unmask explain --keep` carried along beside its own."""
    if isinstance(record, InputError) or not isinstance(carried := record.columns.get("kept"), Mapping):
        return record
    return replace(record, columns={**carried, **record.columns})


def _example(record: Request | InputError, label: str | None, rationale: str | None) -> "Example | UnmaskError":
    from ..experiments.examples import Example, annotations_of

    if isinstance(record, InputError):
        return _unread(record, record)
    marks = record.column(rationale)
    try:
        annotations = annotations_of(marks or ())
    except (UnmaskError, ValueError) as error:
        return _unread(record, error)
    request = Request(record.text, text_pair=record.text_pair)  # without the other columns
    return Example(request, record.column(label), annotations, place=_place(record))


def _scored(record: Request | InputError, label: str | None, rationale: str | None) -> "Example | UnmaskError":
    from ..experiments.examples import example_with_scores

    if isinstance(record, InputError):
        return _unread(record, record)
    marks = record.column(rationale)
    found = {**record.columns, "text": record.text, "label": record.column(label), "annotations": marks}
    try:
        return replace(example_with_scores(found), place=_place(record))
    except UnmaskError as error:
        return _unread(record, error)


def _place(record: Request | InputError) -> str:
    return f"line {record.line}"


def _unread(record: Request | InputError, error: Exception) -> UnmaskError:
    from ..experiments.examples import UnreadError

    return UnreadError(str(error), place=_place(record), hint=getattr(error, "hint", None))


def _check_lines(path: str) -> None:
    if path != "-" and not re.search(r"\.(jsonl|ndjson)(\.gz)?$", path):
        raise ArgumentError(
            f"{path!r} is no .jsonl: scores come as one JSON object a line, with text, spans and scores"
        )


def _check_labelled(found: "Sequence[Example | UnmaskError]") -> None:
    """Refuse people's marks without gold labels: only texts that the model gets right are counted."""
    from ..experiments.examples import Example

    texts = [one for one in found if isinstance(one, Example)]
    if texts and all(one.label is None for one in texts):
        raise ArgumentError(
            "--rationale counts the texts that the model gets right, which only gold labels can tell: "
            "give their column with --label"
        )
