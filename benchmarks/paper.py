"""The paper's claims, measured: computes per-text values in the background, and writes docs/results/paper.md from them.

nice -n 19 .venv/bin/python benchmarks/paper.py --compute    # hours; stop and repeat it at any time
.venv/bin/python benchmarks/paper.py --pack                  # new values into benchmarks/results/paper
.venv/bin/python benchmarks/paper.py                         # the page, from the committed values

New values are appended to files in .results/paper (--folder). What is there or committed is not computed again. To
compute side by side, give each process some stages (--only) and a folder of its own, and pack each folder.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from paper_page.models import keep
from paper_page.page import write
from paper_values.schedule import SCHEDULE
from paper_values.work import Worker
from per_text_values import RESULTS, Values, pack

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = RESULTS / "paper"
FOLDER = ROOT / ".results" / "paper"
MODELS = ROOT / ".results" / "paper-models"
NAMES = [stage.name for stage in SCHEDULE]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compute", action="store_true", help="compute what is missing")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="STAGE", help=", ".join(NAMES))
    parser.add_argument("--texts", type=int, help="at most this many of each stage")
    parser.add_argument("--pack", action="store_true", help="write new values to the repository")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the working folder; default: %(default)s")
    parser.add_argument("--models", type=Path, default=MODELS, help="the models of scripts/paper_models")
    given = parser.parse_args()
    values = Values.load(COMMITTED, given.folder)
    if given.compute:
        torch.set_num_threads(1)
        worker = Worker(values, given.folder, given.models)
        for stage in SCHEDULE:
            if stage.name in given.only:
                worker.run(replace(stage, texts=min(stage.texts, given.texts or stage.texts)))
    elif given.pack:
        pack(values, COMMITTED)
        keep(given.models)
    else:
        write(Values.load(COMMITTED))


if __name__ == "__main__":
    main()
