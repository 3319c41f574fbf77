"""What a run will cost, before it is made: its questions asked of nobody and counted, a few batches timed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch

from .asking import Asked, Wanted, asking
from .engine import Engine, Subject
from .errors import UnmaskError
from .probes import Probe

LENGTHS = 5  # at which rows are timed; in between, time is taken to grow linearly


@dataclass(frozen=True, slots=True)
class Estimate:
    """What explaining some texts takes on this machine.

    `failed` counts the texts that cannot be explained at all; `passes` are rows through the model.
    """

    texts: int
    failed: int
    units: int
    passes: int
    seconds: float


def estimate(asked: Iterable[Asked | UnmaskError], wanted: Wanted, engine: Engine) -> Estimate:
    """Count units and rows of every text; time a few rows of typical lengths."""
    texts = failed = units = 0
    rows, examples = Counter[int](), dict[int, Subject]()  # by length in tokens
    for one in asked:
        texts += 1
        try:
            if isinstance(one, UnmaskError):
                raise one
            rows[len(one.encoded.ids)] += rehearsed(one, wanted)
        except UnmaskError:
            failed += 1
        else:
            units += len(one.groups)
            examples.setdefault(len(one.encoded.ids), Subject(one.encoded, wanted.baseline))
    return Estimate(texts, failed, units, rows.total(), _seconds(rows, examples, engine))


def rehearsed(asked: Asked, wanted: Wanted) -> int:
    """The rows that a text's questions need, where every answer is zero; a method that refines may need more."""
    needed, questions = set[Probe](), asking(asked, wanted)
    try:
        question = next(questions)
        while True:
            needed.update(question.probes)
            question = questions.send(torch.zeros(len(question.probes), len(wanted.head.labels), dtype=torch.float64))
    except StopIteration:
        return len(needed)


def _seconds(rows: Counter[int], examples: dict[int, Subject], engine: Engine) -> float:
    if not rows:
        return 0.0
    lengths = np.array(sorted(rows))
    shares = np.cumsum([rows[length] for length in lengths]) / rows.total()
    timed = sorted({int(lengths[np.searchsorted(shares, share)]) for share in np.linspace(0, 1, LENGTHS)})
    per_row = np.interp(lengths, timed, list(engine.seconds_per_row([examples[length] for length in timed])))
    return float(sum(rows[int(length)] * seconds for length, seconds in zip(lengths, per_row, strict=True)))
