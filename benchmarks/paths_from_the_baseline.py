"""Measure how far predictions drift on the paths of IG, DIG and SIG, and how far each baseline is from all words.

.venv/bin/python benchmarks/paths_from_the_baseline.py > docs/results/paths-from-the-baseline.md
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import torch
from timing import SHARED, sst2

from unmask import Explainer
from unmask.models.vocabulary import Vocabulary
from unmask.studies.sig2023.paths import EmbeddingPath

MODELS = ("bert-sst2", "distilbert-sst2", "roberta-sst2", "embedded")
BASELINES = ("mask", "pad", "unk", "zero")
SHARES = (0.25, 0.5, 0.75)
HEAD = """# How texts change on the path from the baseline

**On the path from the baseline, predictions drift under IG, drift more under DIG, and hardly change under SIG.**

    .venv/bin/python benchmarks/paths_from_the_baseline.py > docs/results/paths-from-the-baseline.md

The paper argues that texts on the path to the baseline change their meaning under IG and DIG, but not under SIG.
We measured this on {texts} SST-2 sentences (dev), baseline mask, at 1/4, 1/2 and 3/4 of the path. *Drift* is the mean
change in the probability of the label predicted for the text. *Other label* is how often the prediction changes.
*Unchanged* is the fraction of tokens whose nearest word in the vocabulary is the original one. Under SIG, one random
word of each sentence changes. *Error* is the word approximation error: the distance between the points of a path and
their nearest words, relative to the mean distance between two words.

| model | path | drift 1/4 | 1/2 | 3/4 | other label 1/4 | 1/2 | 3/4 | unchanged 1/4 | 1/2 | 3/4 | error |
|---|---|---|---|---|---|---|---|---|---|---|---|"""
SPREAD = """
## How far each baseline is from all words

The paper prefers the mask to the padding because the mask is about equally far from all words. The table shows the
distance from each baseline's embedding to the embeddings of all words (without special and unused tokens), relative to
the mean distance between two words; *spread* is the standard deviation divided by the mean.

| model | baseline | mean | nearest | farthest | spread |
|---|---|---|---|---|---|"""

TAIL = """
Probabilities drift under `ig`, drift more under `dig`, and hardly change under `sig`, where only one word changes. On
the straight line of `ig`, a text does not turn into other texts; it disappears. At a quarter of the path from the
baseline, no token is nearest to its own word; at three quarters, most are. The mask does not have the smallest spread:
the distances from the unknown token and from the padding to all words vary less. The four models have only two
different sets of word embeddings: those of bert, distilbert and the embedded model are nearly the same, as their rows
show."""


def explainer(name: str) -> Explainer:
    if name == "embedded":
        return Explainer.default(device="cpu")
    return Explainer.from_pretrained(SHARED / "models" / name, device="cpu")


def vocabulary(found: Explainer) -> Vocabulary:
    return found._session.adapter.vocabulary()


def apart(words: Vocabulary) -> float:
    """Return the mean distance between two words, over pairs drawn at random."""
    draw = torch.randint(len(words.vectors), (2, 20_000), generator=torch.Generator().manual_seed(0))
    return float((words.vectors[draw[0]] - words.vectors[draw[1]]).norm(dim=-1).mean())


def figures(path: EmbeddingPath) -> Iterator[float]:
    """Drift, other label and unchanged at each share, and the error."""
    end, inner = path.points[-1], path.points[1:-1]
    label = int(np.argmax(end.probabilities))
    yield from (abs(point.probabilities[label] - end.probabilities[label]) for point in inner)
    yield from (float(point.label != end.label) for point in inner)
    yield from (point.unchanged for point in inner)
    yield path.error


def drift(name: str, texts: list[str]) -> Iterator[str]:
    found, rows = explainer(name), defaultdict[str, list[list[float]]](list)
    draw = np.random.default_rng(0)
    for text in texts:
        units = len(found.explain(text, method="random").units)
        for path in found.paths(text, word=int(draw.integers(units)), points=len(SHARES) + 2, baseline="mask").paths:
            rows[path.method].append(list(figures(path)))
    for method, values in rows.items():
        *means, error = np.mean(values, axis=0)
        shares = [f"{mean:.3f}" for mean in means[:3]] + [f"{mean:.0%}" for mean in means[3:]]
        yield f"| {name} | {method} | {' | '.join(shares)} | {error / apart(vocabulary(found)):.2f} |"


def spread(name: str) -> Iterator[str]:
    found = explainer(name)
    words = vocabulary(found)
    kept = torch.ones(len(words.vectors), dtype=torch.bool)
    kept[words.apart] = False
    for baseline in BASELINES:
        row = found._session.adapter.baseline(baseline).id
        point = words.vectors[row] if row is not None else torch.zeros(words.vectors.shape[1])
        far = (words.vectors[kept] - point).norm(dim=-1) / apart(words)
        yield (
            f"| {name} | {baseline} | {far.mean():.2f} | {far.min():.2f} | {far.max():.2f} | "
            f"{far.std() / far.mean():.3f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100)
    texts = sst2("dev", parser.parse_args().texts)
    print(HEAD.format(texts=len(texts)))
    for name in MODELS:
        for line in drift(name, texts):
            print(line, flush=True)
    print(SPREAD)
    for name in MODELS:
        for line in spread(name):
            print(line, flush=True)
    print(TAIL)


if __name__ == "__main__":
    main()
