"""The explanation of a text: a frozen value that records everything its numbers depend on. Needs no torch."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError, SchemaError
from ..tasks.targets import SCALES, Activation, Contrast, Head, OutputSpan, Target, TargetName
from ..text.spans import shorten
from . import answers, schema
from .additivity import Interaction, interaction
from .consistency import check_consistency
from .deciding_sets import NOT_ASKED, OTHER_TARGET, DecidingSets, sets_toward
from .drawable import Drawable
from .metadata import MethodInfo, ModelInfo, OutputToken, Passes, Prediction, SegmentInfo, TokenInfo, Unit
from .unit_table import unit_table
from .windows import Windows

if TYPE_CHECKING:
    from pandas import DataFrame

TOP = 5  # how many units `repr` shows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explanation(Drawable):
    """Which units of a text support the target, and which oppose it.

    `scores` has one number per unit, on `scale`; a positive score supports the target. Four fields hold raw model
    outputs: `whole` for the text, `at_baseline` with all units masked, `without` with each unit masked in turn, and
    `alone` with all other units masked. The last two are None if the method does not need them. `residuals` are the
    known errors of a method that approximates; `standard_errors` are those of a method that samples. `token_scores` and
    `features`, [tokens, width], have one row for each of `tokens`. `sets` are the units that decide the answer;
    `sets_note` says why there are none. `ranking` is the method's own order of the units. `redundancy` is what each
    unit shares with others. Both are None for most methods.
    """

    kind: ClassVar = "explanation"
    segments: tuple[SegmentInfo, ...]
    units: tuple[Unit, ...]
    fixed: tuple[Unit, ...] = ()  # spans that are never masked, widened to whole tokens
    scores: tuple[float, ...]
    target: str | Contrast
    scale: str
    outputs: tuple[str, ...]
    output_spans: tuple[OutputSpan | None, ...] | None = None  # spans of text that the outputs refer to
    output_tokens: tuple[OutputToken, ...] = ()  # the tokens of a language model's answer, one per output
    output_lengths: tuple[int, int] | None = None  # the lengths of two contrasted continuations, in tokens
    target_outputs: tuple[int, ...] | None = None  # indices of the answer's tokens that make up the target
    continuation: str | None = None  # the answer of a language model
    detail: "Explanation | None" = None  # an explanation in smaller units; scores that were not computed are NaN
    without_context: answers.WithoutContext | None = None  # the outputs if all documents are removed from the prompt
    without_segments: tuple[tuple[float, ...] | None, ...] | None = None  # raw outputs with each segment masked
    activation: Activation
    whole: tuple[float, ...]
    at_baseline: tuple[float, ...]
    without: tuple[tuple[float, ...], ...] | None
    alone: tuple[tuple[float, ...], ...] | None = None
    task: str = "classification"  # what the model does
    pair_scores: tuple[tuple[float, ...], ...] | None = None  # for a similarity: what each pair of words adds
    windows: Windows | None = None  # the windows of a text that is longer than the model reads
    gold: str | None = None  # the gold label
    by_output: tuple[tuple[float, ...], ...] | None = None  # scores of all outputs, if raw outputs are missing
    standard_errors: tuple[float, ...] | None = None
    residuals: tuple[float, ...] | None = None
    redundancy: tuple[float, ...] | None = None
    ranking: tuple[int, ...] | None = None  # indices of all units, the most important first
    sets: DecidingSets | None = None
    sets_note: str | None = None
    tokens: tuple[TokenInfo, ...] = ()
    token_scores: tuple[float, ...] | None = None
    features: NDArray[np.float64] | None = None
    method: MethodInfo
    unit: str
    baseline: str
    baseline_token: str | None
    model: ModelInfo
    truncated: bool
    passes: Passes
    seconds: float  # NaN if read from a results folder, which stores no times
    versions: Mapping[str, str]
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the fields are consistent."""
        check_consistency(self)
        self._target  # noqa: B018  raises for an unknown target or scale

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, including the array of features."""
        if not isinstance(other, Explanation):
            return NotImplemented
        return all(answers.is_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self))

    __hash__ = None  # type: ignore[assignment]  # it holds mappings

    def __repr__(self) -> str:
        """The prediction and the top units."""
        label, shares, value = self.prediction.label, self.prediction.probabilities, self.prediction.value
        predicted = f"value {value:.4g}" if label is None else f"{label} {shares[label]:.1%}"
        predicted = predicted if self.continuation is None else repr(shorten(self.continuation))
        top = ", ".join(f"{shorten(unit.text, 20)!r} {score:+.3g}" for unit, score in self.top(TOP))
        more = ", ..." if len(self) > TOP else ""
        return (
            f"<Explanation of {shorten(self.text)!r}: {predicted}\n {self.quantity} by {self.method.name}: {top}{more}>"
        )

    def __len__(self) -> int:
        """The number of units."""
        return len(self.units)

    def __iter__(self) -> Iterator[tuple[Unit, float]]:
        """Every unit with its score."""
        return zip(self.units, self.scores, strict=True)

    @overload
    def __getitem__(self, index: int) -> tuple[Unit, float]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Unit, float], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[Unit, float] | tuple[tuple[Unit, float], ...]:
        """A unit with its score; for a slice, several units with their scores."""
        return tuple(self)[index]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of all segments, indexed by a unit's `segment`."""
        return tuple(segment.text for segment in self.segments)

    @property
    def text(self) -> str:
        """The first text."""
        return self.segments[0].text

    @property
    def text_pair(self) -> str | None:
        """The second text, or None."""
        return self.segments[1].text if len(self.segments) > 1 and self.segments[1].role is None else None

    @property
    def unread(self) -> int:
        """The number of characters truncated from `text`."""
        return self.segments[0].unread

    @property
    def unread_pair(self) -> int:
        """The number of characters truncated from `text_pair`."""
        return self.segments[1].unread if len(self.segments) > 1 else 0

    @property
    def normalized(self) -> tuple[float, ...]:
        """The scores divided by their L2 norm, as in the paper; all zeros stay zeros."""
        norm = float(np.linalg.norm(np.nan_to_num(self.scores)))
        return tuple(score / norm if norm else 0.0 for score in self.scores)

    @property
    def scores_by_output(self) -> NDArray[np.float64] | None:
        """The scores for every output on `scale`, [units, outputs]; None if the method does not provide them.

        For a unit in an answer, the scores for its own and earlier tokens are NaN.
        """
        if self.by_output is not None:
            return np.array(self.by_output)
        if not (sides := self._sides(lambda outputs: self._head.on_scale(outputs, self.scale))):
            return None
        return answers.mask_missing(self, np.asarray(np.mean(sides, 0)))

    @property
    def segment_scores(self) -> tuple[float | None, ...] | None:
        """How much the target drops when all units of a segment are masked; None if not known."""
        return answers.segment_scores(self)

    @property
    def quantity(self) -> str:
        """The explained quantity in words, such as `log-odds of "positive"`."""
        return answers.quantity_of(self)

    @property
    def together(self) -> float:
        """The target's value for the text minus its value with all units masked."""
        return float(self._target(np.array(self.whole)) - self._target(np.array(self.at_baseline)))

    @property
    def delta(self) -> float:
        """The sum of the scores minus `together`; an error only for methods whose scores should add up to it."""
        return float(np.nansum(self.scores)) - self.together

    @property
    def interaction(self) -> Interaction | None:
        """How the units interact; None if the method does not mask one unit at a time."""
        if self.without is None or any(score != score for score in self.scores):  # NaN: not every score is known
            return None
        lost = self.scores if self.alone is None else self._sides(self._target)[0].tolist()
        return interaction(
            lost,
            self.together,
            unit=self.unit,
            negligible=SCALES[self.scale].negligible,
            is_one_decisive=answers.is_one_decisive(self),
            is_one_enough=self.sets is not None and self.sets.is_one_enough,
        )

    @property
    def window_scores(self) -> tuple[float, ...] | None:
        """Each unit's score in the window where it is most central; None for a text that needs no windows."""
        return None if self.windows is None else self.windows.scores(self._target)

    @property
    def prediction(self) -> Prediction:
        """The prediction for the whole text."""
        return answers.prediction_of(self)

    @property
    def is_correct(self) -> bool | None:
        """Whether the most probable label is the gold label; None without a gold label among the outputs."""
        is_known = self.gold in self.outputs and self.activation != "none"
        return self.prediction.label == self.gold if is_known else None

    def top(self, k: int) -> tuple[tuple[Unit, float], ...]:
        """The k most important units with their scores, by the method's own ranking or else by absolute score."""
        order = self.ranking or sorted(range(len(self)), key=lambda at: -abs(np.nan_to_num(self.scores[at])))
        return tuple(self[at] for at in order[:k])

    def toward(self, target: TargetName, scale: str | None = None) -> Self:
        """The explanation for another label, contrast or scale, computed without running the model again.

        For an answer, the target is a phrase, character offsets (start, end), or the index of a token. Sets that decide
        the predicted label are kept if the new target is also a label (in a multi-label model, the same label). Other
        sets are dropped.
        """
        goal = self._head.resolve(target, scale=scale or self.scale, whole=np.array(self.whole))
        outputs = goal.outputs or None
        if (goal.name, goal.scale, outputs) == (self.target, self.scale, self.target_outputs):
            return self
        scores, sides = answers.scores_toward(self, self._seen_for(goal), outputs), self._sides(goal)
        shared = tuple(map(float, (sides[1] - sides[0]) / 2)) if len(sides) > 1 else None
        changes: dict[str, Any] = {"scores": scores, "standard_errors": None, "redundancy": shared, "ranking": None}
        changes |= {"target_outputs": outputs, "without_context": answers.context_toward(self, goal)}
        changes["detail"] = self.detail and self.detail.toward(target, scale)
        if self.sets is not None or (self.target == "max" and self.sets_note != NOT_ASKED):
            sets = self.sets and sets_toward(self.sets, self._target, goal)
            is_whole = sets is not None and len(sets) == len(self.sets or ())
            changes |= {"sets": sets, "sets_note": self.sets_note if is_whole else OTHER_TARGET}
        return replace(self, target=goal.name, scale=goal.scale, **changes)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values."""
        return schema.record(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Restore an explanation from `to_dict`."""
        try:
            inner = record.get("detail")
            return cls(**schema.fields(record), detail=None if inner is None else cls.from_dict(inner))
        except ArgumentError as error:
            raise SchemaError(f"this explanation contradicts itself: {error}") from error

    def to_pandas(self) -> "DataFrame":
        """A table of the units: text, position, score, normalized score, and score for every output. Needs pandas."""
        return unit_table(self)

    def widget(self) -> Any:
        """A notebook widget in which you can mask words; `Explainer.widget` also runs the model. Needs anywidget."""
        from ..web.widget import ExplanationWidget

        return ExplanationWidget.of(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load an explanation that `save` wrote as JSON."""
        return cls.from_dict(schema.load(path, what="an explanation"))

    @property
    def _head(self) -> Head:
        return answers.head_of(self)

    @property
    def _target(self) -> Target:
        return answers.target_of(self)

    def _sides(self, read: Callable[[Any], NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        """Up to two arrays, if known: the loss when each unit is masked, and the gain when each unit alone is shown."""
        lost = [] if self.without is None else [read(np.array(self.whole)) - read(np.array(self.without))]
        return lost + ([] if self.alone is None else [read(np.array(self.alone)) - read(np.array(self.at_baseline))])

    def _seen_for(self, goal: Target) -> NDArray[np.float64]:
        """The scores for another target, [units]."""
        if sides := self._sides(goal):
            return np.asarray(np.mean(sides, 0))
        is_label = goal.index is not None and goal.against is None
        if self.by_output is not None and (is_label or goal.outputs) and goal.scale == self.scale:
            chosen = [goal.index] if goal.index is not None else list(goal.outputs)
            return np.asarray(np.nansum(np.array(self.by_output)[:, chosen], axis=1))
        what = "scores for labels on this scale" if self.by_output is not None else "scores for its own target"
        again = f"explain again with target={goal.name!r}, scale={goal.scale!r}"
        raise ArgumentError(f"method {self.method.name!r} only gives {what}; {again}")
