"""The view of an explanation: what a drawing shows, whatever the format."""

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from ..results.answers import is_answer
from ..results.deciding_sets import NOT_ASKED
from ..results.explanation import Explanation
from ..results.metadata import Prediction
from ..results.schema import PAIR
from ..tasks.task import Display, task_facts
from . import captions
from .answers import answers_of
from .colored_spans import ColoredSpan, colored_spans, colored_units, entity_units, strongest
from .numbers import number
from .set_views import SetView, set_units, set_views
from .similar_words import PairMatrix, pair_matrix, pair_sentence
from .unit_names import unit_names

TOP = 8  # how many of the largest scores and most probable labels are listed
SO_FAR = "answer so far"  # the name of the segment with the answer's own tokens, which explain later tokens
Position: TypeAlias = tuple[int, int, int]  # segment, start, end


class Bar(NamedTuple):
    """A label's probability or a unit's score, as a number and as a bar."""

    name: str
    number: str = ""
    strength: float | None = None  # length of the bar, -1 to 1
    level: int = 0  # color level
    is_bold: bool = False  # whether it is a predicted label
    place: str = ""  # the unit's segment, if there are several
    change: str = ""  # the answer with and without a unit


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """What a drawing shows. Texts are not escaped: each writer does that."""

    texts: tuple[tuple[ColoredSpan, ...], ...]  # one per segment
    segments: tuple[str, ...]  # names of the segments
    is_cut: bool  # whether a text was truncated
    prediction: Prediction
    top: tuple[ColoredSpan, ...]  # largest scores first
    names: tuple[str, ...]  # names of the units in `top`
    left: int  # number of units not in `top`
    sentence: str | None  # a sentence on the interaction
    warnings: tuple[str, ...]
    heading: str  # title of the drawing
    is_signed: bool  # whether scores have a sign
    meaning: str  # definition of a score
    keys: dict[str, tuple[str, ...]]  # sentences on what colors and marks mean, by style
    facts: dict[str, str]
    display: Display
    gold: str = ""  # a sentence on the gold label
    answer: str = ""  # the predicted labels with their probabilities, or the value of a regression
    base: str = ""  # the prediction with all units masked, in a few words
    effects: tuple[str, ...] = ()  # the model's answer without each unit in `top`, in a few words
    without: tuple[str, ...] = ()  # the model's answer without each unit, as a number
    label: str = ""  # the label that these numbers belong to, worded for use inside a sentence
    redundancy: tuple[float, ...] = ()  # redundancy of the units in `top`
    most_redundant: str = ""  # a sentence on the most redundant unit
    is_ranked: bool = False  # whether `top` follows the method's own ranking
    sets: tuple[SetView, ...] = ()
    sets_notes: tuple[str, ...] = ()  # sentences on why there are no sets
    outline: str = ""  # the meaning of outlined units
    prediction_title: str = "Prediction"
    continuations: tuple[Bar, ...] = ()  # what a language model wrote, shown in place of labels
    detail: "ExplanationView | None" = None  # for a classifier: the same text in smaller units
    pairs: PairMatrix | None = None  # for a similarity: the words of both texts
    largest_pairs: str = ""  # a sentence on the pairs with the largest effects
    entities: tuple[tuple[int, ...], ...] = ()  # the units of each entity of a tagged text

    @property
    def is_beside(self) -> bool:
        """Whether two texts are drawn side by side: a question and its context, two similar texts."""
        return self.display.is_beside and len(self.texts) == 2

    @property
    def outputs_title(self) -> str:
        """A word for the outputs that a reader can choose from."""
        return self.display.output

    def entity(self, unit: int) -> int | None:
        """The number of the entity that a unit is in, from 1; None if it is in none."""
        return next((at for at, units in enumerate(self.entities, 1) if unit in units), None)

    @property
    def top_title(self) -> str:
        """The title of the list of units."""
        return captions.RANKED.format(self.facts["unit"]) if self.is_ranked else captions.LARGEST

    @property
    def rest(self) -> str:
        """A caption for the units that are not listed."""
        return f"and {self.left} {'more' if self.is_ranked else 'smaller'}"

    @property
    def decisions(self) -> list[str]:
        """Sentences on the deciding sets."""
        return [one.sentence for one in self.sets]

    @property
    def is_flat(self) -> bool:
        """Whether every score is 0."""
        return not any(span.score for span in self.top)

    @property
    def has_unknown(self) -> bool:
        """Whether a unit is unknown to the tokenizer."""
        return any(span.is_unknown for spans in self.texts for span in spans)

    @property
    def prediction_bars(self) -> list[Bar]:
        """The most probable labels, the value of a regression, or the continuations of a prompt."""
        if self.continuations:
            return list(self.continuations)
        if self.prediction.value is not None:
            return [Bar("value", f"{self.prediction.value:.4g}", is_bold=True)]
        shares = sorted(self.prediction.probabilities.items(), key=lambda pair: -pair[1])[:TOP]
        return [Bar(label, f"{share:.1%}", share, is_bold=label in self.prediction.labels) for label, share in shares]

    @property
    def prediction_sentence(self) -> str:
        """The prediction for the text and with all units masked, and the gold label."""
        return " ".join(filter(None, [f"{self.prediction_title}: {self.answer} ({self.base}).", self.gold]))

    @property
    def score_bars(self) -> list[Bar]:
        """The largest scores, and the number of other units."""
        if self.is_flat:
            return [Bar(f"every {self.facts['unit']}", number(0.0))]
        changes = [f"{effect} without it" for effect in self.effects] or [""] * len(self.top)
        bars = [
            Bar(name, one.number, one.strength, one.level, place=self.place(one.segment), change=change)
            for name, one, change in zip(self.names, self.top, changes, strict=True)
        ]
        return [*bars, Bar(self.rest)] if self.left else bars

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on the interaction and the redundancy."""
        return tuple(filter(None, (self.sentence, self.most_redundant, self.largest_pairs)))

    @property
    def notes(self) -> list[str]:
        """The warnings, as sentences."""
        return list(map(captions.note, self.warnings))

    @property
    def scale(self) -> str:
        """The scale as written in prose, such as log-odds."""
        return self.facts["scale"].replace("_", "-")

    def is_marked(self, style: str) -> bool:
        """Whether any unit is colored or marked."""
        return any(span.mark if style == "paper" else span.score for spans in self.texts for span in spans)

    def key(self, style: str) -> str:
        """The meaning of colors or marks."""
        return " ".join(self.keys[style])

    def place(self, segment: int) -> str:
        """The short name of a segment; empty if there is only one."""
        return self.segments[segment].removesuffix(" text") if len(self.segments) > 1 else ""

    @property
    def positions(self) -> dict[Position, ColoredSpan]:
        """The units by position, in text order."""
        units = dict[Position, ColoredSpan]()
        for segment, spans in enumerate(self.texts):
            ends = list(accumulate(len(span.text) for span in spans))
            units |= {
                (segment, end - len(span.text), end): span
                for span, end in zip(spans, ends, strict=True)
                if span.score is not None
            }
        return units

    def legend(self, style: str) -> list[str]:
        """What the colors, signs or marks mean, followed by the settings behind the numbers."""
        return [self.key(style), captions.line(self.facts)]


def view_explanation(explanation: Explanation) -> ExplanationView:
    """The view of an explanation."""
    interaction, method, units = explanation.interaction, explanation.method, colored_units(explanation)
    answers, without, note = answers_of(explanation), explanation.without, explanation.sets_note
    known = [at for at in explanation.ranking or range(len(units)) if units[at].is_computed]
    largest = (known if explanation.ranking else sorted(known, key=lambda at: -abs(units[at].score or 0.0)))[:TOP]
    top = [at for at in largest if float(units[at].number)] or largest
    names, display = _segment_names(explanation), task_facts(explanation.task).display
    redundancy, sets = explanation.redundancy or (), set_views(explanation, unit_names(units, set_units(explanation)))
    return ExplanationView(
        texts=tuple(colored_spans(explanation, segment) for segment in range(len(names))),
        segments=names,
        is_cut=explanation.truncated,
        prediction=explanation.prediction,
        top=tuple(units[at] for at in top),
        names=tuple(unit_names(units, top).values()),
        left=len(known) - len(top),
        sentence=None if interaction is None else interaction.sentence,
        warnings=explanation.warnings,
        heading=captions.heading(explanation),
        is_signed=method.is_signed,
        meaning=captions.method_sentence(explanation),
        keys=captions.keys(explanation, full=strongest(explanation)),
        facts=captions.facts(explanation),
        gold=captions.gold(explanation),
        answer=answers.predicted,
        base=captions.at_baseline(answers.at_baseline, explanation.unit),
        effects=tuple(filter(None, (answers.effect(without[at]) for at in top))) if without else (),
        without=() if display.is_selectable else tuple(filter(None, map(answers.number, without or ()))),
        label=answers.name(answers.label) if answers.label else "",
        redundancy=tuple(redundancy[at] for at in top) if redundancy else (),
        most_redundant=captions.redundancy([unit.text for unit in explanation.units], redundancy),
        is_ranked=explanation.ranking is not None,
        sets=sets,
        sets_notes=() if note in (None, NOT_ASKED) else (captions.note(note),),
        outline=captions.outline(explanation),
        prediction_title=answers.title,
        continuations=tuple(Bar(*pair, is_bold=not at) for at, pair in enumerate(answers.continuations)),
        detail=_detail_view(explanation),
        pairs=pair_matrix(explanation),
        largest_pairs=pair_sentence(explanation),
        display=display,
        entities=entity_units(explanation),
    )


def _detail_view(explanation: Explanation) -> ExplanationView | None:
    """The view of a classifier's text in smaller units; answers are drawn differently."""
    if explanation.detail is None or is_answer(explanation):
        return None
    scores = explanation.detail.scores
    computed = sum(score == score for score in scores)  # NaN: not computed
    heading = captions.detail_heading(computed, len(scores))
    return replace(view_explanation(explanation.detail), heading=heading, without=())


def _segment_names(explanation: Explanation) -> tuple[str, ...]:
    """The names of the drawn segments; an answer is included only if its own tokens are units."""
    names, last = tuple(segment.name for segment in explanation.segments), len(explanation.segments) - 1
    if not is_answer(explanation):
        return PAIR if len(names) == 2 and explanation.task == "classification" else names
    return (*names[:-1], SO_FAR) if any(unit.segment == last for unit in explanation.units) else names[:-1]


def view_listed(explanation: Explanation) -> ExplanationView:
    """The view of one explanation among several, omitting the note on why no search for sets was done."""
    view = view_explanation(explanation)
    return view if explanation.sets is not None else replace(view, sets_notes=())
