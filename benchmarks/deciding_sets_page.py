"""Write the page of benchmarks/deciding_sets.py."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, TypeAlias

import numpy as np

Record: TypeAlias = dict[str, Any]
Found: TypeAlias = Mapping[tuple[str, str], Sequence[Record]]  # by model and part
BANDS = ((1, 12), (13, 22), (23, 99))  # words


def page(names: Sequence[str], found: Found) -> str:
    """The page, from each model's records."""
    parts = (_sizes, _smallest, _cost, _flagged)
    blocks = "\n".join([_head(names, found), *(line for part in parts for line in part(names, found))]).split("\n\n")
    return "\n\n".join(_wrapped(block) if block[0].isalnum() or block[0] == "*" else block for block in blocks) + "\n"


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _head(names: Sequence[str], found: Found) -> str:
    texts = len(found[names[0], "sets"])
    words = [_share(found[name, "sets"], lambda one: _is_label_word(one["necessary"])) for name in names]
    checked = [one for name in names for one in _checked(found[name, "smallest"])]
    smallest = sum(one["size"] == least for one, least in checked) / len(checked)
    everything = [one for name in names for part in ("sets", "flagged") for one in found[name, part]]
    neither, total = sum(map(_has_neither, everything)), len(everything)
    missed, tried = (sum(map(count, (found[name, "smallest"] for name in names))) for count in (_missed, len))
    finding = (
        f"**Masking one word changes the prediction in {min(words):.0%} to {max(words):.0%} of the sentences. Of the "
        f"sets checked against all subsets, {smallest:.0%} are the smallest possible; the search missed a set in "
        f"{missed} of these {tried} sentences. {total - neither:,} of {total:,} explanations have a word that stands "
        "out, a deciding set, or both.**"
    )
    return f"""# Deciding sets: size, cost, and how often the search finds the smallest

{finding}

    .venv/bin/python benchmarks/deciding_sets.py

Measured on {texts} sentences of SST-2 (test, from sentence 900 on; nothing was tuned on them) and four models, by
masking words, with at most three passes per word, as with `sets="auto"`. [Deciding
sets](../explanation/deciding-sets.md) explains the terms.
"""


def _sizes(names: Sequence[str], found: Found) -> Iterator[str]:
    yield "## How large they are\n"
    yield "The median number of words in a set, by sentence length. *One word*: how many of the sets have a single"
    yield "word. *Label*: how many of the sets decide the label; the others account for nine tenths of `together`.\n"
    for kind, what in (
        ("necessary", "whose masking changes the prediction"),
        ("sufficient", "that keep the prediction on their own"),
    ):
        yield f"The fewest words found {what}:\n"
        yield "| model | " + " | ".join(f"{low}-{high} words" for low, high in BANDS[:-1]) + " | longer |"
        yield "|---|" + "---|" * len(BANDS)
        for name in names:
            cells = [_size(found[name, "sets"], kind, low, high) for low, high in BANDS]
            yield f"| {name} | {' | '.join(cells)} |"
        yield ""


def _size(records: Sequence[Record], kind: str, low: int, high: int) -> str:
    sets = [one[kind] for one in records if low <= one["words"] <= high and one[kind] is not None]
    if not sets:
        return "–"
    label = _share(sets, lambda one: one["question"] == "label")
    return f"{np.median([one['size'] for one in sets]):g} (one word {_share(sets, _is_one):.0%}, label {label:.0%})"


def _smallest(names: Sequence[str], found: Found) -> Iterator[str]:
    yield "## How often they are the smallest\n"
    yield "We checked sentences of 4 to 12 words, four of each length, by masking all subsets of their words. *Known*:"
    yield "sets that the search itself reports as the smallest (`is_smallest`); it was right about all of them."
    yield "*Missed*: texts in which some set of words changes the label, but the search found none.\n"
    yield "| model | sets | smallest | of these, known | one word too many | several too many | missed |"
    yield "|---|---|---|---|---|---|---|"
    for name in names:
        checked = _checked(found[name, "smallest"])
        excess = np.array([one["size"] - least for one, least in checked])
        claimed = [one["size"] == least for one, least in checked if one["is_smallest"]]
        assert all(claimed)
        counts = (
            len(checked),
            int((excess == 0).sum()),
            len(claimed),
            int((excess == 1).sum()),
            int((excess > 1).sum()),
        )
        yield f"| {name} | {' | '.join(map(str, counts))} | {_missed(found[name, 'smallest'])} |"
    yield ""


