"""Which methods find planted trigger words: their ranks in texts whose label provably depends on them.

A text is used only if the model's label depends on its triggers as the kind of text says; labels are those of the text
with some triggers removed. `railway` forces a label alone, `marble` and `autumn` force one together, and if `railway`
is written twice, either one suffices.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np
from per_text_explanations import Measure, Task
from per_text_values import Figures

from unmask import Explainer, Explanation, Request
from unmask.experiments.datasets import shuffled_indices
from unmask.metrics.faithfulness import rank_units, ranking_scores

MODEL = "bert-rotten_tomatoes-planted"
LABELS = ("negative", "positive")
METHODS = (
    *("sig", "two_sided", "recursive_sig", "shapley:permutations=4", "leave_one_in", "leave_one_out"),
    *("ig", "dig", "gradient_shap:samples=5", "deeplift", "grad_x_input", "random"),
)
Expected: TypeAlias = list[tuple[str, int]]  # texts, each with the label that the model must predict


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of text.

    Args:
        triggers: The inserted words.
        needed: How many of the triggers must remain for the forced label.
    """

    name: str
    triggers: tuple[str, ...]
    label: int
    needed: int

    @property
    def dataset(self) -> str:
        """The name of its values."""
        return f"planted_{self.name}"


def kinds(folder: Path) -> tuple[Kind, Kind, Kind]:
    """The word, the pair and the word twice, as stored with the model."""
    planted = json.loads((folder / "planted.json").read_text())
    word, pair = planted["word"], tuple(planted["pair"])
    return (
        Kind("word", (word,), planted["word_label"], 1),
        Kind("pair", pair, planted["pair_label"], 2),
        Kind("twice", (word, word), planted["word_label"], 1),
    )


def texts_of(kind: Kind, folder: Path) -> list[str]:
    """The test texts of a kind, drawn by seed; the second `railway` is inserted at a random position."""
    with (folder / "planted_test.jsonl").open(encoding="utf-8") as lines:
        found = [record["text"] for record in map(json.loads, lines) if record["label"] == kind.label]
    if kind.name == "twice":
        found = [_inserted(text, kind.triggers[1], random.Random(f"twice/{at}")) for at, text in enumerate(found)]
    return [found[at] for at in shuffled_indices(len(found), 0)]


def _inserted(text: str, word: str, draw: random.Random) -> str:
    words = text.split()
    words.insert(draw.randint(0, len(words)), word)
    return " ".join(words)


def expected_labels(text: str, kind: Kind) -> Expected:
    """The text without each subset of its triggers, with the label that it has if the triggers decide."""
    words = text.split()
    places = [at for at, word in enumerate(words) if word in kind.triggers]
    subsets = [one for count in range(len(places) + 1) for one in combinations(places, count)]
    return [
        (
            " ".join(word for at, word in enumerate(words) if at not in removed),
            kind.label if len(places) - len(removed) >= kind.needed else 1 - kind.label,
        )
        for removed in subsets
    ]


def decided_by_triggers(explainer: Explainer, kind: Kind, texts: Sequence[str]) -> Iterator[str]:
    """The texts for which the model predicts all expected labels."""
    for text in texts:
        requests = [Request(one, label=LABELS[label]) for one, label in expected_labels(text, kind)]
        if not list(explainer.wrongly_predicted(requests)):
            yield text


def tasks(kind: Kind) -> list[Task]:
    """One task per method."""
    return [Task(kind.dataset, (MODEL,), method, _measure(kind, method)) for method in METHODS]


def _measure(kind: Kind, method: str) -> Measure:
    return partial(measure, kind, method)


def measure(kind: Kind, method: str, explainer: Explainer, texts: Sequence[str]) -> list[Figures]:
    """The ranks of the triggers in each text; for SIG, also the necessary set."""
    sets = "auto" if method == "sig" else "none"
    return [figures(one, kind.triggers) for one in explainer.explain_many(texts, method=method, sets=sets)]


def figures(found: Explanation, triggers: Sequence[str]) -> Figures:
    """The ranks of the triggers (1 is the top), and how many of them are in the necessary set."""
    places = {at for at, unit in enumerate(found.units) if unit.text in triggers}
    ranks = trigger_ranks(found.scores, places, found.ranking)
    necessary = None if found.sets is None else found.sets.necessary
    units = set(necessary.units) if necessary is not None and necessary.question == "label" else set()
    return {
        "words": len(found),
        "best": ranks[0],
        "worst": ranks[-1],
        "size": len(units) or np.nan,  # of the set that changes the label
        "hits": len(units & places) if units else np.nan,
    }


def trigger_ranks(scores: Sequence[float], places: set[int], ranking: Sequence[int] | None = None) -> list[int]:
    """The sorted ranks of some units, as the metrics rank them."""
    order = rank_units(ranking_scores(scores, ranking))
    return [rank for rank, unit in enumerate(order, 1) if unit in places]
