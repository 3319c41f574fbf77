"""The paper's claims, measured: computes per-text values in the background, and writes docs/results/paper.md from them.

nice -n 19 .venv/bin/python benchmarks/paper.py --compute    # hours; stop and repeat it at any time
.venv/bin/python benchmarks/paper.py --pack                  # new values into benchmarks/results/paper
.venv/bin/python benchmarks/paper.py                         # the page, from the committed values

New values are appended to files in .results/paper (--folder). What is there or committed is not computed again.
"""

import argparse
from pathlib import Path

import torch
from paper_page import write
from paper_parts import LOGIT
from paper_values import COMMITTED, Values, pack
from paper_work import CHEAP, Block, Stage, Worker

from unmask.studies.sig2023.protocol import PARTS, paper_with

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".results" / "paper"
MODELS = ROOT / ".results" / "paper-models"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compute", action="store_true", help="compute what is missing")
    parser.add_argument("--pack", action="store_true", help="write new values to the repository")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the working folder; default: %(default)s")
    parser.add_argument("--models", type=Path, default=MODELS, help="the models of scripts/paper_models")
    given = parser.parse_args()
    values = Values.load(COMMITTED, given.folder)
    if given.compute:
        torch.set_num_threads(1)
        worker = Worker(values, given.folder, given.models)
        for stage in SCHEDULE:
            worker.run(stage)
    elif given.pack:
        pack(values)
    else:
        write(Values.load(COMMITTED))


PARTED = ("sig", "ig", "two_sided")
BASE = tuple(
    Block(dataset="sst2", protocol=protocol, methods=methods, controls=("random",))
    for protocol, methods in CHEAP.items()
)
ONE_PART = tuple(
    Block(dataset="sst2", protocol=one, methods=PARTED) for one in (*(paper_with([part]) for part in PARTS), LOGIT)
)
ALL_BUT_ONE = tuple(
    Block(dataset="sst2", protocol=paper_with([one for one in PARTS if one != part]), methods=PARTED) for part in PARTS
)
PAD = tuple(Block(dataset="sst2", protocol=one, methods=("sig", "ig", "dig"), baseline="pad") for one in CHEAP)
OURS = tuple(
    Block(dataset="sst2", protocol=one, methods=("recursive_sig", "shapley:permutations=4"), controls=("greedy",))
    for one in CHEAP
)
SCHEDULE = (
    *(Stage(*one, 20) for one in (("SST-2", BASE), ("one part", ONE_PART), ("pad", PAD))),
    *(
        Stage(*one, texts)
        for texts in (40, 60)
        for one in (("SST-2", BASE), ("one part", ONE_PART), ("pad", PAD), ("all but one part", ALL_BUT_ONE))
    ),
    Stage("ours", OURS, 40),
    *(Stage(*one, 100) for one in (("SST-2", BASE), ("one part", ONE_PART), ("pad", PAD))),
)


if __name__ == "__main__":
    main()
