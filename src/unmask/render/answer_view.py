"""The neutral form of an answer's drawing: blocks of the context, words of the answer, and the scores of both."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..results.answers import head_of, missing_cells
from ..results.explanation import Explanation
from ..tasks.targets import Contrast
from ..text.segmentation import words
from ..text.spans import Span
from . import captions
from .answers import GeneratedAnswers
from .colored_spans import ColoredSpan, colored_spans, colored_units
from .likelihood import without_unit
from .numbers import decimals
from .unit_names import unit_names
from .view import SO_FAR, ExplanationView, view_explanation, view_listed

TITLE = 100  # characters of an answer in a title
Matrix = NDArray[np.float64]  # [units, outputs]


class Piece(NamedTuple):
    """A unit of the context or the text between two units."""

    span: ColoredSpan
    sentence: ColoredSpan | None = None  # the larger unit that begins here, if there are two levels


@dataclass(frozen=True, slots=True)
class Block:
    """A message, a document or the prompt, with the sum of its units' scores."""

    name: str
    role: str
    pieces: tuple[Piece, ...]
    total: float
    strength: float  # the total as a bar, -1 to 1
    number: str

    @property
    def level(self) -> int:
        """The color level of the bar."""
        return ColoredSpan("x", self.total, self.strength).level


class Word(NamedTuple):
    """A word of the answer, or the text between two words (without tokens)."""

    text: str
    tokens: tuple[int, ...] = ()  # indices of its outputs
    probability: float = math.nan  # of all its tokens, one after the other
    is_target: bool = False  # whether it is part of the target, if the target is a part of the answer


@dataclass(frozen=True, slots=True)
class AnswerView(ExplanationView):
    """What the drawing of an answer shows besides that of any explanation.

    `units` are those of all levels, larger ones first; `matrix` and `losses` have one row for each of them. `weights`
    make the target of the outputs: 1 for a token that belongs to it, -1 for a continuation that it is contrasted with.
    """

    blocks: tuple[Block, ...] = ()
    words: tuple[Word, ...] = ()
    units: tuple[ColoredSpan, ...] = ()
    count: int = 0  # units of the first level
    unit_names: tuple[str, ...] = ()
    unit_kinds: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # the outputs: tokens of the answer, or two continuations
    probabilities: tuple[float, ...] = ()  # of the outputs
    weights: tuple[float, ...] = ()
    matrix: Matrix | None = None  # scores of all outputs
    losses: Matrix | None = None  # lost log-probability without each unit
    without_context: tuple[float, ...] | None = None  # lost log-probability without all documents
    context_sentence: str = ""
    times_sentence: str = ""  # what the strongest unit does to the answer
    title: str = ""
    subject: str = ""  # the target in a sentence
    versus: str = ""  # the continuation that the subject is contrasted with
    summary: str = ""
    is_contrast: bool = False
    has_uncomputed: bool = False

    @property
    def blocks_have_bars(self) -> bool:
        """Whether the blocks can be compared with each other."""
        return len(self.blocks) > 1

    @property
    def sentences(self) -> list[str]:
        """What the strongest unit and the documents do to the answer."""
        return [one for one in (self.times_sentence, self.context_sentence) if one]


def view_answer(explanation: Explanation, *, is_listed: bool = False) -> AnswerView:
    """The view of the explanation of an answer."""
    base = view_listed(explanation) if is_listed else view_explanation(explanation)
    levels = [explanation] if explanation.detail is None else [explanation, explanation.detail]
    units = _all_units(levels)
    known = {one.name: getattr(base, one.name) for one in fields(base)}
    subject, versus = _subject(explanation)
    view = AnswerView(
        **known,
        blocks=tuple(_blocks(explanation, units)),
        words=tuple(_words(explanation)),
        units=units,
        count=len(explanation.units),
        unit_names=tuple(_unit_names(levels)),
        unit_kinds=tuple(_unit_kinds(levels)),
        columns=explanation.outputs,
        probabilities=_probabilities(explanation),
        weights=_weights(explanation),
        matrix=_stacked([level.scores_by_output for level in levels]),
        losses=_stacked([_losses(level) for level in levels]),
        without_context=_lost_without_context(explanation),
        title=_title(explanation),
        subject=subject,
        versus=versus,
        summary=GeneratedAnswers(explanation).summary,
        is_contrast=isinstance(explanation.target, Contrast),
        has_uncomputed=any(not unit.is_computed for unit in units),
    )
    return replace(view, times_sentence=_times_sentence(view), context_sentence=_context_sentence(view))


