"""Measure faithfulness by text length: four models, three bands of length, texts that nothing was tuned on.

.venv/bin/python benchmarks/faithfulness_by_length.py --compute           # everything: hours; repeat it to resume
.venv/bin/python benchmarks/faithfulness_by_length.py --compute --cheap   # without Shapley values and greedy choices
.venv/bin/python benchmarks/faithfulness_by_length.py --pack              # new values into benchmarks/results/length
.venv/bin/python benchmarks/faithfulness_by_length.py                     # the page, from the committed values

Texts: SST-2 test from sentence 900 on, and the sentences of Rotten Tomatoes' test set that are not in SST-2. New values
are appended to files in .results/length. The page uses the texts of a band that have all values, on every model, of
what `--cheap` runs. A row with fewer texts says so.
"""

import argparse
import csv
import gzip
import random
import re
import time
from collections.abc import Mapping
from pathlib import Path

import torch
from faithfulness_by_length_cells import CHEAP, EXPENSIVE, METRICS, OPERATORS, TOP, cells_of, measure_of, name_of
from faithfulness_by_length_page import page
from per_text_values import RESULTS, Values, pack
from per_text_work import Block, Evaluator
from timing import MODELS, SHARED, explainer_of

from unmask.metrics.registry import Measure
from unmask.models.huggingface.loading import embedded_model
from unmask.results.evaluation import Evaluation
from unmask.results.rows import GREEDY, RANDOM

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = RESULTS / "length"
FOLDER = ROOT / ".results" / "length"
PAGE = ROOT / "docs" / "results" / "faithfulness" / "by-length.md"
BANDS = {"8-12": range(8, 13), "18-22": range(18, 23), "30-40": range(30, 41)}  # units of a text
TEXTS, ROUND = 100, 10
FRESH = 900  # the first sentence of SST-2 test that nothing was tuned on
PLACES = {"embedded": embedded_model()} | {name.removesuffix("-sst2"): SHARED / "models" / name for name in MODELS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compute", action="store_true", help="compute what is missing")
    parser.add_argument("--pack", action="store_true", help="write new values to the repository")
    parser.add_argument("--band", action="append", choices=BANDS, help="compute only these lengths")
    parser.add_argument("--model", action="append", choices=PLACES, help="compute only these models")
    parser.add_argument("--texts", type=int, default=TEXTS, help="compute the first texts of each band only")
    parser.add_argument(
        "--cheap", action="store_true", help="compute all methods but Shapley values and greedy choices"
    )
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    values = Values.load(COMMITTED, FOLDER)
    if given.compute:
        compute(values, given)
    elif given.pack:
        pack(values, COMMITTED)
    else:
        PAGE.write_text(page(cells_of(Values.load(COMMITTED), BANDS, PLACES)), encoding="utf-8")


def compute(values: Values, given: argparse.Namespace) -> None:
    """Compute what the values lack, in rounds of ten texts, so that all bands and models have as many."""
    evaluator, texts = Evaluator(values, FOLDER, PLACES.__getitem__, measures), banded_texts()
    methods = CHEAP if given.cheap else (*CHEAP, *EXPENSIVE)
    for start in range(0, given.texts, ROUND):
        for band in given.band or BANDS:
            block = Block(
                dataset=band,
                protocol="corrected",
                methods=tuple(name for name in methods if name not in (RANDOM, GREEDY)),
                controls=tuple(name for name in methods if name in (RANDOM, GREEDY)),
                models=tuple(given.model or PLACES),
                options={"top": TOP, "operators": tuple(OPERATORS)},
            )
            for model in block.models:
                evaluator.compute(block, model, texts[band][start : min(start + ROUND, given.texts)])
            print(f"{time.strftime('%H:%M:%S')} {band} words: {start + ROUND} texts", flush=True)


def measures(_: Evaluation) -> Mapping[str, Measure]:
    """The figures to keep."""
    return {name_of(metric, operator): measure_of(metric, operator) for operator in OPERATORS for metric in METRICS}


def banded_texts() -> dict[str, list[str]]:
    """The texts of each band, drawn by seed."""
    explainer, known = explainer_of("embedded"), {key(text) for text in rows("sst2", "train_phrases")}
    sst2 = rows("sst2", "test")
    known |= {key(text) for text in sst2}
    texts = sst2[FRESH:] + [text for text in rows("rotten_tomatoes", "test") if key(text) not in known]
    sized = [(text, len(explainer.units(text))) for text in texts]
    return {
        band: random.Random(0).sample([text for text, length in sized if length in lengths], TEXTS)
        for band, lengths in BANDS.items()
    }


def rows(dataset: str, split: str) -> list[str]:
    """The texts of a shared dataset."""
    with gzip.open(SHARED / "data" / dataset / f"{split}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        return [row["text"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def key(text: str) -> str:
    """Reduce a text to letters and digits: the two datasets write the same sentence differently."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


if __name__ == "__main__":
    main()
