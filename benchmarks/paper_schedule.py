"""The order of the work of benchmarks/paper.py: what matters most first, in steps that keep the blocks even."""

from collections.abc import Iterator
from typing import Any

from paper_parts import LOGIT
from paper_work import CHEAP, Stage, block
from per_text_work import Block

from unmask.studies.sig2023.protocol import PARTS, paper_with

PARTED = ("sig", "ig", "two_sided")
STEPS = ("sig_path:steps=10", "ig:steps_per_token=10")
PLANNED = {"sst2": 400, "rotten_tomatoes": 300, "imdb": 60}


def base(dataset: str) -> tuple[Block, ...]:
    """The paper's methods, exact SIG and cheap ones, with mask."""
    return tuple(block(dataset, protocol, methods, controls=("random",)) for protocol, methods in CHEAP.items())


def both(dataset: str, *methods: str, **more: Any) -> tuple[Block, ...]:
    """Some methods under both protocols."""
    return tuple(block(dataset, one, methods, **more) for one in CHEAP)


ONE_PART = tuple(block("sst2", one, PARTED) for one in (*(paper_with([part]) for part in PARTS), LOGIT))
ALL_BUT_ONE = tuple(block("sst2", paper_with([one for one in PARTS if one != part]), PARTED) for part in PARTS)


def schedule() -> Iterator[Stage]:
    """All stages; one that was computed before costs nothing."""
    pad, ours = (
        both("sst2", "sig", "ig", "dig", baseline="pad"),
        both("sst2", "recursive_sig", "shapley:permutations=4", controls=("greedy",)),
    )
    sst2 = {"SST-2": base("sst2"), "one part": ONE_PART, "pad": pad, "all but one part": ALL_BUT_ONE}
    for texts in (20, 40, 60, 100):
        for name, blocks in sst2.items():
            if texts > 20 or name != "all but one part":
                yield Stage(name, blocks, texts)
    yield Stage("ours", ours, 60)
    yield Stage("steps", both("sst2", *STEPS, models=("bert-sst2",)), 40)
    yield Stage("non-monotone SDIG", both("sst2", "sdig:strategy=non_monotonic"), 20)
    for texts in (100, PLANNED["rotten_tomatoes"]):
        yield Stage("Rotten Tomatoes", base("rotten_tomatoes"), texts)
    for name, blocks in sst2.items():
        yield Stage(name, blocks, PLANNED["sst2"] if blocks[0].protocol_name in CHEAP else 200)
    yield Stage("Rotten Tomatoes, pad", both("rotten_tomatoes", "sig", "ig", "dig", baseline="pad"), 300)
    yield Stage("IMDB", base("imdb"), PLANNED["imdb"])
