"""How faithful methods are: a value that holds one number per example, so that parts can be merged and tests paired."""

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from ..errors import ArgumentError, SchemaError
from ..metrics.registry import Measure, resolve_metric
from ..metrics.statistics import Difference, Summary, comparisons, summaries
from . import schema
from .atomic_io import read_whole, write_whole
from .metadata import ModelInfo, Passes
from .rows import GREEDY, RANDOM, EvaluationRow, RowFailure
from .tabular import Tabular

if TYPE_CHECKING:
    from pandas import DataFrame

SCHEMA = 1
ASKED = ("model", "protocol", "function", "unit", "target", "scale", "baselines", "operators", "top", "curve")
PLAIN = (
    *("protocol", "function", "unit", "target", "scale", "top", "seed", "max_length", "examples", "truncated"),
    *("reference", "plausibility", "rationale_length"),
)  # fields that are JSON as they are
Figure: TypeAlias = tuple[str, Measure]  # a row's name, and what is measured


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation(Tabular):
    """Methods judged on the same texts, each by the same metrics, between the random and the greedy row."""

    model: ModelInfo
    protocol: str
    function: str  # what was explained and judged: the model, or the model embedded twice
    unit: str
    target: str
    scale: str
    baselines: tuple[str, ...]  # of the attributions
    operators: tuple[str, ...]
    top: float
    curve: tuple[float, ...]
    seed: int
    max_length: int | None
    examples: int
    truncated: int | None  # examples of which the model does not read all; None where it is not known
    rows: tuple[EvaluationRow, ...] = field(repr=False)
    failures: tuple[RowFailure, ...] = ()
    reference: str | None = None  # the row that the others are compared with
    plausibility: str = "correct"  # of which texts: those that the model gets right, or `all`
    rationale_length: int | None = None  # units that a method may choose, where people marked words
    versions: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def row(self, name: str) -> EvaluationRow:
        """The row of that name."""
        names = [row.name for row in self.rows]
        if name not in names:
            raise ArgumentError(f"there is no row {name!r}; there are {', '.join(names)}")
        return self.rows[names.index(name)]

    def summary(self, row: str, metric: str, operator: str | None = None, share: float | None = None) -> Summary | None:
        """A row's mean with its bootstrap interval; None where nothing was computed."""
        resolve_metric(metric)
        measure = Measure(metric, operator, share)
        return self.summaries([(row, measure)])[row, measure]

    def summaries(self, figures: Iterable[Figure]) -> dict[Figure, Summary | None]:
        """The same of many rows and measures, which is much faster than one by one."""
        columns = {figure: self.row(figure[0]).values.get(figure[1]) for figure in figures}
        known = {figure: values for figure, values in columns.items() if values is not None}
        means = zip(known, summaries(list(known.values()), seed=self.seed), strict=True)
        return dict.fromkeys(columns) | dict(means)

    def relative_to_greedy(self, row: str, measure: Measure) -> float | None:
        """Where a row stands between the random row, 0, and the greedy one, 1, on texts that have all three."""
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
        """How much larger a row's figure is than the reference's on the same texts, with a permutation test."""
        return self.differences([(row, measure)], reference=reference)[row, measure]

    def differences(
        self, figures: Iterable[Figure], *, reference: str | None = None
    ) -> dict[Figure, Difference | None]:
        """The same of many rows and measures, which is much faster than one by one."""
        if (reference := reference or self.reference) is None:
            raise ArgumentError("there is nothing to compare with: name a reference")
        others, known = self.row(reference).values, {}
        differences: dict[Figure, Difference | None] = dict.fromkeys(figures)
        for row, measure in differences:
            mine, other = self.row(row).values.get(measure), others.get(measure)
            if mine is not None and other is not None:
                known[row, measure] = (mine, other)
        return differences | dict(zip(known, comparisons(list(known.values()), seed=self.seed), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as plain JSON values; every figure with its values, one per example."""
        return {
            "schema": SCHEMA,
            "kind": "evaluation",
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
        """The evaluation that `to_dict` gave."""
        if record.get("kind") != "evaluation" or record.get("schema") != SCHEMA:
            raise SchemaError(f"this is not an evaluation of schema {SCHEMA}, which this version of unmask reads")
        fields = {name: value for name, value in record.items() if name not in ("schema", "kind")}
        try:
            fields |= {name: tuple(fields[name]) for name in ("baselines", "operators", "curve", "warnings")}
            fields["model"] = ModelInfo(**fields["model"])
            fields["rows"] = tuple(map(_row, fields["rows"]))
            fields["failures"] = tuple(RowFailure(**failure) for failure in fields["failures"])
            return cls(**fields)
        except (KeyError, TypeError, ValueError) as error:
            raise SchemaError(f"this is not a whole evaluation: {type(error).__name__} at {error}") from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The evaluation that `save` wrote as JSON."""
        return cls.from_dict(schema.parsed(read_whole(path), what="an evaluation"))

    @classmethod
    def merged(cls, parts: Sequence["Evaluation"]) -> "Evaluation":
        """One evaluation of the examples of several, which must have asked the same of the same model."""
        from ..experiments.merging import merge_evaluations

        return merge_evaluations(parts)

    def to_pandas(self) -> "DataFrame":
        """One line per figure: what it depends on, row, metric, operator, share, mean, interval, count."""
        import pandas

        return pandas.DataFrame(list(self.figures()))

    def figures(self) -> Iterator[dict[str, Any]]:
        """Every figure with its row, its interval, its difference from the reference and what it depends on."""
        names = ("protocol", "function", "unit", "target", "scale", "top", "seed")
        settings = {name: getattr(self, name) for name in names}
        columns = minus(self.reference) if self.reference is not None else {}
        for row in self.rows:
            place = {"model": self.model.name, **settings, "row": row.name, "kind": row.kind, "baseline": row.baseline}
            for figure in self._figures(row):
                difference = figure.pop("difference", {})
                yield place | figure | {name: difference.get(part) for part, name in columns.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a .json, .html, .md, .tex or .csv file, whole or not at all."""
        from ..render import formats

        form = formats.format_of(Path(path), "table", "report").name
        record = self.to_dict() if form == "json" else None
        text = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" if record else self._render(form)
        write_whole(Path(path), text)

    def _figures(self, row: EvaluationRow) -> Iterable[dict[str, Any]]:
        figures = [(row.name, measure) for measure in row.values]
        paired = [figure for figure in figures if row.values[figure[1]].ndim == 1]  # the others are no means over texts
        differences = self.differences(paired) if self.reference not in (None, row.name) else {}
        for figure, summary in self.summaries(figures).items():
            mean = asdict(summary) if summary else {"mean": None, "low": None, "high": None, "count": 0}
            difference = differences.get(figure)
            yield asdict(figure[1]) | mean | ({"difference": asdict(difference)} if difference else {})

    def _row_record(self, row: EvaluationRow) -> dict[str, Any]:
        figures = []
        for figure, values in zip(self._figures(row), row.values.values(), strict=True):
            plain = values.astype(object)
            plain[np.isnan(values)] = None  # as JSON has it
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


def minus(reference: str) -> dict[str, str]:
    """The parts of a difference, and their columns in a table for programs.

    >>> minus("sig")
    {'mean': 'minus sig', 'low': 'minus sig low', 'high': 'minus sig high', 'p': 'minus sig p'}
    """
    return {"mean": f"minus {reference}"} | {part: f"minus {reference} {part}" for part in ("low", "high", "p")}
