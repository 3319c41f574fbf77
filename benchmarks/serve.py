"""Measure `unmask serve` with many clients: its speed relative to the bare engine, the time of a click, and its memory.

OMP_NUM_THREADS=1 .venv/bin/python benchmarks/serve.py [--clients 50] [--seconds 60]    # writes docs/results/serving.md

Each client repeatedly explains a sentence and then clicks on four words. Before and after, the bare engine runs the
prepared jobs of the same requests. Both rates count model inputs per second, so they measure the same work.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from textwrap import fill
from typing import Any

from unmask.attribution.session import ModelSession
from unmask.experiments.examples import embedded_examples
from unmask.models.huggingface.loading import embedded_model, load
from unmask.models.huggingface.opening import open_model
from unmask.web.computations import ROUTES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "serving.md"
CLICKS = 4  # after each explanation
BARE = 15.0  # seconds of the bare engine, before and after
SAMPLE = 10  # explanations and their clicks in one call of the bare engine
WARM = 5.0  # seconds that are not counted
Asked = tuple[str, dict[str, Any]]


def requests(texts: Sequence[str], first: int) -> Iterator[Asked]:
    """The requests of one client: an explanation, then single and joint masks of its first words."""
    for at in count(first):
        text = texts[at % len(texts)]
        yield "explain", {"text": text}
        units = len(text.split())
        for click in range(CLICKS):
            yield "predict", {"text": text, "masked": [list(range(min(click + 1, units)))], "target": "positive"}


def rows_of(route: str, answer: dict[str, Any]) -> int:
    """Return the number of model inputs that a response took, as the engine counts them."""
    if route == "predict":
        return len(answer["results"]) + 1
    sets = answer["sets"]
    return int(answer["passes"]["forward"] + (sets["passes"]["forward"] if sets else 0))


@dataclass
class Load:
    """What happened during one load."""

    rows: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"explain": [], "predict": []})
    memory: list[int] = field(default_factory=list)  # kilobytes
    processor: list[float] = field(default_factory=list)  # seconds of the server, at the start and at the end


async def client(port: int, asked: Iterator[Asked], load: Load, start: float, end: float) -> None:
    """One client on one connection, until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for route, body in asked:
        begun = time.monotonic()
        if begun >= end:
            break
        content = json.dumps(body).encode()
        head = f"POST /api/{route} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        headers = (await reader.readuntil(b"\r\n\r\n")).lower()
        answer = await reader.readexactly(int(headers.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        status, now = int(headers.split()[1]), time.monotonic()
        if not start <= now < end:
            continue
        load.statuses[status] += 1
        if status == 200:
            load.rows += rows_of(route, json.loads(answer))
            load.seconds[route].append(now - begun)
        else:
            await asyncio.sleep(1)
    writer.close()


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def watch(pid: int, load: Load, start: float, end: float) -> None:
    """Sample the server's resident memory every second, and its processor time."""
    await asyncio.sleep(start - time.monotonic())
    load.processor.append(processor_seconds(pid))
    while time.monotonic() < end:
        status = Path(f"/proc/{pid}/status").read_text()
        load.memory.append(int(status.partition("VmRSS:")[2].split()[0]))
        await asyncio.sleep(1)
    load.processor.append(processor_seconds(pid))


async def run_load(port: int, pid: int, texts: Sequence[str], *, clients: int, seconds: float) -> Load:
    load, start = Load(), time.monotonic() + WARM
    end = start + seconds
    asked = [requests(texts, 7 * at) for at in range(clients)]
    await asyncio.gather(*(client(port, one, load, start, end) for one in asked), watch(pid, load, start, end))
    return load


@dataclass
class Rate:
    """Model inputs per second, by wall-clock time and by processor time."""

    wall: float
    processor: float


def bare_rate(session: ModelSession, texts: Sequence[str], seconds: float) -> Rate:
    """Run the engine alone, on prepared jobs."""
    rows, spent, processor, first = 0, 0.0, 0.0, 0
    while spent < seconds:
        asked = islice(requests(texts, first), SAMPLE * (CLICKS + 1))
        jobs = [job for route, body in asked for job in ROUTES[route](session, body).jobs]
        started, used = time.perf_counter(), time.process_time()
        rows += sum(result.passes.forward for result in session.engine.run(jobs))
        spent += time.perf_counter() - started
        processor += time.process_time() - used
        first += SAMPLE
    return Rate(rows / spent, rows / processor)


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    texts = [one.request.text for one in embedded_examples("classification")][:200]
    session = ModelSession(open_model(*load(embedded_model("classification"), task="classification")))
    bare_rate(session, texts, 2)
    server = subprocess.Popen([sys.executable, "-m", "unmask", "serve", "--port", "0"], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline().decode().strip(" /\n").rpartition(":")[2])
        before = bare_rate(session, texts, BARE)
        found = asyncio.run(run_load(port, server.pid, texts, clients=options.clients, seconds=options.seconds))
        after = bare_rate(session, texts, BARE)
    finally:
        server.terminate()
        server.wait(30)
    PAGE.write_text(page(found, before, after, clients=options.clients, seconds=options.seconds), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def page(found: Load, before: Rate, after: Rate, *, clients: int, seconds: float) -> str:
    served = Rate(found.rows / seconds, found.rows / (found.processor[-1] - found.processor[0]))
    ratio = served.wall / statistics.mean((before.wall, after.wall))
    clicks = found.seconds["predict"]
    answered, all_requests = found.statuses[200], sum(found.statuses.values())
    others = {status: count for status, count in found.statuses.items() if status != 200}
    refused = ", ".join(f"{count:,} refused with status {status}" for status, count in others.items())
    median_click, slow_click = (1000 * percentile(clicks, share) for share in (0.5, 0.99))
    lines = [
        "# The server under load",
        "",
        fill(
            f"**With {clients} clients at once, `unmask serve` runs {ratio:.2f} times as many model inputs per second "
            f"as the bare engine. Half of all clicks are answered within {median_click:,.0f} ms, 99% within "
            f"{slow_click:,.0f} ms.**",
            120,
        ),
        "",
        "    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/serve.py",
        "",
        fill(
            f"Each client repeatedly explains a sentence with the built-in model and then clicks on four words, for "
            f"{seconds:g} seconds, on loopback. Before and after, the bare engine runs the prepared jobs of the same "
            f"requests. The server uses one thread for the model. Of {all_requests:,} requests, {answered:,} were "
            f"answered{f', and {refused}' if refused else ''}. A refused client tries again after a second.",
            120,
        ),
        "",
        "| model inputs per second | bare engine, before | bare engine, after | served | ratio |",
        "|---|---|---|---|---|",
    ]
    for kind, name in (("wall", "wall-clock time"), ("processor", "processor time")):
        bare, own = [getattr(one, kind) for one in (before, after)], getattr(served, kind)
        lines.append(f"| {name} | {bare[0]:,.0f} | {bare[1]:,.0f} | {own:,.0f} | {own / statistics.mean(bare):.2f} |")
    lines += ["", "| request | answers | median | 99% within |", "|---|---|---|---|"]
    for name, values in (("click", clicks), ("explanation", found.seconds["explain"])):
        shown = " | ".join(f"{percentile(values, share):,.2f} s" for share in (0.5, 0.99))
        lines.append(f"| {name} | {len(values):,} | {shown} |")
    parts = [found.memory[len(found.memory) * at // 3 : len(found.memory) * (at + 1) // 3] for at in range(3)]
    medians = ", ".join(f"{statistics.median(part) / 1024:,.0f}" for part in parts)
    sentence = f"The server's resident memory, as the median of each third of the time: {medians} MB."
    return "\n".join([*lines, "", fill(sentence, 120), ""])


if __name__ == "__main__":
    main()
