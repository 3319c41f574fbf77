"""Many texts under many methods, scored and judged: the loop behind `Explainer.evaluate`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..attribution.attribute import AttributionConfig, attribution_job, versions
from ..attribution.session import ModelSession
from ..engine import Job
from ..errors import ArgumentError, UnmaskError
from ..metrics.faithfulness import SEEDS, FaithfulnessConfig
from ..metrics.plausibility import mean_length, plausibility_figures
from ..metrics.registry import Figures, Measure, average, error_figures
from ..progress import Progress, Report
from ..results.evaluation import Evaluation
from ..results.metadata import Passes
from ..results.rows import GREEDY, RANDOM, WORDS, EvaluationRow, Kind, RowFailure
from .alignment import AlignedExample, align_example
from .examples import Example, UnreadError
from .text_metrics import MethodScores, MetricQuestions, TextMetrics, evaluate_text, method_scores, rationale_units


@dataclass(frozen=True, slots=True)
class EvaluatedMethod:
    """A method under one baseline, as a row of the table."""

    name: str
    config: AttributionConfig

    @property
    def taken_by(self) -> str | None:
        """By what the method itself takes units away."""
        return self.config.method.removes_by(self.config.baseline.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """What is judged, and by what."""

    contenders: tuple[EvaluatedMethod, ...]
    config: AttributionConfig  # unit, target, scale; its baseline is that of the paper's log-odds
    baselines: tuple[str, ...]
    exam: FaithfulnessConfig
    controls: frozenset[str]
    seed: int
    plausibility: str  # `correct`: of texts that the model gets right; or `all`
    given: str  # the name of scores from elsewhere
    reference: str | None
    rationale_length: int | None  # None: as many as people mark on average
    notes: tuple[str, ...] = ()


def evaluate(
    session: ModelSession,
    examples: Sequence[Example | UnmaskError],
    contest: EvaluationConfig,
    *,
    progress: Report | None,
) -> Evaluation:
    """Score all texts under all methods, then judge all of it together; a text that stands twice is run once."""
    board = _Board(len(examples), [one.place if isinstance(one, Example | UnreadError) else None for one in examples])
    texts: dict[AlignedExample, list[int]] = {}  # and where each stands
    for at, example in enumerate(examples):
        try:
            texts.setdefault(align_example(session, example, contest.config), []).append(at)
        except UnmaskError as error:
            board.fail(None, [at], error)
    if not texts:
        raise ArgumentError(f"no text could be judged: {board.first}")
    length = contest.rationale_length or _rationale_length(texts)
    scores = _score(session, texts, contest, board, progress)
    later = _after(progress, len(texts) * len(contest.contenders))
    _judge(session, texts, scores, contest, board, length=length, progress=later)
    if not board.tables:
        raise ArgumentError(f"no text could be judged: {board.first}")
    return _evaluation(session, texts, contest, board, length)


FREE = Passes(0), 0.0, 0


@dataclass(slots=True)
class _Board:
    """What is found, row by row, as it is found."""

    examples: int
    found_at: Sequence[str | None]  # each example
    failures: list[RowFailure] = field(default_factory=list)
    tables: dict[str, dict[Measure, Any]] = field(default_factory=dict)  # not a number where there is none
    costs: dict[str, tuple[Passes, float, int]] = field(default_factory=dict)  # passes, seconds, of so many texts

    @property
    def first(self) -> str:
        """Why the first text could not be judged, and where it stands if that is known."""
        if not self.failures:
            return "none is there"
        failure = self.failures[0]
        return failure.reason if failure.place is None else f"{failure.place}: {failure.reason}"

    def put(self, row: str, places: Sequence[int], figures: Figures) -> None:
        """Take in a text's figures, wherever it stands."""
        table = self.tables.setdefault(row, {})
        for measure, figure in figures.items():
            if measure not in table:
                table[measure] = np.full((self.examples, *np.shape(figure)), np.nan)
            table[measure][list(places)] = figure

    def fail(self, row: str | None, places: Sequence[int], error: Exception) -> None:
        """Note that a text could not be judged, wherever it stands."""
        self.failures += [RowFailure(at, row, str(error), self.found_at[at]) for at in places]

    def cost(self, row: str, found: MethodScores) -> None:
        """Add what a method took for one text."""
        passes, seconds, texts = self.costs.get(row, FREE)
        total = Passes(passes.forward + found.passes.forward, passes.backward + found.passes.backward)
        self.costs[row] = (total, seconds + found.seconds, texts + 1)


def _score(
    session: ModelSession,
    texts: Mapping[AlignedExample, list[int]],
    contest: EvaluationConfig,
    board: _Board,
    progress: Report | None,
) -> dict[AlignedExample, dict[str, tuple[float, ...]]]:
    """All methods' scores of all texts, in one run."""
    tasks = [(text, contender) for text in texts for contender in contest.contenders]
    jobs = (attribution_job(text.prepared, one.config) for text, one in tasks)
    found: dict[AlignedExample, dict[str, tuple[float, ...]]] = {text: {} for text in texts}
    for (text, contender), outcome in zip(tasks, session.engine.run(jobs, progress=progress), strict=True):
        try:
            one = method_scores(outcome)
        except UnmaskError as error:
            board.fail(contender.name, texts[text], error)
            continue
        found[text][contender.name] = one.scores
        board.put(contender.name, texts[text], error_figures(one.delta, one.residual))
        board.cost(contender.name, one)
    for text, scores in found.items():
        if text.given is not None:
            scores[contest.given] = text.given
    return found


