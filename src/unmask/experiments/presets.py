"""Datasets of the paper by one word: where they are on the hub, and which of their texts it took."""

from collections.abc import Mapping
from dataclasses import dataclass

from .plan_parts import DatasetPlan


@dataclass(frozen=True, slots=True)
class Preset:
    """A dataset that is known, and where it comes from."""

    dataset: DatasetPlan
    note: str


PRESETS: Mapping[str, Preset] = {
    "sst2": Preset(
        DatasetPlan(name="sst2", source="nyu-mll/glue", config="sst2", split="test", column=("sentence",)),
        "Stanford Sentiment Treebank (Socher et al. 2013) as in GLUE: 1,821 test sentences, whose labels are hidden",
    ),
    "rotten_tomatoes": Preset(
        DatasetPlan(
            name="rotten_tomatoes",
            source="cornell-movie-review-data/rotten_tomatoes",
            split="test",
            column=("text",),
            seed=0,  # the positive ones stand first: the first hundred are of one class
        ),
        "Sentence polarity of film reviews (Pang and Lee 2005): 1,066 test sentences",
    ),
    "imdb": Preset(
        DatasetPlan(
            name="imdb",
            source="stanfordnlp/imdb",
            split="test",
            column=("text",),
            max_characters=2000,
            limit=2000,
            seed=0,
        ),
        "Film reviews (Maas et al. 2011): 2,000 test reviews under 2,000 characters, as many as the paper drew",
    ),
}


def has_own_column(dataset: DatasetPlan) -> bool:
    """Whether a dataset's column is what a preset calls it on the hub, and nobody's choice."""
    known = [one.dataset for one in PRESETS.values()]
    return any(
        (dataset.source, dataset.config, dataset.column) == (one.source, one.config, one.column) for one in known
    )
