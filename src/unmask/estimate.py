"""What a run will cost, before it is made: its questions asked of nobody and counted, a few batches timed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch

from .asking import Asked, Wanted, asking
from .engine import Engine, Row
from .errors import UnmaskError
from .probes import Outputs, Probe, Question, Rescaled, Slopes, Vectors

Kind: TypeAlias = tuple[int, bool]  # a row's length in tokens, and whether its gradient is wanted
LENGTHS = 5  # at which rows are timed; in between, time is taken to grow linearly


@dataclass(frozen=True, slots=True)
class Estimate:
    """What explaining some texts takes on this machine.

    `failed` counts the texts that cannot be explained at all; `passes` are rows through the model, with or without a
    gradient. Where `is_least` is true, the method adds passes until it is exact enough, and may take several times as
    many.
    """

    texts: int
    failed: int
    units: int
    passes: int
    seconds: float
    is_least: bool = False


def estimate(asked: Iterable[Asked | UnmaskError], wanted: Wanted, engine: Engine) -> Estimate:
    """Count units and rows of every text; time a few rows of typical lengths."""
    texts = failed = units = 0
    rows, examples = Counter[Kind](), dict[Kind, Row]()
    for one in asked:
        texts += 1
        try:
            if isinstance(one, UnmaskError):
                raise one
            needed = rehearsed(one, wanted, engine)
        except UnmaskError:
            failed += 1
        else:
            units += len(one.groups)
            for row in needed:
                rows[_kind(row)] += 1
                examples.setdefault(_kind(row), row)
    refines = bool(getattr(wanted.method, "refines", False))
    return Estimate(texts, failed, units, rows.total(), _seconds(rows, examples, engine), is_least=refines)


def rehearsed(asked: Asked, wanted: Wanted, engine: Engine) -> list[Row]:
    """The rows that a text's questions need, where every answer is zero; a method that refines may need more."""
    subject, questions = wanted.subject(asked), asking(asked, wanted)
    rows, known = list[Row](), set[Probe]()  # the outputs of a row with a gradient are known too
    try:
        question = next(questions)
        while True:
            if isinstance(question, Outputs):
                rows += [Row(subject, probe) for probe in dict.fromkeys(question.probes) if probe not in known]
                known.update(question.probes)
            elif isinstance(question, Slopes):
                rows += [Row(subject, probe, question.target) for probe in question.probes]
                known.update(question.probes)
            elif isinstance(question, Rescaled):
                rows += [Row(subject, probe, question.target) for probe in (Probe(), question.probe)]
            is_known = isinstance(question, Vectors)
            answer = engine.vectors(subject) if is_known else _nothing(question, asked, wanted)
            question = questions.send(answer)
    except StopIteration:
        return rows


def _nothing(question: Question, asked: Asked, wanted: Wanted) -> torch.Tensor:
    """An answer of zeros; that gradients have one feature is as good as any number here."""
    length = len(asked.encoded.ids)
    if isinstance(question, Outputs):
        return torch.zeros(len(question.probes), len(wanted.head.labels), dtype=torch.float64)
    sizes = (len(question.weights),) if isinstance(question, Slopes) else ()
    return torch.zeros(*sizes, length, 1, dtype=torch.float64)


def _kind(row: Row) -> Kind:
    return row.length, row.target is not None


def _seconds(rows: Counter[Kind], examples: dict[Kind, Row], engine: Engine) -> float:
    """The time of all rows: a few lengths are timed, apart for rows with gradients and for those without."""
    total = 0.0
    for is_sloped in {is_sloped for _, is_sloped in rows}:
        lengths = np.array(sorted(length for length, kind in rows if kind is is_sloped))
        counts = np.array([rows[length, is_sloped] for length in lengths])
        shares = np.cumsum(counts) / counts.sum()
        timed = sorted({int(lengths[np.searchsorted(shares, share)]) for share in np.linspace(0, 1, LENGTHS)})
        seconds = list(engine.seconds_per_row([examples[length, is_sloped] for length in timed]))
        total += float(counts @ np.interp(lengths, timed, seconds))
    return total
