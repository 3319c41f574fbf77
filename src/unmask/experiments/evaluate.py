"""An evaluation in memory: the same experiment as a run's, on a store that is gone afterwards."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from ..attribution.attribute import versions
from ..errors import ArgumentError, UnmaskError
from ..progress import Report
from ..results.evaluation import Evaluation
from .chunk_runner import KeyedExample
from .config import OpenEvaluation
from .examples import Example
from .results import load_results
from .runner import Runner
from .store import Store


def evaluate(
    evaluation: OpenEvaluation, examples: Sequence[Example | UnmaskError], *, progress: Report | None
) -> Evaluation:
    """Score all texts under all methods, and compute all metrics."""
    texts = [KeyedExample.of(one) if isinstance(one, Example) else one for one in examples]
    with closing(Store(None)) as store:
        runner = Runner(
            evaluation.config, (text for text in texts if isinstance(text, KeyedExample)), store, lambda: evaluation
        )
        for _ in runner.run(runner.items, progress=progress):
            pass
        found = load_results(store, evaluation.config, list(map(note_of, texts))).evaluation
    if not any(row.values for row in found.rows):
        first = found.failures[0] if found.failures else None
        place = f"{first.place}: " if first is not None and first.place is not None else ""
        raise ArgumentError(f"no text could be evaluated: {place}{first.reason if first else 'none is there'}")
    return replace(found, versions=dict(versions()))


def note_of(text: KeyedExample | UnmaskError) -> object:
    """What the store notes of a text, so that a report needs no file."""
    if isinstance(text, KeyedExample):
        return text.note
    return {"error": str(text), "place": getattr(text, "place", None)}
