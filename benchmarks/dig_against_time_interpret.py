"""Compare DIG with the author's package: scores for the same neighbors, and the time of each.

scripts/compare benchmarks/dig_against_time_interpret.py > docs/results/dig-against-time-interpret.md
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix
from sklearn.neighbors import kneighbors_graph
from timing import SHARED, sst2
from tint.attr import DiscretetizedIntegratedGradients
from tint.attr.models import scale_inputs
from torch import Tensor

from unmask import Explainer
from unmask.methods.dig_paths import DigPaths, Search
from unmask.models.vocabulary import Vocabulary

NAMES = {"greedy": "greedy", "max_count": "maxcount", "non_monotonic": "non_monotonic"}
NEIGHBORS, STEPS, TOLERANCE = 500, 30, 1e-4
GRADIENTS = "steps + 1 forward and backward passes per text."
HEAD = """# DIG against time-interpret

**For the same neighbors, our DIG gives the same scores as the author's package, and it is many times as fast.**

    scripts/compare benchmarks/dig_against_time_interpret.py > docs/results/dig-against-time-interpret.md

Measured with bert-sst2 on SST-2 dev: the logit of the predicted label, baseline mask, {neighbors} neighbors, {steps}
steps, one thread. The table compares token scores; differences are relative to a text's largest score. Both packages
use the same neighbors.

| path search | sentences | largest difference |
|---|---|---|"""


class Theirs:
    """The package's own search and sums."""

    def __init__(self, explainer: Explainer) -> None:
        self.model, self.tokenizer = explainer.model, explainer.tokenizer
        self.features = self.model.get_input_embeddings().weight.detach().numpy()
        self.words = dict(self.tokenizer.get_vocab())

    def given(self, words: Vocabulary, ids: list[int]) -> Any:
        """Our neighbors of every word that their search may visit, as its graph."""
        known = dict(zip(ids, words.neighbors(ids, NEIGHBORS), strict=True))
        rows = [known.get(word, []) for word in range(len(self.features))]
        ends = np.cumsum([0, *map(len, rows)])
        columns = np.array([near for row in rows for near in row])  # by nearness, which decides between equals
        return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows),) * 2)

    def found(self) -> Any:
        """The neighbors of all words, as the package finds them."""
        return kneighbors_graph(self.features, NEIGHBORS, mode="distance", n_jobs=1)

    def paths(self, text: str, graph: Any, strategy: str) -> tuple[Tensor, Tensor]:
        """The points of all words' paths, [points, tokens, width], and the ids."""
        ids = self.tokenizer(text, return_tensors="pt")["input_ids"][0]
        special = torch.tensor(self.tokenizer.get_special_tokens_mask(ids.tolist(), already_has_special_tokens=True))
        ends = torch.where(special.bool(), ids, self.tokenizer.mask_token_id)
        data = (self.words, self.features, graph)
        found = scale_inputs(ids.tolist(), ends.tolist(), "cpu", data, STEPS, 0, NAMES[strategy])
        return found, ids

    def scores(self, points: Tensor, ids: Tensor, target: int) -> Tensor:
        """The scores of all tokens."""

        def forward(vectors: Tensor) -> Tensor:
            return self.model(inputs_embeds=vectors).logits  # type: ignore[no-any-return]  # modules are untyped

        method = DiscretetizedIntegratedGradients(forward)
        found: Tensor = method.attribute(points, target=target, n_steps=len(points))
        return found[0].sum(-1).detach()


@dataclass
class Clock:
    """Processor seconds of named work."""

    seconds: dict[str, float]

    def __call__(self, name: str, work: Callable[..., Any], *given: Any) -> Any:
        started = time.process_time()
        found = work(*given)
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - started
        return found


def difference(explainer: Explainer, theirs: Theirs, text: str, strategy: str) -> float:
    """The largest difference between the scores of a text's tokens, as a share of the largest."""
    words = explainer._session.adapter.vocabulary()
    found = explainer.explain(text, method=f"dig:strategy={strategy}", unit="token", scale="logit", baseline="mask")
    visited = [*explainer.tokenizer(text)["input_ids"], *(word for word, *_ in words._near)]
    points, ids = theirs.paths(text, theirs.given(words, list(dict.fromkeys(visited))), strategy)
    expected = theirs.scores(points, ids, found.outputs.index(str(found.target)))[1:-1]
    scores = torch.tensor(found.scores)
    return float((scores - expected).abs().max() / expected.abs().max())


def costs(explainer: Explainer, theirs: Theirs, texts: list[str]) -> dict[str, float]:
    """Seconds for all texts, neighbors and paths included, and for the search of paths alone."""
    clock, mask = Clock({}), explainer.tokenizer.mask_token_id
    graph = clock("their neighbors", theirs.found)
    for text in texts:
        points, ids = clock("their paths", theirs.paths, text, graph, "greedy")
        clock("their gradients", theirs.scores, points, ids, 1)
    fresh = Explainer(explainer.model, explainer.tokenizer)
    clock("ours, all", lambda: list(fresh.explain_many(texts, method="dig", unit="token", scale="logit", target=1)))
    vectors = fresh._session.adapter.vocabulary().vectors
    words = Vocabulary(vectors, [])
    ids = [token for text in texts for token in explainer.tokenizer(text)["input_ids"][1:-1]]
    paths = DigPaths(words, Search(mask, STEPS, NEIGHBORS, "greedy", "reference"))
    clock("our neighbors and paths", paths.points, ids)
    again = DigPaths(words, Search(mask, STEPS, NEIGHBORS, "greedy", "reference"))  # the neighbors are known now
    clock("our paths", again.points, ids)
    return clock.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=20)
    count = parser.parse_args().texts
    torch.set_num_threads(1)
    explainer = Explainer.from_pretrained(SHARED / "models" / "bert-sst2", device="cpu")
    theirs, texts, worst = Theirs(explainer), sst2("dev", count), 0.0
    print(HEAD.format(neighbors=NEIGHBORS, steps=STEPS))
    for strategy in NAMES:
        largest = max(difference(explainer, theirs, text, strategy) for text in texts[:5])
        worst = max(worst, largest)
        print(f"| {strategy} | {len(texts[:5])} | {largest:.1e} |", flush=True)
    seconds = costs(explainer, theirs, texts)
    theirs_all = sum(seconds[f"their {part}"] for part in ("neighbors", "paths", "gradients"))
    print(f"\nProcessor time of one run over {len(texts)} sentences:\n\n| part | seconds |\n|---|---|")
    for name, value in seconds.items():
        print(f"| {name} | {value:.1f} |")
    whole, search = theirs_all / seconds["ours, all"], seconds["their paths"] / seconds["our paths"]
    print(f"\nIn total, including neighbors and paths, unmask is {whole:.0f} times as fast. Once the neighbors are")
    print(
        f"known, its path search alone is {search:.0f} times as fast. Most of its time goes into gradients: {GRADIENTS}"
    )
    if worst > TOLERANCE:
        sys.exit(f"the largest difference, {worst:.1e}, is above {TOLERANCE:.0e}")


if __name__ == "__main__":
    main()
