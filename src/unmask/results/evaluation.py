"""The evaluation of methods. It keeps one number per example and metric, to merge parts and to run paired tests."""

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from ..errors import ArgumentError, SchemaError
from ..metrics.registry import PERPLEXITY, Measure, resolve_metric
from ..metrics.statistics import Difference, Summary, comparisons, summaries
from . import schema
from .atomic_io import write_whole
from .drawable import Tabular
from .metadata import ModelInfo, Passes
from .rows import GREEDY, RANDOM, EvaluationRow, RowFailure
from .verdict import verdict

if TYPE_CHECKING:
    from pandas import DataFrame

SCHEMA = 1
ASKED = ("model", "protocol", "function", "unit", "target", "scale", "baselines", "operators", "top", "curve")
PLAIN = (
    *("protocol", "function", "unit", "target", "scale", "top", "seed", "max_length", "examples", "truncated"),
    *("reference", "plausibility", "rationale_length"),
)  # fields that are plain JSON values
Figure: TypeAlias = tuple[str, Measure]  # the name of a row and the measure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation(Tabular):
    """Methods evaluated on the same texts by the same metrics, with random and greedy controls."""

    model: ModelInfo
    protocol: str
    function: str  # what was explained: the model, or the model embedded twice
    unit: str
    target: str
    scale: str
    baselines: tuple[str, ...]  # of the explanations, not of the metrics
    operators: tuple[str, ...]
    top: float
    curve: tuple[float, ...]
    seed: int
    max_length: int | None
    examples: int
    truncated: int | None  # examples longer than the model's limit; None if unknown
    rows: tuple[EvaluationRow, ...] = field(repr=False)
    failures: tuple[RowFailure, ...] = ()
    reference: str | None = None  # the row that the others are compared with
    plausibility: str = "correct"  # `correct` for only texts that the model gets right, or `all`
    rationale_length: int | None = None  # number of units that a method may choose, if there are rationales
    versions: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """Two sentences: which method leads and by how much, and which differences are significant."""
        return verdict(self)

    @property
    def explains_answers(self) -> bool:
        """Whether answers to prompts are explained; metrics are then differences of log-probabilities."""
        return any(measure.metric == PERPLEXITY for row in self.rows for measure in row.values)

    def row(self, name: str) -> EvaluationRow:
        """The row of that name."""
        names = [row.name for row in self.rows]
        if name not in names:
            raise ArgumentError(f"there is no row {name!r}; known rows: {', '.join(names)}")
        return self.rows[names.index(name)]

    def summary(self, row: str, metric: str, operator: str | None = None, share: float | None = None) -> Summary | None:
        """A row's mean with its bootstrap interval; None if nothing was computed."""
        resolve_metric(metric)
        measure = Measure(metric, operator, share)
        return self.summaries([(row, measure)])[row, measure]

    def summaries(self, figures: Iterable[Figure]) -> dict[Figure, Summary | None]:
        """`summary` for many rows and measures at once, which is much faster."""
        columns = {figure: self.row(figure[0]).values.get(figure[1]) for figure in figures}
        known = {figure: values for figure, values in columns.items() if values is not None}
        means = zip(known, summaries(list(known.values()), seed=self.seed), strict=True)
        return dict.fromkeys(columns) | dict(means)

    def relative_to_greedy(self, row: str, measure: Measure) -> float | None:
        """Where a row lies between random (0) and greedy (1), averaged over texts with values for all three rows."""
        rows = {one.name: one.values[measure] for one in self.rows if measure in one.values}
        if not {row, RANDOM, GREEDY} <= rows.keys():
            return None
        table = np.stack([rows[row], rows[RANDOM], rows[GREEDY]], -1)
        whole = table[~np.isnan(table).any(-1)]
        mine, floor, best = whole.mean(0) if len(whole) else [0, 0, 0]
        return float((mine - floor) / (best - floor)) if best != floor else None

    def way(self, row: str, measure: Measure) -> float | None:
        """The earlier name of `relative_to_greedy`."""
        warnings.warn("Evaluation.way is now Evaluation.relative_to_greedy", DeprecationWarning, stacklevel=2)
        return self.relative_to_greedy(row, measure)

    def difference(self, row: str, measure: Measure, *, reference: str | None = None) -> Difference | None:
        """The paired difference between a row and the reference, with a permutation test."""
        return self.differences([(row, measure)], reference=reference)[row, measure]

    def differences(
        self, figures: Iterable[Figure], *, reference: str | None = None
    ) -> dict[Figure, Difference | None]:
        """`difference` for many rows and measures at once, which is much faster."""
        if (reference := reference or self.reference) is None:
            raise ArgumentError("there is no reference to compare with: set reference to a row")
        others, known = self.row(reference).values, {}
        differences: dict[Figure, Difference | None] = dict.fromkeys(figures)
        for row, measure in differences:
            mine, other = self.row(row).values.get(measure), others.get(measure)
            if mine is not None and other is not None:
                known[row, measure] = (mine, other)
        return differences | dict(zip(known, comparisons(list(known.values()), seed=self.seed), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as plain JSON values; every metric has one value per example."""
        return {
            "schema": SCHEMA,
            "kind": "evaluation",
            "verdict": self.verdict,
            "model": asdict(self.model),
            **{name: getattr(self, name) for name in PLAIN},
            "baselines": list(self.baselines),
            "operators": list(self.operators),
            "curve": list(self.curve),
            "rows": [self._row_record(row) for row in self.rows],
            "failures": [asdict(failure) for failure in self.failures],
            "versions": dict(self.versions),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Restore an evaluation from `to_dict`."""
        if record.get("kind") != "evaluation" or record.get("schema") != SCHEMA:
            raise SchemaError(f"this is not an evaluation with schema {SCHEMA}, the only one that this version reads")
        fields = {name: value for name, value in record.items() if name not in ("schema", "kind", "verdict")}
        try:
            fields |= {name: tuple(fields[name]) for name in ("baselines", "operators", "curve", "warnings")}
            fields["model"] = ModelInfo(**fields["model"])
            fields["rows"] = tuple(map(_row, fields["rows"]))
            fields["failures"] = tuple(RowFailure(**failure) for failure in fields["failures"])
            return cls(**fields)
        except (KeyError, TypeError, ValueError) as error:
            raise SchemaError(f"this evaluation is incomplete: {type(error).__name__} at {error}") from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load an evaluation that `save` wrote as JSON."""
        return cls.from_dict(schema.load(path, what="an evaluation"))

    @classmethod
    def merged(cls, parts: Sequence["Evaluation"]) -> "Evaluation":
        """Merge evaluations of different examples; model and settings must be the same."""
        if not parts:
            raise ArgumentError("there is nothing to merge: give at least one evaluation")
        for part in parts[1:]:
            _check_mergeable(parts[0], part)
        starts = np.cumsum([0, *(part.examples for part in parts)]).tolist()
        truncated = [part.truncated for part in parts if part.truncated is not None]
        return replace(
            parts[0],
            examples=starts[-1],
            truncated=sum(truncated) if len(truncated) == len(parts) else None,
            rows=tuple(_merged_rows(parts)),
            failures=tuple(
                replace(one, example=one.example + start)
                for start, part in zip(starts[:-1], parts, strict=True)
                for one in part.failures
            ),
            warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
        )

    def to_pandas(self) -> "DataFrame":
        """A table with one line per result: settings, row, metric, operator, share, mean, interval, count."""
        import pandas

        return pandas.DataFrame(list(self.figures()))

    def figures(self) -> Iterator[dict[str, Any]]:
        """Every result with its row, interval, difference from the reference, and settings."""
        names = ("protocol", "function", "unit", "target", "scale", "top", "seed")
        settings = {name: getattr(self, name) for name in names}
        columns = minus(self.reference) if self.reference is not None else {}
        for row in self.rows:
            place = {"model": self.model.name, **settings, "row": row.name, "kind": row.kind, "baseline": row.baseline}
            for figure in self._figures(row):
                difference = figure.pop("difference", {})
                yield place | figure | {name: difference.get(part) for part, name in columns.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a .json, .html, .md, .tex or .csv file. The write is atomic."""
        from ..render import formats

        form = formats.format_of(Path(path), "table", "report").name
        record = self.to_dict() if form == "json" else None
        text = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" if record else self._render(form)
        write_whole(Path(path), text)

    def _figures(self, row: EvaluationRow) -> Iterable[dict[str, Any]]:
        figures = [(row.name, measure) for measure in row.values]
        paired = [
            figure for figure in figures if row.values[figure[1]].ndim == 1
        ]  # other figures are not means over texts
        differences = self.differences(paired) if self.reference not in (None, row.name) else {}
        for figure, summary in self.summaries(figures).items():
            mean = asdict(summary) if summary else {"mean": None, "low": None, "high": None, "count": 0}
            difference = differences.get(figure)
            yield asdict(figure[1]) | mean | ({"difference": asdict(difference)} if difference else {})

    def _row_record(self, row: EvaluationRow) -> dict[str, Any]:
        figures = []
        for figure, values in zip(self._figures(row), row.values.values(), strict=True):
            plain = values.astype(object)
            plain[np.isnan(values)] = None  # JSON has no NaN
            figures.append(figure | {"values": plain.tolist()})
        place = {"name": row.name, "kind": row.kind, "baseline": row.baseline}
        return place | {"passes": asdict(row.passes), "seconds": row.seconds, "texts": row.texts, "figures": figures}


def _row(record: Mapping[str, Any]) -> EvaluationRow:
    values = {
        Measure(figure["metric"], figure["operator"], figure["share"]): np.array(figure["values"], dtype=np.float64)
        for figure in record["figures"]
    }
    plain = {name: record[name] for name in ("name", "kind", "baseline", "seconds", "texts")}
    return EvaluationRow(**plain, values=values, passes=Passes(**record["passes"]))


def _check_mergeable(one: Evaluation, other: Evaluation) -> None:
    for name in (*ASKED, "seed", "max_length", "plausibility", "rationale_length"):
        if getattr(one, name) != getattr(other, name):
            raise ArgumentError(f"cannot merge evaluations: {name} is {getattr(one, name)} and {getattr(other, name)}")
    protocol = f"protocol {one.protocol}"  # its revision may differ between the two
    if one.versions.get(protocol) != other.versions.get(protocol):
        raise ArgumentError(
            f"cannot merge evaluations: one of them was made before the {protocol} was corrected",
            hint="repeat that evaluation",
        )
    mine, others = ([(row.name, row.baseline) for row in part.rows if row.kind == "method"] for part in (one, other))
    if mine != others:
        raise ArgumentError("cannot merge evaluations: they have different methods")


def _merged_rows(parts: Sequence[Evaluation]) -> Iterator[EvaluationRow]:
    """The rows of all parts, with NaN for examples of a part that lacks the row or metric."""
    for name, first in {row.name: row for part in parts for row in part.rows}.items():
        by_part = [next((row for row in part.rows if row.name == name), None) for part in parts]
        rows = [row for row in by_part if row is not None]
        values = {}
        for measure, shape in {one: known.shape[1:] for row in rows for one, known in row.values.items()}.items():
            columns = (row and row.values.get(measure) for row in by_part)
            gaps = (np.full((part.examples, *shape), np.nan) for part in parts)
            values[measure] = np.concatenate(
                [gap if one is None else one for one, gap in zip(columns, gaps, strict=True)]
            )
        yield replace(
            first,
            values=values,
            passes=Passes(sum(row.passes.forward for row in rows), sum(row.passes.backward for row in rows)),
            seconds=sum(row.seconds for row in rows),
            texts=sum(row.texts for row in rows),
        )


def minus(reference: str) -> dict[str, str]:
    """The CSV column name of each part of a difference.

    >>> minus("sig")
    {'mean': 'minus sig', 'low': 'minus sig low', 'high': 'minus sig high', 'p': 'minus sig p'}
    """
    return {"mean": f"minus {reference}"} | {part: f"minus {reference} {part}" for part in ("low", "high", "p")}
