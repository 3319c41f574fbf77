"""The texts that a model is trained, selected and tested on; no test text occurs in a training set."""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from training import texts
from training.texts import Labelled

HELD_OUT = 200  # IMDB training reviews per class, for validation


@dataclass(frozen=True, slots=True)
class Corpus:
    """The three splits of a dataset; `dropped` counts the training texts left out, by reason."""

    training: list[Labelled]
    validation: list[Labelled]
    test: list[Labelled]
    dropped: dict[str, int]


def corpus(dataset: str) -> Corpus:
    """Rotten Tomatoes with its own splits, or IMDB with some training reviews held out."""
    if dataset == "rotten_tomatoes":
        training, validation = texts.rotten_tomatoes("train"), texts.rotten_tomatoes("validation")
    else:
        training, validation = held_out(texts.imdb("train"), HELD_OUT)
    tests = {
        "sst2": texts.sst2("test"),
        "rotten_tomatoes": texts.rotten_tomatoes("test"),
        "imdb": texts.imdb("test"),
    }
    others = {"validation": validation, **{f"{name} test": examples for name, examples in tests.items()}}
    kept, dropped = without_repeats(training, others)
    return Corpus(kept, validation, tests[dataset], dropped)


def held_out(examples: list[Labelled], count: int) -> tuple[list[Labelled], list[Labelled]]:
    """Split off `count` random examples of each class; returns the remaining examples, then those split off."""
    draw = random.Random(0)
    places = [[place for place, example in enumerate(examples) if example.label == label] for label in (0, 1)]
    chosen = {place for group in places for place in draw.sample(group, count)}
    return (
        [example for place, example in enumerate(examples) if place not in chosen],
        [example for place, example in enumerate(examples) if place in chosen],
    )


def without_repeats(
    examples: list[Labelled], others: dict[str, list[Labelled]]
) -> tuple[list[Labelled], dict[str, int]]:
    """The examples without duplicates and without those in `others`, and the number left out for each reason."""
    places = {name: letters(example.text for example in group) for name, group in others.items()}
    dropped, seen, kept = dict.fromkeys([*others, "repeated"], 0), set[str](), list[Labelled]()
    for example in examples:
        (key,) = letters([example.text])
        reason = next((name for name, group in places.items() if key in group), "repeated" if key in seen else None)
        if reason is None:
            kept.append(example)
        else:
            dropped[reason] += 1
        seen.add(key)
    return kept, dropped


def letters(found: Iterable[str]) -> set[str]:
    """The texts reduced to lower-case letters and digits, since the datasets differ in whitespace, quotes and case."""
    return {re.sub(r"[\W_]+", "", text.lower()) for text in found}
