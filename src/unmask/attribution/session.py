"""A loaded model: prepares texts, resolves settings and yields explanations in order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar, cast

import numpy as np

from ..engine import Engine, Job, JobGroup
from ..errors import ArgumentError, TextError, UnmaskError, brief
from ..methods.base import Method
from ..methods.registry import resolve_method
from ..models.adapter import Adapter, Encoded
from ..models.generative import GenerativeAdapter
from ..models.precision import precision_warning
from ..questions import Scores
from ..results.deciding_sets import NOT_ASKED
from ..tasks.answer_targets import NEXT, AnswerHead
from ..tasks.generation import Generation
from ..tasks.targets import Contrast, Head, TargetName, distinct_names, resolve_target
from ..tasks.task import SplittingTask
from ..text.request import Request, TextLike, as_request
from ..text.segmentation import check_unit
from ..text.spans import check_text
from ..text.units import AlignedUnit, UnitSelection, align_units, select_units
from .answer_generator import AnswerGenerator
from .answers import resolve_answers
from .attribute import AttributionConfig, PreparedText, attribution_job
from .deciding_sets import SPLIT, check_sets
from .detail import detail_job, with_words
from .filling import with_fillings
from .generation import combine_contrast, contrasted, prepare_generation
from .method_support import check_method
from .segments import prepare_request
from .settings import Options, Settings
from .windows import Long, check_long, read_in_windows

__all__ = ["Given", "ModelSession", "Options", "Settings", "check_several", "until_error"]
Given = TypeVar("Given", bound=TextLike)


class ModelSession:
    """An adapter with its engine, the names of its outputs, and the settings for reading texts."""

    def __init__(
        self,
        adapter: Adapter,
        *,
        batch_tokens: int | Literal["auto"] | None = None,
        max_length: int | None = None,
        labels: Sequence[str] | None = None,
    ) -> None:
        counts = {"batch_tokens": None if batch_tokens == "auto" else batch_tokens, "max_length": max_length}
        for name, value in counts.items():
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ArgumentError(f"{name} must be a number of at least 1, not {value!r}")
        if max_length is not None and adapter.limit is not None and max_length > adapter.limit:
            raise ArgumentError(f"max_length {max_length} exceeds this model's limit of {adapter.limit} tokens")
        self.adapter = adapter
        self.labels = labels
        self._shared_head = None if adapter.task.head is None else self._named(adapter.task.head)
        self.engine = Engine(adapter, batch_tokens=batch_tokens)
        self.batch_tokens, self.max_length = batch_tokens, max_length
        self.generate_answer = AnswerGenerator(self.generative)

    @property
    def head(self) -> Head:
        """The meaning of the outputs, if it is the same for every text."""
        if self._shared_head is None:
            raise ArgumentError(f"the outputs of the task {self.adapter.task.name!r} differ from text to text")
        return self._shared_head

    @property
    def text_heads(self) -> Head:
        """A head that fits every text; it has no labels if they differ from text to text."""
        if self.is_generative:
            return AnswerHead((), "token")
        activation = self.adapter.task.activation
        return self.head if activation is None else Head((), activation)

    def resolve_config(
        self,
        *,
        method: str | Method = "sig",
        unit: str = "word",
        target: TargetName = "predicted",
        scale: str = "auto",
        baseline: str = "auto",
        sets: str | int = "none",
        seed: int | None = None,
        long: Long = "cut",
        normalize: Literal["sum", "mean"] | None = None,
        **answers: Any,
    ) -> AttributionConfig:
        """Check and resolve the settings before anything runs."""
        check_unit(unit)
        given = answers if normalize is None else {**answers, "normalize": normalize}
        given = given | {"seed": seed} if seed is not None and self.is_generative else given
        answer_config = resolve_answers(given, self.adapter.task)
        if target == NEXT and "max_new_tokens" in answers and self.is_generative:
            raise ArgumentError("target='next' explains one token; remove max_new_tokens")
        if normalize is not None and isinstance(target, Contrast):
            target = replace(target, normalize=normalize)
        if (head := self._shared_head) is not None:
            resolve_target(target, scale=scale, head=head, whole=np.zeros(len(head.labels)))
        resolved, used = resolve_method(method, seed=seed), self.adapter.baseline(baseline)
        check_method(resolved, used, task=self.adapter.task)
        return AttributionConfig(
            resolved,
            unit,
            target,
            scale,
            used,
            self.adapter.model_info(),
            self.adapter.precision,
            self.adapter.vocabulary,
            self.adapter.task.name,
            precision_warning(self.adapter),
            check_sets(sets),
            answer_config,
            check_long(long, method=resolved, task=self.adapter.task),
        )

    @property
    def is_generative(self) -> bool:
        """Whether the model continues texts."""
        return isinstance(self.adapter.task, Generation)

    @property
    def generative(self) -> GenerativeAdapter:
        """The adapter of a language model."""
        return cast(GenerativeAdapter, self.adapter)

    def try_prepare(self, text: TextLike, config: AttributionConfig) -> PreparedText | UnmaskError:
        """Prepare a text, or return the error if that fails."""
        if isinstance(text, UnmaskError):
            return text
        try:
            return self.prepare(as_request(text), config)
        except UnmaskError as error:
            return error

    def prepare(self, request: Request, config: AttributionConfig) -> PreparedText:
        """Prepare a text for the engine."""
        for text in request.texts:
            check_text(text)
        if self.is_generative:
            return prepare_generation(self, request, config)
        if any(segment.role is not None for segment in request.segments):
            raise TextError("a chat needs a language model; this model reads one text or a pair")
        request = prepare_request(self.adapter, request)
        has_levels = config.answers.detail is not None
        selection, task = select_units(request, unit="sentence" if has_levels else config.unit), self.adapter.task
        encoded = self.adapter.encode(*request.texts, max_length=self.max_length).named(request.names)
        windows: tuple[Encoded, ...] = ()
        if config.long == "windows" and encoded.is_cut:
            encoded, windows = read_in_windows(self.adapter, request, encoded, limit=self.max_length)
        groups, own_baseline = self.units(request, selection, encoded)
        prepared = PreparedText(
            encoded=encoded,
            baseline=config.baseline,
            readout=task.readout(encoded),
            own_baseline=own_baseline,
            windows=windows,
            selection=selection,
            groups=groups,
            target=config.target if request.target is None else request.target,
            head=self._shared_head or self._named(task.text_head(encoded)),
            label=request.label,
        )
        prepared = with_fillings(self.adapter, prepared)
        return with_words(prepared, config) if has_levels else prepared

    def prepare_units(self, request: Request, config: AttributionConfig) -> PreparedText:
        """Prepare a text to find its units; an answer is generated only if its tokens are units too."""
        if config.answers.attribute_to == "all":
            return self.prepare(request, config)
        with self.generate_answer.skipped():
            return self.prepare(request, config)

    def job(
        self, request: Request, prepared: PreparedText, config: AttributionConfig
    ) -> Job[Scores] | JobGroup[Scores] | UnmaskError:
        """Create the job that scores a text (a group of jobs if the task splits the request), or return an error."""
        task = self.adapter.task
        try:
            if prepared.detail is not None:
                return detail_job(prepared, config)
            parts = task.split(request, prepared.groups) if isinstance(task, SplittingTask) else None
            if prepared.answer_lengths is not None and isinstance(prepared.target, Contrast):
                parts = contrasted(request, prepared.target), combine_contrast(prepared)
            if parts is None:
                return attribution_job(prepared, config)
            requests, combine = parts
            scoring = replace(config, sets="none")
            jobs = [attribution_job(self.prepare(one, scoring), scoring) for one in requests]
            note = NOT_ASKED if config.sets == "none" else SPLIT
            return JobGroup(jobs, lambda scores: replace(combine(scores), sets_note=note))
        except UnmaskError as error:
            return error

    def units(
        self, request: Request, selection: UnitSelection, encoded: Encoded
    ) -> tuple[tuple[AlignedUnit, ...], frozenset[int]]:
        """Return the units of a text, and the tokens whose baseline is their own embedding. Studies override this."""
        return align_units(encoded.segments, encoded.tokens, selection), frozenset()

    def unit_name(self, unit: str) -> str:
        """The name of the units in stored results."""
        return unit

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the adapter and the token budget; a copy keeps that budget, so its results do not depend on timing."""
        options: Any = {"batch_tokens": self.engine.first_tokens, "max_length": self.max_length, "labels": self.labels}
        return partial(type(self), **options), (self.adapter,)

    def _named(self, head: Head) -> Head:
        """Return the head with the given output names."""
        labels = self.labels
        if labels is None:
            return head
        if not isinstance(labels, Sequence):
            raise ArgumentError(f"labels must be a list of names, not {brief(labels)}")
        if isinstance(labels, str) or len(labels) != len(head.labels):
            raise ArgumentError(f"{len(labels)} labels for {len(head.labels)} outputs ({head}); give one per output")
        return replace(head, labels=distinct_names([str(label) for label in labels]))


def until_error(texts: Iterable[Given], errors: list[Exception]) -> Iterator[Given]:
    """Yield texts until their source raises; append the error to `errors`, to be raised when these texts are done."""
    try:
        yield from texts
    except Exception as error:
        errors.append(error)


def check_several(texts: Iterable[Any]) -> None:
    """Reject a single text where several are expected."""
    if isinstance(texts, str | Request) or not isinstance(texts, Iterable):
        raise ArgumentError(f"expected several texts, not one {type(texts).__name__}", hint="use explain for one text")
