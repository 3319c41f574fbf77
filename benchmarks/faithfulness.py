"""How faithful every method is: the model in the package on the sentences in the package, and three more on SST-2.

.venv/bin/python benchmarks/faithfulness.py

What is done is kept in .results/faithfulness, twenty texts at a time: when it is cut off, the same command goes on.
"""

import argparse
from pathlib import Path
from typing import Any

import torch
from timing import MODELS, explainer_of, sst2_rows
from tqdm import tqdm

from unmask import Request
from unmask.evaluation import Evaluation
from unmask.examples import Example, embedded_examples

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "faithfulness"
PAGES = ROOT / "docs" / "results" / "faithfulness"
METHODS = [
    *("sig", "leave_one_out", "leave_one_in", "shapley"),
    *("ig", "dig", "gradient_shap", "deeplift", "grad_x_input", "saliency"),
]
SLOW = ["sig_path", "sdig:steps=10"]  # of the package's sentences alone: their totals are those of sig, up to an error
SENTENCES = 100
PART = 20  # texts that are lost at most when it is cut off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default=",".join(("embedded", *MODELS)))
    parser.add_argument("--limit", type=int, help="so many texts, for a try")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    for folder in (KEPT, PAGES):
        folder.mkdir(parents=True, exist_ok=True)
    for model in given.models.split(","):
        evaluated(model, limit=given.limit).save(PAGES / f"{model}.md")


def evaluated(model: str, *, limit: int | None) -> Evaluation:
    """Every method, both operators, differences from sig: part by part."""
    explainer = explainer_of(model)
    rows = [Example(Request(row["text"]), row["label"]) for row in sst2_rows("test", SENTENCES)]
    texts = (embedded_examples() if model == "embedded" else rows)[:limit]
    length = explainer.evaluate(texts, methods=["random:seed=0"], operators="remove", controls=()).rationale_length
    options: dict[str, Any] = {} if length is None else {"rationale_length": length}
    methods = METHODS + SLOW * (model == "embedded")
    parts = []
    for start in tqdm(range(0, len(texts), PART), desc=model):
        kept = KEPT / f"{model}-{start}.json"
        if not kept.exists():
            part = texts[start : start + PART]
            explainer.evaluate(part, methods=methods, baseline="mask", reference="sig", **options).save(kept)
        parts.append(Evaluation.load(kept))
    return Evaluation.merged(parts)


if __name__ == "__main__":
    main()
