"""Compute the missing results of one model and one dataset, in memory or for a pair of a plan, chunk by chunk."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..attribution.attribute import versions
from ..errors import ArgumentError, InputError, ModelError, UnmaskError
from ..methods.registry import resolve_methods
from ..progress import Progress, Report
from ..results.evaluation import Evaluation
from ..text.request import Request
from .chunk_runner import ChunkRunner
from .config import EvaluationConfig, OpenEvaluation, plan_config, resolve_evaluation
from .datasets import load_texts
from .examples import Example, UnreadError
from .identity import (
    KeyedExample,
    ModelRecord,
    hash_fact,
    model_fact,
    note_of,
    signature,
    sizes_fact,
    text_digest,
    texts_fact,
)
from .plan import Pair, Plan
from .results import load_results
from .store import Store
from .work_items import GRADIENT, Size, WorkItem, cost, row_counts, work_items

if TYPE_CHECKING:
    from ..attribution.session import ModelSession

Text = TypeVar("Text")
Work: TypeAlias = tuple[tuple[KeyedExample, tuple[WorkItem, ...]], ...]  # texts of a chunk, with their missing items
TEXTS = 256  # at most, in a chunk: bounds the cost beside passes


class Runner:
    """Computes the work items of an evaluation on some texts. Opens the model only if a result is missing."""

    def __init__(
        self,
        config: EvaluationConfig,
        texts: Iterable[KeyedExample | UnmaskError],
        store: Store,
        open_model: Callable[[], OpenEvaluation],
    ) -> None:
        self.config, self.items = config, work_items(config)
        known = [text for text in texts if isinstance(text, KeyedExample)]
        self.texts = list({tuple(text.keys.items()): text for text in known}.values())  # without duplicates
        self._store, self._open_model = store, open_model

    def asked(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts of a work item by key, without those that are too long for its method."""
        texts = {text.keys[item.keyed_by]: text for text in reversed(self.texts) if item.keyed_by in text.keys}
        most = item.max_units
        return {key: text for key, text in texts.items() if most is None or self.size(text)[0] <= most}

    def missing(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts of a work item without a result."""
        known = self._store.known(item.table, item.digest)
        return {key: text for key, text in self.asked(item).items() if key not in known}

    def size(self, text: KeyedExample) -> Size:
        """A text's units and tokens; zeros if it cannot be read."""
        return self._sizes[text.keys["text"]]

    def cost(self, text: KeyedExample, items: Iterable[WorkItem], *, gradient: float = GRADIENT) -> float:
        """The cost of work items for one text, in tokens; 0 if it cannot be read."""
        units, tokens = size = self.size(text)
        rows = (cost(row_counts(item, size, self.config.faithfulness), gradient=gradient) for item in items)
        return tokens * sum(rows) if units and tokens else 0.0

    def run(
        self, items: Sequence[WorkItem], *, budget: float | None = None, progress: Report | None = None
    ) -> Iterator[Work]:
        """Compute what is missing, chunk by chunk. Each chunk is stored in one transaction.

        Chunks depend neither on stored results nor on time, so that a resumed run has the same batches as an
        uninterrupted one, and bitwise the same numbers.

        Args:
            budget: The cost of a chunk; None for no limit.
        """
        owned = defaultdict[int, list[WorkItem]](list)  # items by text; of texts with the same key, the first
        for item in items:
            for text in self.asked(item).values():
                owned[id(text)].append(item)
        missing = {item.digest: self.missing(item) for item in items}

        def total(text: KeyedExample) -> float:
            return 0.0 if budget is None else self.cost(text, owned[id(text)])

        done = Progress(0, 0)
        for chunk in chunks([text for text in self.texts if id(text) in owned], total, budget=budget or 0.0):
            todo = (
                (text, tuple(one for one in owned[id(text)] if text.keys[one.keyed_by] in missing[one.digest]))
                for text in chunk
            )
            if work := tuple((text, lacking) for text, lacking in todo if lacking):
                computing = ChunkRunner(self.model, self._store, work, done, progress)
                self._store.put(computing.run())
                done = computing.done
                yield work

    @cached_property
    def model(self) -> OpenEvaluation:
        """The model, opened on first use."""
        return self._open_model()

    def close(self) -> None:
        """Release the model."""
        self.__dict__.pop("model", None)

    @cached_property
    def _sizes(self) -> dict[bytes, Size]:
        """The size of every text; stored, so that the next run need not open the model."""
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
    """Split texts into chunks within the budget, each of at least one and at most `TEXTS` texts.

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


def evaluate(
    evaluation: OpenEvaluation, examples: Sequence[Example | UnmaskError], *, progress: Report | None
) -> Evaluation:
    """Evaluate in memory: score all texts with all methods and compute all metrics."""
    texts = [KeyedExample.of(one) if isinstance(one, Example) else one for one in examples]
    with closing(Store(None)) as store:
        runner = Runner(evaluation.config, texts, store, lambda: evaluation)
        for _ in runner.run(runner.items, progress=progress):
            pass
        found = load_results(store, evaluation.config, list(map(note_of, texts))).evaluation
    if not any(row.values for row in found.rows):
        first = found.failures[0] if found.failures else None
        place = f"{first.place}: " if first is not None and first.place is not None else ""
        raise ArgumentError(f"no text could be evaluated: {place}{first.reason if first else 'there are none'}")
    return replace(found, versions=dict(versions()))


class PlannedPair:
    """A pair of a plan under one baseline. Opens the model only if something is missing."""

    def __init__(
        self, plan: Plan, pair: Pair, baseline: str, store: Store, open_session: "Callable[[Pair], ModelSession]"
    ) -> None:
        self.plan, self.pair, self.baseline = plan, pair, baseline
        self._store, self._open_session = store, open_session

    @cached_property
    def runner(self) -> Runner:
        """Computes the pair's results."""
        return Runner(plan_config(self.plan, self.pair, self.record), self.texts, self._store, self._checked_model)

    @cached_property
    def record(self) -> ModelRecord:
        """The stored record of the model if its files are unchanged, else that of the opened model."""
        name = model_fact(self.plan, self.pair, self.baseline)
        kept = self._store.fact(name)
        if kept is not None and kept["signature"] == signature(self.pair.source, self.pair.revision):
            return ModelRecord.from_dict(kept)
        (record,) = self.model.config.models
        self._store.note(name, asdict(record))
        self._store.note(hash_fact(self.pair.address, record.dtype, record.hash), True)
        return record

    @cached_property
    def texts(self) -> list[KeyedExample | UnreadError]:
        """The texts of the dataset, in order."""
        dataset = self.pair.dataset
        if dataset.max_tokens is None:
            found = load_texts(dataset)
        else:  # counts are stored, so that the next run need not open the model
            name = f"counts:{self.record.hash}"
            noted: dict[str, int] = self._store.fact(name) or {}
            known = dict(noted)
            found = load_texts(dataset, count_tokens=lambda text: self._count(text, known))
            if known != noted:
                self._store.note(name, known)
        return [KeyedExample.of(text) if isinstance(text, Example) else text for text in found]

    def note_texts(self) -> None:
        """Store the keys and places of the texts, so that a report reads no dataset."""
        self._store.note(texts_fact(self.pair), list(map(note_of, self.texts)))

    @cached_property
    def model(self) -> OpenEvaluation:
        """The model, adapted by the protocol."""
        plan = self.plan
        options: Any = {**plan.judging(), "curve": plan.curve, "baseline": self.baseline}
        methods = resolve_methods(plan.methods[plan.protocol], seed=plan.seed)
        try:
            session = self._open_session(self.pair)
        except ModelError as error:
            if error.hint and not Path(self.pair.source).is_dir():
                error.hint += f"; with a plan: --map {self.pair.model}=FOLDER"
            raise
        stamp = signature(self.pair.source, self.pair.revision)
        return resolve_evaluation(session, methods, options, signature=stamp)

    @property
    def operations(self) -> float:
        """Operations for one token in a forward pass: two per weight."""
        module = getattr(self.model.session.adapter, "module", None)
        return 1e6 if module is None else 2.0 * float(module.num_parameters(exclude_embeddings=True))

    def close(self) -> None:
        """Release the model."""
        self.__dict__.pop("model", None)
        self.runner.close()

    def _checked_model(self) -> OpenEvaluation:
        """The model, if it is the one whose results are stored."""
        if self.model.config.models[0].hash != self.record.hash:  # though its files looked the same
            for name in self._store.facts(f"model:{self.pair.address}:"):
                self._store.note(name, None)
            raise InputError(
                f"model {self.pair.source!r} has changed; results of the earlier model are kept",
                hint="rerun the command to evaluate the new one",
            )
        return replace(self.model, config=self.runner.config)

    def _count(self, text: str, known: dict[str, int]) -> int:
        key = text_digest(Request(text)).hex()
        if key not in known:
            known[key] = len(self.model.session.adapter.encode(text, max_length=None).ids)
        return known[key]
