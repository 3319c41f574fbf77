"""Measure the overhead of a run: time spent storing results, memory over many texts, accuracy of the time left.

.venv/bin/python benchmarks/cost_of_a_run.py          # all three; the last two take ten to twenty minutes each
.venv/bin/python benchmarks/cost_of_a_run.py store    # or only one: store, memory, left
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from memory_over_many_texts import resident
from paper_experiment import planned
from timing import SHARED, sst2, sst2_rows

from unmask.engine import Engine
from unmask.experiments import Plan, Run, scheduler
from unmask.experiments.store import Store
from unmask.models.huggingface.loading import embedded_model

SENTENCES = 100
SHORT = 10_000
STORING = ("__init__", "put", "known", "body", "note", "fact", "close")
END = object()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", help="store, memory, left")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    for name in given.which or MEASURED:
        with tempfile.TemporaryDirectory() as folder:
            MEASURED[name](Path(folder))


def store(folder: Path) -> None:
    """Measure the time in the store and in the engine, for the cheapest method and for the usual ones."""
    for methods in (["grad_x_input"], ["sig"], ["sig", "ig", "grad_x_input"]):
        plan = of_texts(folder, [row["text"] for row in sst2_rows("test", SENTENCES)], methods)
        with watched(Store, STORING) as stored, watched(Engine, ["run"]) as ran:
            Run(folder / f"run-{len(methods)}-{methods[0]}", plan, device="cpu").go()
        seconds, engine = sum(stored), sum(ran)
        said = f"store {seconds:.2f} s, engine {engine:.2f} s: {seconds / engine:.2%}"
        print(f"{', '.join(methods)} on {SENTENCES} sentences: {said}", flush=True)


def memory(folder: Path) -> None:
    """Current and peak memory at several points of a run over many short texts."""
    plan = of_texts(folder, sst2("train_phrases", SHORT), ["sig"], model=str(embedded_model()))
    found: list[tuple[float, float, float]] = []
    Run(folder / "run", plan, device="cpu").go(progress=lambda doing: found.append((doing.share, resident(), peak())))
    for share in (0.01, 0.1, 0.5, 1.0):
        _, now, most = next(one for one in found if one[0] >= share)
        print(f"{share:.0%} of {SHORT:,} texts: {now:,.0f} MB, {most:,.0f} MB at the peak", flush=True)


def left(folder: Path) -> None:
    """Compare the time left, as estimated after the first tenth, with the time it then took.

    Both are processor time of one thread, which other programs on the machine disturb less than wall-clock time.
    """
    setattr(scheduler, "time", SimpleNamespace(perf_counter=time.process_time))  # noqa: B010 - a module has no such type
    plans = [planned("corrected", table) for table in ("sst2", "rotten_tomatoes")]
    plan = replace(plans[0], datasets=plans[0].datasets + plans[1].datasets, models=tuple(merged(plans))).limited(3)
    said: list[tuple[float, float]] = []
    Run(folder / "run", plan, device="cpu").go(progress=lambda doing: said.append((doing.seconds, doing.left)))
    total = said[-1][0]
    for share in (0.05, 0.1, 0.2, 0.5):
        seconds, then = next(one for one in said if one[0] >= share * total)
        took = total - seconds
        print(f"after {share:.0%}: estimated {then:.0f} s left, took {took:.0f} s: {then / took:.2f}", flush=True)


def merged(plans: list[Plan]) -> Iterator[Any]:
    for first, second in zip(plans[0].models, plans[1].models, strict=True):
        yield replace(first, sources={**first.sources, **second.sources})


def of_texts(folder: Path, texts: list[str], methods: list[str], *, model: str | None = None) -> Plan:
    """A plan of one file and one model."""
    file = folder / "texts.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    source = model or str(SHARED / "models" / "bert-sst2")
    return Plan.from_dict(
        {
            "name": "tried",
            "controls": [],
            "operators": ["remove"],
            "methods": {"corrected": methods},
            "datasets": {"texts": {"source": str(file)}},
            "models": {"one": {"texts": source}},
        }
    )


def peak() -> float:
    """The largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


@contextmanager
def watched(owner: type, names: Sequence[str]) -> Iterator[list[float]]:
    """Measure the seconds spent in calls to these methods, generators included."""
    before, seconds = {name: getattr(owner, name) for name in names}, list[float]()

    def timed(method: Callable[..., Any]) -> Callable[..., Any]:
        def of(*args: Any, **options: Any) -> Any:
            started = time.perf_counter()
            found = method(*args, **options)
            seconds.append(time.perf_counter() - started)
            return stepping(found, seconds) if isinstance(found, Iterator) else found

        return of

    for name, method in before.items():
        setattr(owner, name, timed(method))
    try:
        yield seconds
    finally:
        for name, method in before.items():
            setattr(owner, name, method)


def stepping(items: Iterator[Any], seconds: list[float]) -> Iterator[Any]:
    while True:
        started = time.perf_counter()
        item = next(items, END)
        seconds.append(time.perf_counter() - started)
        if item is END:
            return
        yield item


MEASURED = {"store": store, "memory": memory, "left": left}

if __name__ == "__main__":
    main()
