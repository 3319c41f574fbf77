"""Measure how faithful every method is to the built-in model, on the sentences shipped with the package.

benchmarks/paper_experiment.py does the same for three more models, on SST-2.

.venv/bin/python benchmarks/faithfulness.py

Results are stored in .results/faithfulness, twenty texts at a time; rerun to resume.
"""

import argparse
from pathlib import Path

import torch
from findings import open_with_finding
from timing import explainer_of
from tqdm import tqdm

from unmask.experiments.examples import embedded_examples
from unmask.results.evaluation import Evaluation

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "faithfulness"
PAGES = ROOT / "docs" / "results" / "faithfulness"
METHODS = [
    *("sig", "leave_one_out", "leave_one_in", "shapley"),
    *("ig", "dig", "gradient_shap", "deeplift", "grad_x_input", "saliency"),
    *("sig_path", "sdig:steps=10"),
]
PART = 20  # texts stored at a time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, help="only the first N texts; prints the result and writes no page")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    for folder in (KEPT, PAGES):
        folder.mkdir(parents=True, exist_ok=True)
    found = evaluated(limit=given.limit)
    if given.limit is None:
        found.save(PAGES / "embedded.md")
        open_with_finding(PAGES / "embedded.md")
    else:
        found.show()


def evaluated(*, limit: int | None) -> Evaluation:
    """Every method, both operators, differences from sig: part by part."""
    explainer = explainer_of("embedded")
    texts = embedded_examples()[:limit]
    alone = explainer.evaluate(texts, methods=["random:seed=0"], operators="remove", controls=())
    length = alone.rationale_length  # of all sentences, not of one part
    assert length is not None
    folder = KEPT if limit is None else KEPT / f"first-{limit}"  # a trial does not touch the stored parts
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for start in tqdm(range(0, len(texts), PART)):
        kept = folder / f"embedded-{start}.json"
        if not kept.exists():
            explainer.evaluate(
                texts[start : start + PART],
                methods=METHODS,
                baseline="mask",
                reference="sig",
                rationale_length=length,
            ).save(kept)
        parts.append(Evaluation.load(kept))
    return Evaluation.merged(parts)


if __name__ == "__main__":
    main()
