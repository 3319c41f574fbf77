"""What workers on Ray cost and gain: time per chunk, one and two workers against none, and the driver's rate.

.venv/bin/python benchmarks/scaling.py     # docs/results/scaling.md

All times are of one run on one machine. Torch computes with one thread everywhere, so that two workers have two cores.
"""

import argparse
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch
from timing import sst2

from unmask import Explainer, RayEngine
from unmask.bulk.chunks import Chunk
from unmask.bulk.compute import ChunkExplainer
from unmask.bulk.rows import RowFormat
from unmask.executors.base import Executor, LocalEngine
from unmask.executors.ray_start import connected
from unmask.text.request import Request

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "scaling.md"
OF_A_CHUNK = 2  # texts
ROUNDS = 3
ENGINES: tuple[tuple[str, Any, int], ...] = (
    ("local", LocalEngine(), 1),
    ("1 worker", RayEngine(workers=1), 1),
    ("2 workers", RayEngine(workers=2), 2),
)
PAUSE = 0.05  # seconds
IDLE = 1_000  # chunks of workers that only sleep
ROW = 5_000  # bytes of a short text's explanation
# A million reviews of films, on paper
REVIEWS, WORDS, TOKENS, PER_TOKEN, PER_CHUNK = 1e6, 230, 300, 85e6, 2  # DistilBERT-base: two operations per weight
GPU = 5e13  # operations per second that a GPU really does


@dataclass(frozen=True)
class Sleep:
    """Work that takes a fixed time and returns as many bytes as a chunk of texts."""

    seconds: float
    answer: bytes
    threads: int = 1
    device: str = "cpu"

    def __call__(self, chunk: int, progress: Any) -> bytes:
        time.sleep(self.seconds)
        return self.answer

    def halves(self, chunk: int) -> None:
        return None

    def join(self, results: Sequence[bytes]) -> bytes:
        return b"".join(results)

    def failure(self, chunk: int, reason: str) -> bytes:
        raise RuntimeError(reason)


@dataclass(frozen=True)
class Named:
    """Work whose results also tell which process computed them."""

    work: Any

    @property
    def threads(self) -> int:
        return int(self.work.threads)

    @property
    def device(self) -> str:
        return str(self.work.device)

    def __call__(self, chunk: Any, progress: Any) -> tuple[int, Any]:
        return os.getpid(), self.work(chunk, progress)

    def halves(self, chunk: Any) -> None:
        return None

    def join(self, results: Sequence[Any]) -> Any:
        raise RuntimeError("nothing is halved")

    def failure(self, chunk: Any, reason: str) -> Any:
        raise RuntimeError(reason)


def warm(executor: Executor, work: Any, chunk: Any, workers: int) -> float:
    """Wait until every worker has computed a chunk; returns the seconds."""
    started, seen = time.perf_counter(), set[int]()
    while len(seen) < workers:
        seen |= {process for _, (process, _) in executor.map(work, [chunk] * 2 * workers)}
    return time.perf_counter() - started


def seconds_of(executor: Executor, work: Any, chunks: Sequence[Any]) -> tuple[float, list[Any]]:
    started = time.perf_counter()
    found = [result for _, (_, result) in executor.map(work, chunks)]
    return time.perf_counter() - started, found


def measure_speed(count: int) -> dict[str, tuple[float, list[float]]]:
    """Seconds to start, and to explain in each round, with each engine in turn; the results must be the same."""
    torch.set_num_threads(1)
    session = Explainer.default()._session
    work = Named(ChunkExplainer(session, session.resolve_config(), RowFormat("jsonl")))
    texts = [Request(text) for text in sst2("train_phrases") if 8 <= len(text.split()) <= 16][:count]
    chunks = [Chunk(at, tuple(texts[at : at + OF_A_CHUNK])) for at in range(0, count, OF_A_CHUNK)]
    found, expected = dict[str, tuple[float, list[float]]](), None
    with ExitStack() as stack:
        stack.enter_context(connected(None, cpus=4, debug=False))
        executors = {}
        for name, engine, workers in ENGINES:
            executors[name] = stack.enter_context(engine.open())
            found[name] = warm(executors[name], work, chunks[0], workers), []
        for _ in range(ROUNDS):
            for name, executor in executors.items():
                seconds, results = seconds_of(executor, work, chunks)
                found[name][1].append(seconds)
                lines = [row.line for rows in results for row in rows]
                expected = expected or lines
                assert lines == expected
                print(f"{name}: {seconds:.1f} s for {count} texts", flush=True)
    return found


