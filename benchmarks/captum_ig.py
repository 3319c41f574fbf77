"""Integrated Gradients with 50 steps over many texts, against Captum's called text by text.

.venv/bin/python benchmarks/captum_ig.py
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import torch
from others import OthersText
from timing import MODELS, explainer_of, sst2
from torch import Tensor

from unmask import Explainer, Explanation
from unmask.explainer import Settings
from unmask.methods import IG


def of_theirs(explainer: Explainer, texts: list[str]) -> list[Tensor]:
    return [OthersText(explainer, text).captum_ig(steps=50) for text in texts]


def of_ours(explainer: Explainer, texts: list[str]) -> list[Explanation]:
    settings = Settings(method=IG(), unit="token", target=1, scale="logit", baseline="mask")
    return list(explainer.explain_many(texts, **settings))


def ratio(rounds: int, ours: Callable[[], object], other: Callable[[], object]) -> list[float]:
    """How many times as fast ours is, in processor time, round by round."""
    found = []
    for _ in range(rounds):
        seconds = []
        for program in (ours, other):
            started = time.process_time()
            program()
            seconds.append(time.process_time() - started)
        found.append(seconds[1] / seconds[0])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(1)
    texts = sst2("dev", given.texts)
    print("| model | speedup over Captum: median | from | to |\n|---|---|---|---|")
    for model in MODELS:
        explainer = explainer_of(model)
        for weight in explainer.model.parameters():
            weight.requires_grad_(False)  # for both
        ours, other = partial(of_ours, explainer, texts), partial(of_theirs, explainer, texts)
        ours()
        found = ratio(given.rounds, ours, other)
        print(f"| {model} | {statistics.median(found):.2f} | {min(found):.2f} | {max(found):.2f} |", flush=True)


if __name__ == "__main__":
    main()
