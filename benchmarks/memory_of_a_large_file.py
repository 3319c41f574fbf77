"""Measure memory while `unmask explain` writes the results of a large file (100,000 short texts) to a folder.

.venv/bin/python benchmarks/memory_of_a_large_file.py     # docs/results/memory-of-a-large-file.md, .csv and .svg

The command runs in its own process. This script samples its memory and the number of texts in the folder.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow
from pyarrow.parquet import ParquetWriter
from timing import sst2

from unmask.bulk.folder import ResultFolder
from unmask.models.huggingface.loading import embedded_model

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "memory-of-a-large-file.md"
EVERY = 1.0  # seconds between two samples
BATCH = 10_000  # texts of a row group
SPAN = 10_000  # texts of a row of the table


@dataclass(frozen=True)
class Sample:
    """One sample: the number of texts in the folder, and the memory."""

    texts: int
    megabytes: float


def make_model(folder: Path) -> None:
    """Save a very fast model with random weights and the built-in model's tokenizer."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(embedded_model())
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_file(path: Path, count: int) -> None:
    """Write real short texts, repeated as often as needed; a number makes each one different."""
    phrases = sst2("train_phrases")
    schema = pyarrow.schema([("id", pyarrow.int64()), ("text", pyarrow.string())])
    with ParquetWriter(path, schema) as writer:
        for start in range(0, count, BATCH):
            numbers = list(range(start, min(count, start + BATCH)))
            texts = [phrases[at % len(phrases)] for at in numbers]
            writer.write_table(pyarrow.table({"id": numbers, "text": texts}, schema=schema))


def resident(process: int) -> float:
    """The memory of a process now, in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def watch(process: "subprocess.Popen[bytes]", folder: ResultFolder) -> list[Sample]:
    """Sample a process until it ends, starting when the first texts are saved."""
    samples = list[Sample]()
    while process.poll() is None:
        time.sleep(EVERY)
        parts = folder.parts() if folder.is_begun else []
        try:
            memory = resident(process.pid)
        except (OSError, IndexError):  # it has just ended
            break
        if parts and memory:
            samples.append(Sample(parts[-1].end, memory))
    return samples


def measure(count: int, form: str, place: Path) -> list[Sample]:
    """Explain that many texts; save the results in a folder."""
    make_model(place / "model")
    make_file(place / "texts.parquet", count)
    command = [sys.executable, "-m", "unmask", "explain", "--model", str(place / "model"), "--keep"]
    command += ["-f", str(place / "texts.parquet"), "-o", f"{place / 'results'}/", "--format", form]
    command += ["--sets", "none", "--quiet"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, env=environment) as process:
        samples = watch(process, ResultFolder(place / "results"))
    if process.returncode:
        raise SystemExit(f"unmask ended with {process.returncode}")
    return samples


def draw(samples: list[Sample], path: Path) -> None:
    """The memory over the texts that are done."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.0), layout="constrained")
    axes = figure.subplots()
    axes.plot([one.texts for one in samples], [one.megabytes for one in samples], linewidth=1.2, color="#2166ac")
    axes.set(xlabel="texts in the folder", ylabel="memory of the process (MB)", xlim=0, ylim=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def page(samples: list[Sample], form: str, path: Path) -> str:
    """The page of results."""
    first, most = samples[0], max(one.megabytes for one in samples)
    rows = []
    for start in range(0, samples[-1].texts, SPAN):
        seen = [one.megabytes for one in samples if start <= one.texts - 1 < start + SPAN]
        cells = [f"{value:,.0f} MB" for value in (min(seen), statistics.median(seen), max(seen))] if seen else ["-"] * 3
        rows.append(f"| {start:,} to {start + SPAN:,} | {' | '.join(cells)} |")
    return "\n".join(
        [
            "# Memory while explaining a large file",
            "",
            f"**Memory stays flat: {first.megabytes:,.0f} MB after {first.texts:,} texts, and at most",
            f"{most - first.megabytes:,.0f} MB more until {samples[-1].texts:,} are done.**",
            "",
            f"![Memory over texts]({path.with_suffix('.svg').name})",
            "",
            "    .venv/bin/python benchmarks/memory_of_a_large_file.py",
            "",
            "The command is `unmask explain -f texts.parquet -o results/ --keep --sets none`. The texts are phrases of",
            "SST-2's training set, repeated. The model has one layer and random weights, so that the run takes",
            f"minutes, not hours. The command uses one thread and writes {form}. Memory is the resident memory of the",
            "process, sampled once per second from outside.",
            "",
            "| texts in the folder | lowest | median | highest |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--format", default="jsonl")
    parser.add_argument("--page", type=Path, default=PAGE)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        samples = measure(asked.texts, asked.format, Path(place))
    lines = [f"{one.texts},{one.megabytes:.1f}\n" for one in samples]  # saved first: they took long to collect
    asked.page.with_suffix(".csv").write_text("".join(["texts,megabytes\n", *lines]), encoding="utf-8")
    draw(samples, asked.page.with_suffix(".svg"))
    asked.page.write_text(page(samples, asked.format, asked.page), encoding="utf-8")


if __name__ == "__main__":
    main()
