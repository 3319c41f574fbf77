"""Measure the cost of explaining an answer, against a bare loop, Captum and inseq, prefix sharing, and memory.

OMP_NUM_THREADS=1 scripts/compare benchmarks/generation.py

Times are processor time of one thread; ratios are taken within a round, and shown with their spread over the rounds.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

import torch
from generation_others import captum_ablation, inseq_seconds
from story_prompts import ANSWER, StoryPrompt, longer_model, story_prompt
from timing import Spread, interleaved, ratio

from unmask import Explainer, Explanation, Request

PROMPT, LONG, PROTECTED = 64, 480, 1_500  # tokens
BATCH = 2_048  # tokens of a batch of the bare loop
VOCABULARY, TEXT = 150_000, 512  # of the model whose memory is measured; tokens
GIGABYTE = 10**9
PrefixCache: TypeAlias = Literal["auto", "never"]
PARTS = ("speed", "savings", "memory")
INSEQ_STEPS = (3, 8)  # every step takes the same time


def altered_ids(explainer: Explainer, prompt: StoryPrompt) -> torch.Tensor:
    """Return the inputs that exact SIG runs: the text, the text with each token masked (unk), and with all masked."""
    ids = torch.tensor(explainer.tokenizer(prompt.text + prompt.continuation)["input_ids"])
    moved = list(range(1, len(prompt.ends)))  # all tokens except the first, which begins every text
    rows = ids.repeat(len(moved) + 2, 1)
    rows[range(1, len(moved) + 1), moved] = explainer.tokenizer.unk_token_id
    rows[-1, moved] = explainer.tokenizer.unk_token_id
    return rows


def bare_loop(explainer: Explainer, rows: torch.Tensor, *, reads: bool = True) -> Callable[[], list[torch.Tensor]]:
    """Run the plain model on prepared inputs and read the log-probabilities of the answer."""
    places = torch.arange(rows.shape[1] - ANSWER - 1, rows.shape[1] - 1)
    batches = rows.split(BATCH // rows.shape[1])

    @torch.inference_mode()
    def run() -> list[torch.Tensor]:
        found = []
        for batch in batches:
            logits = explainer.model(input_ids=batch, logits_to_keep=places, use_cache=False).logits
            if reads:
                chosen = logits.gather(-1, batch[:, -ANSWER:, None])[..., 0]
                found.append(chosen - logits.logsumexp(-1))
        return found

    return run


def explained(
    explainer: Explainer, request: Request, cache: Literal["auto", "never"] = "auto"
) -> Callable[[], Explanation]:
    return lambda: explainer.explain(request, unit="token", baseline="unk", prefix_cache=cache)


def row(what: str, ours: str, required: str) -> None:
    print(f"| {what} | {ours} | {required} |", flush=True)


def check_equal(what: str, found: torch.Tensor, expected: torch.Tensor) -> None:
    """Both programs compute the same scores, so both do the same work."""
    apart = float((found - expected).abs().max() / expected.abs().max())
    assert apart < 1e-4, f"{what}: {apart:.1e}"


def check_rows(explainer: Explainer, prompt: StoryPrompt, rows: torch.Tensor) -> None:
    whole, *without = torch.cat(bare_loop(explainer, rows)()).sum(-1)
    check_equal("bare loop", torch.stack([whole - one for one in without[:-1]]), our_scores(explainer, prompt))


def our_scores(explainer: Explainer, prompt: StoryPrompt) -> torch.Tensor:
    return torch.tensor(explained(explainer, token_units(prompt))().scores)


def token_units(prompt: StoryPrompt) -> Request:
    return Request(prompt.text, continuation=prompt.continuation)


def speed_rows(explainer: Explainer, prompt: StoryPrompt, rounds: int, *, with_inseq: bool) -> None:
    """The rows of the table that compare one explanation of 64 + 32 tokens with other programs."""
    spread = f"median (smallest to largest) of {rounds} rounds"
    print(f"| compared with | speed of exact SIG, {spread} | goal, at least |\n|---|---|---|")
    rows, request = altered_ids(explainer, prompt), token_units(prompt)
    check_rows(explainer, prompt, rows)
    ours = {"ours": explained(explainer, request), "whole": explained(explainer, request, "never")}
    found = interleaved(rounds, bare=bare_loop(explainer, rows), silent=bare_loop(explainer, rows, reads=False), **ours)
    what = f"a bare loop over the same {len(rows)} inputs that reads the answer's log-probabilities"
    row(what, f"{ratio(found['bare'], found['ours'])} times as fast", "0.9")
    whole = "the same loop, with prefix sharing in exact SIG turned off"
    row(whole, f"{ratio(found['bare'], found['whole'])} times as fast", "")
    row(
        "the same, and the loop ignores the logits",
        f"{ratio(found['silent'], found['whole'])} times as fast",
        "",
    )
    captum_rows(explainer, prompt, ours["ours"], rounds)
    if with_inseq:
        inseq_rows(explainer, prompt, ours["ours"], rounds)


def once(program: Callable[[], object]) -> float:
    """Return the processor seconds of a program that takes too long to run more than once."""
    started = time.process_time()
    program()
    return time.process_time() - started


def slower_row(what: str, seconds: float, ours: list[float], required: str) -> None:
    row(what, f"{Spread(tuple(seconds / one for one in ours))} times as fast", required)


def captum_rows(explainer: Explainer, prompt: StoryPrompt, ours: Callable[[], object], rounds: int) -> None:
    """Compare with Captum; without its cache, it is timed on a quarter of the answer."""
    run = partial(captum_ablation, explainer, prompt)
    run(tokens=1)
    found = interleaved(rounds, ours=ours)["ours"]
    name = "Captum's LLMAttribution(FeatureAblation), use_cached_outputs="
    started = time.process_time()
    scores = run(use_cached_outputs=True).seq_attr
    slower_row(f"{name}True", time.process_time() - started, found, "4")
    check_equal("Captum", scores, our_scores(explainer, prompt))
    quarter = once(partial(run, tokens=ANSWER // 4, use_cached_outputs=False))
    slower_row("the same, use_cached_outputs=False; extrapolated from its first 8 tokens", 4 * quarter, found, "4")
    at_once = once(partial(run, use_cached_outputs=False, forward_in_tokens=False))
    slower_row("the same, forward_in_tokens=False", at_once, found, "")


def inseq_rows(explainer: Explainer, prompt: StoryPrompt, ours: Callable[[], object], rounds: int) -> None:
    """Compare with inseq's SIG, extrapolated from the first token of the answer with few steps."""
    inseq_seconds(explainer, prompt, 1)
    few, more = (inseq_seconds(explainer, prompt, steps) for steps in INSEQ_STEPS)
    one_step = (more - few) / (INSEQ_STEPS[1] - INSEQ_STEPS[0])
    found = interleaved(rounds, ours=ours)["ours"]
    for steps in (20, 50):
        seconds = ANSWER * (few + one_step * (steps - INSEQ_STEPS[0]))
        slower_row(f"inseq's SIG with {steps} steps, extrapolated", seconds, found, "1,000")


