"""One chunk of texts through an open model: scored under one method, or judged in one row."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np
from torch import Tensor

from ..asking import Answered, Wanted, asking
from ..engine import Job, Outcome
from ..errors import UnmaskError
from ..examining import Examined, Questions, examining, rationale, scored
from ..examples import Example
from ..judged import GREEDY, RANDOM, WORDS
from ..metrics.faithfulness import SEEDS, Exam
from ..metrics.measures import Figures
from ..opened import Opened
from ..parts import Passes
from ..probes import Question
from ..reading import Text, text_of
from .cells import JudgeCell
from .counting import Size
from .identity import labelled_digest, marked_digest, text_digest

Found = TypeVar("Found")
Bodies = dict[bytes, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Work:
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


class Worker:
    """An open model at work for one question; texts that cannot be read fail alone."""

    def __init__(self, opened: Opened, wanted: Mapping[str, Wanted], exam: Exam, *, seed: int) -> None:
        self._opened, self._wanted, self._exam, self._seed = opened, wanted, exam, seed
        self._any = next(iter(wanted.values()))

    def scores(self, row: str, works: Sequence[Work]) -> Bodies:
        """The scores of some texts under one method."""
        wanted = self._wanted[row]

        def job(text: Text, _: Work) -> Job[Answered]:
            return Job(wanted.subject(text.asked), asking(text.asked, wanted))

        return self._bodies(works, job, _score_body)

    def judgments(self, cell: JudgeCell, works: Sequence[Work], scores: Mapping[bytes, Sequence[float]]) -> Bodies:
        """What is said of some texts in one row, by one operator."""
        exam = replace(self._exam, operators=() if cell.operator is None else (cell.operator,))
        wanted = self._any if cell.scores is None else self._wanted[cell.row]

        def job(text: Text, work: Work) -> Job[Examined]:
            draws = SEEDS if cell.row == RANDOM else 0
            questions = Questions(text.gold, self._seed, draws, cell.row == GREEDY, cell.row == WORDS)
            given = [scores[work.key]] if cell.scores is not None else []
            return Job(wanted.subject(text.asked), examining(text.asked, wanted, given, exam, questions))

        return self._bodies(works, job, lambda outcome: _judge_body(outcome.unwrapped(), cell))

    def marks(self, works: Sequence[Work]) -> Bodies:
        """What people marked in some texts, whether that counts, and scores by chance."""
        exam = replace(self._exam, operators=())

        def job(text: Text, _: Work) -> Job[dict[str, Any]]:
            return Job(self._any.subject(text.asked), self._marking(text, exam))

        return self._bodies(works, job, Outcome.unwrapped)

    def _marking(self, text: Text, exam: Exam) -> Generator[Question, Tensor, dict[str, Any]]:
        chance = Questions(text.gold, self._seed, SEEDS, wants_greedy=False, wants_fading=False)
        examined = yield from examining(text.asked, self._any, [], exam, chance)
        marked = list(map(int, rationale(text.asked, text.words))) if text.words else None
        label = "unknown" if text.unknown_label else "none" if text.gold is None else "known"
        drawn = list(map(list, examined.drawn))
        return {"marked": marked, "label": label, "is_gold": examined.is_gold, "drawn": drawn}

    def size(self, work: Work) -> Size:
        """A text's units and tokens; none where it cannot be read."""
        try:
            asked = self._opened.asked(work.example.request, self._any)
        except UnmaskError:
            return 0, 0
        return len(asked.groups), len(asked.encoded.ids)

    def _bodies(
        self,
        works: Sequence[Work],
        job: Callable[[Text, Work], Job[Found]],
        body: Callable[[Outcome[Found]], dict[str, Any]],
    ) -> Bodies:
        """Each text's result, or why it has none."""

        def jobs() -> Iterator[Job[Found] | UnmaskError]:
            for work in works:
                try:
                    yield job(text_of(self._opened, work.example, self._any), work)
                except UnmaskError as error:
                    yield error

        found: Bodies = {}
        for work, outcome in zip(works, self._opened.engine.run(jobs()), strict=True):
            try:
                found[work.key] = body(outcome)
            except UnmaskError as error:
                found[work.key] = {"error": str(error)}
        return found


def _score_body(outcome: Outcome[Answered]) -> dict[str, Any]:
    found = scored(outcome)
    passages = outcome.unwrapped().asked.encoded.passages
    passes: Passes = found.passes
    return {
        "scores": list(found.scores),
        "delta": found.delta,
        "residual": found.residual,
        "is_cut": any(passage.is_cut for passage in passages),
        "forward": passes.forward,
        "backward": passes.backward,
        "seconds": round(found.seconds, 4),
    }


def _judge_body(examined: Examined, cell: JudgeCell) -> dict[str, Any]:
    rows: dict[str, Figures] = {RANDOM: examined.random, GREEDY: examined.greedy, WORDS: examined.fading}
    figures = examined.judged[0] if cell.scores is not None else rows[cell.row]
    return {"figures": [[one.metric, one.share, _number(value)] for one, value in figures.items()]}


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
