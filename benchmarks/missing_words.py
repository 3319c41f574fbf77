"""Measure how each model copes with words missing at random, to find out whether deleting words is a fair test.

.venv/bin/python benchmarks/missing_words.py > docs/results/missing-words.md
"""

from timing import MODELS, explainer_of, sst2_rows

from unmask import Example
from unmask.metrics.controls import SHARES
from unmask.results.evaluation import Evaluation
from unmask.results.rows import WORDS
from unmask.text.request import Request

TEXTS = 400
OPERATORS = ("remove", "mask")
FIGURES = ("accuracy", "agreement", "confidence")
HEAD = f"""\
# How models cope with missing words

**With a fifth of the words removed, all four models keep about nine in ten predictions. With a fifth masked, three of
the models still do, but roberta keeps only eight in ten.**

    .venv/bin/python benchmarks/missing_words.py > docs/results/missing-words.md

In the first {TEXTS} sentences of SST-2 test, we delete a fraction of the words at random, three times. *Accuracy*
compares predictions with the gold labels. *Agreement* compares them with the prediction for the whole sentence.
*Confidence* is the probability, with the words missing, of the class predicted for the whole sentence. Brackets contain
95% confidence intervals. `embedded` (the built-in model) and bert-sst2 were trained with masked words, distilbert-sst2
and roberta-sst2 without.
"""


def main() -> None:
    texts = [Example(Request(row["text"]), int(row["label"])) for row in sst2_rows("test", TEXTS)]
    print(HEAD)
    print(f"| model | share missing | {' | '.join(f'{one}: {name}' for one in OPERATORS for name in FIGURES)} |")
    print("|---|---" + "|---:" * len(OPERATORS) * len(FIGURES) + "|")
    for name in ("embedded", *MODELS):
        found = explainer_of(name).evaluate(
            texts, methods=["random:seed=0"], operators=list(OPERATORS), controls=[WORDS]
        )
        for share in SHARES:
            cells = [shown(found, metric, operator, share) for operator in OPERATORS for metric in FIGURES]
            print(f"| {name} | {share:.0%} | {' | '.join(cells)} |", flush=True)


def shown(found: Evaluation, metric: str, operator: str, share: float) -> str:
    summary = found.summary(WORDS, metric, operator, share)
    assert summary is not None
    return f"{summary.mean:.3f} [{summary.low:.3f}, {summary.high:.3f}]"


if __name__ == "__main__":
    main()
