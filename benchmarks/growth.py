"""Measure how time and memory grow with a text's length, its units, and the number of texts; fit power laws.

.venv/bin/python benchmarks/growth.py     # writes docs/results/growth.md and growth.svg; rerun to resume

The model is small and has random weights (2 layers, width 128). Times are processor time of one thread. Every point
runs in its own process. Memory is the peak minus the memory of the process after loading the model.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from memory_on_a_long_text import memory
from stored import Store

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "growth.jsonl"
PAGE, PICTURE = ROOT / "docs" / "results" / "growth.md", ROOT / "docs" / "results" / "growth.svg"
ROWS: dict[str, tuple[str, list[int]]] = {  # what grows, and its sizes
    "length": ("tokens of a text, 16 units", [25, 50, 100, 200, 350, 512]),
    "units": ("units of a text of 512 tokens", [8, 16, 32, 64, 128, 256]),
    "all": ("tokens of a text, every word a unit", [25, 50, 100, 200, 350]),
    "texts": ("texts of 12 tokens", [10, 100, 1_000, 10_000]),
}


def run(what: str, size: int) -> dict[str, float]:
    """Seconds of processor time and MB at the peak, in this process."""
    import torch
    from timing import explainer_of
    from transformers import BertConfig, BertForSequenceClassification

    from unmask import Explainer, Request

    torch.set_num_threads(1)
    torch.manual_seed(0)
    tokenizer = explainer_of("embedded").tokenizer
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=128, num_hidden_layers=2, num_attention_heads=2, intermediate_size=512
    )
    explainer = Explainer(BertForSequenceClassification(config), tokenizer)
    tokens = {"length": size, "units": 512, "all": size, "texts": 12}[what]
    text = " ".join(["film"] * (tokens - 2))
    units = {"length": 16, "units": size, "all": tokens - 2, "texts": tokens - 2}[what]
    request = Request(text, spans=[(5 * at, 5 * at + 4) for at in range(units)])
    explainer.explain("a film", sets="none")  # opens the model
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak, which loading the model has set
    before, started, rows = memory("VmRSS"), time.process_time(), 0
    for found in explainer.explain_many(request for _ in range(size if what == "texts" else 1)):
        rows += found.passes.forward
    seconds = time.process_time() - started
    return {"seconds": seconds, "memory": memory("VmHWM") - before, "rows": rows}


def apart(what: str, size: int) -> dict[str, float]:
    """Measure the same in a separate process that returns large blocks to the system at once."""
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "262144", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--one", what, str(size)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = json.loads(said)
    return found


def power(sizes: Sequence[int], values: Sequence[float]) -> tuple[float, float]:
    """Fit a power law on logarithmic axes; return its exponent and its factor."""
    slope, offset = np.polyfit(np.log(sizes), np.log(values), 1)
    return float(slope), float(np.exp(offset))


def draw(found: dict[str, dict[int, Any]]) -> None:
    """The measured times with their fits, and memory."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 2.4 * len(found)), layout="constrained")
    axes = figure.subplots(len(found), 2, squeeze=False)
    for (what, points), (left, right) in zip(found.items(), axes, strict=True):
        sizes = sorted(points)
        seconds, peaks = ([points[size][name] for size in sizes] for name in ("seconds", "memory"))
        slope, factor = power(sizes, seconds)
        left.loglog(sizes, seconds, "o", color="#1f6fb4")
        left.loglog(sizes, [factor * size**slope for size in sizes], "-", color="#999999", label=f"~ n^{slope:.2f}")
        left.set(xlabel=ROWS[what][0], ylabel="seconds")
        left.legend(frameon=False)
        right.semilogx(sizes, peaks, "o-", color="#b4541f")
        right.set(xlabel=ROWS[what][0], ylabel="MB above the open model")
        right.set_ylim(bottom=0)
    figure.savefig(PICTURE, metadata={"Date": None})


def page(found: dict[str, dict[int, Any]]) -> str:
    """The page, from the stored measurements."""
    lines = ["| n | from, to | time grows as | seconds | memory |", "|---|---|---|---|---|"]
    slopes = dict[str, float]()
    for what, points in found.items():
        sizes = sorted(points)
        first, last = points[sizes[0]], points[sizes[-1]]
        slopes[what], _ = power(sizes, [points[size]["seconds"] for size in sizes])
        lines.append(
            f"| {ROWS[what][0]} | {sizes[0]:,} to {sizes[-1]:,} | n^{slopes[what]:.2f} "
            f"| {first['seconds']:.2g} to {last['seconds']:.2g} | {first['memory']:.0f} to {last['memory']:.0f} MB |"
        )
    named = {"length": "its length", "units": "its number of units", "all": "its length if every word is a unit"}
    text = ", ".join(f"{'and ' * (what == 'all')}n^{slopes[what]:.2f} with {name}" for what, name in named.items())
    finding = f"**The processor time of one text grows as {text}. For n texts, it grows as n^{slopes['texts']:.2f}.**"
    head = "# How time and memory grow\n\n"
    return (
        f"{head}{finding}\n\n"
        "    .venv/bin/python benchmarks/growth.py\n\n"
        f"{(__doc__ or '').split(chr(10) * 2, 2)[2].strip()} The machine was shared.\n\n"
        + "\n".join(lines)
        + "\n\n![Time and memory, measured and fitted](growth.svg)\n"
    )


def main() -> None:
    """Take the missing measurements and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "SIZE"), help="measure one point and print it")
    one = parser.parse_args().one
    if one is not None:
        print(json.dumps(run(one[0], int(one[1]))))
        return
    store, found = Store(KEPT), dict[str, dict[int, Any]]()
    for what, (_, sizes) in ROWS.items():
        for size in sizes:
            point = store.kept(f"{what}, {size}", partial(apart, what, size))
            print(what, size, point, flush=True)
            found.setdefault(what, {})[size] = point
    draw(found)
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
