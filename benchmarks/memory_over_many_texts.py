"""Measure whether memory grows with the number of texts: the built-in model explains 10,000 real short texts.

.venv/bin/python benchmarks/memory_over_many_texts.py
"""

import argparse
import ctypes
import gc
import resource
import time
from pathlib import Path

from timing import sst2

from unmask import Explainer


def resident() -> float:
    """This process's memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def report(what: str, started: float) -> None:
    """Return the memory now, and after the C library has returned its free memory to the system."""
    gc.collect()
    before = resident()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    print(f"| {what} | {before:,.0f} MB | {resident():,.0f} MB | {time.perf_counter() - started:.0f} s |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=10_000)
    count = parser.parse_args().texts
    texts, started = sst2("train_phrases", count), time.perf_counter()
    explainer = Explainer.default(device="cpu")
    print("| after | resident | in use | time |\n|---|---|---|---|")
    report("loading the model", started)
    words = 0
    for done, explanation in enumerate(explainer.explain_many(texts), start=1):
        words += len(explanation.units)
        if done == 1 or not done % (count // 4):
            report(f"{done:,} text{'s' * (done > 1)}, {words:,} words", started)


if __name__ == "__main__":
    main()
