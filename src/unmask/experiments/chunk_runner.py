"""One chunk of texts through an open model: scored under one method, or judged in one row."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np
from torch import Tensor

from ..attribution.attribute import AttributionConfig, attribution_job
from ..attribution.session import ModelSession
from ..engine import Job, JobResult
from ..errors import UnmaskError
from ..metrics.faithfulness import SEEDS, FaithfulnessConfig
from ..metrics.registry import Figures
from ..questions import Question, Scores
from ..results.metadata import Passes
from ..results.rows import GREEDY, RANDOM, WORDS
from .alignment import AlignedExample, align_example
from .cost import Size
from .examples import Example
from .identity import labelled_digest, marked_digest, text_digest
from .text_metrics import MetricQuestions, TextMetrics, evaluate_text, method_scores, rationale_units
from .work_items import MetricItem

Found = TypeVar("Found")
Bodies = dict[bytes, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class KeyedExample:
    """A text of a run and what it is known by: alone, with its gold label, and with people's marks if it has any."""

    key: bytes
    labelled_key: bytes
    marked_key: bytes | None
    example: Example

    @classmethod
    def of(cls, example: Example) -> Self:
        """A text by all that can change its numbers."""
        key = text_digest(example.request)
        labelled = key if example.label is None else labelled_digest(key, example.label)
        marked = marked_digest(labelled, example.annotations) if example.annotations else None
        return cls(key, labelled, marked, example)

    @property
    def noted(self) -> list[str | None]:
        """What a report needs of it: its keys, and between them where it stands; the last one only where it has it."""
        marked = [] if self.marked_key is None else [self.marked_key.hex()]
        return [self.key.hex(), self.labelled_key.hex(), self.example.place, *marked]

    @property
    def plain(self) -> Self:
        """The text without people's marks, which must not change its numbers."""
        return replace(self, example=replace(self.example, annotations=()))


class ChunkRunner:
    """An open model at work for one question; texts that cannot be read fail alone."""

    def __init__(
        self, session: ModelSession, config: Mapping[str, AttributionConfig], exam: FaithfulnessConfig, *, seed: int
    ) -> None:
        self._session, self._wanted, self._exam, self._seed = session, config, exam, seed
        self._any = next(iter(config.values()))

    def scores(self, row: str, works: Sequence[KeyedExample]) -> Bodies:
        """The scores of some texts under one method."""
        config = self._wanted[row]

        is_cut: dict[bytes, bool] = {}

        def job(text: AlignedExample, work: KeyedExample) -> Job[Scores]:
            is_cut[work.key] = text.is_cut
            return attribution_job(text.prepared, config)

        bodies = self._bodies(works, job, _score_body)
        return {key: body if "error" in body else {**body, "is_cut": is_cut[key]} for key, body in bodies.items()}

    def judgments(
        self, cell: MetricItem, works: Sequence[KeyedExample], scores: Mapping[bytes, Sequence[float]]
    ) -> Bodies:
        """What is said of some texts in one row, by one operator."""
        exam = replace(self._exam, operators=() if cell.operator is None else (cell.operator,))
        config = self._any if cell.scores is None else self._wanted[cell.row]

        def job(text: AlignedExample, work: KeyedExample) -> Job[TextMetrics]:
            draws = SEEDS if cell.row == RANDOM else 0
            questions = MetricQuestions(text.gold, self._seed, draws, cell.row == GREEDY, cell.row == WORDS)
            given = [scores[work.key]] if cell.scores is not None else []
            return Job(
                text.prepared.with_baseline(config.baseline),
                evaluate_text(text.prepared, config, given, exam, questions),
            )

        return self._bodies(works, job, lambda outcome: _judge_body(outcome.unwrap(), cell))

    def marks(self, works: Sequence[KeyedExample]) -> Bodies:
        """What people marked in some texts, whether that counts, and scores by chance."""
        exam = replace(self._exam, operators=())

        def job(text: AlignedExample, _: KeyedExample) -> Job[dict[str, Any]]:
            return Job(text.prepared.with_baseline(self._any.baseline), self._marking(text, exam))

        return self._bodies(works, job, JobResult.unwrap)

    def _marking(self, text: AlignedExample, exam: FaithfulnessConfig) -> Generator[Question, Tensor, dict[str, Any]]:
        chance = MetricQuestions(text.gold, self._seed, SEEDS, wants_greedy=False, wants_fading=False)
        examined = yield from evaluate_text(text.prepared, self._any, [], exam, chance)
        marked = list(map(int, rationale_units(text.prepared, text.words))) if text.words else None
        label = "unknown" if text.unknown_label else "none" if text.gold is None else "known"
        drawn = list(map(list, examined.drawn))
        return {"marked": marked, "label": label, "is_gold": examined.is_gold, "drawn": drawn}

    def size(self, work: KeyedExample) -> Size:
        """A text's units and tokens; none where it cannot be read."""
        try:
            prepared = self._session.prepare(work.example.request, self._any)
        except UnmaskError:
            return 0, 0
        return len(prepared.groups), len(prepared.encoded.ids)

    def _bodies(
        self,
        works: Sequence[KeyedExample],
        job: Callable[[AlignedExample, KeyedExample], Job[Found]],
        body: Callable[[JobResult[Found]], dict[str, Any]],
    ) -> Bodies:
        """Each text's result, or why it has none."""

        def jobs() -> Iterator[Job[Found] | UnmaskError]:
            for work in works:
                try:
                    yield job(align_example(self._session, work.example, self._any), work)
                except UnmaskError as error:
                    yield error

        found: Bodies = {}
        for work, outcome in zip(works, self._session.engine.run(jobs()), strict=True):
            try:
                found[work.key] = body(outcome)
            except UnmaskError as error:
                found[work.key] = {"error": str(error)}
        return found


def _score_body(outcome: JobResult[Scores]) -> dict[str, Any]:
    found = method_scores(outcome)
    passes: Passes = found.passes
    return {
        "scores": list(found.scores),
        "delta": found.delta,
        "residual": found.residual,
        "forward": passes.forward,
        "backward": passes.backward,
        "seconds": round(found.seconds, 4),
    }


def _judge_body(examined: TextMetrics, cell: MetricItem) -> dict[str, Any]:
    rows: dict[str, Figures] = {RANDOM: examined.random, GREEDY: examined.greedy, WORDS: examined.fading}
    figures = examined.judged[0] if cell.scores is not None else rows[cell.row]
    return {"figures": [[one.metric, one.share, _number(value)] for one, value in figures.items()]}


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
