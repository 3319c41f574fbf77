"""Measure the peak memory of SIG and of its path integral on one long film review, above the memory before the call.

MALLOC_MMAP_THRESHOLD_=262144 .venv/bin/python benchmarks/memory_on_a_long_text.py

The variable makes the C library return large blocks to the system at once. Otherwise the peak also counts memory that
was freed but not returned: several hundred MB, varying from run to run.
"""

import argparse
import gc
import gzip
import json
import re
import time
from pathlib import Path

import torch
from timing import SHARED, explainer_of

from unmask import Explainer
from unmask.methods import SIG, Method, SIGPath

TOKENS = range(400, 480)
ONE_LEVEL = 1e9  # a tolerance that the first levels meet: memory does not depend on how many follow
METHODS: dict[str, Method] = {
    "sig": SIG(),
    "sig_path, fixed steps, features": SIGPath(steps=1, keep="features"),
    "sig_path, adaptive, units": SIGPath(tolerance=ONE_LEVEL),
    "sig_path, adaptive, features": SIGPath(tolerance=ONE_LEVEL, keep="features"),
}


def long_text(explainer: Explainer) -> str:
    """The first review with a number of tokens in that range."""
    with gzip.open(SHARED / "data" / "imdb" / "test_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = (str(json.loads(line)["text"]) for line in lines)
        return next(text for text in texts if len(explainer.tokenizer(text)["input_ids"]) in TOKENS)


def memory(what: str) -> float:
    """Return a memory figure of this process in MB: VmRSS is current, VmHWM is the peak."""
    found = re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="bert-sst2")
    parser.add_argument(
        "--methods",
        nargs="+",
        choices=METHODS,
        default=list(METHODS),
        help="methods to measure; the adaptive ones are slow",
    )
    given = parser.parse_args()
    explainer = explainer_of(given.model)
    torch.set_num_threads(1)
    text, width = long_text(explainer), explainer.model.get_input_embeddings().embedding_dim
    print("| method | tokens | units | rows | peak increase | size of [units, tokens, width] | processor time |")
    print("|---|---|---|---|---|---|---|")
    for name in given.methods:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak
        before, started = memory("VmRSS"), time.process_time()
        found = explainer.explain(text, method=METHODS[name], sets="none")
        units, tokens = len(found.units), len(explainer.tokenizer(text)["input_ids"])
        print(
            f"| {name} | {tokens} | {units} | {found.passes.forward} | {memory('VmHWM') - before:.0f} MB | "
            f"{units * tokens * width * 8 / 2**20:.0f} MB | {time.process_time() - started:.0f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
