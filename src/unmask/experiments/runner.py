"""Computes the missing results for one model and one dataset, in memory or for a plan, chunk by chunk."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from functools import cached_property, partial
from itertools import compress
from operator import not_
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..attribution.attribute import versions
from ..errors import ArgumentError, InputError, ModelError, UnmaskError
from ..executors.base import Executor, LocalExecutor
from ..progress import Report
from ..results.evaluation import Evaluation
from ..text.request import Request
from .chunk_work import ChunkEvaluator, EvaluationChunk, Work, is_computable
from .config import EvaluationConfig, OpenEvaluation, plan_config, resolve_evaluation
from .datasets import load_texts
from .examples import Example, UnreadError
from .identity import (
    KeyedExample,
    ModelRecord,
    hash_fact,
    keyed,
    model_fact,
    note_of,
    signature,
    sizes_fact,
    text_digest,
)
from .plan import Pair, Plan
from .results import load_results
from .store import Store
from .stored_paths import addresses, pair_note, stored_pair
from .work_items import GRADIENT, Size, WorkItem, cost, row_counts, work_items

if TYPE_CHECKING:
    from ..attribution.session import ModelSession

Text = TypeVar("Text")
TEXTS = 256  # at most, per chunk: limits the overhead that is not spent on passes


class Runner:
    """Computes the work items of an evaluation on some texts. Opens the model only if a result is missing."""

    config: EvaluationConfig
    examples: Sequence[KeyedExample | UnmaskError]  # in order; an error stands for a text that cannot be read

    def __init__(self, store: Store, open_model: Callable[[], OpenEvaluation]) -> None:
        self._store, self._open_model = store, open_model

    @cached_property
    def model(self) -> OpenEvaluation:
        """The model, opened on first use."""
        return self._open_model()

    @cached_property
    def items(self) -> list[WorkItem]:
        """All work items."""
        return work_items(self.config)

    @cached_property
    def texts(self) -> list[KeyedExample]:
        """The texts that can be read, without duplicates."""
        known = [text for text in self.examples if isinstance(text, KeyedExample)]
        return list({tuple(text.keys.items()): text for text in known}.values())

    def texts_of(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """Return the texts of a work item by key, without those that are too long for its method."""
        texts = {text.keys[item.keyed_by]: text for text in reversed(self.texts) if item.keyed_by in text.keys}
        most = item.max_units
        return {key: text for key, text in texts.items() if most is None or self.size(text)[0] <= most}

    def missing(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """Return the texts of a work item that have no result yet."""
        known = self._store.known(item.table, item.digest)
        return {key: text for key, text in self.texts_of(item).items() if key not in known}

    def size(self, text: KeyedExample) -> Size:
        """Return a text's number of units and tokens; zeros if it cannot be read."""
        return self._sizes[text.keys["text"]]

    def cost(self, text: KeyedExample, items: Iterable[WorkItem], *, gradient: float = GRADIENT) -> float:
        """Return the cost of work items for one text, in tokens; 0 if the text cannot be read."""
        units, tokens = size = self.size(text)
        rows = (cost(row_counts(item, size, self.config.faithfulness), gradient=gradient) for item in items)
        return tokens * sum(rows) if units and tokens else 0.0

    def run(
        self,
        items: Sequence[WorkItem],
        *,
        budget: float | None = None,
        executor: Executor | None = None,
        threads: int | None = None,
        progress: Report | None = None,
    ) -> Iterator[Work]:
        """Compute the missing results, chunk by chunk. Each chunk is stored in one transaction.

        Chunks depend neither on stored results nor on timing. A resumed run therefore has the same batches as an
        uninterrupted one, and the same numbers, bit for bit.

        Args:
            budget: The cost of a chunk; None for no limit.
            threads: The number of torch threads; by default, the current number.
        """
        works = list(self._works(items, budget))
        while works:  # the model is opened only if something is missing
            model = replace(self.model, config=self.config)
            evaluator = ChunkEvaluator(model) if threads is None else ChunkEvaluator(model, threads)
            is_next = [is_computable(work, self._store) for work in works]
            chunks = (EvaluationChunk.of(work, self._store) for work in compress(works, is_next))
            with closing((executor or LocalExecutor()).map(evaluator, chunks, progress)) as computed:
                for chunk, records in computed:
                    self._store.put(records)
                    yield chunk.work
            works = list(compress(works, map(not_, is_next)))

    def _works(self, items: Sequence[WorkItem], budget: float | None) -> Iterator[Work]:
        """Yield the chunks with missing results; texts are split as if nothing were stored."""
        asked, missing = defaultdict[int, list[WorkItem]](list), defaultdict[int, list[WorkItem]](list)  # by text
        for item in items:
            for text in self.texts_of(item).values():
                asked[id(text)].append(item)
            for text in self.missing(item).values():
                missing[id(text)].append(item)

        def total(text: KeyedExample) -> float:
            return 0.0 if budget is None else self.cost(text, asked[id(text)])

        for chunk in chunks([text for text in self.texts if id(text) in asked], total, budget=budget or 0.0):
            if work := tuple((text, tuple(missing[id(text)])) for text in chunk if id(text) in missing):
                yield work

    def close(self) -> None:
        """Release the model."""
        self.__dict__.pop("model", None)

    @cached_property
    def _sizes(self) -> dict[bytes, Size]:
        """The size of every text. It is stored, so the next run need not open the model."""
        name = sizes_fact(self.config.models[0])
        kept: dict[str, Any] = self._store.fact(name) or {}
        if new := [text for text in self.texts if text.keys["text"].hex() not in kept]:
            kept |= {text.keys["text"].hex(): self._count(text.example.request) for text in new}
            self._store.note(name, kept)
        return {bytes.fromhex(key): (units, tokens) for key, (units, tokens) in kept.items()}

    def _count(self, request: Request) -> Size:
        try:
            prepared = self.model.session.prepare(request, next(iter(self.model.baselines.values())))
        except UnmaskError:
            return 0, 0
        return len(prepared.groups), len(prepared.encoded.ids)


