"""The per-text values behind pages of results that take hours: read from the repository and from a working folder.

A line has a key (dataset, model with its content hash, protocol, baseline, method, text digest) and the figures of one
text. Nothing that has a line is computed again, so a run on another machine goes on where the last one stopped.
"""

import csv
import gzip
import io
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

RESULTS = Path(__file__).resolve().parent / "results"  # committed values: a folder for each page
KEY = ("dataset", "model", "protocol", "baseline", "method", "text")
METRICS = ("log_odds", "comprehensiveness", "sufficiency")
PASSES = ("forward", "backward")
SIGNIFICANT = ("delta", "residual", *PASSES)  # written with four significant digits; the others with five decimals


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
        self.add(lines)

    @classmethod
    def load(cls, *folders: Path) -> "Values":
        """The values of all files in some folders."""
        return cls(line for folder in folders for path in sorted(folder.glob("*.csv*")) for line in read(path))

    def add(self, lines: Iterable[tuple[Row, str, Figures]]) -> None:
        """Add lines; a later one replaces an earlier one."""
        for row, text, figures in lines:
            self.rows[row][text] = figures

    def column(self, row: Row, figure: str, texts: Sequence[str]) -> Any:
        """A figure for some texts, [texts]; NaN where it was not computed."""
        known = self.rows.get(row, {})
        return np.array([known[text][figure] if text in known else np.nan for text in texts])


def read(path: Path) -> Iterator[tuple[Row, str, Figures]]:
    """The lines of a file; a last line that was cut off by a kill is left out."""
    with _opened(path, "rt") as lines:
        for record in csv.DictReader(line for line in lines if line.endswith("\n")):
            *key, text = (record.pop(name) for name in KEY)
            yield Row(*key), text, {name: float(value or "nan") for name, value in record.items()}


def append(path: Path, lines: Sequence[tuple[Row, str, Figures]]) -> None:
    """Add lines to a file of the working folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.read_bytes().rpartition(b"\n")[0] + b"\n" if path.exists() else b""
    if whole:
        os.truncate(path, len(whole))
    with path.open("a", encoding="utf-8", newline="") as file:
        _write(file, lines, header=not whole)


def pack(values: Values, folder: Path) -> None:
    """Write all values to the repository: one compressed file per dataset. Files with the same values are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for dataset in sorted({row.dataset for row in values.rows}):
        rows = sorted(row for row in values.rows if row.dataset == dataset)
        lines = [(row, text, values.rows[row][text]) for row in rows for text in sorted(values.rows[row])]
        file, path = io.StringIO(), folder / f"{dataset}.csv.gz"
        _write(file, lines, header=True)
        content = file.getvalue().encode()
        if not path.exists() or gzip.decompress(path.read_bytes()) != content:  # compressed bytes differ by zlib
            path.write_bytes(gzip.compress(content, 9, mtime=0))


def _write(file: IO[str], lines: Sequence[tuple[Row, str, Figures]], *, header: bool) -> None:
    writer = csv.writer(file, lineterminator="\n")
    if header and lines:
        writer.writerow((*KEY, *lines[0][-1]))
    for row, text, figures in lines:
        key = (row.dataset, row.model, row.protocol, row.baseline, row.method, text)
        writer.writerow((*key, *(_number(name, value) for name, value in figures.items())))


def _number(name: str, value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:.4g}" if name in SIGNIFICANT else f"{value:.5f}"


def _opened(path: Path, mode: str) -> IO[str]:
    return gzip.open(path, mode, encoding="utf-8", newline="") if path.suffix == ".gz" else path.open(newline="")  # type: ignore[return-value]  # modes are text