def measure_driver() -> dict[str, float]:
    """Chunks per second of two workers that do nothing, and what a chunk costs beside a sleep."""
    small, large, slow = (Named(Sleep(*one)) for one in ((0.0, b""), (0.0, b"x" * (64 * ROW)), (PAUSE, b"")))
    found = {}
    with RayEngine(workers=2).open() as executor:
        for name, work, count in (("empty", small, IDLE), ("full", large, IDLE), ("slow", slow, 100)):
            warm(executor, work, 0, 2)
            before = time.process_time()
            found[name] = count / seconds_of(executor, work, range(count))[0]
            found[f"{name} processor"] = (time.process_time() - before) / count
    found["overhead"] = 2 / found.pop("slow") - PAUSE
    print(found, flush=True)
    return found


def page(count: int, speed: dict[str, tuple[float, list[float]]], rates: dict[str, float], load: float) -> str:
    local, rows = speed["local"][1], []
    for name, (start, seconds) in speed.items():
        gains = [one / other for one, other in zip(local, seconds, strict=True)]
        times = f"{median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"
        rows.append(
            f"| {name} | {start:.0f} s | {times} | {median(gains):.2f} ({min(gains):.2f} to {max(gains):.2f}) |"
        )
    work = (WORDS + 2) * TOKENS * PER_TOKEN  # of a review
    costs = []
    for gpus in (1, 8, 100):
        needed = gpus * GPU / (work * PER_CHUNK)
        hours = REVIEWS * work / (gpus * GPU) / 3600
        costs.append(f"| {gpus} | {hours:.1f} h | {needed:.0f} | {needed / rates['full']:.0%} |")
    most = rates["full"] * work * PER_CHUNK / GPU
    cores = os.cpu_count() or 1
    doubt = (
        f"**The load was {load:.0f} on {cores} cores, so the speed-ups below say nothing about free cores: repeat\n"
        "this on an idle machine.** What stands: results were the same, byte for byte, and the driver's processor time."
        if load > cores
        else "Results were the same, byte for byte."
    )
    is_slower = max(one / other for one, other in zip(local, speed["1 worker"][1], strict=True)) < 0.9
    unexplained = (
        "One worker took longer than the local engine in every round. The overhead of a chunk is too small to be the\n"
        "reason, which is not known.\n\n"
        if is_slower
        else ""
    )
    return f"""# The speed of workers on Ray

**The driver hands on {rates["full"]:,.0f} chunks a second, and needs {1000 * rates["full processor"]:.1f} ms of
processor time for each. On paper, that keeps some {most:,.0f} GPUs busy with film reviews.**

    .venv/bin/python benchmarks/scaling.py

One run on {cores} cores; torch computes with one thread everywhere. The load by other work was {load:.1f} at the end.

{doubt}

## Against the local engine

{count} phrases of SST-2 with 8 to 16 words, in chunks of {OF_A_CHUNK}, with the built-in model; {ROUNDS} rounds, the
engines in turn, after every worker had opened the model. Median and range:

| engine | start | texts | speed-up in the same round |
|---|---|---|---|
{chr(10).join(rows)}

{unexplained}Starting takes Ray itself, one process per worker that imports torch, and the model. It happens once.

## The driver

Two workers that do nothing but answer, {IDLE:,} chunks:

| a chunk's result | chunks per second | processor time of the driver, per chunk |
|---|---|---|
| empty | {rates["empty"]:,.0f} | {1000 * rates["empty processor"]:.2f} ms |
| {64 * ROW // 1000} kB, as of 64 short texts | {rates["full"]:,.0f} | {1000 * rates["full processor"]:.2f} ms |

With workers that sleep for 50 ms, a chunk took {1000 * rates["overhead"]:.1f} ms more than that. A worker always has
the next chunk, so this is what is left of the way there and back.

## A million reviews, on paper

Nothing here was measured on a GPU. Assumed: {REVIEWS:,.0f} film reviews of {WORDS} words and {TOKENS} tokens, exact SIG
of each word ({WORDS + 2} rows a review), a model of the size of DistilBERT-base ({PER_TOKEN / 1e6:.0f} million
operations a token), and a GPU that does {GPU / 1e12:.0f} TFLOP/s of real work. That is {work / 1e12:.1f} TFLOP a
review. A chunk holds {PER_CHUNK} such reviews.

| GPUs | time | chunks per second | share of the driver's rate |
|---|---|---|---|
{chr(10).join(costs)}

The driver is the bottleneck from about {most:,.0f} such GPUs on. Writing parts is not in its rate; it adds some 5 kB a
text. Smaller models and shorter texts reach the limit earlier, but their chunks hold up to 64 texts.
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=16)
    count = options.parse_args().texts
    rates, speed = measure_driver(), measure_speed(count)
    PAGE.write_text(page(count, speed, rates, os.getloadavg()[0]), encoding="utf-8")


if __name__ == "__main__":
    main()
