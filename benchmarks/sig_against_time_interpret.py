"""Compare Sequential Integrated Gradients with the class of the paper's author, feature by feature.

scripts/compare benchmarks/sig_against_time_interpret.py
"""

import argparse
import sys

import torch
from others import TARGET, OthersText
from timing import MODELS, explainer_of, sst2

from unmask import Explainer
from unmask.methods import SIGPath

LIMIT = 1e-4  # of the largest value


def differences(explainer: Explainer, text: str, steps: int) -> tuple[float, float]:
    """Return the largest differences between the two matrices, [tokens, width], and between the token scores."""
    found = explainer.explain(
        text, method=SIGPath(steps=steps, keep="features"), unit="token", target=TARGET, scale="logit", baseline="mask"
    )
    theirs = OthersText(explainer, text).author_sig(steps=steps).double()
    ours, scores = torch.tensor(found.features), torch.tensor(found.token_scores).double()
    assert float(theirs.abs().max()) > 1e-3  # the comparison is of something
    return _difference(ours, theirs), _difference(scores, theirs.sum(-1))


def _difference(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    assert ours.shape == theirs.shape
    return float((ours - theirs).abs().max() / theirs.abs().max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=4, help="number of sentences of SST-2 dev")
    texts, worst = sst2("dev", parser.parse_args().texts), 0.0
    print("| model | steps | sentences | tokens | features | token scores |\n|---|---|---|---|---|---|")
    for name in MODELS:
        explainer = explainer_of(name)
        tokens = sum(OthersText(explainer, text).length for text in texts)
        for steps in (10, 50):
            found = [differences(explainer, text, steps) for text in texts]
            features, scores = map(max, zip(*found, strict=True))
            print(f"| {name} | {steps} | {len(texts)} | {tokens} | {features:.1e} | {scores:.1e} |", flush=True)
            worst = max(worst, features, scores)
    sys.exit(f"a difference of {worst:.1e} is above {LIMIT:.0e}" if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
