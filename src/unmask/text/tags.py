"""Groups the tags of words into entities, for BIO, BIOES and similar schemes, and for plain labels with O."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

OUTSIDE = "O"
TAG = re.compile(r"([BIMESLUW])[-_](.+)")  # such as B-PER; I and M are inside, E and L at the end, S, U and W alone
BEGINS, ENDS = "BSUW", "ELSUW"


class TagGroup(NamedTuple):
    """An entity: words `start` to `end` (exclusive), and its kind."""

    start: int
    end: int
    kind: str


def group_tags(tags: Sequence[str], *, merge: bool = True) -> list[TagGroup]:
    """The entities of a tagged text.

    A tag's prefix says where an entity begins and ends; an inside tag with no begin tag before it starts an entity. A
    plain tag is an entity of one word, or of a run of words with equal tags.

    Args:
        merge: Whether neighboring words with the same plain tag form one entity.

    >>> group_tags(["B-PER", "I-PER", "O", "S-LOC", "B-ORG", "E-ORG", "I-ORG"])
    [TagGroup(start=0, end=2, kind='PER'), TagGroup(start=3, end=4, kind='LOC'), TagGroup(start=4, end=6, kind='ORG'), \
TagGroup(start=6, end=7, kind='ORG')]
    """
    groups, is_open = list[TagGroup](), False
    for at, tag in enumerate(tags):
        if tag == OUTSIDE:
            is_open = False
            continue
        prefix, kind = parse_tag(tag)
        continues = is_open and groups[-1].kind == kind and prefix not in BEGINS if prefix else is_open and merge
        if continues and groups[-1].kind == kind:
            groups[-1] = groups[-1]._replace(end=at + 1)
        else:
            groups.append(TagGroup(at, at + 1, kind))
        is_open = not (prefix and prefix in ENDS)
    return groups


def parse_tag(tag: str) -> tuple[str, str]:
    """The prefix (empty for a plain tag) and the kind.

    >>> parse_tag("B-PER"), parse_tag("NOUN")
    (('B', 'PER'), ('', 'NOUN'))
    """
    match = TAG.fullmatch(tag)
    return (match[1], match[2]) if match else ("", tag)


def tags_of_kind(kind: str, count: int, known: Iterable[str]) -> list[str] | None:
    """The model's tags for an entity of `count` words of this kind; None if the model has no such kind.

    >>> tags_of_kind("PER", 2, ["O", "B-PER", "I-PER"]), tags_of_kind("I-PER", 2, ["O", "B-PER", "I-PER"])
    (['B-PER', 'I-PER'], ['I-PER', 'I-PER'])
    """
    labels = {label.casefold(): label for label in known}
    if (given := labels.get(kind.casefold())) is not None:
        return [given] * count

    def tag(prefixes: str) -> str | None:
        spelled = (f"{prefix}{mark}{kind}".casefold() for prefix in prefixes for mark in "-_")
        return next((labels[one] for one in spelled if one in labels), None)

    chosen = [tag("SUWBI")] if count == 1 else [tag("BI"), *[tag("IM")] * (count - 2), tag("ELI")]
    return [one for one in chosen if one] if all(chosen) else None


def split_tag(tag: str, count: int, known: Sequence[str]) -> list[str]:
    """The tags of `count` words that take the place of one word with this tag.

    >>> split_tag("B-PER", 2, ["O", "B-PER", "I-PER"]), split_tag("S-LOC", 2, ["S-LOC", "B-LOC", "E-LOC"])
    (['B-PER', 'I-PER'], ['B-LOC', 'E-LOC'])
    """
    prefix, kind = parse_tag(tag)
    if count < 2 or not prefix:
        return [tag] * count
    if prefix in "SUW":
        return tags_of_kind(kind, count, known) or [tag] * count
    inside = next((one for one in known if parse_tag(one) in (("I", kind), ("M", kind))), tag)
    return [inside] * (count - 1) + [tag] if prefix in "EL" else [tag] + [inside] * (count - 1)
