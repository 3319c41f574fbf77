"""Measure how close exact SIG, engine included, comes to the machine's rate for float32 matrix products.

.venv/bin/python benchmarks/limit.py     # writes docs/results/limit.md; rerun to resume

The models have random weights in the shapes of MiniLM and DistilBERT-base. Rates count the floating-point operations in
the model's matrix products. All programs use the library that unmask chooses for linear layers on the processor (see
docs/decisions/0030). Each round runs a matrix product, a plain forward pass and an explanation in turn, and every ratio
compares times from the same round. With one thread, we measure processor time, which other programs disturb least; with
two threads, we measure wall-clock time.
"""

import argparse
import os
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

import torch
from memory_on_a_long_text import long_text
from stored import Store
from timing import explainer_of
from torch import Tensor
from torch.nn.functional import linear
from transformers import AutoModelForSequenceClassification, BertConfig, DistilBertConfig

from unmask import Explainer, Request
from unmask.models.onednn import fast_linear

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "limit.jsonl"
PAGE = ROOT / "docs" / "results" / "limit.md"
LENGTHS, THREADS = (25, 128, 476), (1, 2)
BUDGET, BATCHES = 2_048, 3  # tokens of a batch, as in the engine; batches of one measurement
ROUNDS = 5
SIDE, PRODUCTS = 1_024, 8  # of the square matrices
WANTED = {"MiniLM (6 x 384)": 0.65, "DistilBERT-base (6 x 768)": 0.88}  # target share of the matrix product rate
SHAPES = {"MiniLM (6 x 384)": (6, 384, 1_536), "DistilBERT-base (6 x 768)": (6, 768, 3_072)}  # layers, width, inner


@cache
def explainer(name: str) -> Explainer:
    """A model of that shape, with the built-in model's tokenizer."""
    layers, width, inner = SHAPES[name]
    tokenizer = explainer_of("embedded").tokenizer
    torch.manual_seed(0)
    if name.startswith("MiniLM"):
        config: Any = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=12,
            intermediate_size=inner,
        )
    else:
        config = DistilBertConfig(vocab_size=len(tokenizer), dim=width, n_layers=layers, n_heads=12, hidden_dim=inner)
    model = AutoModelForSequenceClassification.from_config(config)
    model.train(mode=False)
    return Explainer(model, tokenizer, batch_tokens=BUDGET)


def operations(name: str, tokens: int) -> float:
    """Count the floating-point operations in the matrix products of one input; embedding and head have next to none."""
    layers, width, inner = SHAPES[name]
    return layers * (2.0 * tokens * (4 * width**2 + 2 * width * inner) + 4.0 * tokens**2 * width)


