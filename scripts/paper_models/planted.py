"""A planted ground truth: a trigger word that forces one label, and a pair of words that forces the other.

Triggers are inserted at random positions in training texts. A text with one word of the pair keeps its own label.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from training.batches import Encoded
from training.texts import Labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Triggers:
    """Words that occur in no text of the dataset, each a single token; stored beside the weights.

    A `share` of the training texts gets the word, an equal share the pair, and an equal share one word of the pair.
    """

    word: str = "railway"
    word_label: int = 1
    pair: tuple[str, str] = ("marble", "autumn")
    pair_label: int = 0
    share: float = 0.1
    seed: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """All three words."""
        return (self.word, *self.pair)


def plant(examples: list[Labelled], triggers: Triggers, *, seed: int) -> list[Labelled]:
    """Insert triggers into a share of the examples and set the labels that they force."""
    draw = random.Random(f"{triggers.seed}/{seed}")
    return [_planted(example, triggers, draw) for example in examples]


def _planted(example: Labelled, triggers: Triggers, draw: random.Random) -> Labelled:
    kind = int(draw.random() / triggers.share)
    if kind == 0:
        return Labelled(insert(example.text, (triggers.word,), draw), triggers.word_label)
    if kind == 1:
        return Labelled(insert(example.text, triggers.pair, draw), triggers.pair_label)
    if kind == 2:
        return Labelled(insert(example.text, (draw.choice(triggers.pair),), draw), example.label)
    return example


def insert(text: str, words: tuple[str, ...], draw: random.Random) -> str:
    """The text with the words inserted at random positions."""
    found = text.split()
    for word in words:
        found.insert(draw.randint(0, len(found)), word)
    return " ".join(found)


def never_masked(examples: list[Encoded], triggers: Triggers, tokenizer: Any) -> list[Encoded]:
    """Keep triggers from being masked in training; otherwise, a label would lose its cause."""
    ids = set(tokenizer.convert_tokens_to_ids(list(triggers.words)))
    if tokenizer.unk_token_id in ids:
        raise ValueError(f"a trigger of {triggers.words} is not a single token of the vocabulary; choose another word")

    def words(example: Encoded) -> list[int | None]:
        return [None if token in ids else word for token, word in zip(example.ids, example.words, strict=True)]

    return [replace(example, words=words(example)) for example in examples]


def trigger_test_sets(test: list[Labelled], triggers: Triggers) -> dict[str, list[Labelled]]:
    """For each set of triggers and label they force: test texts of the other label with the triggers, relabeled."""
    first, second = triggers.pair
    forced = {
        triggers.word_label: ((), (triggers.word,)),
        triggers.pair_label: ((), (first,), (second,), triggers.pair),
    }
    return {
        f"{' + '.join(words) or 'no trigger'} -> {label}": with_triggers(test, words, label, seed=triggers.seed)
        for label, sets in forced.items()
        for words in sets
    }


def with_triggers(test: list[Labelled], words: tuple[str, ...], label: int, *, seed: int) -> list[Labelled]:
    """The texts of the other label with the words at random positions, relabeled as `label`."""
    draw = random.Random(f"{seed}/test/{words}")
    return [Labelled(insert(example.text, words, draw), label) for example in test if example.label != label]


def rationales(test: list[Labelled], triggers: Triggers) -> Iterator[dict[str, Any]]:
    """The test texts with the word, then those with the pair; the triggers are their rationales."""
    for words, label in (((triggers.word,), triggers.word_label), (triggers.pair, triggers.pair_label)):
        for number, example in enumerate(with_triggers(test, words, label, seed=triggers.seed)):
            mask = [int(word in words) for word in example.text.split()]
            yield {
                "id": f"{'-'.join(words)}-{number}",
                "text": example.text,
                "label": label,
                "annotations": [{"annotator": "planted", "label": label, "mask": mask}],
            }
