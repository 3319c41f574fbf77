"""Many texts under many methods, scored and judged: the loop behind `Explainer.evaluate`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .asking import Asked, Wanted, asking, versions
from .engine import Job
from .errors import ArgumentError, UnmaskError
from .evaluation import GREEDY, RANDOM, WORDS, Evaluation, Judged, Kind, Unjudged
from .examining import Examined, Figures, Questions, Scored, examining, plausible, scored
from .examples import Example
from .metrics.faithfulness import Exam
from .metrics.measures import Measure
from .metrics.plausibility import agreed, marked
from .opened import Opened
from .parts import Passes
from .progress import Progress, Report
from .text import Span

SEEDS = 10  # of the random row


@dataclass(frozen=True, slots=True)
class Contender:
    """A method under one baseline, as a row of the table."""

    name: str
    wanted: Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What is judged, and by what."""

    contenders: tuple[Contender, ...]
    wanted: Wanted  # unit, target, scale; its baseline is that of the paper's log-odds
    exam: Exam
    controls: frozenset[str]
    seed: int
    only_correct: bool  # whether plausibility counts texts alone of which the model is right
    given: str  # the name of scores from elsewhere
    reference: str | None
    rationale_length: int | None  # None: as many as people mark on average


@dataclass(slots=True)
class _Text:
    """One example on its way: what is asked, what it was scored and how it was judged."""

    asked: Asked
    gold: int | None
    words: tuple[Span, ...]  # that people agree on
    given: Mapping[str, tuple[float, ...]]  # scores from elsewhere
    scores: dict[str, Scored] = field(default_factory=dict)
    examined: Examined | None = None

    @property
    def ranked(self) -> dict[str, tuple[float, ...]]:
        """All scores by the name of their row."""
        return {name: one.scores for name, one in self.scores.items()} | dict(self.given)


def evaluate(
    opened: Opened, examples: Sequence[Example | UnmaskError], contest: Contest, *, progress: Report | None
) -> Evaluation:
    """Score all texts under all methods, then judge all of it together."""
    failures = list[Unjudged]()
    texts = {
        at: text
        for at, example in enumerate(examples)
        if (text := _read(opened, example, contest, at, failures)) is not None
    }
    if not texts:
        raise ArgumentError(f"no text could be judged: {failures[0].reason if failures else 'there is none'}")
    _score(opened, texts, contest, failures, progress)
    _judge(opened, texts, contest, failures, _after(progress, len(texts) * len(contest.contenders)))
    return _evaluation(opened, len(examples), texts, contest, failures)


def _read(
    opened: Opened, example: Example | UnmaskError, contest: Contest, at: int, failures: list[Unjudged]
) -> _Text | None:
    try:
        if isinstance(example, UnmaskError):
            raise example
        asked = opened.asked(example.request, contest.wanted)
        gold = None if example.label is None else opened.head.index(example.label)
        name = None if gold is None else opened.head.labels[gold]
        words = agreed(example.request.text, example.annotations, gold=name) if example.annotations else ()
        given = {} if example.scores is None else {contest.given: _on_units(example, asked)}
    except UnmaskError as error:
        failures.append(Unjudged(at, None, str(error)))
        return None
    return _Text(asked, gold, words, given)


def _score(
    opened: Opened,
    texts: Mapping[int, _Text],
    contest: Contest,
    failures: list[Unjudged],
    progress: Report | None,
) -> None:
    """All methods' rows of all texts in one run."""
    tasks = [(at, contender) for at in texts for contender in contest.contenders]
    jobs = (
        Job(contender.wanted.subject(texts[at].asked), asking(texts[at].asked, contender.wanted))
        for at, contender in tasks
    )
    for (at, contender), outcome in zip(tasks, opened.engine.run(jobs, progress=progress), strict=True):
        try:
            texts[at].scores[contender.name] = scored(outcome)
        except UnmaskError as error:
            failures.append(Unjudged(at, contender.name, str(error)))


def _judge(
    opened: Opened,
    texts: Mapping[int, _Text],
    contest: Contest,
    failures: list[Unjudged],
    progress: Report | None,
) -> None:
    """All altered texts of all methods in one run; the same one of the same text once."""
    draws = SEEDS if RANDOM in contest.controls else 0
    wants_greedy, wants_fading = GREEDY in contest.controls, WORDS in contest.controls

    def jobs() -> Iterator[Job[Examined]]:
        for text in texts.values():
            questions = Questions(text.gold, contest.seed, draws, wants_greedy, wants_fading)
            examination = examining(text.asked, contest.wanted, list(text.ranked.values()), contest.exam, questions)
            yield Job(contest.wanted.subject(text.asked), examination)

    for (at, text), outcome in zip(texts.items(), opened.engine.run(jobs(), progress=progress), strict=True):
        if outcome.error is not None:
            failures.append(Unjudged(at, None, str(outcome.error)))
        text.examined = outcome.result