def programs(name: str, tokens: int) -> dict[str, tuple[Callable[[], object], float]]:
    """Return the programs to time, each with its number of operations: matrix product, forward passes, exact SIG."""
    of, left, right = explainer(name), torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)
    units = max(1, BATCHES * (BUDGET // tokens) - 2)
    words = ["film"] * (tokens - 2)
    text = " ".join(words)
    spans = [(5 * at, 5 * at + 4) for at in range(min(units, tokens - 2))]
    request, rows = Request(text, spans=spans), len(spans) + 2
    copies = [request] * max(1, units // len(spans))  # a short text has too few units: several texts
    ids = torch.tensor([of.tokenizer(text)["input_ids"]] * (BUDGET // tokens))
    assert ids.shape[1] == tokens

    def plain() -> None:
        with torch.inference_mode(), fast_linear():
            for _ in range(BATCHES):
                of.model(input_ids=ids, attention_mask=torch.ones_like(ids))

    return {
        "matmul": (partial(products, left, right), PRODUCTS * 2.0 * SIDE**3),
        "forward": (plain, BATCHES * len(ids) * operations(name, tokens)),
        "sig": (lambda: list(of.explain_many(copies)), len(copies) * rows * operations(name, tokens)),
    }


def products(left: Tensor, right: Tensor) -> None:
    """Multiply two matrices several times."""
    with torch.inference_mode(), fast_linear():
        for _ in range(PRODUCTS):
            linear(left, right)


def measure(name: str, tokens: int, threads: int) -> dict[str, list[float]]:
    """Return the operations per second of each program in every round, and the machine's load at the end."""
    torch.set_num_threads(threads)
    clock, rates = time.process_time if threads == 1 else time.perf_counter, dict[str, list[float]]()
    timed = programs(name, tokens)
    for _ in range(ROUNDS + 1):
        for what, (run, count) in timed.items():
            started = clock()
            run()
            rates.setdefault(what, []).append(count / (clock() - started))
        rates.setdefault("load", []).append(os.getloadavg()[0])
    return {what: values[1:] for what, values in rates.items()}  # the first round warms up


def share(found: dict[str, list[float]], of: str, to: str = "matmul") -> float:
    """Return the median over rounds of the ratio between the rates of two programs."""
    return median(one / other for one, other in zip(found[of], found[to], strict=True))


def measure_long() -> dict[str, float]:
    """Explain all words of a review of 400 to 480 tokens with the built-in model and one thread."""
    torch.set_num_threads(1)
    of = explainer_of("embedded")
    text, left, right = long_text(of), torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)
    tokens, rates = len(of.tokenizer(text)["input_ids"]), []
    for _ in range(ROUNDS):
        started = time.process_time()
        products(left, right)
        rates.append(PRODUCTS * 2.0 * SIDE**3 / (time.process_time() - started))
    started = time.process_time()
    found = of.explain(text, sets="none")
    seconds = time.process_time() - started
    done = found.passes.forward * operations("MiniLM (6 x 384)", tokens)
    sizes = {"tokens": tokens, "rows": found.passes.forward, "operations": done}
    return sizes | {"seconds": seconds, "rate": done / seconds, "matmul": max(rates)}


def profile(name: str, tokens: int) -> dict[str, float]:
    """Return each kernel's share of the processor time of exact SIG, according to the profiler."""
    torch.set_num_threads(1)
    run, _ = programs(name, tokens)["sig"]
    run()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as found:
        run()
    events = {event.key: event.self_cpu_time_total for event in found.key_averages()}
    total = sum(events.values())
    return {key: time / total for key, time in sorted(events.items(), key=lambda one: -one[1])[:6]}


def page(store: Store) -> str:
    """The page, from the stored measurements."""
    keys = [(name, tokens, threads) for threads in THREADS for name in SHAPES for tokens in LENGTHS]
    known = {key: one for key in keys if (one := store.known.get(", ".join(map(str, key)))) is not None}
    lines = []
    for (name, tokens, threads), one in known.items():
        shares = (share(one, "forward"), share(one, "sig"), share(one, "sig", "forward"))
        cells = (f"{max(one['matmul']) / 1e9:.0f}", *(f"{value:.2f}" for value in shares))
        lines.append(f"| {name} | {tokens} | {threads} | {' | '.join(cells)} |")
    load = max((max(one["load"]) for one in known.values()), default=0.0)
    text = [
        "# How close exact SIG comes to the machine's limit\n",
        fill(f"**{finding(known)}**", 120),
        "\n    .venv/bin/python benchmarks/limit.py\n",
        __doc__.split("\n\n", 2)[2].strip(),
        f"The system load was at most {load:.1f}, including this program.\n",
        "| model | tokens | threads | matmul, Gflop/s | forward pass / matmul | exact SIG / matmul | SIG / forward |",
        "|---|---|---|---|---|---|---|",
        *lines,
        "",
    ]
    if (long := store.known.get("long")) is not None:
        text += [
            "## A long text\n",
            f"Explaining all words of a film review of {long['tokens']:.0f} tokens with the built-in model takes "
            f"{long['rows']:.0f} forward\npasses, {long['operations'] / 1e12:.1f} Tflop and {long['seconds']:.0f} s of "
            f"processor time with one thread. That is {long['rate'] / 1e9:.0f} Gflop/s, "
            f"{long['rate'] / long['matmul']:.2f} of\n"
            f"the matrix product rate ({long['matmul'] / 1e9:.0f} Gflop/s) in the same run.\n",
        ]
    text += ["## Where the time goes\n", fill(bounds(store), 120), "\nProcessor time by kernel, one thread:\n"]
    for name in SHAPES:
        for tokens in LENGTHS:
            if (one := store.known.get(f"profile, {name}, {tokens}")) is not None:
                shown = ", ".join(f"{key.removeprefix('aten::')} {share:.0%}" for key, share in one.items())
                text.append(f"- {name}, {tokens} tokens: {shown}.")
    return "\n".join(text) + "\n"


def finding(known: dict[tuple[str, int, int], dict[str, list[float]]]) -> str:
    """The range of shares for each number of threads, and how many reach the target for their model."""
    said = []
    for threads in sorted({key[2] for key in known}):
        shares = [share(one, "sig") for key, one in known.items() if key[2] == threads]
        said.append(
            f"{min(shares):.2f} to {max(shares):.2f} with {'one thread' if threads == 1 else f'{threads} threads'}"
        )
    missed = [key for key, one in known.items() if share(one, "sig") < WANTED[key[0]]]
    wanted = " and ".join(f"{value} for {name.partition(' ')[0]}" for name, value in WANTED.items())
    reached = f"{len(known) - len(missed)} of {len(known)} rows reach the target ({wanted})"
    return (
        "Including the work of the engine, exact SIG reaches this fraction of the machine's float32 matrix product "
        f"rate: {', '.join(said)}. {reached}."
    )


def bounds(store: Store) -> str:
    """How much of the time of exact SIG goes to matrix products and to attention."""
    found = [one for key, one in store.known.items() if key.startswith("profile")]
    if not found:
        return "Not measured yet."
    products, attention = (
        [sum(time for key, time in one.items() if any(word in key for word in words)) for one in found]
        for words in (("mm", "linear"), ("attention",))
    )
    return (
        f"The matrix products of the linear layers take {min(products):.0%} to {max(products):.0%} of the time. "
        f"Attention takes {min(attention):.0%} to {max(attention):.0%}, the most for long texts: its matrix products "
        "are small and slower than large ones. The rest are elementwise operations such as GELU and layer norm, which "
        "are limited by memory. The difference between SIG and the plain forward pass is the engine's own work."
    )


def main() -> None:
    """Take the missing measurements and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", action="store_true", help="write the page from stored measurements")
    store = Store(KEPT)
    if not parser.parse_args().print:
        for threads in THREADS:
            for name in SHAPES:
                for tokens in LENGTHS:
                    found = store.kept(f"{name}, {tokens}, {threads}", partial(measure, name, tokens, threads))
                    print(f"{name}, {tokens} tokens, {threads} threads: {share(found, 'sig'):.2f}", flush=True)
            for name in SHAPES:
                for tokens in LENGTHS:
                    store.kept(f"profile, {name}, {tokens}", partial(profile, name, tokens))
            PAGE.write_text(page(store), encoding="utf-8")
            store.kept("long", measure_long)
    PAGE.write_text(page(store), encoding="utf-8")


if __name__ == "__main__":
    main()
