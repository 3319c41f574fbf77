"""The per-text values behind docs/results/paper.md: read from the repository and from the working folder.

A line has a key (dataset, model with its content hash, protocol, baseline, method, text digest) and the metrics of one
text. Nothing that has a line is computed again, so a run on another machine goes on where the last one stopped.
"""

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

COMMITTED = Path(__file__).resolve().parent / "results" / "paper"
KEY = ("dataset", "model", "protocol", "baseline", "method", "text")
METRICS = ("log_odds", "comprehensiveness", "sufficiency")
FIGURES = (*METRICS, "delta", "residual", "forward", "backward")
DIGITS = dict.fromkeys(METRICS, 5)  # decimals; other figures have four significant digits


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A method on a model and a dataset."""

    dataset: str
    model: str  # name@hash
    protocol: str
    baseline: str
    method: str

    @property
    def name(self) -> str:
        """The model's name without its hash."""
        return self.model.partition("@")[0]


Figures = Mapping[str, float]  # by name; NaN if not computed


class Values:
    """All values, by row and then by text."""

    def __init__(self, lines: Iterable[tuple[Row, str, Figures]] = ()) -> None:
        self.rows: dict[Row, dict[str, Figures]] = defaultdict(dict)
        for row, text, figures in lines:
            self.rows[row][text] = figures

    @classmethod
    def load(cls, *folders: Path) -> "Values":
        """The values of all files in some folders."""
        return cls(line for folder in folders for path in sorted(folder.glob("*.csv*")) for line in read(path))

    def column(self, row: Row, figure: str, texts: Sequence[str]) -> Any:
        """A figure for some texts, [texts]; NaN where it was not computed."""
        known = self.rows.get(row, {})
        return np.array([known[text][figure] if text in known else np.nan for text in texts])


def read(path: Path) -> Iterator[tuple[Row, str, Figures]]:
    """The lines of a file; a last line that was cut off by a kill is left out."""
    with _opened(path, "rt") as lines:
        for record in csv.DictReader(lines):
            if None not in record.values():
                *key, text = (record[name] for name in KEY)
                yield Row(*key), text, {name: float(record[name] or "nan") for name in FIGURES}


def append(path: Path, lines: Iterable[tuple[Row, str, Figures]]) -> None:
    """Add lines to a file of the working folder."""
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        _write(file, lines, header=is_new)


def pack(values: Values, folder: Path = COMMITTED) -> None:
    """Write all values to the repository: one compressed file per dataset, the same bytes for the same values."""
    folder.mkdir(parents=True, exist_ok=True)
    for dataset in sorted({row.dataset for row in values.rows}):
        rows = sorted(row for row in values.rows if row.dataset == dataset)
        lines = ((row, text, values.rows[row][text]) for row in rows for text in sorted(values.rows[row]))
        with (folder / f"{dataset}.csv.gz").open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
            for chunk in _text(lines):
                packed.write(chunk.encode())


def _text(lines: Iterable[tuple[Row, str, Figures]]) -> Iterator[str]:
    import io

    buffer = io.StringIO(newline="")
    _write(buffer, lines, header=True)
    yield buffer.getvalue()


def _write(file: IO[str], lines: Iterable[tuple[Row, str, Figures]], *, header: bool) -> None:
    writer = csv.writer(file, lineterminator="\n")
    if header:
        writer.writerow((*KEY, *FIGURES))
    for row, text, figures in lines:
        key = (row.dataset, row.model, row.protocol, row.baseline, row.method, text)
        writer.writerow((*key, *(_number(name, figures[name]) for name in FIGURES)))


def _number(name: str, value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:.{DIGITS[name]}f}" if name in DIGITS else f"{value:.4g}"


def _opened(path: Path, mode: str) -> IO[str]:
    return gzip.open(path, mode, encoding="utf-8", newline="") if path.suffix == ".gz" else path.open(newline="")  # type: ignore[return-value]  # modes are text
