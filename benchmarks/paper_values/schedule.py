"""The order of the work of benchmarks/paper.py: what matters most first."""

from dataclasses import replace
from typing import Any

from per_text_work import Block

from unmask.studies.sig2023.protocol import PARTS, paper_with

from .work import CHEAP, Stage, block

LOGIT = replace(paper_with([]), name="paper:logit", fixed={"unit": "word", "scale": "logit"})  # half of `target`
PARTED = ("sig", "ig", "two_sided")
STEPS = ("sig_path:steps=10", "ig:steps_per_token=10")
SDIG = "sdig:strategy=non_monotonic"
PAD = ("sig", "ig", "dig")
TWO_SIDED = ("two_sided", "leave_one_in")  # on long reviews, these double the passes


def base(dataset: str, *, without: tuple[str, ...] = ()) -> tuple[Block, ...]:
    """The paper's methods, exact SIG and cheap ones, with mask."""
    return tuple(
        block(dataset, protocol, tuple(one for one in methods if one not in without), controls=("random",))
        for protocol, methods in CHEAP.items()
    )


def both(dataset: str, *methods: str, **more: Any) -> tuple[Block, ...]:
    """Some methods under both protocols."""
    return tuple(block(dataset, one, methods, **more) for one in CHEAP)


def one_part(*methods: str) -> tuple[Block, ...]:
    """Some methods under `corrected` with one part of `paper`."""
    return tuple(block("sst2", one, methods) for one in (*(paper_with([part]) for part in PARTS), LOGIT))


def all_but_one_part(*methods: str) -> tuple[Block, ...]:
    """Some methods under `paper` without one of its parts."""
    return tuple(block("sst2", paper_with([one for one in PARTS if one != part]), methods) for part in PARTS)


OURS = both("sst2", "recursive_sig", "shapley:permutations=4", controls=("greedy",))
BERT = {"models": ("bert-sst2",)}  # the paper's table of steps is of BERT on SST-2
SIG50 = (block("sst2", "paper", ("sig_path:steps=50",), **BERT),)
SCHEDULE = (
    Stage("sst2", "SST-2, mask: the paper's methods, exact SIG and cheap ones", base("sst2"), 400),
    Stage("rotten_tomatoes", "Rotten Tomatoes, mask: the same", base("rotten_tomatoes"), 300),
    Stage("added", "SST-2, one part of the protocol added", one_part(*PARTED), 200),
    Stage("added_dig", "SST-2, one part added, DIG", one_part("dig"), 200),
    Stage("imdb", "IMDB, mask: the paper's methods, exact SIG", base("imdb", without=TWO_SIDED), 60),
    Stage("pad", "SST-2, pad", both("sst2", *PAD, baseline="pad"), 400),
    Stage("ours", "SST-2, recursive SIG, Shapley with 4 orders, greedy", OURS, 400),
    Stage("steps", "SST-2, bert: SIG with 10 steps, IG with 10 per token", both("sst2", *STEPS, **BERT), 60),
    Stage("sdig", "SST-2, bert: SDIG by non-monotone paths", both("sst2", SDIG, **BERT), 60),
    Stage("sig50", "SST-2, bert: SIG with 50 steps under `paper`", SIG50, 60),
    Stage("taken", "SST-2, one part of the protocol taken", all_but_one_part(*PARTED), 200),
    Stage("rotten_tomatoes_pad", "Rotten Tomatoes, pad", both("rotten_tomatoes", *PAD, baseline="pad"), 300),
    Stage("imdb_two_sided", "IMDB, mask: two-sided, leave-one-in", both("imdb", *TWO_SIDED), 60),
    Stage("imdb_pad", "IMDB, pad", both("imdb", *PAD, baseline="pad"), 60),
)
