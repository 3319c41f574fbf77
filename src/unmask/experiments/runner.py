"""One model and one dataset at work, in memory or as a pair of a plan: computes what is missing, a chunk at a time."""

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
Work: TypeAlias = tuple[tuple[KeyedExample, tuple[WorkItem, ...]], ...]  # the texts of a chunk, and what they lacked
TEXTS = 256  # of a chunk at the most: what a text costs beside its passes


class Runner:
    """The work items of one evaluation on some texts; opens the model only where a result is missing."""

    def __init__(
        self,
        config: EvaluationConfig,
        texts: Iterable[KeyedExample | UnmaskError],
        store: Store,
        open_model: Callable[[], OpenEvaluation],
    ) -> None:
        self.config, self.items = config, work_items(config)
        known = [text for text in texts if isinstance(text, KeyedExample)]
        self.texts = list({tuple(text.keys.items()): text for text in known}.values())  # each once
        self._store, self._open_model = store, open_model

    def asked(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts of an item by what they are known by there; without those that are too long for its method."""
        texts = {text.keys[item.keyed_by]: text for text in reversed(self.texts) if item.keyed_by in text.keys}
        most = item.max_units
        return {key: text for key, text in texts.items() if most is None or self.size(text)[0] <= most}

    def missing(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts that an item lacks."""
        known = self._store.known(item.table, item.digest)
        return {key: text for key, text in self.asked(item).items() if key not in known}

    def size(self, text: KeyedExample) -> Size:
        """A text's units and tokens; none where it cannot be read."""
        return self._sizes[text.keys["text"]]

    def cost(self, text: KeyedExample, items: Iterable[WorkItem], *, gradient: float = GRADIENT) -> float:
        """What items ask for one text: rows times their lengths; nothing where it cannot be read."""
        units, tokens = size = self.size(text)
        rows = (cost(row_counts(item, size, self.config.faithfulness), gradient=gradient) for item in items)
        return tokens * sum(rows) if units and tokens else 0.0

    def run(
        self, items: Sequence[WorkItem], *, budget: float | None = None, progress: Report | None = None
    ) -> Iterator[Work]:
        """Compute what items lack, chunk by chunk; each chunk is kept whole or not at all.

        Where chunks end does not depend on what is there already, nor on time, so that a run that was cut off has the
        same batches as one that was not, and the same numbers to the last bit.

        Args:
            budget: The cost of a chunk, or None where nothing is lost when it is cut off.
        """
        owned: dict[int, list[WorkItem]] = {id(text): [] for text in self.texts}  # what each text is the first with
        for item in items:
            for text in self.asked(item).values():
                owned[id(text)].append(item)
        missing = {item.digest: self.missing(item) for item in items}

        def total(text: KeyedExample) -> float:
            return 0.0 if budget is None else self.cost(text, owned[id(text)])

        done = Progress(0, 0)
        for chunk in chunks([text for text in self.texts if owned[id(text)]], total, budget=budget or 0.0):
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
        """The model; opened when it is first needed."""
        return self._open_model()

    def close(self) -> None:
        """Let go of the model, so that another can take its place."""
        self.__dict__.pop("model", None)

    @cached_property
    def _sizes(self) -> dict[bytes, Size]:
        """Every text's size; counted once, then noted, so that no model need be opened for them."""
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
    """Texts in their order, not too many together, the cost of each chunk within the budget or of one text.

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
    """Score all texts under all methods and compute all metrics, on a store in memory."""
    texts = [KeyedExample.of(one) if isinstance(one, Example) else one for one in examples]
    with closing(Store(None)) as store:
        runner = Runner(evaluation.config, texts, store, lambda: evaluation)
        for _ in runner.run(runner.items, progress=progress):
            pass
        found = load_results(store, evaluation.config, list(map(note_of, texts))).evaluation
    if not any(row.values for row in found.rows):
        first = found.failures[0] if found.failures else None
        place = f"{first.place}: " if first is not None and first.place is not None else ""
        raise ArgumentError(f"no text could be evaluated: {place}{first.reason if first else 'none is there'}")
    return replace(found, versions=dict(versions()))


class PlannedPair:
    """A pair of a plan under one baseline: its texts and its model, known again without being opened.

    Args:
        open_session: Opens the model of a pair; called only where something is missing.
    """

    def __init__(
        self, plan: Plan, pair: Pair, baseline: str, store: Store, open_session: "Callable[[Pair], ModelSession]"
    ) -> None:
        self.plan, self.pair, self.baseline = plan, pair, baseline
        self._store, self._open_session = store, open_session

    @cached_property
    def runner(self) -> Runner:
        """What computes its results."""
        return Runner(plan_config(self.plan, self.pair, self.record), self.texts, self._store, self._checked_model)

    @cached_property
    def record(self) -> ModelRecord:
        """What is known of the model from before, where its folder is unchanged; else it is opened."""
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
        """Every text of the dataset, in its order."""
        dataset = self.pair.dataset
        if dataset.max_tokens is None:
            found = load_texts(dataset)
        else:  # the counts are noted: no model need be opened to choose the same texts again
            name = f"counts:{self.record.hash}"
            noted: dict[str, int] = self._store.fact(name) or {}
            known = dict(noted)
            found = load_texts(dataset, count_tokens=lambda text: self._count(text, known))
            if known != noted:
                self._store.note(name, known)
        return [KeyedExample.of(text) if isinstance(text, Example) else text for text in found]

    def note_texts(self) -> None:
        """Note which text stands where, so that a report needs no file."""
        self._store.note(texts_fact(self.pair), list(map(note_of, self.texts)))

    @cached_property
    def model(self) -> OpenEvaluation:
        """The model as the protocol has it."""
        plan = self.plan
        options: Any = {**plan.judging(), "curve": plan.curve, "baseline": self.baseline}
        methods = resolve_methods(plan.methods[plan.protocol], seed=plan.seed)
        try:
            session = self._open_session(self.pair)
        except ModelError as error:
            if error.hint and not Path(self.pair.source).is_dir():
                error.hint += f"; beside a plan: --map {self.pair.model}=FOLDER"
            raise
        stamp = signature(self.pair.source, self.pair.revision)
        return resolve_evaluation(session, methods, options, signature=stamp)

    @property
    def operations(self) -> float:
        """Of one token's pass through the model: two for each weight that it meets."""
        module = getattr(self.model.session.adapter, "module", None)
        return 1e6 if module is None else 2.0 * float(module.num_parameters(exclude_embeddings=True))

    def close(self) -> None:
        """Let go of the model, so that another can take its place."""
        self.__dict__.pop("model", None)
        self.runner.close()

    def _checked_model(self) -> OpenEvaluation:
        """The model, if it is the one that results are known by."""
        if self.model.config.models[0].hash != self.record.hash:  # its files looked the same, or the hub has another
            for name in self._store.facts(f"model:{self.pair.address}:"):
                self._store.note(name, None)
            raise InputError(
                f"the model {self.pair.source!r} is not the one that it was: its results are kept; this one has none",
                hint="give the same command again",
            )
        return replace(self.model, config=self.runner.config)

    def _count(self, text: str, known: dict[str, int]) -> int:
        key = text_digest(Request(text)).hex()
        if key not in known:
            known[key] = len(self.model.session.adapter.encode(text, max_length=None).ids)
        return known[key]
