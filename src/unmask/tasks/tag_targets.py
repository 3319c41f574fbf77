"""Targets of a tagger: all entities, one entity, one word, or another label for a phrase. Needs no torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..errors import ArgumentError, unknown
from ..text.spans import Span
from ..text.tags import OUTSIDE, TagGroup, group_tags, split_tag, tags_of_kind
from .grouped import GroupedHead, Place
from .scales import Array
from .targets import TargetName

ENTITIES, TAGS = "entities", "tags"  # the default targets: all entities, or all words' labels if there is no entity


@dataclass(frozen=True)
class TagHead(GroupedHead):
    """A head with all labels of the first word, then all labels of the second, and so on; `spans` has the words."""

    @cached_property
    def count(self) -> int:
        """The number of labels that a word can have: the number of outputs until the span changes."""
        changes = (at for at, (one, other) in enumerate(pairwise(self.spans), 1) if one != other)
        return next(changes, len(self.labels))

    @property
    def names(self) -> tuple[str, ...]:
        """The labels that a word can have."""
        return self.labels[: self.count]

    @cached_property
    def words(self) -> list[Span]:
        """The words, in order."""
        return [Span(*span[:2]) for span in self.spans[:: self.count] if span is not None]

    def predicted_tags(self, whole: Array) -> list[int]:
        """The index of each word's most probable label."""
        return [int(one) for one in np.asarray(whole).reshape(-1, self.count).argmax(-1)]

    def entities(self, whole: Array) -> list[TagGroup]:
        """The predicted entities; if the model has no label O, every word is an entity."""
        names = [self.names[at] for at in self.predicted_tags(whole)]
        return group_tags(names, merge=OUTSIDE in self.names)

    def text_of(self, group: TagGroup) -> str:
        """The characters of an entity."""
        return self.texts[0][self.words[group.start].start : self.words[group.end - 1].end]

    def outputs_of(self, words: Sequence[int], tags: Sequence[int]) -> tuple[int, ...]:
        """The outputs for the given words, each with these labels."""
        return tuple(word * self.count + tag for word, tag in zip(words, tags, strict=True))

    def predicted_spans(self, whole: Array) -> list[tuple[int, ...]]:
        """The labels of each entity's words."""
        tags, found = self.predicted_tags(whole), [range(one.start, one.end) for one in self.entities(whole)]
        return [self.outputs_of(words, [tags[word] for word in words]) for words in found]

    def choose(self, target: TargetName, whole: Array) -> tuple[tuple[int, ...], str]:
        """Resolve `predicted`, a phrase, `phrase: LABEL`, character offsets, or the index of a word."""
        tags = self.predicted_tags(whole)
        if target in ("predicted", ENTITIES, TAGS) and (target == "predicted" or target not in self.texts[0]):
            found = self.entities(whole) if target != TAGS and OUTSIDE in self.names else []
            words = [word for group in found for word in range(group.start, group.end)]
            if target == ENTITIES and not words:
                raise ArgumentError("the model finds no entity in this text; use target 'tags' for all words' labels")
            chosen = words or list(range(len(self.words)))
            return self.outputs_of(chosen, [tags[word] for word in chosen]), ENTITIES if words else TAGS
        if isinstance(target, int | np.integer) and not isinstance(target, bool):
            if not 0 <= target < len(self.words):
                raise ArgumentError(f"target {target} is out of range: the text's words are 0 to {len(self.words) - 1}")
            return self._named([int(target)], [tags[int(target)]])
        phrase, label = self._split(target)
        span = self.span(phrase, segment=0, what="text")
        words = [at for at, word in enumerate(self.words) if word.overlaps(span)]
        if not words:
            raise ArgumentError(f"the characters {tuple(span)} of the text have no label: the model read no word there")
        return self._named(words, [tags[word] for word in words] if label is None else self._given(label, len(words)))

    def moved(self, outputs: Sequence[int], place: Place, new: "TagHead") -> tuple[int, ...] | None:
        """The same labels of the same words; several words in place of one share its label."""
        found = dict[int, int]()
        for word, tag in (divmod(output, self.count) for output in outputs):
            span = place(self.words[word], 0)
            words = [at for at, one in enumerate(new.words) if one.overlaps(span) and at not in found]
            tags = split_tag(self.names[tag], len(words), self.names)
            found |= zip(words, map(self.names.index, tags), strict=True)
        return self.outputs_of(tuple(found), tuple(found.values())) or None

    def _split(self, target: TargetName) -> tuple[TargetName, str | None]:
        """Split a target such as `phrase: LABEL` at the last colon, unless the text contains the whole target."""
        if not isinstance(target, str) or target in self.texts[0]:
            return target, None
        phrase, colon, label = target.rpartition(":")
        if not colon or (phrase.strip().isdecimal() and label.strip().isdecimal()):
            return target, None
        return phrase.strip(), label.strip()

    def _given(self, label: str, count: int) -> list[int]:
        tags = tags_of_kind(label, count, self.names)
        if tags is None:
            raise unknown("label", label, self.names)
        return [self.names.index(tag) for tag in tags]

    def _named(self, words: Sequence[int], tags: Sequence[int]) -> tuple[tuple[int, ...], str]:
        """The outputs of some words with these tags, named after the words and the kind of entity or the labels."""
        text = self.texts[0][self.words[words[0]].start : self.words[words[-1]].end]
        names = [self.names[tag] for tag in tags]
        groups = group_tags(names, merge=OUTSIDE in self.names)
        is_one = len(groups) == 1 and (groups[0].start, groups[0].end) == (0, len(words))
        label = groups[0].kind if is_one else " ".join(dict.fromkeys(names))
        return self.outputs_of(words, tags), f"{text}: {label}"
