"""The paper's four example sentences, by Integrated Gradients and by SIG, marked as the paper marks them.

.venv/bin/python benchmarks/examples.py > docs/results/examples.md
"""

from unmask import Explainer, Explanation

SENTENCES = (
    "a well-made and often lovely depiction of the mysteries of friendship.",
    "a hideous , confusing spectacle , one that may well put the nail in the coffin of any future rice adaptations.",
    "this is junk food cinema at its greasiest.",
    "a remarkable 179-minute meditation on the nature of revolution.",
)
HEAD = """# The paper's example sentences

    .venv/bin/python benchmarks/examples.py > docs/results/examples.md

The four sentences of the paper's table of examples, by the model inside the package: the most important word bold and
underlined, the top fifth bold, by signed score, as the paper marks them. The paper's own table was made with other
models, and its units are pieces of words; here words are. `together` is what all words carry, on the log-odds of the
predicted label.

| says | together | ig (50 steps) | sig |
|---|---|---|---|"""


def marked(explanation: Explanation) -> str:
    """The text with its marks, without what stands below it."""
    return explanation.to_markdown().partition("\n\n")[0].replace("|", "\\|")


def main() -> None:
    explainer = Explainer.default(device="cpu")
    print(HEAD)
    pairs = zip(*(explainer.explain_many(SENTENCES, method=method) for method in ("ig", "sig")), strict=True)
    for ig, sig in pairs:
        print(f"| {sig.prediction.label} | {sig.together:.1f} | {marked(ig)} | {marked(sig)} |")


if __name__ == "__main__":
    main()
