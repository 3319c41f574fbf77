"""The view of deciding sets, for all formats: a sentence, and the model's answer after each unit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..results.deciding_sets import DecidingSet, SetStep
from ..results.explanation import Explanation
from . import captions
from .answers import answers_of
from .captions import SetKind
from .numbers import MOST_DECIMALS, decimals


class StepView(NamedTuple):
    """The model's answer after one more unit; `unit` is None before the first step."""

    unit: int | None
    name: str
    number: str
    strength: float  # the length of the bar, 0 to 1
    sentence: str


@dataclass(frozen=True, slots=True)
class SetView:
    """A necessary or sufficient set: a sentence about it, and its steps."""

    kind: SetKind
    sentence: str
    steps: tuple[StepView, ...]

    @property
    def way(self) -> str:
        """The numbers after each step in one line; empty for a single unit, whose sentence says it all."""
        numbers = " → ".join(step.number for step in self.steps)
        return f"{captions.WAYS[self.kind]}: {numbers}" if len(self.steps) > 2 else ""


def set_views(explanation: Explanation, names: Mapping[int, str]) -> tuple[SetView, ...]:
    """The views of the sets that were found; `names` are the names of their units."""
    if explanation.sets is None:
        return ()
    both: dict[SetKind, DecidingSet | None] = {
        "necessary": explanation.sets.necessary,
        "sufficient": explanation.sets.sufficient,
    }
    if len(explanation) == 1:  # the only unit is the whole text
        both["sufficient"] = None
    return tuple(_SetWriter(explanation, names, kind, one).view() for kind, one in both.items() if one)


def set_units(explanation: Explanation) -> tuple[int, ...]:
    """The units of the necessary and the sufficient set."""
    sets = explanation.sets
    both = () if sets is None else filter(None, (sets.necessary, sets.sufficient))
    return tuple(sorted({unit for one in both for unit in one.units}))


class _SetWriter:
    """Writes one set: names, numbers and sentences."""

    def __init__(self, explanation: Explanation, names: Mapping[int, str], kind: SetKind, one: DecidingSet) -> None:
        self.explanation, self.kind, self.one, self.answers = explanation, kind, one, answers_of(explanation)
        self.names, texts = [names[unit] for unit in one.units], [explanation.units[unit].text for unit in one.units]
        self.quoted = [captions.quoted(text, name[len(text) :]) for text, name in zip(texts, self.names, strict=True)]
        self.raw = explanation.whole if kind == "necessary" else explanation.at_baseline  # before the first step
        self.is_value = one.question == "value" or self.answers.decided is None

    def view(self) -> SetView:
        note = captions.set_note(self.one, self.explanation.unit)
        return SetView(self.kind, f"{self._set(len(self.names))}: {self._answer()}{note}.", tuple(self._steps()))

    def _set(self, count: int) -> str:
        return captions.set_named(self.kind, self.quoted[:count], self.explanation.unit)

    def _answer(self) -> str:
        """The answer after the last step."""
        last, unit = self.one.steps[-1], self.explanation.unit
        if self.is_value:
            ends = [self.answers.value(raw) for raw in (self.explanation.whole, self.explanation.at_baseline)]
            whole, after, masked = (self._value(value) for value in (ends[0], last.value, ends[1]))
            if len(self.explanation) == 1:
                return f"{self._scale} {whole} → {after}"
            return f"{self._scale} {captions.set_values(self.kind, whole, after, masked, unit)}"
        label, probability = self.one.label, self.one.label_probability
        if label is None or probability is None:
            label, probability = self.answers.decided, last.probability or 0.0
        return self.answers.prediction_of(self.kind, label, probability)

    def _steps(self) -> Iterator[StepView]:
        start = self._start()
        before = captions.set_start(self.kind, self.explanation.unit)
        yield StepView(None, before, *self._number(start), f"{before}: {self._state(start)}.")
        for count, (name, step) in enumerate(zip(self.names, self.one.steps, strict=True), start=1):
            yield StepView(step.unit, name, *self._number(step), f"{self._set(count)}: {self._state(step)}.")

    def _start(self) -> SetStep:
        label = self.answers.decided
        probability = None if label is None else self.answers.probability(self.raw, label)
        return SetStep(-1, label, self.answers.value(self.raw), probability)

    def _number(self, step: SetStep) -> tuple[str, float]:
        if self.is_value or step.probability is None:
            share = self._share(step)
            return self._value(step.value), min(1.0, max(0.0, 1.0 - share if self.kind == "necessary" else share))
        return f"{step.probability:.1%}", step.probability

    def _state(self, step: SetStep) -> str:
        """The answer after a step: the probability of the decided label, and the predicted label if it differs."""
        label = self.answers.decided
        if self.is_value or step.probability is None:
            return f"{self._scale} {self._value(step.value)}"
        is_other = step.unit >= 0 and step.label not in (None, label)
        other = f" (prediction: {self.answers.name(step.label)})" if is_other else ""
        return f"{self.answers.name(label)} {step.probability:.1%}{other}"

    def _share(self, step: SetStep) -> float:
        """The share of the total change that this step reaches."""
        change = step.value - self.answers.value(self.raw)
        together = self.explanation.together
        return (-change if self.kind == "necessary" else change) / together if together else 0.0

    def _value(self, value: float) -> str:
        """Format a value of the target with as many decimals as the text's values need."""
        ends = (self.explanation.whole, self.explanation.at_baseline)
        return f"{value:.{min(decimals(max(abs(self.answers.value(raw)) for raw in ends)), MOST_DECIMALS)}f}"

    @property
    def _scale(self) -> str:
        return self.explanation.scale.replace("_", "-")