def _title(explanation: Explanation) -> str:
    if isinstance(explanation.target, Contrast):
        return captions.target_name(explanation)
    return captions.quoted(explanation.continuation or explanation.outputs[0], length=TITLE)


def _subject(explanation: Explanation) -> tuple[str, str]:
    """The target as the subject of a sentence, and the continuation that it is contrasted with."""
    if isinstance(explanation.target, Contrast):
        return captions.quoted(str(explanation.target.label)), captions.quoted(str(explanation.target.against))
    return captions.target_name(explanation), ""


def _all_units(levels: Sequence[Explanation]) -> tuple[ColoredSpan, ...]:
    """The units of all levels, with one scale of colors and numbers for all of them."""
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
    """What each unit is; those of an answer are tokens."""
    for level in levels:
        last = len(level.segments) - 1
        yield from ("token" if unit.segment == last else level.unit for unit in level.units)


def _blocks(explanation: Explanation, units: Sequence[ColoredSpan]) -> Iterator[Block]:
    sums, last = dict[int, float](), len(explanation.segments) - 1
    for unit, score in explanation:
        sums[unit.segment] = sums.get(unit.segment, 0.0) + (0.0 if math.isnan(score) else score)
    full = max(map(abs, sums.values()), default=0.0)
    for at, segment in enumerate(explanation.segments):
        if at == last and at not in sums:
            continue
        total = sums.get(at, 0.0)
        name, number = SO_FAR if at == last else segment.name, ColoredSpan("", total, decimals=decimals(full)).number
        role = "" if at == last or segment.role is None else segment.role
        yield Block(name, role, tuple(_pieces(explanation, at, units)), total, total / full if full else 0.0, number)


def _pieces(explanation: Explanation, segment: int, units: Sequence[ColoredSpan]) -> Iterator[Piece]:
    """The text of a segment in the smallest units; larger ones begin before the first piece inside them."""
    inner, first = explanation.detail, len(explanation.units) if explanation.detail else 0
    starts = {unit.start: at for at, unit in enumerate(explanation.units) if unit.segment == segment} if inner else {}
    position = 0
    for span in colored_spans(inner or explanation, segment):
        position += len(span.text)
        inside = [start for start in starts if start < position] if span.score is not None else []
        sentence = units[starts.pop(inside[0])] if inside else None
        yield Piece(units[first + span.place] if span.score is not None else span, sentence)


def _words(explanation: Explanation) -> Iterator[Word]:
    """The answer in words, each with its tokens; two continuations are a word each."""
    if not explanation.output_tokens:
        pairs = zip(explanation.outputs, _probabilities(explanation), strict=True)
        yield from (Word(text.strip() or text, (at,), share) for at, (text, share) in enumerate(pairs))
        return
    text, tokens, position = explanation.continuation or "", explanation.output_tokens, 0
    chosen = explanation.target_outputs or ()
    is_part = len(chosen) < len(tokens)
    for group in _word_tokens(explanation):
        end = max(tokens[at].end for at in group)
        piece = text[position:end]
        blank = len(piece) - len(piece.lstrip()) if piece.strip() else 0
        if blank and (position or "\n" in piece[:blank]):  # the blank before an answer says nothing
            yield Word(piece[:blank])
        share = math.prod(tokens[at].probability for at in group)
        name = piece[blank:] or tokens[group[0]].text * (tokens[group[0]].start == tokens[group[0]].end)
        yield Word(name, tuple(group), share, is_part and any(at in chosen for at in group))
        position = max(position, end)
    if position < len(text):
        yield Word(text[position:])


