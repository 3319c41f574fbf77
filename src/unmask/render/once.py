"""What several pictures have in common is said once; what only some of them say, with their names."""

from collections.abc import Sequence

Said = Sequence[str]


def shared(sayings: Sequence[Said]) -> list[str]:
    """What all of them say, in the order of the first.

    >>> shared([["a", "b"], ["b", "c"]])
    ['b']
    """
    first = sayings[0] if sayings else ()
    return [one for one in dict.fromkeys(first) if all(one in said for said in sayings)]


def own(sayings: Sequence[Said]) -> list[list[str]]:
    """What each says that not all say.

    >>> own([["a", "b"], ["b", "c"]])
    [['a'], ['c']]
    """
    common = shared(sayings)
    return [[one for one in said if one not in common] for said in sayings]


def named(names: Sequence[str], sayings: Sequence[Said]) -> dict[str, str]:
    """What not all say, each with the names of those that say it.

    >>> named(["one", "two", "three"], [["a", "b"], ["b"], ["a", "b"]])
    {'a': 'one, three'}
    """
    found: dict[str, list[str]] = {}
    for name, said in zip(names, own(sayings), strict=True):
        for one in dict.fromkeys(said):
            found.setdefault(one, []).append(name)
    return {one: ", ".join(who) for one, who in found.items()}
