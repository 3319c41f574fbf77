"""What a stored result is known by: a digest of all that can change its numbers, and of nothing else.

The digest is made in one way only, from plain values that a plan gives and that a store keeps: not from a batch size, a
device or a place in a plan.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..methods.base import Method, settings
from ..metrics.plausibility import Annotation
from ..text.request import Request

SCHEMA = 1  # of what is digested, and of the numbers: raised when a number would come out otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedFunction:
    """What is explained: a model's content, how it is run, and how a text is read."""

    model: str  # the hash of weights, configuration and tokenizer
    dtype: str
    function: str  # the model, or the model embedded twice
    labels: tuple[str, ...]
    unit: str
    max_length: int | None  # tokens that are read, also where the model alone bounds them


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreQuery:
    """What scores are asked for."""

    function: ExplainedFunction
    method: str
    settings: Mapping[str, Any]
    target: str | int  # a label, or the place of an output: 1 and "1" are two things
    scale: str
    baseline: str | None  # None of a control
    baseline_id: int | None


def scores_digest(asked: ScoreQuery) -> bytes:
    """Of the scores of every text that is asked about in this way."""
    return _digest("scores", _plain(asked))


def judgments_digest(scores: bytes, protocol: str, operator: str, **more: Any) -> bytes:
    """Of what is said about these scores, by one operator."""
    return _digest("judgments", scores.hex(), protocol, operator, more)


def text_digest(request: Request) -> bytes:
    """Of a text, its pair, its own spans and what is fixed in it."""
    spans = None if request.spans is None else [list(span) for span in request.spans]
    fixed = [list(span) for span in request.fixed]
    return _digest("text", request.text, request.text_pair, spans, fixed, _typed(request.target), *request.texts[2:])


def labelled_digest(text: bytes, label: str | int) -> bytes:
    """Of a text with its gold label: where accuracy counts."""
    return _digest("labelled", text.hex(), _typed(label))


def marked_digest(labelled: bytes, annotations: Sequence[Annotation]) -> bytes:
    """Of a text with its gold label and people's marks: where agreement with them counts."""
    return _digest("marked", labelled.hex(), [[list(map(int, one.mask)), one.label] for one in annotations])


def method_settings(method: Method) -> dict[str, Any]:
    """A method's settings as a digest takes them."""
    return settings(method)


def _typed(value: Any) -> list[str]:
    """A value that is not another one which is written alike: 1 is a place, and "1" may be a label."""
    return [type(value).__name__, str(value)]


def _plain(value: Any) -> Any:
    if isinstance(value, ScoreQuery | ExplainedFunction):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value


def _digest(*parts: Any) -> bytes:
    content = json.dumps([SCHEMA, *parts], sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(content.encode()).digest()[:16]
