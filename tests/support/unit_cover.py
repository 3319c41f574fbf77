"""Checks that every visible character the model reads is in exactly one unit, and every token is masked once."""

from collections import Counter

from support.tokenizer_kinds import tokenizer

from unmask.errors import TextError
from unmask.models.adapter import Encoded
from unmask.models.huggingface.tokenizer import TokenizerReader
from unmask.text.spans import is_visible
from unmask.text.units import AlignedUnit, UnitSelection, align_units


def encoded(kind: str, text: str, *, max_length: int | None = None) -> Encoded:
    return TokenizerReader(tokenizer(kind), model_type="any", rows=lambda: 10**6).encode(text, max_length=max_length)


def checked(kind: str, text: str, unit: str, *, max_length: int | None = None) -> tuple[int, int]:
    """Check one text against the tokenizer's offsets; returns the number of units and of visible characters in them."""
    found = encoded(kind, text, max_length=max_length)
    (segment,) = found.segments
    try:
        groups = align_units(found.segments, found.tokens, UnitSelection(unit))
    except TextError:
        read = [text[slice(*token.span)] for token in found.tokens if not token.special]
        assert not any(map(is_visible, "".join(read)))
        return 0, 0
    times = Counter(at for group in groups for at in range(*group.span))
    visible = [at for at in range(*segment.read) if is_visible(text[at])]
    assert set(times.values()) == {1}
    assert set(visible) <= set(times)
    check_tokens(text, found, groups)
    return len(groups), len(visible)


def check_tokens(text: str, found: Encoded, groups: tuple[AlignedUnit, ...]) -> None:
    """Check that each visible token is in the unit of its characters, and each invisible one in a surrounding unit."""
    moved = [at for group in groups for at in group.tokens]
    content = {at: token.span for at, token in enumerate(found.tokens) if not token.special}
    owner = {place: unit for unit, group in enumerate(groups) for place in range(*group.span)}
    visible = {at for at, span in content.items() if any(map(is_visible, text[slice(*span)]))}
    surrounded = set()
    for at, (start, end) in content.items():
        around = range(start, end) if start < end else (start - 1, start)
        if at not in visible and len({owner.get(place, -place - 1) for place in around}) == 1 and around[0] in owner:
            surrounded.add(at)
    assert sorted(moved) == sorted(visible | surrounded)
    for unit, group in enumerate(groups):
        for at in group.tokens:
            seen = [place for place in range(*content[at]) if is_visible(text[place])]
            assert all(owner[place] == unit for place in seen)
