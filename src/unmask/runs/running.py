"""A plan at work in a folder: what is there already is not done again, and what is done is kept at once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..contests import contest
from ..errors import UnmaskError
from ..examples import Example
from ..methods.table import methods_named
from ..metrics.faithfulness import Exam
from ..metrics.protocols import protocol_named
from ..probes import Method
from .cells import JudgeCell, Question, ScoreCell, judge_cells, score_cells
from .chunks import OPERATIONS, chunks
from .identity import text_digest
from .lock import held
from .models import About, about, signature, size
from .plan import DatasetPlan, Pair, Plan
from .store import Store
from .texts import texts
from .working import Work, Worker

if TYPE_CHECKING:
    from ..opened import Opened


@dataclass(frozen=True, slots=True)
class Doing:
    """How far a run is: what it is at, and the operations that are done of those that are known to be left."""

    what: str
    done: float
    total: float
    seconds: float

    @property
    def left(self) -> float | None:
        """The seconds that are left, from the rate so far."""
        return None if not self.done else self.seconds * (self.total - self.done) / self.done


Report = Callable[[Doing], None]


class Run:
    """A plan and the folder in which its results are kept.

    Args:
        device: Where models run; the best there is unless told otherwise.
    """

    def __init__(self, folder: str | Path, plan: Plan, *, device: str | None = None) -> None:
        self.folder, self.plan = Path(folder), plan
        self._device = device
        self._texts: dict[str, list[Example | UnmaskError]] = {}

    def go(self, *, retry_failed: bool = False, progress: Report | None = None) -> None:
        """Do what is not done; ends at once where all is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with held(self.folder):
            store = Store(self.folder)
            try:
                store.note("plan", self.plan.to_dict())
                if retry_failed:
                    store.forget_failures()
                for bench in self._benches(store):
                    bench.work(progress)
            finally:
                store.close()

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The plan's methods under its protocol."""
        return tuple(methods_named(self.plan.methods[self.plan.protocol], seed=self.plan.seed))

    def examples(self, dataset: DatasetPlan) -> list[Example | UnmaskError]:
        """A dataset's texts, read once."""
        if dataset.name not in self._texts:
            self._texts[dataset.name] = texts(dataset)
        return self._texts[dataset.name]

    def question(self, baseline: str, operators: Sequence[str]) -> Question:
        """What the plan asks under one baseline."""
        plan, protocol = self.plan, protocol_named(self.plan.protocol)
        exam = Exam(protocol, (protocol.name,) if protocol.operators else tuple(operators), plan.top, plan.curve)
        return Question(
            unit="every token" if protocol.has_special_units else plan.unit,
            target=protocol.target or plan.target,
            scale=protocol.scale or plan.scale,
            baseline=baseline,
            max_length=plan.max_length,
            exam=exam,
            seed=plan.seed,
            controls=plan.controls,
        )

    def _benches(self, store: Store) -> Iterator["_Bench"]:
        """Cheap methods of all pairs, then the others: a model is opened again rather than two held."""
        ranks = sorted({cell_rank for cell_rank in (0, 1, 2, 3)})
        for rank in ranks:
            for pair in self.plan.pairs():
                yield _Bench(self, store, pair, rank)