def _word_tokens(explanation: Explanation) -> list[list[int]]:
    """The tokens of each word; a token without a visible character stands alone."""
    text, count = explanation.continuation or "", len(explanation.output_tokens)
    if explanation.scale != "log_probability":  # on which alone tokens add up to words
        return [[at] for at in range(count)]
    spans, groups, last = words(text, Span(0, len(text))), list[list[int]](), None
    for at, token in enumerate(explanation.output_tokens):
        part = Span(token.start, token.end)
        word = next((span for span in spans if span.overlaps(part)), None)
        if word is not None and word == last:
            groups[-1].append(at)
        else:
            groups.append([at])
        inside = [span for span in spans if span.overlaps(part)]
        last = inside[-1] if inside else None
    return groups


def _probabilities(explanation: Explanation) -> tuple[float, ...]:
    if explanation.output_tokens:
        return tuple(token.probability for token in explanation.output_tokens)
    return tuple(np.exp(explanation.whole).tolist())


def _weights(explanation: Explanation) -> tuple[float, ...]:
    """What the outputs count in the target."""
    if isinstance(explanation.target, Contrast):
        labels = (str(explanation.target.label), str(explanation.target.against))
        return tuple(float((one == labels[0]) - (one == labels[1])) for one in explanation.outputs)
    if explanation.target_outputs is None:  # one of two continuations
        return tuple(float(one == explanation.target) for one in explanation.outputs)
    return tuple(float(at in explanation.target_outputs) for at in range(len(explanation.outputs)))


def _losses(explanation: Explanation) -> Matrix | None:
    """What each output loses in log-probability without each unit; None if that is not known."""
    if explanation.without is None or explanation.activation == "sequence_mean":
        return None
    head = head_of(explanation)
    whole, without = (np.array(raw) for raw in (explanation.whole, explanation.without))
    lost = head.on_scale(whole, "log_probability") - head.on_scale(without, "log_probability")
    missing = missing_cells(explanation.units, explanation.segments, explanation.output_tokens)
    return lost if missing is None else np.where(missing, np.nan, lost)


def _lost_without_context(explanation: Explanation) -> tuple[float, ...] | None:
    if explanation.without_context is None or explanation.activation == "sequence_mean":
        return None
    head = head_of(explanation)
    whole, without = (np.array(raw) for raw in (explanation.whole, explanation.without_context.outputs))
    return tuple((head.on_scale(whole, "log_probability") - head.on_scale(without, "log_probability")).tolist())


def _stacked(matrices: Sequence[Matrix | None]) -> Matrix | None:
    known = [matrix for matrix in matrices if matrix is not None]
    return np.vstack(known) if len(known) == len(matrices) else None


def toward(matrix: Matrix, weights: Sequence[float]) -> list[float]:
    """The weighted sum of each unit's cells; cells that do not exist are left out, NaN if none exists."""
    chosen = np.array(weights) != 0
    cells = np.where(np.isnan(matrix), 0.0, matrix) @ np.array(weights)
    return [
        math.nan if gone else float(one) for one, gone in zip(cells, np.isnan(matrix[:, chosen]).all(1), strict=True)
    ]


def _times_sentence(view: AnswerView) -> str:
    """What happens to the answer without the unit that it loses most without; of two levels, the larger units."""
    if view.losses is None:
        return ""
    lost = toward(view.losses, view.weights)
    known = [at for at, one in enumerate(lost) if not math.isnan(one) and at < view.count]
    if not known:
        return ""
    most = max(known, key=lambda at: abs(lost[at]))
    named = captions.quoted(view.units[most].text, view.unit_names[most].removeprefix(view.units[most].text))
    return without_unit(named, view.unit_kinds[most], view.subject, lost[most], versus=view.versus)


def _context_sentence(view: AnswerView) -> str:
    """Whether the answer comes from the documents."""
    if view.without_context is None:
        return ""
    lost = float(np.dot(view.without_context, view.weights))
    return without_unit("the documents", "", view.subject, lost, versus=view.versus)
