"""Computes a chunk of an evaluation with a pure function that any process with the same model can run."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import torch

from ..engine.threads import torch_threads
from ..progress import Report
from .chunk_runner import ChunkRunner, Record, Records, ScoreKey
from .config import OpenEvaluation
from .identity import KeyedExample
from .store import Store
from .work_items import ScoreItem, WorkItem

Work: TypeAlias = tuple[tuple[KeyedExample, tuple[WorkItem, ...]], ...]  # texts of a chunk, with their missing items


@dataclass(frozen=True, slots=True)
class EvaluationChunk:
    """Texts with their missing work items, and the stored scores that those items need."""

    work: Work
    stored: Mapping[ScoreKey, Record] = field(default_factory=dict)

    @classmethod
    def of(cls, work: Work, store: Store) -> "EvaluationChunk":
        """Create a chunk with copies of the stored scores it needs, so that it can run without the store."""
        return cls(work, {key: store.body("scores", *key) for key in needed_scores(work)})


def needed_scores(work: Work) -> set[ScoreKey]:
    """Return the scores that metrics need and that the chunk itself does not compute."""
    needed, computed = set[ScoreKey](), set[ScoreKey]()
    for text, items in work:
        for item in items:
            if isinstance(item, ScoreItem):
                computed.add((item.digest, text.keys[item.keyed_by]))
            elif item.scores is not None:
                needed.add((item.scores.digest, text.keys[item.scores.keyed_by]))
    return needed - computed


def is_computable(work: Work, store: Store) -> bool:
    """Whether all scores that a chunk needs are stored; they may come from another chunk with the same text."""
    return all(key in store.known("scores", item) for item, key in needed_scores(work))


@dataclass(frozen=True, slots=True)
class ChunkEvaluator:
    """Computes the records of a chunk, with the number of torch threads that the run started with."""

    model: OpenEvaluation
    threads: int = field(default_factory=torch.get_num_threads)

    @property
    def device(self) -> str:
        """The type of the model's device."""
        return self.model.session.adapter.device.type

    def __call__(self, chunk: EvaluationChunk, progress: Report | None) -> Records:
        """Compute the records of all work items with a new engine, so that earlier work cannot change the results."""
        model = replace(self.model, session=copy(self.model.session))
        with torch_threads(self.threads):
            return ChunkRunner(model, chunk.work, chunk.stored, progress).run()

    def halves(self, chunk: EvaluationChunk) -> tuple[EvaluationChunk, EvaluationChunk] | None:
        """Split the chunk in two; None for a single text."""
        middle = len(chunk.work) // 2
        if not middle:
            return None
        return EvaluationChunk(chunk.work[:middle], chunk.stored), EvaluationChunk(chunk.work[middle:], chunk.stored)

    def join(self, results: Sequence[Records]) -> Records:
        """Merge the records of all pieces."""
        joined: Records = {}
        for records in results:
            for item, bodies in records.items():
                joined.setdefault(item, {}).update(bodies)
        return joined

    def failure(self, chunk: EvaluationChunk, reason: str) -> Records:
        """Return failures for all work items of one text."""
        records: Records = {}
        for text, items in chunk.work:
            for item in items:
                records.setdefault((item.table, item.digest), {})[text.keys[item.keyed_by]] = {"error": reason}
        return records
