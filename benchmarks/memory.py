"""Whether memory grows with the number of texts: 10,000 real short texts through the embedded model.

.venv/bin/python benchmarks/memory.py
"""

import argparse
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=10_000)
    count = parser.parse_args().texts
    texts = sst2("train_phrases", count)
    explainer = Explainer.default(device="cpu")
    list(explainer.explain_many(texts[:500]))  # whatever the libraries set up once
    marks, words, started = {0, count // 4, count // 2, 3 * count // 4, count}, 0, time.perf_counter()
    for done, explanation in enumerate(explainer.explain_many(texts), start=1):
        words += len(explanation.units)
        if done == 1 or done in marks:
            gc.collect()
            print(
                f"after {done:,} texts ({words:,} words): {resident():,.0f} MB, {time.perf_counter() - started:.0f} s"
            )


if __name__ == "__main__":
    main()
