"""What a model is trained, chosen and measured on; no text of a test set is in a training set."""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from training import texts
from training.texts import Labelled

HELD_OUT = 200  # of each class of IMDB's training reviews, for validation


@dataclass(frozen=True, slots=True)
class Corpus:
    """The three parts of a dataset; `dropped` says how many training texts were left out and why."""

    training: list[Labelled]
    validation: list[Labelled]
    test: list[Labelled]
    dropped: dict[str, int]


def corpus(dataset: str) -> Corpus:
    """Rotten Tomatoes by its own split, or IMDB with a part of its training reviews held out."""
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
    """The examples without `count` of each class, drawn at random, and those."""
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
    """The examples without those that occur earlier or in one of the others, and the number left out for each."""
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
    """The texts' letters and digits alone: the datasets differ in blanks, quotes and case."""
    return {re.sub(r"[\W_]+", "", text.lower()) for text in found}
