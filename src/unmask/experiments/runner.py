"""One model and one dataset at work: the results that are missing, a chunk of texts at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import UnmaskError
from ..progress import Progress, Report
from ..text.request import Request
from .chunk_runner import ChunkRunner, KeyedExample, kind_of
from .config import EvaluationConfig, OpenEvaluation
from .cost import GRADIENT, Size, chunks, cost, row_counts
from .identity import sizes_fact
from .store import Store
from .work_items import WorkItem, work_items


@dataclass(frozen=True, slots=True)
class DoneChunk:
    """What a chunk computed."""

    work: tuple[tuple[KeyedExample, tuple[WorkItem, ...]], ...]

    @property
    def rows(self) -> list[str]:
        """The rows of the table that it belongs to."""
        return list(dict.fromkeys(item.row for _, items in self.work for item in items))


class Runner:
    """The work items of one evaluation on some texts; opens the model only where a result is missing."""

    def __init__(
        self,
        config: EvaluationConfig,
        texts: Iterable[KeyedExample],
        store: Store,
        open_model: Callable[[], OpenEvaluation],
    ) -> None:
        self.config, self.items = config, work_items(config)
        self.texts = list({tuple(text.keys.items()): text for text in texts}.values())  # each once
        self._store, self._open_model = store, open_model

    def asked(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts of an item by what they are known by there; without those that are too long for its method."""
        texts = {text.keys[item.keyed_by]: text for text in reversed(self.texts) if item.keyed_by in text.keys}
        most = item.max_units
        return {key: text for key, text in texts.items() if most is None or self.size(text)[0] <= most}

    def missing(self, item: WorkItem) -> dict[bytes, KeyedExample]:
        """The texts that an item lacks."""
        known = self._store.known(kind_of(item), item.digest)
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
    ) -> Iterator[DoneChunk]:
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
                yield DoneChunk(work)

    @cached_property
    def model(self) -> OpenEvaluation:
        """The model; opened when it is first needed."""
        return self._open_model()

    @property
    def is_open(self) -> bool:
        """Whether the model was needed."""
        return "model" in self.__dict__

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
