"""One model and one dataset of a plan at work, under one baseline: the cells that are missing, a chunk at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, ModelError
from ..methods.base import Method
from ..methods.registry import resolve_methods
from ..metrics.faithfulness import FaithfulnessConfig
from ..results.rows import WORDS
from ..text.request import Request
from .chunk_runner import ChunkRunner, KeyedExample
from .chunks import OPERATIONS, chunks
from .config import resolve_evaluation
from .cost import Size, cost, row_counts
from .datasets import Text, load_texts
from .examples import Example, UnreadError
from .identity import text_digest
from .model_record import ModelRecord, model_record, operations, signature
from .plan import DatasetPlan, Pair, Plan
from .store import Store
from .store_keys import counts_fact, hash_fact, model_fact, model_facts, sizes_fact, texts_fact
from .work_items import (
    PEOPLE,
    MetricItem,
    ScoreItem,
    WorkItem,
    faithfulness_config,
    metric_items,
    rationale_item,
    score_items,
)

if TYPE_CHECKING:
    from ..attribution.session import ModelSession
    from .evaluate import EvaluationConfig

Opening = Callable[[str], "ModelSession"]


class PairRunner:
    """A pair of a plan under one baseline.

    Args:
        opening: Opens the model of a folder or a hub name; asked only where something is missing.
    """

    def __init__(self, plan: Plan, pair: Pair, baseline: str, store: Store, opening: Opening) -> None:
        self.plan, self.pair, self.baseline = plan, pair, baseline
        self._store, self._opening = store, opening

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """The plan's methods under its protocol."""
        return tuple(resolve_methods(self.plan.methods[self.plan.protocol], seed=self.plan.seed))

    @cached_property
    def about(self) -> ModelRecord:
        """What is known of the model from before, where its folder is unchanged; else it is opened."""
        name = model_fact(self.plan, self.pair, self.baseline)
        kept = self._store.fact(name)
        if kept is not None and kept["signature"] == signature(self.pair.source):
            return ModelRecord.from_dict(kept)
        found = model_record(self.session[0], self.session[1], self.pair.source)
        self._store.note(name, found.to_dict())
        self._store.note(hash_fact(self.pair.source, found.dtype, found.hash), True)
        return found

    @cached_property
    def works(self) -> list[KeyedExample]:
        """The texts that can be read, each once."""
        return list({work.key: work.plain for work in self._texts if isinstance(work, KeyedExample)}.values())

    @cached_property
    def labelled(self) -> list[KeyedExample]:
        """The same for figures that depend on a gold label: each text once with each of its labels."""
        found = (work for work in self._texts if isinstance(work, KeyedExample))
        return list({work.labelled_key: replace(work.plain, key=work.labelled_key) for work in found}.values())

    @cached_property
    def marked(self) -> list[KeyedExample]:
        """The same for what people marked: each text once with each label and each set of marks."""
        found = (work for work in self._texts if isinstance(work, KeyedExample))
        return list({key: replace(work, key=key) for work in found if (key := work.marked_key)}.values())

    def works_of(self, cell: WorkItem) -> list[KeyedExample]:
        """The texts of a cell by what they are known by there; without those that are too long for its method."""
        works = {WORDS: self.labelled, PEOPLE: self.marked}.get(cell.row, self.works)
        most = cell.max_units
        return works if most is None else [work for work in works if self.sizes[work.key][0] <= most]

    def note_texts(self) -> None:
        """Note which text stands where, so that a report needs no file."""
        keys = [
            work.noted if isinstance(work, KeyedExample) else {"error": str(work), "place": work.place}
            for work in self._texts
        ]
        self._store.note(texts_fact(self.pair), keys)

    @cached_property
    def sizes(self) -> dict[bytes, Size]:
        """Every text's units and tokens; counted once, then noted, so that no model need be opened for them."""
        name = sizes_fact(self.about.hash, self.about.unit, self.about.max_length)
        kept = {bytes.fromhex(key): (units, tokens) for key, (units, tokens) in (self._store.fact(name) or {}).items()}
        if new := [work for work in (*self.works, *self.labelled, *self.marked) if work.key not in kept]:
            kept |= {work.key: self._worker.size(work) for work in new}
            self._store.note(name, {key.hex(): size for key, size in kept.items()})
        return kept

    def work(self, cell: WorkItem, text: KeyedExample) -> float:
        """What a cell asks for one text: rows times their lengths; nothing where it cannot be read."""
        _, tokens = size = self.sizes[text.key]
        return tokens * cost(row_counts(cell, size, self.exam)) if all(size) else 0.0

    @cached_property
    def exam(self) -> FaithfulnessConfig:
        """How the plan judges this model."""
        return faithfulness_config(self.about, self.plan)

    def open(self) -> None:
        """Have the model ready."""
        _ = self._worker

    def close(self) -> None:
        """Let go of the model, so that another can take its place."""
        for name in ("session", "_worker"):
            self.__dict__.pop(name, None)

    def cells(self) -> Iterator[WorkItem]:
        """All that the plan asks of this pair, in the order in which it is done."""
        scores = list(score_items(self.about, self.plan, self.methods))
        judged = list(metric_items(self.about, self.plan, scores))
        for one in scores:
            yield one
            yield from (cell for cell in judged if cell.scores is one)
        yield from (cell for cell in judged if cell.scores is None)
        if self.pair.dataset.rationale is not None:
            yield rationale_item(self.about, self.plan)

    def missing(self, cell: WorkItem) -> list[KeyedExample]:
        """The texts that a cell lacks."""
        known = self._store.known("scores" if isinstance(cell, ScoreItem) else "judgments", cell.digest)
        return [work for work in self.works_of(cell) if work.key not in known]

    def run(self, cell: WorkItem) -> Iterator[list[KeyedExample]]:
        """Do what a cell lacks, chunk by chunk; after each, which texts it was.

        Where chunks end does not depend on what is there already.
        """
        missing = {work.key for work in self.missing(cell)}
        worker, per_token = self._worker, operations(self.session[0])
        budget = OPERATIONS.get(self.session[0].adapter.device.type, OPERATIONS["cuda"])

        def spent(work: KeyedExample) -> float:
            return per_token * self.work(cell, work)

        for chunk in chunks(self.works_of(cell), spent, budget=budget):
            config = [work for work in chunk if work.key in missing]
            if not config:
                continue
            if isinstance(cell, ScoreItem):
                self._store.put("scores", cell.digest, worker.scores(cell.row, config))
            else:
                self._store.put("judgments", cell.digest, self._judged(cell, config))
            yield config

    def _judged(self, cell: MetricItem, works: Sequence[KeyedExample]) -> dict[bytes, dict[str, Any]]:
        """The judgments of some texts; one that could not be scored cannot be judged."""
        if cell.row == PEOPLE:
            return self._worker.marks(works)
        if cell.scores is None:
            return self._worker.judgments(cell, works, {})
        bodies = {work.key: self._store.body("scores", cell.scores.digest, work.key) for work in works}
        scores = {work.key: bodies[work.key]["scores"] for work in works if "scores" in bodies[work.key]}
        found = self._worker.judgments(cell, [work for work in works if work.key in scores], scores)
        return {work.key: found.get(work.key) or {"error": bodies[work.key]["error"]} for work in works}

    @cached_property
    def _texts(self) -> list[KeyedExample | UnreadError]:
        """Every text of the dataset, in its order."""
        dataset = self.pair.dataset
        found = load_texts(dataset) if dataset.max_tokens is None else self._short_enough(dataset)
        return [KeyedExample.of(one) if isinstance(one, Example) else one for one in found]

    def _short_enough(self, dataset: DatasetPlan) -> list[Text]:
        """The texts by their tokens, whose counts are noted: no model need be opened to choose the same again."""
        name = counts_fact(self.about.hash)
        noted: dict[str, int] = self._store.fact(name) or {}
        known = dict(noted)

        def count(text: str) -> int:
            key = text_digest(Request(text)).hex()
            if key not in known:
                known[key] = len(self.session[0].adapter.encode(text, max_length=None).ids)
            return known[key]

        found = load_texts(dataset, count_tokens=count)
        if known != noted:
            self._store.note(name, known)
        return found

    @cached_property
    def session(self) -> "tuple[ModelSession, EvaluationConfig]":
        """The model as the protocol has it, and what is judged."""
        settings: Any = {**self.plan.judging(), "curve": self.plan.curve, "baseline": self.baseline}
        return resolve_evaluation(self._model(), self.methods, settings)

    def _model(self) -> "ModelSession":
        """The model; a folder can be in the place of what a hub does not give."""
        try:
            return self._opening(self.pair.source)
        except ModelError as error:
            if error.hint and not Path(self.pair.source).is_dir():
                error.hint += f"; beside a plan: --map {self.pair.model}=FOLDER"
            raise

    @cached_property
    def _worker(self) -> ChunkRunner:
        session, chosen = self.session
        if (
            session.adapter.model_info().hash != self.about.hash
        ):  # though its files looked the same, or the hub has another
            for name in self._store.facts(model_facts(self.pair.source)):
                self._store.note(name, None)
            raise InputError(
                f"the model {self.pair.source!r} is not the one that it was: its results are kept; this one has none",
                hint="give the same command again",
            )
        config = {contender.name: contender.config for contender in chosen.contenders}
        return ChunkRunner(session, config, self.exam, seed=self.plan.seed)
