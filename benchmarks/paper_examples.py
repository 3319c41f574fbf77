"""Explain the paper's four example sentences by Integrated Gradients and by SIG, with the paper's marks.

.venv/bin/python benchmarks/paper_examples.py > docs/results/paper-examples.md
"""

from unmask import Explainer, Explanation

SENTENCES = (
    "a well-made and often lovely depiction of the mysteries of friendship.",
    "a hideous , confusing spectacle , one that may well put the nail in the coffin of any future rice adaptations.",
    "this is junk food cinema at its greasiest.",
    "a remarkable 179-minute meditation on the nature of revolution.",
)
HEAD = """# The paper's example sentences

**IG and SIG agree on the most important word in all four sentences. In one of them, they differ on the other top
words.**

    .venv/bin/python benchmarks/paper_examples.py > docs/results/paper-examples.md

These are the four sentences in the paper's table of examples, explained with the built-in model. They are marked by
signed score, as in the paper: the most important word is bold and underlined, the top fifth is bold. The paper used
other models, with tokens as units; here the units are words. `together` is the change in the log-odds of the prediction
when all words are masked.

| prediction | together | ig (50 steps) | sig |
|---|---|---|---|"""


def marked(explanation: Explanation) -> str:
    """Return the marked text without the lines below it."""
    return explanation.to_markdown().partition("\n\n")[0].replace("|", "\\|")


def main() -> None:
    explainer = Explainer.default(device="cpu")
    print(HEAD)
    pairs = zip(*(explainer.explain_many(SENTENCES, method=method) for method in ("ig", "sig")), strict=True)
    for ig, sig in pairs:
        print(f"| {sig.prediction.label} | {sig.together:.1f} | {marked(ig)} | {marked(sig)} |")


if __name__ == "__main__":
    main()
