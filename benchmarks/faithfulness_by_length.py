"""Measure faithfulness by text length: four models, three bands of length, texts that nothing was tuned on.

.venv/bin/python benchmarks/faithfulness_by_length.py               # everything: hours
.venv/bin/python benchmarks/faithfulness_by_length.py --texts 20    # the first 20 texts of every band, on every model
.venv/bin/python benchmarks/faithfulness_by_length.py --band 18-22  # one band of lengths
.venv/bin/python benchmarks/faithfulness_by_length.py --cheap       # without Shapley values and greedy choices
.venv/bin/python benchmarks/faithfulness_by_length.py --report      # only write the page, from stored results

Texts: SST-2 test from sentence 900 on, and the sentences of Rotten Tomatoes' test set that are not in SST-2. Results
are stored in .results/length; rerun a command to resume it. For each model and band, the page uses the largest step of
`STEPS` for which everything that `--cheap` runs is complete. A row with fewer texts says so.
"""

import argparse
import csv
import gzip
import random
import re
from dataclasses import replace
from pathlib import Path

import torch
from faithfulness_by_length_cells import EXPENSIVE
from faithfulness_by_length_page import is_complete, page
from timing import MODELS, SHARED, explainer_of

from unmask.experiments.plan import Plan
from unmask.experiments.scheduler import Run, RunProgress
from unmask.models.huggingface.loading import embedded_model
from unmask.results.report import ReportCell
from unmask.results.rows import RANDOM

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "length"
PAGE = ROOT / "docs" / "results" / "faithfulness" / "by-length.md"
BANDS = {"8-12": range(8, 13), "18-22": range(18, 23), "30-40": range(30, 41)}  # units of a text
STEPS = (10, 20, 30, 50, 100)  # texts of each band: a larger step continues the smaller one
FRESH = 900  # the first sentence of SST-2 test that nothing was tuned on
PLACES = {name.removesuffix("-sst2"): str(SHARED / "models" / name) for name in MODELS}
METHODS = [
    *("sig", "two_sided", "recursive_sig", "recursive_sig:two_sided=false", "recursive_sig:pool=none"),
    *("recursive_sig:operator=remove", "shapley", "shapley:permutations=4", "ig", "leave_one_in"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--band", action="append", choices=BANDS, help="only these lengths")
    parser.add_argument("--model", action="append", help="only these models: embedded, bert, distilbert, roberta")
    parser.add_argument("--texts", type=int, choices=STEPS, default=STEPS[-1], help="number of texts in each band")
    parser.add_argument("--cheap", action="store_true", help=f"without {', '.join(EXPENSIVE)}")
    parser.add_argument("--report", action="store_true", help="write the page from stored results")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    plan = planned()
    if not given.report:
        chosen = [f"{band}/{model}" for band in given.band or BANDS for model in given.model or ("embedded", *PLACES)]
        chosen_plan = plan.only(chosen).limited(given.texts)
        Run(KEPT / "run", without_expensive(chosen_plan) if given.cheap else chosen_plan).go(progress=tell)
    cells = [cell for pair in plan.pairs() if (cell := measured(plan, pair.name)) is not None]
    PAGE.write_text(page(cells), encoding="utf-8")


def without_expensive(plan: Plan) -> Plan:
    """The plan without the methods that take most of the time."""
    methods = tuple(one for one in plan.methods[plan.protocol] if one.partition(":")[0] not in EXPENSIVE)
    return replace(plan, methods={plan.protocol: methods}, controls=(RANDOM,))


def measured(plan: Plan, pair: str) -> ReportCell | None:
    """Load a model's results for a band, with the texts of the largest step for which every row is complete."""
    for texts in reversed(STEPS):
        (cell,) = Run(KEPT / "run", plan.only([pair]).limited(texts)).report(reference="sig").cells
        if is_complete(cell, texts):
            return cell
    return None


def planned() -> Plan:
    """Four models on three bands of length, both operators, random and greedy."""
    texts = KEPT / "texts"
    for band in BANDS:
        if not (texts / f"{band}.csv").exists():
            write_texts(texts)
    return Plan.from_dict(
        {
            "name": "faithfulness by length",
            "methods": METHODS,
            "baselines": ["mask"],
            "operators": ["remove", "mask"],
            "datasets": {band: {"source": str(texts / f"{band}.csv"), "column": "text"} for band in BANDS},
            "models": {"embedded": str(embedded_model())} | PLACES,
        }
    )


def write_texts(folder: Path) -> None:
    """Write a file for each band, with texts drawn by seed."""
    folder.mkdir(parents=True, exist_ok=True)
    explainer, known = explainer_of("embedded"), {key(text) for text in rows("sst2", "train_phrases")}
    sst2 = rows("sst2", "test")
    known |= {key(text) for text in sst2}
    texts = sst2[FRESH:] + [text for text in rows("rotten_tomatoes", "test") if key(text) not in known]
    sized = [(text, len(explainer.units(text))) for text in texts]
    for band, lengths in BANDS.items():
        chosen = random.Random(0).sample([text for text, length in sized if length in lengths], STEPS[-1])
        with (folder / f"{band}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["text"], *([text] for text in chosen)])


def rows(dataset: str, split: str) -> list[str]:
    """The texts of a shared dataset."""
    with gzip.open(SHARED / "data" / dataset / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        return [row["text"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def key(text: str) -> str:
    """Reduce a text to letters and digits: the two datasets write the same sentence differently."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def tell(doing: RunProgress) -> None:
    print(f"{doing.share:.1%}, {doing.seconds:.0f} s, {doing.left:.0f} s left: {doing.what}", flush=True)


if __name__ == "__main__":
    main()
