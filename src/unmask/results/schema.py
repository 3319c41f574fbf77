"""Explanations as JSON. `schema` is the format version; older versions can be read, newer ones raise an error.

Schema 2 added `segments` and `outputs.spans`.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SchemaError
from ..methods.registry import own_method
from ..tasks.targets import Contrast
from .answers import WithoutContext
from .atomic_io import read_whole
from .deciding_sets import read_sets, record_sets
from .metadata import MethodInfo, ModelInfo, OutputToken, Passes, Prediction, SegmentInfo, TokenInfo, Unit
from .windows import read_windows, record_unit, record_windows

if TYPE_CHECKING:
    from .explanation import Explanation

SCHEMA = 2
PLAIN = ("scale", "unit", "baseline", "baseline_token", "truncated")  # copied unchanged
OPTIONAL = ("standard_errors", "residuals", "redundancy", "token_scores")  # not present for all methods
SPAN = ("text", "start", "end", "segment")
PAIR = ("first text", "second text")  # segment names of a pair, which schema 1 does not store


def record(explanation: "Explanation") -> dict[str, Any]:
    """Convert an explanation to JSON values, plus derived values for readers that do not use unmask."""
    target, spans, features = explanation.target, explanation.output_spans, explanation.features
    return {
        "schema": SCHEMA,
        "task": explanation.task,
        "text": explanation.text,
        "text_pair": explanation.text_pair,
        "segments": _segment_records(explanation),
        "prediction": record_prediction(explanation.prediction, explanation.activation),
        "gold": explanation.gold,
        "is_correct": explanation.is_correct,
        "target": record_contrast(target) if isinstance(target, Contrast) else target,
        "units": _units(explanation),
        "fixed": [{name: getattr(unit, name) for name in SPAN} for unit in explanation.fixed],
        "together": explanation.together,
        "interaction": None if explanation.interaction is None else asdict(explanation.interaction),
        "outputs": {
            "labels": list(explanation.outputs),
            "spans": None if spans is None else [_listed(span) for span in spans],
            "activation": explanation.activation,
            "whole": list(explanation.whole),
            "baseline": list(explanation.at_baseline),
            **_answer_outputs(explanation),
        },
        **record_windows(explanation),
        **({} if explanation.pair_scores is None else {"pair_scores": list(map(list, explanation.pair_scores))}),
        **({} if explanation.continuation is None else {"continuation": explanation.continuation}),
        **({} if explanation.detail is None else {"detail": record(explanation.detail)}),
        **({} if explanation.without_context is None else {"without_context": asdict(explanation.without_context)}),
        **{name: _listed(getattr(explanation, name)) for name in OPTIONAL},
        "ranking": _listed(explanation.ranking),
        "sets": record_sets(explanation.sets),
        "sets_note": explanation.sets_note,
        "tokens": [asdict(token) for token in explanation.tokens],
        "features": None if features is None else features.tolist(),
        "method": asdict(explanation.method),
        "model": asdict(explanation.model),
        "unread": explanation.unread,
        "unread_pair": explanation.unread_pair,
        "warnings": list(explanation.warnings),
        "passes": asdict(explanation.passes),
        "versions": dict(explanation.versions),
        **{name: getattr(explanation, name) for name in PLAIN},
        "seconds": _known(explanation.seconds),
    }


def fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a record to the arguments of `Explanation(...)`."""
    schema = record.get("schema")
    if type(schema) is not int:  # True is not a version
        raise SchemaError("this is not an explanation: it has no integer 'schema'")
    if schema > SCHEMA:
        raise SchemaError(
            f"this explanation has schema {schema}, but this version of unmask reads only up to {SCHEMA}",
            hint="install a newer unmask",
        )
    try:
        return _fields(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SchemaError(f"this explanation is incomplete: {type(error).__name__} at {error}") from error


def load(path: str | os.PathLike[str], *, what: str) -> Mapping[str, Any]:
    """Read the record in a JSON file."""
    content = read_whole(path)
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"this is not {what}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise SchemaError(f"this is not {what}: expected a JSON object; load the items of a list one by one")
    return record


def _given(values: dict[str, Any], optional: str) -> dict[str, Any]:
    """Drop the key `optional` from the values if its value is None."""
    return {name: value for name, value in values.items() if name != optional or value is not None}


def _segment_records(explanation: "Explanation") -> list[dict[str, Any]]:
    records = [_given(asdict(segment), "role") for segment in explanation.segments]
    scores, without = explanation.segment_scores, explanation.without_segments
    for record, score, raw in zip(records, scores or (), without or (), strict=bool(scores)):
        record |= {"score": score, "without": _listed(raw)}
    return records


def record_contrast(target: Contrast) -> dict[str, Any]:
    """Convert a contrast to JSON values."""
    return {name: value for name, value in asdict(target).items() if (name, value) != ("normalize", "sum")}


def _answer_outputs(explanation: "Explanation") -> dict[str, Any]:
    """The fields that only the outputs of a language model have."""
    more: dict[str, Any] = {
        "tokens": [asdict(token) for token in explanation.output_tokens] or None,
        "target": _listed(explanation.target_outputs),
        "lengths": _listed(explanation.output_lengths),
    }
    return {name: value for name, value in more.items() if value is not None}


def record_prediction(prediction: Prediction, activation: str) -> dict[str, Any]:
    """Convert a prediction to JSON values."""
    if prediction.label is None:
        return {"label": None, "value": prediction.value}
    labels = {"labels": list(prediction.labels)} if activation == "sigmoid" else {}
    spans = {} if activation != "grouped" else {"spans": [asdict(span) for span in prediction.spans]}
    return {"label": prediction.label, **labels, **spans, "probabilities": dict(prediction.probabilities)}


def _units(explanation: "Explanation") -> list[dict[str, Any]]:
    by_output, without, alone = explanation.scores_by_output, explanation.without, explanation.alone

    def known(row: int) -> Callable[[float], float | None]:
        """Return the function that writes a unit's values: NaN becomes null if a value may not exist."""
        is_open = explanation.output_tokens or (without is not None and any(map(isnan, without[row])))
        return _known if is_open else float

    return [
        {
            **asdict(unit),
            "score": known(row)(score),
            "scores": None if by_output is None else list(map(known(row), by_output[row].tolist())),
            "without": None if without is None else list(map(known(row), without[row])),
            "alone": None if alone is None else list(alone[row]),
            **record_unit(explanation, row),
        }
        for row, (unit, score) in enumerate(zip(explanation.units, explanation.scores, strict=True))
    ]


def _known(score: float) -> float | None:
    """The number, or None for NaN, which JSON does not have."""
    return None if isnan(score) else score


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    units, outputs, target = record["units"], record["outputs"], record["target"]
    without, alone, spans = _rows(units, "without"), _rows(units, "alone"), outputs.get("spans")
    return {
        "segments": _segments(record),
        "without_segments": _without_segments(record),
        "units": tuple(map(_unit, units)),
        "fixed": tuple(Unit(**unit) for unit in record.get("fixed", ())),
        "scores": _numbers(unit["score"] for unit in units),
        "target": target if isinstance(target, str) else Contrast(**target),
        "outputs": tuple(outputs["labels"]),
        "continuation": record.get("continuation"),
        "without_context": _without_context(record.get("without_context")),
        "output_tokens": tuple(OutputToken(**token) for token in outputs.get("tokens") or ()),
        "output_lengths": None if outputs.get("lengths") is None else tuple(outputs["lengths"]),
        "target_outputs": None if outputs.get("target") is None else tuple(outputs["target"]),
        "output_spans": spans if spans is None else tuple(None if span is None else tuple(span) for span in spans),
        "activation": outputs["activation"],
        "task": record.get("task") or _task(outputs["activation"]),
        "pair_scores": None if record.get("pair_scores") is None else tuple(map(_numbers, record["pair_scores"])),
        "gold": record.get("gold"),
        "windows": read_windows(record),
        "whole": _numbers(outputs["whole"]),
        "at_baseline": _numbers(outputs["baseline"]),
        "without": without,
        "alone": alone,
        "by_output": _rows(units, "scores") if without is None and alone is None else None,
        **{name: None if record.get(name) is None else _numbers(record[name]) for name in OPTIONAL},
        "ranking": None if record.get("ranking") is None else tuple(record["ranking"]),
        "sets": read_sets(record.get("sets")),
        "sets_note": record.get("sets_note"),
        "tokens": tuple(TokenInfo(**token) for token in record.get("tokens", ())),
        "features": None if record.get("features") is None else np.array(record["features"], dtype=np.float64),
        "method": _method(record["method"]),
        "model": ModelInfo(**record["model"]),
        "warnings": tuple(record["warnings"]),
        "passes": Passes(**record["passes"]),
        "versions": dict(record["versions"]),
        **{name: record[name] for name in PLAIN},
        "seconds": nan if record["seconds"] is None else record["seconds"],
    }


def _task(activation: str) -> str:
    """The task of an explanation from an earlier version, which did not store it."""
    return "generation" if activation in ("token", "sequence", "sequence_mean") else "classification"


def _without_context(record: Mapping[str, Any] | None) -> WithoutContext | None:
    return None if record is None else WithoutContext(**{**record, "outputs": _numbers(record["outputs"])})


def _unit(record: Mapping[str, Any]) -> Unit:
    is_unknown = bool(record.get("unknown", False))
    return Unit(record["text"], record["start"], record["end"], record.get("segment", 0), is_unknown)


def _method(record: Mapping[str, Any]) -> MethodInfo:
    """The method; its summary is added if the file comes from an earlier version, which did not store it."""
    own = None if record.get("summary") else own_method(record["name"])
    return MethodInfo(**record) if own is None else MethodInfo(**{**record, "summary": own.summary})


def _segments(record: Mapping[str, Any]) -> tuple[SegmentInfo, ...]:
    if record["schema"] > 1:
        names = ("text", "name", "unread", "role")
        return tuple(SegmentInfo(**{name: one[name] for name in names if name in one}) for one in record["segments"])
    text, pair = record["text"], record.get("text_pair")
    if pair is None:
        return (SegmentInfo(text, unread=record["unread"]),)
    return SegmentInfo(text, PAIR[0], record["unread"]), SegmentInfo(pair, PAIR[1], record.get("unread_pair", 0))


def _without_segments(record: Mapping[str, Any]) -> tuple[tuple[float, ...] | None, ...] | None:
    raw = [segment.get("without") for segment in record.get("segments") or ()]
    return None if all(one is None for one in raw) else tuple(None if one is None else _numbers(one) for one in raw)


def _listed(values: Iterable[float] | None) -> list[float] | None:
    return None if values is None else list(values)


def _rows(units: Iterable[Mapping[str, Any]], name: str) -> tuple[tuple[float, ...], ...] | None:
    """The values that all units have under a key; None if the key is missing."""
    rows = [unit[name] for unit in units if unit.get(name) is not None]
    return tuple(map(_numbers, rows)) if rows else None


def _numbers(values: Iterable[float | None]) -> tuple[float, ...]:
    return tuple(nan if value is None else float(value) for value in values)
