"""Explanations as JSON: one integer, `schema`, says which shape; a newer one is refused, an older one read.

Schema 2 added `segments` and `outputs.spans`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SchemaError
from ..methods.registry import own_method
from ..tasks.targets import Contrast
from .metadata import MethodInfo, ModelInfo, Passes, SegmentInfo, TokenInfo, Unit

if TYPE_CHECKING:
    from .explanation import Explanation

SCHEMA = 2
PLAIN = ("scale", "unit", "baseline", "baseline_token", "truncated", "seconds")  # read as they are
OPTIONAL = ("standard_errors", "residuals", "token_scores")  # numbers that a method may not give
PAIR = ("first text", "second text")  # names of the segments of a pair, which schema 1 does not have


def record(explanation: "Explanation") -> dict[str, Any]:
    """The explanation as plain JSON values; what can be derived from the rest is there too, for other readers."""
    target = explanation.target
    return {
        "schema": SCHEMA,
        "text": explanation.text,
        "text_pair": explanation.text_pair,
        "segments": [asdict(segment) for segment in explanation.segments],
        "prediction": _prediction(explanation),
        "target": asdict(target) if isinstance(target, Contrast) else target,
        "scale": explanation.scale,
        "unit": explanation.unit,
        "units": _units(explanation),
        "fixed": [asdict(unit) for unit in explanation.fixed],
        "together": explanation.together,
        "interaction": None if explanation.interaction is None else asdict(explanation.interaction),
        "outputs": {
            "labels": list(explanation.outputs),
            "spans": None if explanation.output_spans is None else [_listed(span) for span in explanation.output_spans],
            "activation": explanation.activation,
            "whole": list(explanation.whole),
            "baseline": list(explanation.at_baseline),
        },
        "residuals": _listed(explanation.residuals),
        "standard_errors": _listed(explanation.standard_errors),
        "tokens": [asdict(token) for token in explanation.tokens],
        "token_scores": _listed(explanation.token_scores),
        "features": None if explanation.features is None else explanation.features.tolist(),
        "method": asdict(explanation.method),
        "baseline": explanation.baseline,
        "baseline_token": explanation.baseline_token,
        "model": asdict(explanation.model),
        "truncated": explanation.truncated,
        "unread": explanation.unread,
        "unread_pair": explanation.unread_pair,
        "warnings": list(explanation.warnings),
        "passes": asdict(explanation.passes),
        "seconds": explanation.seconds,
        "versions": dict(explanation.versions),
    }


def fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """What `Explanation(...)` takes, read from such a record."""
    schema = record.get("schema")
    if type(schema) is not int:  # not True either
        raise SchemaError("this is not an explanation: it has no integer 'schema'")
    if schema > SCHEMA:
        raise SchemaError(
            f"this explanation has schema {schema} and this version of unmask reads up to {SCHEMA}",
            hint="install a newer unmask",
        )
    try:
        return _fields(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SchemaError(f"this is not a whole explanation: {type(error).__name__} at {error}") from error


def parsed(content: bytes, *, what: str = "an explanation") -> Mapping[str, Any]:
    """The record in a file's content."""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"this is not {what}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise SchemaError(f"this is not {what}: a JSON object was expected; load each item of a list by itself")
    return record


def _prediction(explanation: "Explanation") -> dict[str, Any]:
    prediction = explanation.prediction
    if prediction.label is None:
        return {"label": None, "value": prediction.value}
    labels = {"labels": list(prediction.labels)} if explanation.activation == "sigmoid" else {}
    return {"label": prediction.label, **labels, "probabilities": dict(prediction.probabilities)}


def _units(explanation: "Explanation") -> list[dict[str, Any]]:
    by_output, without, alone = explanation.scores_by_output, explanation.without, explanation.alone
    return [
        {
            **asdict(unit),
            "score": score,
            "scores": None if by_output is None else by_output[row].tolist(),
            "without": None if without is None else list(without[row]),
            "alone": None if alone is None else list(alone[row]),
        }
        for row, (unit, score) in enumerate(zip(explanation.units, explanation.scores, strict=True))
    ]


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    units, outputs, target = record["units"], record["outputs"], record["target"]
    without, alone, spans = _rows(units, "without"), _rows(units, "alone"), outputs.get("spans")
    return {
        "segments": _segments(record),
        "units": tuple(Unit(unit["text"], unit["start"], unit["end"], unit.get("segment", 0)) for unit in units),
        "fixed": tuple(Unit(**unit) for unit in record.get("fixed", ())),
        "scores": _numbers(unit["score"] for unit in units),
        "target": target if isinstance(target, str) else Contrast(**target),
        "outputs": tuple(outputs["labels"]),
        "output_spans": spans if spans is None else tuple(None if span is None else tuple(span) for span in spans),
        "activation": outputs["activation"],
        "whole": _numbers(outputs["whole"]),
        "at_baseline": _numbers(outputs["baseline"]),
        "without": without,
        "alone": alone,
        "by_output": _rows(units, "scores") if without is None and alone is None else None,
        **{name: None if record.get(name) is None else _numbers(record[name]) for name in OPTIONAL},
        "tokens": tuple(TokenInfo(**token) for token in record.get("tokens", ())),
        "features": None if record.get("features") is None else np.array(record["features"], dtype=np.float64),
        "method": _method(record["method"]),
        "model": ModelInfo(**record["model"]),
        "warnings": tuple(record["warnings"]),
        "passes": Passes(**record["passes"]),
        "versions": dict(record["versions"]),
        **{name: record[name] for name in PLAIN},
    }


def _method(record: Mapping[str, Any]) -> MethodInfo:
    """The method; files of earlier versions do not say what its scores mean."""
    own = None if record.get("summary") else own_method(record["name"])
    return MethodInfo(**record) if own is None else MethodInfo(**{**record, "summary": own.summary})


def _segments(record: Mapping[str, Any]) -> tuple[SegmentInfo, ...]:
    if record["schema"] > 1:
        return tuple(SegmentInfo(**segment) for segment in record["segments"])
    text, pair = record["text"], record.get("text_pair")
    if pair is None:
        return (SegmentInfo(text, unread=record["unread"]),)
    return SegmentInfo(text, PAIR[0], record["unread"]), SegmentInfo(pair, PAIR[1], record.get("unread_pair", 0))


def _listed(values: Iterable[float] | None) -> list[float] | None:
    return None if values is None else list(values)


def _rows(units: Iterable[Mapping[str, Any]], name: str) -> tuple[tuple[float, ...], ...] | None:
    """What every unit has under that name; None where it is not there."""
    rows = [unit[name] for unit in units if unit.get(name) is not None]
    return tuple(map(_numbers, rows)) if rows else None


def _numbers(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, values))
