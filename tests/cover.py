"""Whether the units of a text hold every visible character that is read, once, and move every token, once."""

from collections import Counter

from tokenizer_kinds import tokenizer

from unmask.errors import TextError
from unmask.grouping import Choice, Group, grouped
from unmask.models.adapter import Encoded
from unmask.models.tokens import Tokens
from unmask.text import is_visible


def encoded(kind: str, text: str, *, max_length: int | None = None) -> Encoded:
    return Tokens(tokenizer(kind), model_type="any", rows=lambda: 10**6).encode(text, max_length=max_length)


def checked(kind: str, text: str, unit: str, *, max_length: int | None = None) -> tuple[int, int]:
    """Check one text, by the tokenizer's own offsets; its units, and the visible characters in exactly one of them."""
    found = encoded(kind, text, max_length=max_length)
    (passage,) = found.passages
    try:
        groups = grouped(found.passages, found.tokens, Choice(unit))
    except TextError:
        read = [text[slice(*token.span)] for token in found.tokens if not token.special]
        assert not any(map(is_visible, "".join(read)))
        return 0, 0
    times = Counter(at for group in groups for at in range(*group.span))
    visible = [at for at in range(*passage.read) if is_visible(text[at])]
    assert set(times.values()) == {1}
    assert set(visible) <= set(times)
    check_tokens(text, found, groups)
    return len(groups), len(visible)


def check_tokens(text: str, found: Encoded, groups: tuple[Group, ...]) -> None:
    """Every token that can be seen moves, once, with the unit that its characters are in."""
    moved = [at for group in groups for at in group.tokens]
    content = {at: token.span for at, token in enumerate(found.tokens) if not token.special}
    assert sorted(moved) == [at for at, span in content.items() if any(map(is_visible, text[slice(*span)]))]
    for group in groups:
        for at in group.tokens:
            seen = [place for place in range(*content[at]) if is_visible(text[place])]
            assert all(group.span.start <= place < group.span.end for place in seen)
