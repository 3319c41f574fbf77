"""A loaded model: from texts and settings to what the engine runs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from ..engine import Engine
from ..errors import ArgumentError, UnmaskError
from ..methods.base import Method
from ..methods.registry import resolve_method
from ..models.adapter import Adapter
from ..tasks.targets import Head, TargetName, distinct_names, resolve_target
from ..text.request import Request, TextLike
from ..text.segmentation import check_unit
from ..text.spans import check_text
from ..text.units import AlignedUnit, align_units, select_units
from .attribute import AttributionConfig, PreparedText


class Options(TypedDict, total=False):
    """What every way to an Explainer takes.

    `batch_tokens`: the token budget of a batch. `max_length`: read fewer tokens of a text than the model could.
    `labels`: names for the outputs, where the model has only LABEL_0.
    """

    batch_tokens: int | None
    max_length: int | None
    labels: Sequence[str] | None


class Settings(TypedDict, total=False):
    """The settings of an explanation; see the README for the values of each.

    `method`: a name or a method object. `unit`: what moves as a whole. `target`: what is explained. `scale`: in which
    measure. `baseline`: what a unit is replaced by.
    """

    method: str | Method
    unit: str
    target: TargetName
    scale: str
    baseline: str


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
        for name, value in (("batch_tokens", batch_tokens), ("max_length", max_length)):
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ArgumentError(f"{name} must be a number of at least 1, not {value!r}")
        if max_length is not None and adapter.limit is not None and max_length > adapter.limit:
            raise ArgumentError(f"max_length {max_length} is more than this model reads: {adapter.limit} tokens")
        self.adapter = adapter
        self._labels = labels
        self._shared_head = None if adapter.task.head is None else self._named(adapter.task.head)
        self.engine = Engine(adapter, batch_tokens=batch_tokens)
        self.batch_tokens, self.max_length, self.every_token = batch_tokens, max_length, every_token

    @property
    def head(self) -> Head:
        """What the outputs stand for, in every text."""
        if self._shared_head is None:
            raise ArgumentError(f"the outputs of the task {self.adapter.task.name!r} differ from text to text")
        return self._shared_head

    def with_adapter(self, adapter: Adapter, *, every_token: bool = False) -> "ModelSession":
        """Another function of the same model."""
        options = Options(batch_tokens=self.batch_tokens, max_length=self.max_length, labels=self.head.labels)
        return ModelSession(adapter, every_token=every_token, **options)

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
        if (head := self._shared_head) is not None:
            resolve_target(target, scale=scale, head=head, whole=np.zeros(len(head.labels)))
        return AttributionConfig(
            resolve_method(method),
            unit,
            target,
            scale,
            self.adapter.baseline(baseline),
            self.adapter.model_info(),
            self.adapter.precision,
            self.adapter.vocabulary,
        )

    def try_prepare(self, text: TextLike, config: AttributionConfig) -> PreparedText | UnmaskError:
        """One text ready to run, or why it cannot be."""
        if isinstance(text, UnmaskError):
            return text
        try:
            return self.prepare(text if isinstance(text, Request) else Request(text), config)
        except UnmaskError as error:
            return error

    def prepare(self, request: Request, config: AttributionConfig) -> PreparedText:
        """One text ready to run."""
        for text in request.texts:
            check_text(text)
        selection, task = select_units(request, unit=config.unit), self.adapter.task
        encoded = self.adapter.encode(*request.texts, max_length=self.max_length).named(request.names)
        if self.every_token:
            if request.spans is not None or request.fixed or request.target is not None:
                raise ArgumentError("the protocol 'paper' has units and a target of its own: no spans, none for a text")
            tokens = list(enumerate(encoded.tokens))
            groups = tuple(AlignedUnit(token.span, (at,), token.segment) for at, token in tokens)
            own_baseline = frozenset(at for at, token in tokens if token.special)
        else:
            groups, own_baseline = align_units(encoded.segments, encoded.tokens, selection), frozenset()
        return PreparedText(
            encoded=encoded,
            baseline=config.baseline,
            readout=task.readout(encoded),
            own_baseline=own_baseline,
            selection=selection,
            groups=groups,
            target=config.target if request.target is None else request.target,
            head=self._shared_head or self._named(task.text_head(encoded)),
        )

    def _named(self, head: Head) -> Head:
        """The head with the names that were given for its outputs."""
        labels = self._labels
        if labels is None:
            return head
        if isinstance(labels, str) or len(labels) != len(head.labels):
            raise ArgumentError(f"{len(labels)} names for {len(head.labels)} outputs ({head}): there must be one each")
        return replace(head, labels=distinct_names([str(label) for label in labels]))
