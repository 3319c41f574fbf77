"""Measure Ray workers: the overhead per chunk, the speed-up over the local engine, and the driver's rate.

.venv/bin/python benchmarks/scaling.py            # writes docs/results/scaling.md, and the figures in docs/scaling.md
.venv/bin/python benchmarks/scaling.py --print    # writes both again, from the last run's figures in .results

All times come from one run on one machine. Torch uses one thread everywhere, so two workers use two cores.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from textwrap import fill
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

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "scaling.json"
PAGE, EXPLAINED = ROOT / "docs" / "results" / "scaling.md", ROOT / "docs" / "scaling.md"
BEGIN, END = "<!-- written by benchmarks/scaling.py -->", "<!-- until here -->"  # around the figures in EXPLAINED
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
# A million film reviews, by calculation
REVIEWS, WORDS, TOKENS, PER_TOKEN, PER_CHUNK = 1e6, 230, 300, 85e6, 2  # DistilBERT-base: two operations per weight
GPU = 5e13  # operations per second that a GPU sustains
WORK = (WORDS + 2) * TOKENS * PER_TOKEN  # operations per review


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
    """Work whose results also contain the id of the process that computed them and its processor time."""

    work: Any

    @property
    def threads(self) -> int:
        return int(self.work.threads)

    @property
    def device(self) -> str:
        return str(self.work.device)

    def __call__(self, chunk: Any, progress: Any) -> tuple[int, float, Any]:
        started = time.process_time()
        result = self.work(chunk, progress)
        return os.getpid(), time.process_time() - started, result

    def halves(self, chunk: Any) -> None:
        return None

    def join(self, results: Sequence[Any]) -> Any:
        raise RuntimeError("nothing is halved")

    def failure(self, chunk: Any, reason: str) -> Any:
        raise RuntimeError(reason)


def warm(executor: Executor, work: Any, chunk: Any, workers: int) -> float:
    """Wait until every worker has computed a chunk, and return the seconds."""
    started, seen = time.perf_counter(), set[int]()
    while len(seen) < workers:
        seen |= {process for _, (process, _, _) in executor.map(work, [chunk] * 2 * workers)}
    return time.perf_counter() - started


def seconds_of(executor: Executor, work: Any, chunks: Sequence[Any]) -> tuple[float, float, list[Any]]:
    """The wall-clock time, the processor time of the work itself, and the results."""
    started = time.perf_counter()
    found = [answer for _, (_, *answer) in executor.map(work, chunks)]
    return time.perf_counter() - started, sum(seconds for seconds, _ in found), [result for _, result in found]


def measure_speed(count: int) -> dict[str, dict[str, Any]]:
    """Measure the seconds to start and to explain in each round, with each engine in turn; results must be the same."""
    torch.set_num_threads(1)
    session = Explainer.default()._session
    work = Named(ChunkExplainer(session, session.resolve_config(), RowFormat("jsonl")))
    texts = [Request(text) for text in sst2("train_phrases") if 8 <= len(text.split()) <= 16][:count]
    chunks = [Chunk(at, tuple(texts[at : at + OF_A_CHUNK])) for at in range(0, count, OF_A_CHUNK)]
    found, expected = dict[str, dict[str, Any]](), None
    with ExitStack() as stack:
        stack.enter_context(connected(None, cpus=4, debug=False))
        executors = {}
        for name, engine, workers in ENGINES:
            executors[name] = stack.enter_context(engine.open())
            found[name] = {"start": warm(executors[name], work, chunks[0], workers), "wall": [], "processor": []}
        for _ in range(ROUNDS):
            for name, executor in executors.items():
                seconds, processor, results = seconds_of(executor, work, chunks)
                found[name]["wall"].append(seconds)
                found[name]["processor"].append(processor)
                lines = [row.line for rows in results for row in rows]
                expected = expected or lines
                assert lines == expected
                print(f"{name}: {seconds:.1f} s for {count} texts", flush=True)
    return found


def measure_driver() -> dict[str, float]:
    """Measure the chunks per second of two workers that do nothing, and the overhead per chunk."""
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


def speed_table(speed: dict[str, dict[str, Any]]) -> str:
    """Each engine: its start-up, its time, its speed-up per round, and the processor time of the work itself."""
    lines = [
        "| engine | start-up | time for all texts | speed-up within a round | processor time of the work |",
        "|---|---|---|---|---|",
    ]
    for name, one in speed.items():
        gains = [local / own for local, own in zip(speed["local"]["wall"], one["wall"], strict=True)]
        lines.append(
            f"| {name} | {one['start']:.0f} s | {_spread(one['wall'], 1)} s | {_spread(gains, 2)} "
            f"| {_spread(one['processor'], 1)} s |"
        )
    return "\n".join(lines)


def _spread(values: Sequence[float], digits: int) -> str:
    middle, low, high = (f"{one:.{digits}f}" for one in (median(values), min(values), max(values)))
    return f"{middle} ({low} to {high})"


def doubt(load: float, cores: int) -> str:
    """Write whether the machine's load makes the speed-ups meaningless."""
    same = "Results were the same byte for byte in every round."
    if load <= cores:
        return same
    return (
        f"**The load was {load:.0f} on {cores} cores: the engines shared them with other programs, so the speed-ups "
        f"say nothing about an idle machine.** The processor time is meaningful on a busy machine too. {same}"
    )