def _judge(
    session: ModelSession,
    texts: Mapping[AlignedExample, list[int]],
    scores: Mapping[AlignedExample, Mapping[str, tuple[float, ...]]],
    contest: EvaluationConfig,
    board: _Board,
    *,
    length: int | None,
    progress: Report | None,
) -> None:
    """All altered texts of all rows in one run; the same one of the same text once."""
    draws, controls = SEEDS if RANDOM in contest.controls else 0, contest.controls

    def jobs() -> Iterator[Job[TextMetrics]]:
        for text in texts:
            questions = MetricQuestions(text.gold, contest.seed, draws, GREEDY in controls, WORDS in controls)
            given = list(scores[text].values())
            examination = evaluate_text(text.prepared, contest.config, given, contest.exam, questions)
            yield Job(text.prepared.with_baseline(contest.config.baseline), examination)

    for (text, places), outcome in zip(texts.items(), session.engine.run(jobs(), progress=progress), strict=True):
        if outcome.error is not None:
            board.fail(None, places, outcome.error)
            continue
        for row, figures in _by_row(text, scores[text], outcome.unwrap(), contest, length):
            board.put(row, places, figures)


def _by_row(
    text: AlignedExample,
    scores: Mapping[str, tuple[float, ...]],
    examined: TextMetrics,
    contest: EvaluationConfig,
    length: int | None,
) -> Iterator[tuple[str, Figures]]:
    """The figures of one text, row by row."""
    truth = rationale_units(text.prepared, text.words)
    is_counted = length is not None and any(truth) and (contest.plausibility == "all" or examined.is_gold)

    def agreeing(one: Sequence[float]) -> Figures:
        return plausibility_figures(one, truth, length=length or 1) if is_counted else {}

    for (name, one), judged in zip(scores.items(), examined.judged, strict=True):
        yield name, {**judged, **agreeing(one)}
    if examined.drawn:
        yield RANDOM, {**examined.random, **average([agreeing(one) for one in examined.drawn])}
    if examined.greedy:
        yield GREEDY, examined.greedy
    if examined.fading:
        yield WORDS, examined.fading


def _evaluation(
    session: ModelSession,
    texts: Mapping[AlignedExample, list[int]],
    contest: EvaluationConfig,
    board: _Board,
    length: int | None,
) -> Evaluation:
    """All figures as one value."""
    config, exam = contest.config, contest.exam
    warnings = [one.config.baseline.warning for one in contest.contenders]
    return Evaluation(
        model=config.model,
        protocol=exam.protocol.name,
        function=getattr(session.adapter, "function", "the model"),
        unit="token, special ones too" if session.every_token else _units(texts),
        target=_targets(texts),
        scale=session.head.scale(config.scale),
        baselines=contest.baselines,
        operators=exam.operators,
        top=exam.top,
        curve=exam.curve,
        seed=contest.seed,
        max_length=session.max_length,
        examples=board.examples,
        truncated=sum(len(places) for text, places in texts.items() if text.is_cut),
        rows=tuple(_rows(texts, board, contest)),
        failures=tuple(sorted(board.failures, key=lambda one: one.example)),
        reference=contest.reference,
        plausibility=contest.plausibility,
        rationale_length=length,
        versions=dict(versions()),
        warnings=tuple(dict.fromkeys([*contest.notes, *filter(None, warnings), *_notes(texts, contest)])),
    )


def _units(texts: Iterable[AlignedExample]) -> str:
    """What moved as a whole: what was asked for, or the spans that texts came with."""
    return ", ".join(dict.fromkeys(text.prepared.selection.unit for text in texts))


def _targets(texts: Iterable[AlignedExample]) -> str:
    """What was explained and judged: what was asked for, or what texts came with."""
    return ", ".join(dict.fromkeys(str(text.prepared.target) for text in texts))


def _rows(texts: Iterable[AlignedExample], board: _Board, contest: EvaluationConfig) -> Iterator[EvaluationRow]:
    for contender in contest.contenders:
        values = board.tables.get(contender.name, {})
        yield EvaluationRow(
            contender.name, "method", values, contender.taken_by, *board.costs.get(contender.name, FREE)
        )
    kinds: dict[str, Kind] = {contest.given: "given", RANDOM: "control", GREEDY: "control", WORDS: "robustness"}
    means = {text.given_by for text in texts if text.given is not None}
    for name, kind in kinds.items():
        if name in board.tables:
            taken_by = next(iter(means)) if kind == "given" and len(means) == 1 else None
            yield EvaluationRow(name, kind, board.tables[name], taken_by)


def _notes(texts: Mapping[AlignedExample, list[int]], contest: EvaluationConfig) -> Iterator[str]:
    """What a reader must know of the texts."""
    unknown = sorted({text.unknown_label for text in texts if text.unknown_label is not None})
    if unknown:
        yield (
            f"{'the gold label' if len(unknown) == 1 else 'gold labels'} {', '.join(map(repr, unknown[:3]))}: none of "
            "this model's, so that such texts have no accuracy and no agreement with people; name the model's outputs "
            "(labels) to have them"
        )
    bare = [text for text in texts if text.words and text.gold is None and text.unknown_label is None]
    if bare and contest.plausibility != "all":
        yield (
            f"{len(bare):,} of the texts in which people marked words lack a gold label: without it nobody knows "
            "whether the model is right, and agreement with people is not counted; give labels, or plausibility='all'"
        )
    if lost := sum(text.lost for text in texts):
        yield f"{lost:,} given scores are of spans that the model does not read: they count nowhere"


def _rationale_length(texts: Mapping[AlignedExample, list[int]]) -> int | None:
    """How many units people mark on average."""
    marks = [
        sum(rationale_units(text.prepared, text.words)) for text, places in texts.items() if text.words for _ in places
    ]
    return mean_length(marks)


def _after(progress: Report | None, done: int) -> Report | None:
    """The same report of a later part."""
    if progress is None:
        return None
    return lambda found: progress(Progress(done + found.texts, found.rows))
