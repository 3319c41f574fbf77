"""Writes the explanation of an answer as a document or a notebook fragment, and the data that its script draws."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...results.explanation import Explanation
from ..answer_blocks import Block
from ..answer_matrix import Matrix
from ..answer_view import AnswerView, view_answer
from ..escape import shown
from ..numbers import decimals
from ..theme import DEFAULT, Theme
from .document import document, sheet
from .module import page_script
from .parts import render, resource

CELLS = 1_500_000  # most scores on a page, over all texts: about 9 MB
SPARE = 2  # extra decimals per score beyond those shown, so that sums are exact
TOO_LARGE = "this page is too large for selecting words: the prompt is colored for the target only"
LESS_THAN, GREATER_THAN, AMPERSAND = (f"\\u{ord(one):04x}" for one in "<>&")


def page(explanation: Explanation, theme: Theme = DEFAULT) -> str:
    """A self-contained document."""
    view = view_answer(explanation)
    state = script_state(view, theme.style, level=2)
    content = _content(view, theme.style, level=1, state=state, is_large=view.matrix is not None and not state)
    names = [*(["static_answer"] if state else []), *(["static_text"] if explanation.sets else [])]
    return document(
        f'<main class="um-wide">\n{content}</main>',
        title=f"{view.title} · unmask",
        colors=theme.palette,
        style=resource("answer.css"),
        script=page_script(*names),
    )


def fragment(explanation: Explanation, theme: Theme = DEFAULT) -> str:
    """A fragment for a notebook. It has no script, so words cannot be selected."""
    style = f"{sheet(theme.palette)}\n{resource('answer.css')}"
    content = _content(view_answer(explanation), theme.style, level=3)
    return f'<div class="um">\n<style>{style}</style>\n{content}</div>\n'


def _content(view: AnswerView, style: str, *, level: int, state: str = "", is_large: bool = False) -> str:
    notes = [TOO_LARGE] * is_large
    return render("answer_page.html", view=view, style=style, level=level, state=state, notes=notes)


def script_state(view: AnswerView, style: str, *, level: int, room: int = CELLS) -> str:
    """The data that the script draws, as JSON that is safe inside a script element.

    Empty if there are no scores per output, or if there are more than `room`.
    """
    if view.matrix is None or view.matrix.size > room:
        return ""
    text = json.dumps(answer_state(view, style, level=level), separators=(",", ":"), allow_nan=False)
    return text.replace("<", LESS_THAN).replace(">", GREATER_THAN).replace("&", AMPERSAND)


def answer_state(view: AnswerView, style: str, *, level: int) -> dict[str, Any]:
    """The data that an answer is drawn from; single scores are included only if there are not too many."""
    is_large = view.matrix is not None and view.matrix.size > CELLS
    matrix, lost = (None, None) if is_large else (view.matrix, view.losses)
    digits = decimals(_largest(matrix, lost)) + SPARE
    scores, losses = (None if cells is None else _integers(cells, digits) for cells in (matrix, lost))
    own = [unit.score for unit in view.units]
    return {
        "unit": view.facts["unit"],
        "level": level,
        "digits": digits,
        "signed": view.is_signed,
        "adds": view.scale == "log-probability" and not view.is_contrast,
        "colored": style != "paper",
        "ramp": style != "paper" and not view.is_flat,
        "heading": shown(view.heading),
        "subject": shown(view.subject),
        "versus": shown(view.versus),
        "summary": view.summary,
        "side": view.side,
        "is_contrast": view.is_contrast,
        "is_part": any(word.is_target for word in view.words),
        "weights": view.weights,
        "units": [
            [shown(name), shown(unit.text), kind, unit.segment]
            for name, unit, kind in zip(view.unit_names, view.units, view.unit_kinds, strict=True)
        ],
        "count": view.count,
        "unknown": [unit.place for unit in view.units if unit.is_unknown],
        "outlined": [unit.place for unit in view.units if unit.is_outlined],
        "blocks": [_block(one, digits) for one in view.blocks],
        "words": [
            [shown(word.text), word.tokens, _rounded(word.probability)] if word.tokens else shown(word.text)
            for word in view.words
        ],
        "columns": [
            [shown(name), _rounded(share)] for name, share in zip(view.columns, view.probabilities, strict=True)
        ],
        "own": [None if score is None or math.isnan(score) else round(score * 10**digits) for score in own],
        "scores": scores,
        "loses": losses is not None,
        "losses": None if losses == scores else losses,
        "context": None
        if view.without_context is None
        else [round(lost * 10**digits) for lost in view.without_context],
    }


def _block(block: Block, digits: int) -> dict[str, Any]:
    """A block's text, and how much each output drops without it; losses are added only if they differ from these."""
    scores, losses = ([round(one * 10**digits) for one in row] for row in (block.outputs, block.losses))
    return {
        "name": shown(block.name),
        "pieces": list(_pieces(block)),
        "effect": block.effect if block.score is None else "",
        "scores": scores or None,
        "loses": bool(losses),
        "losses": None if losses == scores else losses or None,
    }


def _pieces(block: Block) -> Iterator[str | int | list[int]]:
    """The pieces of a block: strings for text between units, indices for units, lists of indices for larger units."""
    for piece in block.pieces:
        if piece.sentence is not None:
            yield [piece.sentence.place]
        yield shown(piece.span.text) if piece.span.score is None else piece.span.place


def _largest(*matrices: Matrix | None) -> float:
    known = [matrix[~np.isnan(matrix)] for matrix in matrices if matrix is not None]
    return max((float(np.abs(cells).max()) for cells in known if cells.size), default=0.0)


def _integers(matrix: Matrix, digits: int) -> list[list[int | None] | None]:
    """The scores as integer multiples of 10^-digits; None for a missing score, or for a row without scores."""
    whole = np.round(matrix * 10.0**digits)
    return [
        None if np.isnan(row).all() else [None if math.isnan(cell) else int(cell) for cell in row]
        for row in whole.tolist()
    ]


def _rounded(probability: float) -> float:
    return float(f"{probability:.4g}")


def add_states(entries: Sequence[dict[str, Any]], style: str) -> bool:
    """Add the script's data to the entries of a collection while there is room; return whether all of it fit."""
    room, is_enough = CELLS, True
    for entry in entries:
        if view := entry["answer"]:
            entry["state"] = script_state(view, style, level=3, room=room)
            room -= view.matrix.size if entry["state"] else 0
            is_enough &= bool(entry["state"]) or view.matrix is None
    return is_enough
