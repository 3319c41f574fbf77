"""Writes explanations as CSV or parquet, with one row per unit or, for answers, per unit and token."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..errors import check_installed
from ..results.answers import is_answer
from ..results.comparison import Comparison
from ..results.explanation import Explanation
from ..text.request import Failure
from .answer_words import output_probabilities
from .formats import Item
from .tables.csv import safe
from .theme import Theme

Rows = list[dict[str, Any]]
COLUMNS = {  # column names and their parquet types
    "line": "int64",
    "text": "string",
    **dict.fromkeys(("start", "end", "segment"), "int64"),
    **dict.fromkeys(("score", "normalized", "residual", "standard_error"), "float64"),
    **dict.fromkeys(("target", "scale", "prediction"), "string"),
    "confidence": "float64",
    "gold": "string",
    "is_correct": "bool",
    "error": "string",
}
ANSWER_COLUMNS = {  # columns for each token of an answer, or for each of two continuations
    "unit": "string",
    "token": "int64",
    "token_text": "string",
    **dict.fromkeys(("token_start", "token_end"), "int64"),
    **dict.fromkeys(("token_probability", "token_score"), "float64"),
}
KEPT = "kept."  # the prefix for the names of the input file's other columns


def _write_units(write: Callable[[Rows], Any], subject: Explanation | Comparison, _theme: Theme) -> Any:
    """Write the units of an explanation, or of all explanations in a comparison."""
    return write(_subject_rows(subject))


def _write_collection(
    write: Callable[[Rows], Any], items: Sequence[Item], _theme: Theme, kept: Sequence[Mapping[str, Any]] = ()
) -> Any:
    """Write the units of several texts."""
    return write(collection_rows(items, kept))


def _subject_rows(subject: Explanation | Comparison) -> Rows:
    if isinstance(subject, Explanation):
        return list(_unit_rows(subject))
    pairs = zip(subject.names, subject.explanations, strict=True)
    return [{"name": name, **row} for name, explanation in pairs for row in _unit_rows(explanation)]


def collection_rows(items: Sequence[Item], kept: Sequence[Mapping[str, Any]]) -> Rows:
    """The rows of all texts; a failed text has one row, with its error."""
    rows: Rows = []
    for at, (line, result) in enumerate(items):
        others = {f"{KEPT}{name}": value for name, value in (kept[at] if kept else {}).items()}
        if isinstance(result, Failure):
            units: Iterable[dict[str, Any]] = [dict.fromkeys(COLUMNS) | {"error": str(result.error)}]
        else:
            units = _unit_rows(result)
        rows += ({**row, "line": line, **others} for row in units)
    return rows


def _unit_rows(explanation: Explanation) -> Iterator[dict[str, Any]]:
    if is_answer(explanation):
        yield from _answer_rows(explanation)
        return
    if explanation.detail is None:
        yield from _level_rows(explanation)
        return
    for level in (explanation, explanation.detail):
        yield from ({**row, "unit": level.unit} for row in _level_rows(level))


def _level_rows(explanation: Explanation) -> Iterator[dict[str, Any]]:
    """A row for each unit."""
    prediction, by_output = explanation.prediction, explanation.scores_by_output
    shared = {
        "target": str(explanation.target),
        "scale": explanation.scale,
        "prediction": prediction.label,
        "confidence": prediction.probabilities[prediction.label] if prediction.label else prediction.value,
        "gold": explanation.gold,
        "is_correct": explanation.is_correct,
    }
    for at, unit in enumerate(explanation.units):
        row = dict.fromkeys(COLUMNS) | shared
        row |= {"text": unit.text, "start": unit.start, "end": unit.end, "segment": unit.segment}
        row |= {"score": _known(explanation.scores[at]), "normalized": _known(explanation.normalized[at])}
        if explanation.window_scores is not None:
            row["window_score"] = _known(explanation.window_scores[at])
        for name in ("residuals", "standard_errors"):
            if (values := getattr(explanation, name)) is not None:
                row[name.removesuffix("s")] = values[at]
        scores = () if by_output is None else zip(explanation.outputs, by_output[at].tolist(), strict=True)
        yield row | {f"score of {label}": _known(score) for label, score in scores}


def _answer_rows(explanation: Explanation) -> Iterator[dict[str, Any]]:
    """One row per unit and token of an answer, or one per unit if there are no scores for tokens."""
    shares, tokens = output_probabilities(explanation), explanation.output_tokens
    for level in filter(None, (explanation, explanation.detail)):
        by_output, shared = level.scores_by_output, {"target": str(level.target), "scale": level.scale}
        for at, unit in enumerate(level.units):
            row = dict.fromkeys((*COLUMNS, *ANSWER_COLUMNS)) | shared | {"unit": level.unit}
            row |= {"text": unit.text, "start": unit.start, "end": unit.end, "segment": unit.segment}
            row |= {"score": _known(level.scores[at]), "normalized": _known(level.normalized[at])}
            if by_output is None:
                yield row
                continue
            for place, name in enumerate(level.outputs):
                span = {"token_start": tokens[place].start, "token_end": tokens[place].end} if tokens else {}
                cell = {"token_probability": shares[place], "token_score": _known(float(by_output[at, place]))}
                yield row | {"token": place, "token_text": name} | span | cell


def _known(score: float) -> float | None:
    """The score, or None if it was not computed."""
    return None if math.isnan(score) else score


def column_order(rows: Iterable[Iterable[str]]) -> list[str]:
    """The columns of all rows, with those of the input file last."""
    return sorted(dict.fromkeys(name for row in rows for name in row), key=lambda name: name.startswith(KEPT))


def write_csv(rows: Rows) -> str:
    """The rows as CSV, with a header of column names."""
    text, columns = io.StringIO(), column_order(rows)
    writer = csv.writer(text)  # its defaults follow RFC 4180
    writer.writerow(map(safe, columns))
    writer.writerows([csv_cell(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def csv_cell(value: Any) -> Any:
    """Convert a value to what is written to a CSV file."""
    return value if value is None or isinstance(value, int | float) else safe(as_text(value))


def write_parquet(rows: Rows) -> bytes:
    """The rows as a parquet file, which has the standard columns even if there are no rows."""
    check_installed("pyarrow.parquet", what="parquet files")
    import pyarrow
    from pyarrow.parquet import write_table

    names = column_order(rows) or list(COLUMNS)
    columns = {as_text(name): _array([row.get(name) for row in rows], _type(name)) for name in names}
    content = io.BytesIO()
    write_table(pyarrow.table(columns), content)
    return content.getvalue()


def _type(column: str) -> str | None:
    return "float64" if column.startswith("score of ") else (COLUMNS | ANSWER_COLUMNS).get(column)


def _array(values: list[Any], kind: str | None) -> Any:
    """Convert values to a parquet column; values of mixed types become JSON text."""
    import pyarrow

    try:
        return pyarrow.array(values, kind)
    except (pyarrow.ArrowException, TypeError, ValueError):  # ValueError: the text has a lone surrogate
        return pyarrow.array([None if value is None else as_text(value) for value in values], "string")


def as_text(value: Any) -> str:
    """Return a string unchanged, and convert anything else to JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()


csv_units, csv_collection = partial(_write_units, write_csv), partial(_write_collection, write_csv)
parquet_units, parquet_collection = partial(_write_units, write_parquet), partial(_write_collection, write_parquet)
