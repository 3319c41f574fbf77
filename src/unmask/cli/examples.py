"""From a file to the examples that explanations are judged on."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, InputError, UnmaskError
from ..inputs import BadRecord, Record, Source

if TYPE_CHECKING:
    from ..examples import Example


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
        raise ArgumentError("--column, --quoting, --read-as, --label and --rationale are for a file; give -f FILE")
    if scores is not None:
        _check_lines(scores)
        source = Source(scores, form="jsonl", columns=columns, keep=True)
        return list(islice(_scored(source, label, rationale), limit))
    if file is None:
        from ..examples import embedded_examples

        return list(embedded_examples()[:limit])
    source = Source(file, form=form, columns=columns, keep=bool(label or rationale), quoting=quoting)
    source.check()
    return [_example(record, label, rationale) for record in islice(source.records(), limit)]


def _example(record: Record | BadRecord, label: str | None, rationale: str | None) -> "Example | UnmaskError":
    from ..examples import Example, annotations_of
    from ..request import Request

    if isinstance(record, BadRecord):
        return record.error
    gold = None if label is None else _kept(record, label)
    marks = None if rationale is None else _kept(record, rationale)
    try:
        annotations = annotations_of(marks or ())
    except (UnmaskError, ValueError) as error:
        return InputError(f"line {record.number}: {error}")
    return Example(Request(record.text, text_pair=record.text_pair), gold, annotations, place=f"line {record.number}")


def _check_lines(path: str) -> None:
    if path != "-" and not re.search(r"\.(jsonl|ndjson)(\.gz)?$", path):
        raise ArgumentError(
            f"{path!r} is no .jsonl: scores come as one JSON object a line, with text, spans and scores"
        )


def _scored(source: Source, label: str | None, rationale: str | None) -> "Iterator[Example | UnmaskError]":
    from ..examples import scored

    source.check()
    for record in source.records():
        if isinstance(record, BadRecord):
            yield record.error
            continue
        found = {**record.kept, "text": record.text}
        for name, column in (("label", label), ("annotations", rationale)):
            if column is not None:
                found[name] = _kept(record, column)
        try:
            yield scored(found)
        except UnmaskError as error:
            yield InputError(f"line {record.number}: {error}", hint=error.hint)


def _kept(record: Record, column: str) -> Any:
    """A column's value; one that is not there ends the command, since it is there in no row or in all."""
    if column not in record.kept:
        raise ArgumentError(f"no column {column!r}; other columns: {', '.join(record.kept) or 'none'}")
    return record.kept[column]
