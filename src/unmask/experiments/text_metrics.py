"""The metrics of one text: aligns the example with the model's units, then evaluates scores."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from ..attribution.attribute import AttributionConfig, PreparedText
from ..attribution.session import ModelSession
from ..errors import TextError
from ..methods.random import Random
from ..metrics.controls import FADING, SHARES, greedy, random_deletion
from ..metrics.faithfulness import METRICS, FaithfulnessConfig, areas, ask_faithfulness, first_seed, rank_units
from ..metrics.plausibility import agreed_spans, marked_units
from ..metrics.registry import TOKENS, Figures, Measure, average, derived_figures
from ..questions import Numbers, Perturbation, Question, ask_outputs
from ..results.rows import GREEDY, RANDOM, WORDS
from ..text.spans import Span
from .examples import Example


@dataclass(frozen=True, slots=True)
class AlignedExample:
    """An example aligned with the model's units and labels."""

    example: Example
    prepared: PreparedText
    gold: int | None  # index of its gold label
    is_label_known: bool  # whether the model has that label

    @property
    def is_cut(self) -> bool:
        """Whether the text is truncated."""
        return any(segment.is_cut for segment in self.prepared.encoded.segments)


def align_example(session: ModelSession, example: Example, config: AttributionConfig) -> AlignedExample:
    """Prepare an example's text and find its gold label among the outputs.

    Raises:
        UnmaskError: If the text cannot be read.
    """
    prepared = session.prepare(example.request, config)
    if session.is_generative:
        check_answer(example, prepared)
        return AlignedExample(example, replace(prepared, blocks=(), documents=()), None, True)
    if session.adapter.task.head is None:
        if example.label is not None or example.annotations:
            raise TextError(f"labels and rationales apply to classifiers, but the task is {session.adapter.task.name}")
        return AlignedExample(example, prepared, None, True)
    gold = session.head.gold_index(example.label)
    return AlignedExample(example, prepared, gold, example.label is None or gold is not None)


def check_answer(example: Example, prepared: PreparedText) -> None:
    """Reject options that do not apply to a language model's answer."""
    if example.label is not None or example.annotations:
        raise TextError("labels and rationales apply to classifiers, not to a language model's answer")
    if prepared.answer_lengths is not None:
        raise TextError("a contrast of two continuations cannot be evaluated; give one continuation")


def rationale_marks(session: ModelSession, text: AlignedExample) -> tuple[bool, ...] | None:
    """Return which units contain a word of the rationale; None without rationale or if the gold label is unknown.

    In a pair of texts, the rationale belongs to the first text.
    """
    if not text.is_label_known or not text.example.annotations:
        return None
    labels = [session.head.gold_index(one.label) for one in text.example.annotations]
    annotations = [
        one if at is None else replace(one, label=session.head.labels[at])
        for one, at in zip(text.example.annotations, labels, strict=True)
    ]
    gold = None if text.gold is None else session.head.labels[text.gold]
    words = agreed_spans(text.example.request.text, annotations, gold=gold)
    spans = [None if group.segment else group.span for group in text.prepared.groups]
    return marked_units(spans, words) if words else None


def scores_on_units(text: AlignedExample) -> tuple[list[float], int]:
    """Add each imported score to the unit that contains its span; also count scores whose span has no unit."""
    groups, lost = text.prepared.groups, 0
    scores = [0.0] * len(groups)
    for span, score in zip(text.example.request.spans or (), text.example.scores or (), strict=True):
        place, segment = Span(span[0], span[1]), span[2] if len(span) > 2 else 0
        units = (at for at, one in enumerate(groups) if one.segment == segment and one.span.overlaps(place))
        at = next(units, None)
        if at is None:
            lost += 1
        else:
            scores[at] += score
    return scores, lost


@dataclass(frozen=True, slots=True)
class TextMetrics:
    """The metrics of one text."""

    is_gold: bool  # whether the prediction and the target are the gold label
    methods: tuple[Figures, ...]
    controls: Mapping[str, Figures]
    drawn: tuple[tuple[float, ...], ...]  # random scores


def evaluate_text(
    prepared: PreparedText,
    config: AttributionConfig,
    scores: Sequence[Sequence[float]],
    faithfulness: FaithfulnessConfig,
    *,
    seed: int,
    gold: int | None = None,
    orders: int = 0,
    controls: Collection[str] = (),
) -> Generator[Question, Tensor, TextMetrics]:
    """Request all perturbations that the metrics of one text need.

    Args:
        scores: Each method's scores for the units.
        orders: The number of random orders to evaluate as well.
        controls: The controls `greedy` and random words, if requested.
    """
    (whole,) = yield from ask_outputs([Perturbation()])
    instance = config.instance(whole, prepared.resolve_target(whole, config.scale), prepared)
    seeds = range(first := first_seed(seed), first + orders)
    drawn = [tuple(Random(seed=one).drawn(instance).tolist()) for one in seeds]
    values = yield from ask_faithfulness(instance, [rank_units(one) for one in (*scores, *drawn)], faithfulness)
    tokens = len(instance.target.outputs)
    figures = [
        _figures(one, faithfulness, faithfulness.shares, areas(one, len(instance.units), faithfulness), tokens=tokens)
        for one in values
    ]
    found = {RANDOM: average(figures[len(scores) :])}
    if GREEDY in controls:
        best = (yield from greedy(instance, faithfulness))[:, None]
        found[GREEDY] = _figures(best, faithfulness, (faithfulness.top,), tokens=tokens)
    if WORDS in controls:
        operators = tuple(
            operator for operator in faithfulness.operators if faithfulness.protocol.operators is None
        ) or ("remove",)
        fading = yield from random_deletion(instance, operators, gold=gold, seed=seed)
        found[WORDS] = {
            Measure(metric, operator, share): float(fading[at, place, column])
            for at, operator in enumerate(operators)
            for place, share in enumerate(SHARES)
            for column, metric in enumerate(FADING)
        }
    target = instance.target
    is_gold = target.head.predicted(instance.whole) == gold and target.index in (None, gold)  # None: the largest output
    return TextMetrics(is_gold, tuple(figures[: len(scores)]), found, tuple(drawn))


def _figures(
    values: Numbers,
    faithfulness: FaithfulnessConfig,
    shares: Sequence[float],
    areas: Numbers | None = None,
    *,
    tokens: int = 0,
) -> Figures:
    """Map each measure to its value, given the values [operators, shares, metrics] and the areas [operators, metrics].

    Args:
        tokens: The number of tokens in a language model's answer.
    """
    found: dict[Measure, float | tuple[float, float]] = {}
    for at, operator in enumerate(faithfulness.operators):
        for column, metric in enumerate(METRICS):
            for place, share in enumerate(shares):
                found[Measure(metric, operator, share)] = float(values[at, place, column])
            if areas is not None:
                found[Measure(f"aopc_{metric}", operator)] = float(areas[at, column])
    more = {TOKENS: float(tokens)} if tokens else None
    return {**found, **derived_figures(found, faithfulness.operators, faithfulness.top, more=more)}