def chunks(texts: Sequence[Text], cost: Callable[[Text], float], *, budget: float) -> Iterator[list[Text]]:
    """Split texts into chunks within the budget; each chunk has between one and `TEXTS` texts.

    >>> list(chunks([3, 3, 3, 9, 1], float, budget=6))
    [[3, 3], [3], [9], [1]]
    """
    held: list[Text] = []
    total = 0.0
    for text in texts:
        own = cost(text)
        if held and (total + own > budget or len(held) == TEXTS):
            yield held
            held, total = [], 0.0
        held.append(text)
        total += own
    if held:
        yield held


class InMemoryRunner(Runner):
    """Evaluates an open model on some examples."""

    def __init__(self, evaluation: OpenEvaluation, examples: Iterable[Example | UnmaskError], store: Store) -> None:
        super().__init__(store, lambda: evaluation)
        self.config, self.examples = evaluation.config, list(map(keyed, examples))


def evaluate(
    evaluation: OpenEvaluation, examples: Sequence[Example | UnmaskError], *, progress: Report | None
) -> Evaluation:
    """Evaluate in memory: score all texts with all methods and compute all metrics."""
    with closing(Store(None)) as store:
        runner = InMemoryRunner(evaluation, examples, store)
        for _ in runner.run(runner.items, progress=progress):
            pass
        found = load_results(store, runner.config, list(map(note_of, runner.examples))).evaluation
    if not any(row.values for row in found.rows):
        first = found.failures[0] if found.failures else None
        place = f"{first.place}: " if first is not None and first.place is not None else ""
        raise ArgumentError(f"no text could be evaluated: {place}{first.reason if first else 'no texts were given'}")
    return replace(found, versions={**versions(), **found.versions})


class PairRunner(Runner):
    """Evaluates one pair of a plan (a dataset and a model) with one baseline."""

    def __init__(
        self, plan: Plan, pair: Pair, baseline: str, store: Store, open_session: "Callable[[Pair], ModelSession]"
    ) -> None:
        super().__init__(store, self._open)
        self.plan, self.pair, self.baseline, self._open_session = plan, pair, baseline, open_session
        self._record = self._stored_record()
        if self._record is None:
            (self._record,) = self.model.config.models
            stored = stored_pair(pair, store)
            store.note(model_fact(plan, stored, baseline), asdict(self._record))
            store.note(hash_fact(stored.address, self._record.dtype, self._record.hash), True)
        self.config = plan_config(plan, pair, self._record)
        self.examples = list(map(keyed, self._load_texts(f"counts:{self._record.hash}")))

    @property
    def operations(self) -> float:
        """Operations per token in a forward pass: two for each weight."""
        module = getattr(self.model.session.adapter, "module", None)
        return 1e6 if module is None else 2.0 * float(module.num_parameters(exclude_embeddings=True))

    def _stored_record(self) -> ModelRecord | None:
        """The stored record of the model, if its files are unchanged."""
        kept = pair_note(self._store, partial(model_fact, self.plan, baseline=self.baseline), self.pair)
        is_known = kept is not None and kept["signature"] == signature(self.pair.source, self.pair.revision)
        return ModelRecord.from_dict(kept) if is_known else None

    def _load_texts(self, name: str) -> list[Example | UnreadError]:
        """Load the dataset. Token counts are stored under `name`, so the next run need not open the model."""
        dataset = self.pair.dataset
        if dataset.max_tokens is None:
            return load_texts(dataset)
        noted: dict[str, int] = self._store.fact(name) or {}
        known = dict(noted)

        def count(text: str) -> int:
            key = text_digest(Request(text)).hex()
            if key not in known:
                known[key] = len(self.model.session.adapter.encode(text, max_length=None).ids)
            return known[key]

        found = load_texts(dataset, count_tokens=count)
        if known != noted:
            self._store.note(name, known)
        return found

    def _open(self) -> OpenEvaluation:
        """Adapt the model to the protocol. Rejects a model that differs from the model of the stored results."""
        plan, source = self.plan, self.pair.source
        options: Any = {**plan.evaluation_options(), "curve": plan.curve, "baseline": self.baseline}
        try:
            session = self._open_session(self.pair)
        except ModelError as error:
            if error.hint and not Path(source).is_dir():
                error.hint += f"; with a plan: --map {self.pair.model}=FOLDER"
            raise
        stamp = signature(source, self.pair.revision)
        model = resolve_evaluation(session, plan.methods[plan.protocol], options, signature=stamp)
        if self._record is not None and self._record.hash != model.config.models[0].hash:  # same sizes and times
            for address in addresses(self._store, self.pair):
                for name in self._store.facts(f"model:{address}:"):
                    self._store.note(name, None)
            raise InputError(
                f"model {source!r} has changed; the results of the earlier model are kept",
                hint="rerun the command to evaluate the new model",
            )
        return model
