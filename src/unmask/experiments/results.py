"""Loads evaluations from the store. Opens no model and reads no dataset."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..metrics.controls import ANSWERS, UNSHOWN
from ..metrics.faithfulness import ranking_scores
from ..metrics.plausibility import mean_length, plausibility_figures
from ..metrics.registry import Figures, Measure, average, error_figures
from ..results.evaluation import Evaluation
from ..results.metadata import ModelInfo, Passes
from ..results.rows import RANDOM, WORDS, EvaluationRow, RowFailure
from .config import EvaluationConfig
from .identity import ModelRecord, TextKey, sizes_fact
from .store import Store
from .work_items import CONTROLS, MetricItem, ScoreItem, WorkItem, metric_items, rationale_item, score_items

Column: TypeAlias = Sequence[Mapping[str, Any] | None]  # a record for each text


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The results of one model on one dataset."""

    model: ModelRecord
    evaluation: Evaluation
    lengths: tuple[int, ...]  # number of units in each text; 0 if unknown
    max_units: Mapping[str, int]  # by row, the maximum number of units; longer texts are skipped
    scores: Mapping[str, tuple[tuple[float, ...] | None, ...]]
    planned: int  # results: texts times work items
    missing: int


def load_results(store: Store, config: EvaluationConfig, notes: Sequence[Any]) -> Results:
    """Load the stored results for some texts.

    Args:
        notes: The result of `note_of` for each text.
    """
    return _Assembly(store, config, notes).results()


@dataclass(frozen=True, slots=True)
class _Rationales:
    """The rationales of all texts, in units, with random scores for the control."""

    records: Column = ()
    length: int | None = None  # number of units a method selects
    counts_all: bool = False  # include texts that the model gets wrong

    def agreement(self, at: int, scores: Sequence[float]) -> Figures:
        """Return how far a text's scores agree with its rationale; empty without rationale or if the model is wrong."""
        record = self.records[at] if self.records else None
        if record is None or self.length is None or not any(record["marked"] or ()):
            return {}
        if not (record["is_gold"] or self.counts_all):
            return {}
        return plausibility_figures(scores, list(map(bool, record["marked"])), length=self.length)

    def chance(self, at: int) -> Figures:
        """Return the mean agreement of random scores."""
        record = self.records[at] if self.records else None
        return average(list(filter(None, (self.agreement(at, one) for one in (record["drawn"] if record else ())))))

    def warnings(self) -> Iterator[str]:
        """Warn about rationales that are not used."""
        for label, why in (("unknown", "a gold label that the model does not have"), ("none", "no gold label")):
            count = sum(record is not None and record["label"] == label for record in self.records)
            if count and not (label == "none" and self.counts_all):
                subject = "1 text with a rationale has" if count == 1 else f"{count:,} texts with rationales have"
                yield f"{subject} {why}; agreement is not computed for {'it' if count == 1 else 'them'}"