def driver_table(rates: dict[str, float]) -> str:
    """The driver's rate and processor time."""
    return f"""| size of a chunk's result | chunks per second | driver's processor time per chunk |
|---|---|---|
| empty | {rates["empty"]:,.0f} | {1000 * rates["empty processor"]:.2f} ms |
| {64 * ROW // 1000} kB, as for 64 short texts | {rates["full"]:,.0f} | {1000 * rates["full processor"]:.2f} ms |"""


def cost_table(rates: dict[str, float]) -> str:
    """A million reviews on some numbers of GPUs."""
    lines = ["| GPUs | time | chunks per second they could take | share of the driver's rate |", "|---|---|---|---|"]
    for gpus in (1, 8, 100):
        needed = gpus * GPU / (WORK * PER_CHUNK)
        hours = REVIEWS / PER_CHUNK / min(needed, rates["full"]) / 3600  # no faster than the driver
        lines.append(f"| {gpus} | {hours:.1f} h | {needed:.0f} | {needed / rates['full']:.0%} |")
    return "\n".join(lines)


def most_gpus(rates: dict[str, float]) -> float:
    """The number of GPUs beyond which the driver is the bottleneck."""
    return rates["full"] * WORK * PER_CHUNK / GPU


def figures(run: dict[str, Any]) -> str:
    """Everything that was measured or calculated, as sections of a page."""
    rates, cores = run["rates"], run["cores"]
    against = (
        f"The built-in model explains {run['texts']} phrases of SST-2 with 8 to 16 words, in chunks of {OF_A_CHUNK}. "
        f"The engines take turns over {ROUNDS} rounds, after every worker has loaded the model. This is one run on "
        f"{cores} cores, with one torch thread in each process. The table shows median and range:"
    )
    overhead = (
        f"When workers sleep for {1000 * PAUSE:.0f} ms per chunk, a chunk takes {1000 * rates['overhead']:.1f} ms "
        "longer than that. This is the overhead per chunk. A worker always has its next chunk queued, so most of the "
        "round trip is hidden. To measure the driver's own rate, two workers do nothing but reply, for "
        f"{IDLE:,} chunks:"
    )
    assumed = (
        f"Nothing here was measured on a GPU. We assume {REVIEWS:,.0f} film reviews of {WORDS} words and {TOKENS} "
        f"tokens, exact SIG for each word ({WORDS + 2} forward passes per review), a model the size of DistilBERT-base "
        f"({PER_TOKEN / 1e6:.0f} million operations per token), and a GPU that sustains {GPU / 1e12:.0f} TFLOP/s. "
        f"That is {WORK / 1e12:.1f} TFLOP per review. A chunk holds {PER_CHUNK} such reviews."
    )
    bottleneck = (
        f"Beyond about {most_gpus(rates):,.0f} such GPUs, the driver is the bottleneck. Its rate does not include "
        "writing results, about 5 kB per text. Smaller models and shorter texts reach the limit earlier, but their "
        "chunks hold up to 64 texts."
    )
    return f"""## Speed: workers against the local engine

{fill(against, 120)}

{speed_table(run["speed"])}

{fill(doubt(run["load"], cores), 120)}

Start-up covers Ray itself, one process per worker that imports torch, and loading the model. It happens once.

## The driver

{fill(overhead, 120)}

{driver_table(rates)}

## A million reviews, by calculation

{fill(assumed, 120)}

{cost_table(rates)}

{fill(bottleneck, 120)}
"""


def finding(run: dict[str, Any]) -> str:
    """Write the finding in one sentence."""
    rates = run["rates"]
    return fill(
        f"**The driver dispatches {rates['full']:,.0f} chunks per second and needs "
        f"{1000 * rates['full processor']:.1f} ms of processor time for each. By calculation, that keeps about "
        f"{most_gpus(rates):,.0f} GPUs busy with film reviews.**",
        120,
    )


def write(run: dict[str, Any]) -> None:
    """The page of results, and the figures in the explanation."""
    command = "    .venv/bin/python benchmarks/scaling.py"
    about = "[Scaling](../scaling.md) explains what these numbers mean, what survives a kill, and how memory grows."
    content = ["# The speed of workers on Ray", finding(run), command, about, figures(run)]
    PAGE.write_text("\n\n".join(content), encoding="utf-8")
    before, _, rest = EXPLAINED.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    EXPLAINED.write_text(f"{before}{BEGIN}\n\n{figures(run)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--texts", type=int, default=16)
    options.add_argument("--print", action="store_true", help="write the pages from the last run")
    given = options.parse_args()
    if not given.print:
        load = os.getloadavg()[0]  # before this program adds to it
        rates, speed = measure_driver(), measure_speed(given.texts)
        run = {"rates": rates, "speed": speed, "texts": given.texts, "cores": os.cpu_count(), "load": load}
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(run, indent=1), encoding="utf-8")
    write(json.loads(KEPT.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
