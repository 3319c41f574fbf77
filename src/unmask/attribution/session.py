"""A model that is open for questions: from texts and settings to what the engine runs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..engine import Engine
from ..errors import ArgumentError, UnmaskError
from ..methods.base import Method
from ..methods.registry import resolve_method
from ..models.adapter import Adapter, Encoded
from ..tasks.targets import Head, TargetName, distinct_names, resolve_target
from ..text.request import Request, TextLike
from ..text.segmentation import check_unit
from ..text.spans import check_text
from ..text.units import AlignedUnit, align_units, select_units
from .attribute import AttributionConfig, PreparedText


class ModelSession:
    """An adapter with its engine, the names of its outputs, and how a text is read.

    Args:
        every_token: Each token is a unit of its own, those that the tokenizer adds too; they keep their own vector.
    """

    def __init__(
        self,
        adapter: Adapter,
        *,
        every_token: bool = False,
        batch_tokens: int | None = None,
        max_length: int | None = None,
        labels: Sequence[str] | None = None,
    ) -> None:
        _check_positive("batch_tokens", batch_tokens)
        _check_positive("max_length", max_length)
        if max_length is not None and adapter.limit is not None and max_length > adapter.limit:
            raise ArgumentError(f"max_length {max_length} is more than this model reads: {adapter.limit} tokens")
        self.adapter = adapter
        self.head = adapter.head if labels is None else _named(adapter.head, labels)
        self.engine = Engine(adapter, batch_tokens=batch_tokens)
        self.batch_tokens, self.max_length, self.every_token = batch_tokens, max_length, every_token

    def with_adapter(self, adapter: Adapter, *, every_token: bool = False) -> "ModelSession":
        """Another function of the same model."""
        labels, limit = list(self.head.labels), self.max_length
        return ModelSession(
            adapter, every_token=every_token, batch_tokens=self.batch_tokens, max_length=limit, labels=labels
        )

    def resolve_config(
        self,
        *,
        method: str | Method = "sig",
        unit: str = "word",
        target: TargetName = "predicted",
        scale: str = "auto",
        baseline: str = "auto",
    ) -> AttributionConfig:
        """The settings, checked before anything runs."""
        check_unit(unit)
        resolve_target(target, scale=scale, head=self.head, whole=np.zeros(len(self.head.labels)))
        found = self.adapter.baseline(baseline)
        return AttributionConfig(
            resolve_method(method),
            unit,
            target,
            scale,
            found,
            self.head,
            self.adapter.model_info(),
            self.adapter.precision,
            self.adapter.vocabulary,
        )

    def try_prepare(self, text: TextLike, config: AttributionConfig) -> PreparedText | UnmaskError:
        """One text ready to be asked about, or why it cannot be."""
        if isinstance(text, UnmaskError):
            return text
        try:
            return self.prepare(text if isinstance(text, Request) else Request(text), config)
        except UnmaskError as error:
            return error

    def prepare(self, request: Request, config: AttributionConfig) -> PreparedText:
        """One text ready to be asked about."""
        for text in request.texts:
            check_text(text)
        chosen = select_units(request.texts, unit=config.unit, spans=request.spans, fixed=request.fixed)
        encoded = self.adapter.encode(*request.texts, max_length=self.max_length)
        target = config.target if request.target is None else request.target
        if self.every_token:
            if request.spans is not None or request.fixed or request.target is not None:
                raise ArgumentError("the protocol 'paper' has units and a target of its own: no spans, none for a text")
            return PreparedText(encoded, chosen, _tokens(encoded), target, _special(encoded))
        return PreparedText(encoded, chosen, align_units(encoded.segments, encoded.tokens, chosen), target)


class Interruptible:
    """Texts up to the first error of their source, which is kept: what was read before it is explained first."""

    def __init__(self, texts: Iterable[TextLike]) -> None:
        self.error: Exception | None = None
        self._texts = texts

    def __iter__(self) -> Iterator[TextLike]:
        try:
            yield from self._texts
        except Exception as error:
            self.error = error


def check_several(texts: Iterable[Any]) -> None:
    """Refuse one text where several were expected."""
    if isinstance(texts, str | Request) or not isinstance(texts, Iterable):
        raise ArgumentError(
            f"several texts were expected, not one {type(texts).__name__}", hint="use explain for one text"
        )


def _tokens(encoded: Encoded) -> tuple[AlignedUnit, ...]:
    return tuple(AlignedUnit(token.span, (at,), token.segment) for at, token in enumerate(encoded.tokens))


def _special(encoded: Encoded) -> frozenset[int]:
    return frozenset(at for at, token in enumerate(encoded.tokens) if token.special)


def _named(head: Head, labels: Sequence[str]) -> Head:
    if isinstance(labels, str) or len(labels) != len(head.labels):
        raise ArgumentError(f"{len(labels)} names for {len(head.labels)} outputs ({head}): there must be one each")
    return Head(distinct_names([str(label) for label in labels]), head.activation)


def _check_positive(name: str, value: int | None) -> None:
    if value is not None and (not isinstance(value, int) or value < 1):
        raise ArgumentError(f"{name} must be a number of at least 1, not {value!r}")
