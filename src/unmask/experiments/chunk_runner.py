"""Runs a chunk of texts through an open model: computes the scores of all methods, then the metrics of every text.

Each method and text is a separate job, so that passes and seconds are counted per method. Then one job per text
requests the perturbations that its metrics need, each of them only once.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from torch import Tensor

from ..attribution.attribute import PreparedText, attribution_job
from ..engine import Job, JobResult
from ..engine.memory import give_memory_back
from ..errors import UnmaskError
from ..metrics.faithfulness import SEEDS, ranking_scores
from ..progress import Progress, Report
from ..questions import Question, Scores
from ..results.rows import RANDOM
from .config import OpenEvaluation
from .identity import KeyedExample
from .store import Table
from .text_metrics import AlignedExample, align_example, evaluate_text, rationale_marks, scores_on_units
from .work_items import RATIONALES, MetricItem, ScoreItem, WorkItem, row_counts

Record: TypeAlias = dict[str, Any]  # the stored result of one text and work item
Records: TypeAlias = dict[tuple[Table, bytes], dict[bytes, Record]]
ScoreKey: TypeAlias = tuple[bytes, bytes]  # the digests of a work item and a text
AlignedWork: TypeAlias = tuple[AlignedExample, KeyedExample, Sequence[WorkItem]]
Asking: TypeAlias = Generator[Question, Tensor, dict[bytes, Record]]  # a record for each work item's digest


class ChunkRunner:
    """Computes work items for some texts. A text that cannot be read does not affect the others.

    Args:
        stored: Scores that were computed earlier and that the metrics need now.
    """

    def __init__(
        self,
        model: OpenEvaluation,
        work: Sequence[tuple[KeyedExample, Sequence[WorkItem]]],
        stored: Mapping[ScoreKey, Record],
        progress: Report | None,
    ) -> None:
        self._session, self._config, self._baselines = model.session, model.config, model.baselines
        self._stored, self._work, self._done, self._progress = stored, work, Progress(0, 0), progress
        self._any = next(iter(model.baselines.values()))
        self._records: Records = {}

    def run(self) -> Records:
        """Return the records of all work items."""
        readable: list[AlignedWork] = []
        for text, items in self._work:
            try:
                readable.append((align_example(self._session, text.example, self._any), text, items))
            except UnmaskError as error:
                for item in items:
                    self._put(item, text, {"error": str(error)})
        self._score(readable)
        self._evaluate(readable)
        give_memory_back()
        return self._records

    def _score(self, texts: Sequence[AlignedWork]) -> None:
        """Score all texts with all methods, in one run of the engine."""
        todo, jobs = [], []
        for aligned, text, items in texts:
            for item in (one for one in items if isinstance(one, ScoreItem)):
                if item.method is None:
                    scores, lost = scores_on_units(aligned)
                    record = {"scores": scores, "is_cut": aligned.is_cut, "lost": lost, "by": text.example.taken_by}
                    self._put(item, text, record)
                else:
                    config = replace(self._baselines.get(item.baseline or "", self._any), method=item.method)
                    todo.append((aligned, text, item))
                    jobs.append(attribution_job(aligned.prepared, config))
        for (aligned, text, item), outcome in zip(todo, self._run(jobs), strict=True):
            try:
                self._put(item, text, _score_record(outcome) | {"is_cut": aligned.is_cut})
            except UnmaskError as error:
                self._put(item, text, {"error": str(error)})

    def _evaluate(self, texts: Sequence[AlignedWork]) -> None:
        """Compute all metrics, one job per text."""
        todo, jobs = [], []
        for aligned, text, items in texts:
            scores, metrics = dict[bytes, Sequence[float]](), list[MetricItem]()
            for item in (one for one in items if isinstance(one, MetricItem)):
                record = {} if item.scores is None else self._scores(item.scores, text)
                if "error" in record:
                    self._put(item, text, {"error": record["error"]})  # without scores, there are no metrics
                    continue
                metrics.append(item)
                if "scores" in record:
                    scores[item.digest] = ranking_scores(record["scores"], record.get("ranking"))
            if metrics:
                prepared = self._config.protocol.adapt_text(aligned.prepared.with_baseline(self._any.baseline))
                todo.append((text, metrics))
                jobs.append(Job(prepared, self._questions(aligned, metrics, scores), self._rows(prepared, metrics)))
        for (text, metrics), outcome in zip(todo, self._run(jobs), strict=True):
            known = outcome.result or {}
            for item in metrics:
                self._put(item, text, known.get(item.digest) or {"error": str(outcome.error)})

    def _rows(self, prepared: PreparedText, items: Sequence[MetricItem]) -> float:
        """Return the expected number of passes for all items, to report progress."""
        size, faithfulness = (len(prepared.groups), len(prepared.encoded.ids)), self._config.faithfulness
        return sum(rows.count for item in items for rows in row_counts(item, size, faithfulness))

    def _questions(
        self, text: AlignedExample, items: Sequence[MetricItem], scores: Mapping[bytes, Sequence[float]]
    ) -> Asking:
        """Compute all items of one text; table rows that need the same operators are computed together."""
        operators: dict[str, tuple[str, ...]] = {}
        for item in items:
            operators[item.row] = (*operators.get(item.row, ()), *([item.operator] if item.operator else []))
        records: dict[bytes, Record] = {}
        for chosen in dict.fromkeys(operators.values()):
            alike = [item for item in items if operators[item.row] == chosen]
            records |= yield from self._together(text, alike, scores)
        return records

    def _together(
        self, text: AlignedExample, items: Sequence[MetricItem], scores: Mapping[bytes, Sequence[float]]
    ) -> Asking:
        """Compute items together. If that fails, compute them one by one, so that a failure affects only its item."""
        rows = {item.row: scores.get(item.digest) for item in items}
        ranked = {row: given for row, given in rows.items() if given is not None}
        operators = tuple(dict.fromkeys(item.operator for item in items if item.operator is not None))
        faithfulness = replace(self._config.faithfulness, operators=operators)
        orders = SEEDS if RANDOM in rows or RATIONALES in rows else 0
        asked: dict[str, Any] = {"seed": self._config.seed, "gold": text.gold, "orders": orders, "controls": rows}
        try:
            metrics = yield from evaluate_text(text.prepared, self._any, list(ranked.values()), faithfulness, **asked)
            if RATIONALES in rows:
                return {items[0].digest: self._rationale(text, metrics.is_gold, metrics.drawn)}
        except UnmaskError as error:
            if len(items) == 1:
                return {items[0].digest: {"error": str(error)}}
            records: dict[bytes, Record] = {}
            for item in items:
                records |= yield from self._together(text, [item], scores)
            return records
        figures = dict(metrics.controls) | dict(zip(ranked, metrics.methods, strict=True))
        return {
            item.digest: {
                "figures": [
                    [measure.metric, measure.share, None if np.isnan(value) else float(value)]  # type: ignore[arg-type]  # pairs are of plausibility
                    for measure, value in figures[item.row].items()
                    if measure.operator == item.operator_used
                ]
            }
            for item in items
        }

    def _rationale(self, text: AlignedExample, is_gold: bool, drawn: Sequence[Sequence[float]]) -> Record:
        """Return the rationale in units, whether the prediction is right, and random scores."""
        marked = rationale_marks(self._session, text)
        label = "unknown" if not text.is_label_known else "none" if text.gold is None else "known"
        marks = None if marked is None else list(map(int, marked))
        return {"marked": marks, "label": label, "is_gold": is_gold, "drawn": list(map(list, drawn))}

    def _scores(self, item: ScoreItem, text: KeyedExample) -> Record:
        """Return the scores from this chunk, or else the stored ones."""
        key = text.keys[item.keyed_by]
        return self._records.get(("scores", item.digest), {}).get(key) or self._stored[item.digest, key]

    def _put(self, item: WorkItem, text: KeyedExample, record: Record) -> None:
        self._records.setdefault((item.table, item.digest), {})[text.keys[item.keyed_by]] = record

    def _run(self, jobs: Iterable[Job[Any]]) -> Iterator[Any]:
        before, report = self._done, self._progress

        def count(engine: Progress) -> None:
            self._done = before + engine
            if report is not None:
                report(self._done)

        return self._session.engine.run(jobs, progress=count)


def _score_record(outcome: JobResult[Scores]) -> Record:
    """Convert a method's result to a record. Raises the error of a failed text."""
    scores = outcome.unwrap()
    values, residuals = scores.values, scores.residuals
    return {
        "scores": values.tolist(),
        **({} if scores.ranking is None else {"ranking": list(scores.ranking)}),
        "delta": float(values.sum() - scores.together),  # sum of the scores minus together
        "residual": None if residuals is None else float(residuals.abs().max()),  # largest error of a unit's score
        "forward": outcome.passes.forward,
        "backward": outcome.passes.backward,
        "seconds": round(outcome.seconds, 4),
    }