def _evaluation(
    opened: Opened, count: int, texts: Mapping[int, _Text], contest: Contest, failures: Sequence[Unjudged]
) -> Evaluation:
    """All figures as one value."""
    length = contest.rationale_length or _rationale_length(list(texts.values()))
    tables = defaultdict[str, _Table](lambda: _Table(count))
    for at, text in texts.items():
        for name, figures in _by_row(text, contest, length):
            tables[name].put(at, figures)
    wanted, exam = contest.wanted, contest.exam
    return Evaluation(
        model=wanted.model,
        protocol=exam.protocol.name,
        function=getattr(opened.adapter, "function", "the model"),
        unit="token with special ones" if opened.every_token else wanted.unit,
        target=str(wanted.target),
        scale=wanted.head.scale(wanted.scale),
        operators=exam.operators,
        top=exam.top,
        curve=exam.curve,
        seed=contest.seed,
        examples=count,
        rows=tuple(_rows(tables, texts, contest)),
        failures=tuple(sorted(failures, key=lambda one: one.example)),
        reference=contest.reference,
        rationale_length=length,
        versions=dict(versions()),
        warnings=tuple(filter(None, dict.fromkeys(one.wanted.baseline.warning for one in contest.contenders))),
    )


class _Table:
    """One row's numbers: not a number where there is none."""

    def __init__(self, count: int) -> None:
        self.values: dict[Measure, Any] = {}
        self._count = count

    def put(self, at: int, figures: Figures) -> None:
        """Take in the figures of one example."""
        for measure, figure in figures.items():
            if measure not in self.values:
                self.values[measure] = np.full((self._count, *np.shape(figure)), np.nan)
            self.values[measure][at] = figure


def _by_row(text: _Text, contest: Contest, length: int | None) -> Iterator[tuple[str, Figures]]:
    """The figures of one text, row by row."""
    if (examined := text.examined) is None:
        return
    is_counted = bool(text.words) and length is not None and _is_right(text, contest)

    def agreeing(scores: Sequence[float]) -> Figures:
        return plausible(text.asked, scores, text.words, length=length or 1) if is_counted else {}

    for (name, scores), judged in zip(text.ranked.items(), examined.judged, strict=True):
        own = text.scores[name].figures() if name in text.scores else {}
        yield name, {**judged, **own, **agreeing(scores)}
    if examined.random:
        drawn = [{**judged, **agreeing(scores)} for judged, scores in zip(examined.random, examined.drawn, strict=True)]
        yield RANDOM, {measure: np.mean([one[measure] for one in drawn], 0) for measure in drawn[0]}
    yield GREEDY, examined.greedy
    yield WORDS, examined.fading


def _rows(tables: Mapping[str, _Table], texts: Mapping[int, _Text], contest: Contest) -> Iterator[Judged]:
    for contender in contest.contenders:
        name = contender.name
        scores = [text.scores[name] for text in texts.values() if name in text.scores]
        forward, backward = (sum(getattr(one.passes, kind) for one in scores) for kind in ("forward", "backward"))
        values = tables[name].values if name in tables else {}
        baseline = _taken_by(contender.wanted)
        seconds = sum(one.seconds for one in scores)
        yield Judged(name, "method", values, baseline, Passes(forward, backward), seconds)
    kinds: dict[str, Kind] = {contest.given: "given", RANDOM: "control", GREEDY: "control", WORDS: "robustness"}
    for name, kind in kinds.items():
        if name in tables and tables[name].values:
            yield Judged(name, kind, tables[name].values)


def _taken_by(wanted: Wanted) -> str | None:
    """By what the method itself takes units away."""
    is_replaced = getattr(wanted.method, "uses_baseline", True)
    return wanted.baseline.name if is_replaced else getattr(wanted.method, "operator", None)


def _rationale_length(texts: Sequence[_Text]) -> int | None:
    """How many units people mark on average, rounded half up: what ERASER lets a method choose."""
    marks = [sum(_truth(text)) for text in texts if text.words]
    return max(1, int(np.floor(np.mean(marks) + 0.5))) if marks else None


def _truth(text: _Text) -> tuple[bool, ...]:
    return marked([group.span for group in text.asked.groups], text.words)


def _is_right(text: _Text, contest: Contest) -> bool:
    """Whether a text counts for plausibility: people marked something that is a unit, and the model is right."""
    examined = text.examined
    is_correct = examined is not None and (text.gold is None or examined.predicted == text.gold)
    return any(_truth(text)) and (is_correct or not contest.only_correct)


def _on_units(example: Example, asked: Asked) -> tuple[float, ...]:
    """Scores of spans as scores of the units that they became; what shares a unit adds up."""
    found = [0.0] * len(asked.groups)
    for span, score in zip(example.request.spans or (), example.scores or (), strict=True):
        place, segment = Span(span[0], span[1]), span[2] if len(span) > 2 else 0
        for at, group in enumerate(asked.groups):
            if group.segment == segment and group.span.overlaps(place):
                found[at] += score
                break
    return tuple(found)


def _after(progress: Report | None, done: int) -> Report | None:
    """The same report of a later part."""
    if progress is None:
        return None
    return lambda found: progress(Progress(done + found.texts, found.rows))
