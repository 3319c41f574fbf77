"""A pair of a plan under one baseline: its texts and its model, known again without being opened."""

from collections.abc import Callable
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, ModelError
from ..methods.registry import resolve_methods
from ..text.request import Request
from .chunk_runner import KeyedExample
from .config import OpenEvaluation, plan_config, resolve_evaluation
from .datasets import load_texts
from .evaluate import note_of
from .examples import Example, UnreadError
from .identity import ModelRecord, counts_fact, hash_fact, model_fact, model_facts, signature, text_digest, texts_fact
from .plan import Pair, Plan
from .runner import Runner
from .store import Store

if TYPE_CHECKING:
    from ..attribution.session import ModelSession


class PlannedPair:
    """A pair of a plan under one baseline.

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
        config = plan_config(self.plan, self.pair, self.record)
        texts = (text for text in self.texts if isinstance(text, KeyedExample))
        return Runner(config, texts, self._store, self._checked_model)

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
            name = counts_fact(self.record.hash)
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
            for name in self._store.facts(model_facts(self.pair.address)):
                self._store.note(name, None)
            raise InputError(
                f"the model {self.pair.source!r} is not the one that it was: its results are kept; this one has none",
                hint="give the same command again",
            )
        return OpenEvaluation(self.model.session, self.model.baselines, self.runner.config)

    def _count(self, text: str, known: dict[str, int]) -> int:
        key = text_digest(Request(text)).hex()
        if key not in known:
            known[key] = len(self.model.session.adapter.encode(text, max_length=None).ids)
        return known[key]