def _cost(names: Sequence[str], found: Found) -> Iterator[str]:
    yield "## What they cost, and what they explain\n"
    yield "Scoring N words takes N + 2 passes; the table shows the additional passes of the search, so an explanation"
    yield "with sets takes 1 more than the columns relative to N + 2. *Cut short*: the"
    yield "passes ran out before all unneeded words were dropped (`is_minimal` is false). *No word stands out*: every"
    yield "score is below a quarter of the value that gets the strongest color. *Neither*: no word stands out, and no"
    yield "set was found.\n"
    titles = ("model", "passes per word, mean", "worst", "relative to N + 2, mean", "worst", "cut short")
    yield f"| {' | '.join((*titles, 'no necessary set', 'no sufficient set', 'no word stands out', 'neither'))} |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name in names:
        records = found[name, "sets"]
        per_word = [one["search"] / one["words"] for one in records]
        against = [one["search"] / one["passes"] for one in records]
        sets = [one[kind] for one in records for kind in ("necessary", "sufficient") if one[kind] is not None]
        lacking = (sum(one[kind] is None for one in records) for kind in ("necessary", "sufficient"))
        faint = [one for one in records if not one["stands_out"]]
        neither = sum(map(_has_neither, faint))
        cells = [f"{one(ratios):.2f}" for ratios in (per_word, against) for one in (np.mean, max)]
        cells += [f"{_share(sets, lambda one: not one['is_minimal']):.1%}", *map(str, lacking)]
        yield f"| {name} | {' | '.join(cells)} | {len(faint)} of {len(records)} | {neither} |"


def _flagged(names: Sequence[str], found: Found) -> Iterator[str]:
    yield "\n## Texts that a classifier flags\n"
    yield "We took the first texts in Rotten Tomatoes (test, without those also in SST-2) that a model calls negative."
    yield "These are negative film reviews; no toxicity classifier was measured.\n"
    yield "| model | texts | no word stands out | necessary set found | sufficient set found | neither word nor set |"
    yield "|---|---|---|---|---|---|"
    for name, records in ((name, found[name, "flagged"]) for name in names if found[name, "flagged"]):
        counts = (
            len(records),
            sum(not one["stands_out"] for one in records),
            sum(one["necessary"] is not None for one in records),
            sum(one["sufficient"] is not None for one in records),
            sum(_has_neither(one) for one in records),
        )
        yield f"| {name} | {' | '.join(map(str, counts))} |"


def _has_neither(one: Record) -> bool:
    return not (one["stands_out"] or one["necessary"] or one["sufficient"])


def _checked(records: Iterable[Record]) -> list[tuple[Record, int]]:
    """Each set with the size of the smallest one that answers its question."""
    return [
        (one[kind], size)
        for one in records
        for kind, question, size in one["smallest"]
        if one[kind] is not None and one[kind]["question"] == question
    ]


def _missed(records: Iterable[Record]) -> int:
    sizes = [(one["necessary"], size) for one in records for kind, question, size in one["smallest"]
             if (kind, question) == ("necessary", "label")]  # fmt: skip
    return sum(size is not None and (one is None or one["question"] == "value") for one, size in sizes)


def _is_one(one: Record | None) -> bool:
    return one is not None and one["size"] == 1


def _is_label_word(one: Record | None) -> bool:
    return one is not None and one["size"] == 1 and one["question"] == "label"


def _share(records: Sequence[Record], is_so: Callable[[Record], bool]) -> float:
    return sum(map(is_so, records)) / len(records) if records else float("nan")