class _Bench:
    """One model and one dataset of a plan, and what of it is of one rank."""

    def __init__(self, run: Run, store: Store, pair: Pair, rank: int) -> None:
        self._run, self._store, self._pair, self._rank = run, store, pair, rank
        self._opened: Opened | None = None

    def work(self, progress: Report | None) -> None:
        """Do all that is missing, a chunk at a time."""
        for baseline in self._run.plan.baselines:
            self._under(baseline, progress)

    def _under(self, baseline: str, progress: Report | None) -> None:
        known = self._about(baseline)
        question = self._run.question(baseline, known.operators)
        works = self._works
        scores = [one for one in score_cells(known, self._run.methods, question) if one.rank == self._rank]
        judged = [one for one in judge_cells(known, scores, question) if one.rank == self._rank]
        todo = [cell for cell in (*scores, *judged) if self._missing(cell, works)]
        if not todo:
            return
        worker = self._worker(baseline, question)
        for cell in todo:
            self._cell(cell, works, worker, progress)

    def _cell(
        self, cell: ScoreCell | JudgeCell, works: Sequence[Work], worker: Worker, progress: Report | None
    ) -> None:
        """One cell: where its chunks end does not depend on what is there already."""
        is_scored = isinstance(cell, ScoreCell)
        cost = worker.cost(cell.row) if isinstance(cell, ScoreCell) else worker.judging_cost(cell)
        missing, started, done = self._missing(cell, works), time.perf_counter(), 0.0
        total = sum(cost(work) for work in works if work.key in missing)
        for chunk in chunks(works, cost, budget=self._budget()):
            wanted = [work for work in chunk if work.key in missing]
            if not wanted:
                continue
            if isinstance(cell, ScoreCell):
                self._store.put("scores", cell.digest, worker.scores(cell.row, wanted))
            else:
                self._store.put("judgments", cell.digest, self._judged(cell, wanted, worker))
            done += sum(map(cost, wanted))
            if progress is not None:
                what = f"{self._pair.dataset.name}/{self._pair.model} {cell.row}"
                what += "" if is_scored else f" by {getattr(cell, 'operator', '')}"
                progress(Doing(what, done, total, time.perf_counter() - started))

    def _judged(self, cell: JudgeCell, works: Sequence[Work], worker: Worker) -> dict[bytes, dict[str, object]]:
        """The judgments of some texts; where a text has no scores, it has no judgment."""
        if cell.scores is None:
            return worker.judgments(cell, works, {})
        bodies = self._store.bodies("scores", cell.scores.digest)
        scores = {work.key: bodies[work.key]["scores"] for work in works if "scores" in bodies.get(work.key, {})}
        found = worker.judgments(cell, [work for work in works if work.key in scores], scores)
        failed = {work.key: {"error": bodies.get(work.key, {}).get("error", "not scored")} for work in works}
        return {**failed, **found}

    def _missing(self, cell: ScoreCell | JudgeCell, works: Sequence[Work]) -> set[bytes]:
        known = self._store.known("scores" if isinstance(cell, ScoreCell) else "judgments", cell.digest)
        return {work.key for work in works} - known

    @cached_property
    def _works(self) -> list[Work]:
        """The texts that can be read, each once."""
        examples = self._run.examples(self._pair.dataset)
        readable = [one for one in examples if isinstance(one, Example)]
        return list({text_digest(one.request): Work(text_digest(one.request), one) for one in readable}.values())

    def _about(self, baseline: str) -> About:
        """What is known of the model from before, where its folder is unchanged; else it is opened."""
        name = f"model:{self._pair.source}:{self._run.plan.protocol}"
        kept = self._store.fact(name)
        if kept is not None:
            found = About.from_dict(kept)
            if found.signature == signature(self._pair.source) and baseline in found.baselines:
                return found
        opened, chosen = contest(self._open(), (), {"protocol": self._run.plan.protocol})
        found = about(opened, self._pair.source, baselines=self._run.plan.baselines, operators=self._run.plan.operators)
        self._store.note(name, found.to_dict())
        self._store.note(f"hash:{self._pair.source}:{found.hash}", {"signature": found.signature})
        return found

    def _worker(self, baseline: str, question: Question) -> Worker:
        plan = self._run.plan
        settings = {"protocol": plan.protocol, "baseline": baseline, "seed": plan.seed}
        if not question.exam.protocol.operators:
            settings |= {"unit": plan.unit, "target": plan.target, "scale": plan.scale}
            settings |= {"operators": list(question.exam.operators)}
        opened, chosen = contest(self._open(), self._run.methods, settings)  # type: ignore[arg-type]
        wanted = {contender.name: contender.wanted for contender in chosen.contenders}
        return Worker(opened, wanted, question.exam, seed=plan.seed, size=size(opened))

    def _open(self) -> "Opened":
        if self._opened is None:
            from ..explainer import Explainer

            plan = self._run.plan
            explainer = Explainer.from_pretrained(
                self._pair.source, device=self._run._device, dtype=plan.dtype, max_length=plan.max_length
            )
            self._opened = explainer._opened
        return self._opened

    def _budget(self) -> float:
        device = self._open().adapter.device.type
        return OPERATIONS.get(device, OPERATIONS["cuda"])