def saving_row(explainer: Explainer, prompt: StoryPrompt, rounds: int, *, protected: int = 0, of: int = 1) -> None:
    """Compare what the shared prefix saves with the best possible saving."""
    request = prompt.request(protected=protected, of=of)
    found = interleaved(rounds, ours=explained(explainer, request), whole=explained(explainer, request, "never"))
    behind = len(prompt.ends) - protected
    possible = prompt.tokens / (behind / 2 + ANSWER)
    saving = ratio(found["whole"], found["ours"])
    share = ratio(found["whole"], [possible * one for one in found["ours"]])
    what = f"{behind} + {ANSWER} tokens" + (f" after {protected:,} protected ones" if protected else "")
    what += f", units of {of} tokens" if of > 1 else ", each a unit"
    print(f"| {what} | {possible:.2f} | {saving} | {share} |", flush=True)


def savings(explainer: Explainer, short: StoryPrompt, rounds: int) -> None:
    print("\n| prompt + answer | possible factor | measured factor | measured / possible (goal: at least 0.75) |")
    print("|---|---|---|---|")
    saving_row(explainer, short, rounds)
    longer = longer_model()
    longer.model.requires_grad_(False)
    saving_row(longer, story_prompt(longer.tokenizer, LONG), rounds, of=4)
    saving_row(longer, story_prompt(longer.tokenizer, PROTECTED + LONG), max(1, rounds // 3), protected=PROTECTED, of=4)


def memory(name: str) -> int:
    """Return a memory figure of this process in bytes, from Linux: VmRSS is current, VmHWM is the peak."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def print_memory() -> None:
    """Return the peak memory of one explanation minus the memory after a first small one, in bytes."""
    explainer = longer_model(vocabulary=VOCABULARY)
    prompt = story_prompt(explainer.tokenizer, TEXT - ANSWER)
    explainer.explain("Once upon a time", continuation=" there was")
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak, which loading the model has set
    explained(explainer, prompt.request(of=16))()
    print(memory("VmHWM") - before)


def memory_row() -> None:
    made = subprocess.run([sys.executable, __file__, "--memory"], check=True, capture_output=True, text=True)
    used = int(made.stdout) / GIGABYTE
    what = f"{TEXT} tokens, {ANSWER} of them the answer, a vocabulary of {VOCABULARY:,}"
    print(f"\n| memory in addition to the model | GB | goal, at most |\n|---|---|---|\n| {what} | {used:.2f} | 1 |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--without-inseq", action="store_true", help="skip inseq, which takes about ten minutes")
    parser.add_argument("--only", choices=PARTS, help="measure only one part of the page")
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.memory:
        print_memory()
        return
    explainer = Explainer.default(task="generation", device="cpu")
    explainer.model.requires_grad_(False)  # no program computes gradients of the weights
    prompt = story_prompt(explainer.tokenizer, PROMPT)
    for part in PARTS if given.only is None else [given.only]:
        if part == "speed":
            speed_rows(explainer, prompt, given.rounds, with_inseq=not given.without_inseq)
        elif part == "savings":
            savings(explainer, prompt, given.rounds)
        else:
            memory_row()


if __name__ == "__main__":
    main()