class _Assembly:
    """Collects the results of some texts, in their order."""

    def __init__(self, store: Store, config: EvaluationConfig, notes: Sequence[Any]) -> None:
        self._store, self._config, self._count = store, config, len(notes)
        self._unread = {at: note for at, note in enumerate(notes) if isinstance(note, dict)}
        known = [[] if isinstance(note, dict) else note for note in notes]
        self._own = [note[4] if len(note) > 4 else {} for note in known]  # each text's own unit, target and scores
        named: dict[TextKey, int] = {"text": 0, "labelled": 1, "marked": 3}
        hexed = {key: [note[at] if len(note) > at else None for note in known] for key, at in named.items()}
        hexed["given"] = [own.get("given") for own in self._own]
        self._keys = {key: [one and bytes.fromhex(one) for one in column] for key, column in hexed.items()}
        self._places = [note[2] if note else self._unread[at].get("place") for at, note in enumerate(known)]
        sizes = store.fact(sizes_fact(config.models[0])) or {}
        self._lengths = tuple(sizes.get(one, (0, 0))[0] for one in hexed["text"])
        self._scores = list(score_items(config))
        self._metrics = list(metric_items(config, self._scores))
        self._failures: list[dict[str, str]] = [{} for _ in notes]  # for each text, the reason by row
        self._asked = [Counter[str]() for _ in notes]  # for each text, how many results each row needs
        self._planned = self._missing = 0
        self._rationales = self._load_rationales() if config.has_rationales else _Rationales()

    def results(self) -> Results:
        """Load the results of all work items."""
        columns = {item.row: self._column(item) for item in self._scores}
        rows = [self._scored_row(item, columns[item.row]) for item in self._scores]
        controls = {item.row for item in self._metrics if item.scores is None}  # a method may be named random too
        rows += [self._control_row(name) for name in CONTROLS if name in controls]
        return Results(
            model=self._config.models[0],
            evaluation=self._evaluation(rows, columns),
            lengths=self._lengths,
            max_units={item.row: item.max_units for item in self._scores if item.max_units is not None},
            scores={
                row: tuple(_scores(one) if one and "scores" in one else None for one in column)
                for row, column in columns.items()
            },
            planned=self._planned,
            missing=self._missing,
        )

    def _column(self, item: WorkItem) -> Column:
        """Return each text's record, or None if it is missing or not needed. Counts missing and failed texts."""
        records = self._store.bodies(item.table, item.digest)
        column: list[Mapping[str, Any] | None] = []
        for at, key in enumerate(self._keys[item.keyed_by]):
            is_asked = item.max_units is None or self._lengths[at] <= item.max_units
            if item.keyed_by in ("marked", "given"):
                is_asked = key is not None
            record = records.get(key) if key and is_asked else None
            self._planned += is_asked
            self._asked[at][item.row] += is_asked
            if record is None:
                self._missing += is_asked and at not in self._unread
            elif "error" in record:
                self._failures[at].setdefault(item.row, record["error"])
            column.append(record)
        return column

    def _load_rationales(self) -> _Rationales:
        column = self._column(rationale_item(self._config))
        records = [None if record is None or "error" in record else record for record in column]
        marks = [sum(record["marked"]) for record in records if record and record["marked"] is not None]
        length = self._config.rationale_length or mean_length(marks)
        return _Rationales(records, length, self._config.plausibility == "all")

    def _scored_row(self, item: ScoreItem, column: Column) -> EvaluationRow:
        """Build the row of a method or of imported scores, with errors, cost and metrics."""
        values: dict[Measure, Any] = {}
        for at, record in enumerate(column):
            if record is not None and "scores" in record:
                own = error_figures(record["delta"], record["residual"]) if "delta" in record else {}
                _put(values, at, {**own, **self._rationales.agreement(at, _scores(record))}, count=self._count)
        for metric in (one for one in self._metrics if one.scores is item):
            values |= self._metric_values(metric)
        distinct = {key: record for key, record in zip(self._keys[item.keyed_by], column, strict=True) if record}
        done = [record for record in distinct.values() if "scores" in record]
        if item.method is None:
            operators = {record["by"] for record in done}
            return EvaluationRow(item.row, "given", values, operators.pop() if len(operators) == 1 else None)
        passes = Passes(sum(record["forward"] for record in done), sum(record["backward"] for record in done))
        seconds = sum(record["seconds"] for record in done)
        return EvaluationRow(item.row, "method", values, item.baseline, passes, seconds, len(done))

    def _control_row(self, name: str) -> EvaluationRow:
        values: dict[Measure, Any] = {}
        items = [item for item in self._metrics if item.row == name and item.scores is None]
        for item in items:
            values |= self._metric_values(item)
        for at in range(self._count) if name == RANDOM else ():
            _put(values, at, self._rationales.chance(at), count=self._count)
        return EvaluationRow(name, items[0].kind, values)

    def _metric_values(self, item: MetricItem) -> dict[Measure, Any]:
        figures: dict[tuple[str, float | None], list[float]] = {}  # plain keys for speed: there are millions of values
        for at, record in enumerate(self._column(item)):
            for name, share, figure in record.get("figures", ()) if record else ():
                values = figures.get((name, share)) or figures.setdefault((name, share), [np.nan] * self._count)
                if figure is not None:
                    values[at] = figure
        return {Measure(name, item.operator_used, share): np.array(values) for (name, share), values in figures.items()}

    def _evaluation(self, rows: Sequence[EvaluationRow], columns: Mapping[str, Column]) -> Evaluation:
        config, model = self._config, self._config.models[0]
        failures = tuple(self._row_failures())
        failed = {one.example for one in failures if one.row is None}
        read = [own for at, own in enumerate(self._own) if at not in failed]
        return Evaluation(
            model=ModelInfo(model.name, model.hash),
            protocol=config.protocol.name,
            function=model.function,
            unit=", ".join(dict.fromkeys(own.get("unit", model.unit) for own in read)) or model.unit,
            target=", ".join(dict.fromkeys(own.get("target", model.target) for own in read)) or model.target,
            scale=model.scale,
            baselines=tuple(one.baseline for one in config.models),
            operators=model.operators,
            top=config.top,
            curve=config.curve,
            seed=config.seed,
            max_length=config.max_length,
            examples=self._count,
            truncated=sum(
                any(record is not None and record.get("is_cut") for record in records)
                for records in zip(*columns.values(), strict=True)
            ),
            rows=tuple(row for row in rows if row.kind == "method" or row.values),
            rationale_length=self._rationales.length,
            plausibility=config.plausibility,
            reference=config.reference,
            warnings=tuple(dict.fromkeys(self._warnings(rows, columns))),
            failures=failures,
            versions={f"protocol {config.protocol.name}": str(one) for one in config.protocol.revised.values()},
        )

    def _row_failures(self) -> Iterator[RowFailure]:
        """Yield one failure per text and row, or one per text if all its rows failed for the same reason."""
        for at, reasons in enumerate(self._failures):
            place = self._places[at]
            if at in self._unread:
                yield RowFailure(at, None, self._unread[at]["error"], place)
            elif reasons and len(set(reasons.values())) == 1 and set(+self._asked[at]) == set(reasons):
                yield RowFailure(at, None, next(iter(reasons.values())), place)
            else:
                yield from (RowFailure(at, row, reason, place) for row, reason in sorted(reasons.items()))

    def _warnings(self, rows: Sequence[EvaluationRow], columns: Mapping[str, Column]) -> Iterator[str]:
        yield from (warning for model in self._config.models for warning in model.warnings)
        if self._config.models[0].activation == "token":
            yield ANSWERS
        why = UNSHOWN.get(self._config.models[0].activation or "")
        if why is not None and WORDS in self._config.controls:
            yield why
        yield from self._unknown_labels(rows)
        yield from self._rationales.warnings()
        lost = sum(record.get("lost", 0) for column in columns.values() for record in column if record)
        if lost:
            scores, spans = ("score", "its span") if lost == 1 else ("scores", "their spans")
            yield f"{lost:,} imported {scores} ignored: the model does not read {spans}"

    def _unknown_labels(self, rows: Sequence[EvaluationRow]) -> Iterator[str]:
        """Warn about gold labels that the model does not have: the accuracy skips such texts."""
        pairs = zip(self._keys["text"], self._keys["labelled"], strict=True)
        is_labelled = np.array([text != labelled for text, labelled in pairs])
        for values in (row.values for row in rows if row.name == WORDS and row.values):
            known = {measure.metric: ~np.isnan(figures) for measure, figures in values.items()}
            count = int((is_labelled & known["agreement"] & ~known["accuracy"]).sum())
            if count:
                labels = "1 gold label matches" if count == 1 else f"{count:,} gold labels match"
                yield f"{labels} none of the model's labels; not counted in the accuracy (see --labels)"


def _scores(record: Mapping[str, Any]) -> tuple[float, ...]:
    """Return a method's scores for one text; if it ranks the units itself, numbers in that order instead."""
    return ranking_scores(record["scores"], record.get("ranking"))


def _put(values: dict[Measure, Any], at: int, figures: Figures, *, count: int) -> None:
    """Add one text's numbers to a row; the numbers of other texts start as NaN."""
    for measure, figure in figures.items():
        if measure not in values:
            values[measure] = np.full((count, *np.shape(figure)), np.nan)
        values[measure][at] = figure
