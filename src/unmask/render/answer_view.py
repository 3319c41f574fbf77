"""The view of an answer, for all formats: blocks of the context, words of the answer, and the scores of both."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..results.explanation import Explanation
from ..tasks.targets import Contrast
from . import captions
from .answer_blocks import Block, ContextSpan, answer_blocks
from .answer_matrix import Matrix, losses_of, lost_without_context, scores_toward, stacked, target_weights
from .answer_words import Word, answer_words, output_probabilities
from .answers import GeneratedAnswers
from .colored_spans import ColoredSpan, colored_units
from .likelihood import without_unit
from .numbers import decimals
from .unit_names import unit_names
from .view import ExplanationView, view_explanation, view_listed

TITLE = 100  # most characters of an answer in a title
BLOCKS = "The bar beside a name is the effect of masking all {unit}s below it together."


@dataclass(frozen=True, slots=True)
class AnswerView(ExplanationView):
    """What the drawing of an answer shows in addition to what the drawing of any explanation shows.

    `units` holds the units of all levels, larger units first; `matrix` and `losses` have one row per unit. `weights`
    turn outputs into the target: 1 for a token of the target, -1 for a continuation that it is contrasted with.
    """

    blocks: tuple[Block, ...] = ()
    words: tuple[Word, ...] = ()
    units: tuple[ColoredSpan, ...] = ()
    count: int = 0  # number of units of the first level
    unit_names: tuple[str, ...] = ()
    unit_kinds: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # the outputs: tokens of the answer, or two continuations
    probabilities: tuple[float, ...] = ()  # probabilities of the outputs
    weights: tuple[float, ...] = ()
    matrix: Matrix | None = None  # scores of all units for all outputs
    losses: Matrix | None = None  # the log-probability lost without each unit
    without_context: tuple[float, ...] | None = None  # the log-probability lost without all documents
    context_sentence: str = ""
    times_sentence: str = ""  # a sentence on the effect of the strongest unit on the answer
    title: str = ""
    subject: str = ""  # the target, worded as the subject of a sentence
    versus: str = ""  # the continuation that the subject is contrasted with
    summary: str = ""
    is_contrast: bool = False  # whether the outputs are two continuations
    has_uncomputed: bool = False

    @property
    def side(self) -> str:
        """The title of the context that the answer is attributed to."""
        return "Context" if len(self.blocks) > 1 else self.display.context

    @property
    def blocks_have_bars(self) -> bool:
        """Whether there are several blocks to compare."""
        return len(self.blocks) > 1

    @property
    def spans(self) -> tuple[tuple[ColoredSpan, ...], ...]:
        """The spans of each block; the score of a larger unit is written before its text."""
        return tuple(tuple(span for piece in block.pieces for span in _spans(piece)) for block in self.blocks)

    @property
    def order(self) -> list[int]:
        """The units in text order; a larger unit comes before the units inside it."""
        pieces = (piece for block in self.blocks for piece in block.pieces)
        return [one.place for piece in pieces for one in (piece.sentence, piece.span) if one and one.place >= 0]

    @property
    def full(self) -> float:
        """The score that gets the strongest color."""
        return max((abs(unit.score or 0.0) for unit in self.units if unit.is_computed), default=0.0)

    @property
    def sentences(self) -> list[str]:
        """Sentences on the effect of the strongest unit and of the documents on the answer."""
        return [one for one in (self.times_sentence, self.context_sentence) if one]


def _spans(piece: ContextSpan) -> tuple[ColoredSpan, ...]:
    if piece.sentence is None:
        return (piece.span,)
    return replace(piece.sentence, text=f"[{piece.sentence.number}]"), ColoredSpan(" "), piece.span


def view_answer(explanation: Explanation, *, is_listed: bool = False) -> AnswerView:
    """The view of the explanation of an answer."""
    base = view_listed(explanation) if is_listed else view_explanation(explanation)
    levels = [explanation] if explanation.detail is None else [explanation, explanation.detail]
    units = _all_units(levels)
    known = {one.name: getattr(base, one.name) for one in fields(base)}
    subject, versus = _subject(explanation)
    view = AnswerView(
        **known,
        blocks=answer_blocks(explanation, units),
        words=tuple(answer_words(explanation)),
        units=units,
        count=len(explanation.units),
        unit_names=tuple(_unit_names(levels)),
        unit_kinds=tuple(_unit_kinds(levels)),
        columns=explanation.outputs,
        probabilities=output_probabilities(explanation),
        weights=target_weights(explanation),
        matrix=stacked([level.scores_by_output for level in levels]),
        losses=stacked([losses_of(level) for level in levels]),
        without_context=lost_without_context(explanation),
        title=_title(explanation),
        subject=subject,
        versus=versus,
        summary=GeneratedAnswers(explanation).summary,
        is_contrast=not explanation.output_tokens,
        has_uncomputed=any(not unit.is_computed for unit in units),
    )
    return replace(
        view, keys=_keys(view), times_sentence=_times_sentence(view), context_sentence=_context_sentence(view)
    )


def _keys(view: AnswerView) -> dict[str, tuple[str, ...]]:
    """The meaning of colors, for units of all levels."""
    names = list(zip(view.units, view.unit_kinds, strict=True))
    lacking = [kind for unit, kind in names if not unit.is_computed]
    count = sum(kind in lacking for _, kind in names)
    has_scores = any(block.score is not None for block in view.blocks)
    together = (BLOCKS.format(unit=view.facts["unit"]),) if has_scores else ()
    note = (*together, *((f"{len(lacking)} of {count} {lacking[0]}s were not computed.",) if lacking else ()))
    known = {name: (*sentences, *note) for name, sentences in view.keys.items()}
    full = () if view.is_flat else (f"Strongest color = {view.full:.3g}.",)
    return known | {"shades": (view.keys["signs"][0], *full, *note)}


def _title(explanation: Explanation) -> str:
    if not explanation.output_tokens:
        return captions.target_name(explanation)
    return captions.quoted(explanation.continuation or explanation.outputs[0], length=TITLE)


def _subject(explanation: Explanation) -> tuple[str, str]:
    """The target as the subject of a sentence, and the continuation that it is contrasted with."""
    if isinstance(explanation.target, Contrast):
        return captions.quoted(str(explanation.target.label)), captions.quoted(str(explanation.target.against))
    return captions.target_name(explanation), ""


def _all_units(levels: Sequence[Explanation]) -> tuple[ColoredSpan, ...]:
    """The units of all levels, with colors and numbers on a common scale."""
    units = [unit for level in levels for unit in colored_units(level)]
    full = max((abs(unit.score or 0.0) for unit in units if unit.is_computed), default=0.0)
    return tuple(
        replace(
            unit,
            place=at,
            decimals=decimals(full),
            strength=(unit.score or 0.0) / full if full and unit.is_computed else 0.0,
        )
        for at, unit in enumerate(units)
    )


def _unit_names(levels: Sequence[Explanation]) -> Iterator[str]:
    for level in levels:
        units = colored_units(level)
        yield from (name for _, name in sorted(unit_names(units, range(len(units))).items()))


def _unit_kinds(levels: Sequence[Explanation]) -> Iterator[str]:
    """The kind of each unit; the units of an answer are tokens."""
    for level in levels:
        last = len(level.segments) - 1
        yield from ("token" if unit.segment == last else level.unit for unit in level.units)


def _times_sentence(view: AnswerView) -> str:
    """A sentence on the unit that the answer depends on most; with two levels of units, one of the larger units."""
    if view.losses is None:
        return ""
    lost = scores_toward(view.losses, view.weights)
    known = [at for at, one in enumerate(lost) if not math.isnan(one) and at < view.count]
    if not known:
        return ""
    most = max(known, key=lambda at: abs(lost[at]))
    named = captions.quoted(view.units[most].text, view.unit_names[most].removeprefix(view.units[most].text))
    return without_unit(named, view.unit_kinds[most], view.subject, lost[most], versus=view.versus)


def _context_sentence(view: AnswerView) -> str:
    """A sentence on whether the answer comes from the documents."""
    if view.without_context is None:
        return ""
    lost = float(np.dot(view.without_context, view.weights))
    return without_unit("the documents", "", view.subject, lost, versus=view.versus)


def strongest_rows(view: AnswerView, most: int) -> list[int]:
    """The units with the largest scores, in text order; a larger unit comes before the units inside it."""
    known = [at for at in view.order if view.units[at].is_computed]
    chosen = set(sorted(known, key=lambda at: -abs(view.units[at].score or 0.0))[:most])
    return [at for at in known if at in chosen]


def strongest_columns(view: AnswerView, rows: Sequence[int], most: int) -> list[int]:
    """The outputs of the target with the largest scores in these rows, in the order of the answer."""
    assert view.matrix is not None
    chosen = [at for at, weight in enumerate(view.weights) if weight]
    largest = np.nan_to_num(np.abs(view.matrix[list(rows)])).max(axis=0, initial=0.0)
    return sorted(sorted(chosen, key=lambda at: -largest[at])[:most])
