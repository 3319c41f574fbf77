"""The opening sentences of docs/results/paper.md, computed from its tests."""

from collections.abc import Sequence

from paper_values.schedule import LOGIT
from per_text_values import METRICS

from .claims import CLAIMS, PROTOCOLS, Claim, Tested
from .parts import Change
from .statistics import CLEAR, Advantage
from .tables import DATASETS

TITLES = {"log_odds": "log-odds", "comprehensiveness": "comprehensiveness", "sufficiency": "sufficiency"}
UNDER = {"paper": "Under the paper's protocol", "corrected": "Under `corrected`"}
CHANGED = {"+": "added to `corrected`", "-": "taken from `paper`"}


def finding(found: Sequence[Tested], claim: Claim = CLAIMS[0], names: tuple[str, str] = ("SIG", "IG")) -> str:
    """The two methods of a claim under both protocols on every dataset; nothing if it was not measured."""
    own = [one for one in found if one.claim == claim and one.found]
    said = [compared([one for one in own if one.protocol == protocol], names) for protocol in PROTOCOLS]
    return " ".join(filter(None, said))


def compared(found: Sequence[Tested], names: tuple[str, str]) -> str:
    """Two methods under one protocol, datasets with the same result together."""
    if not found:
        return ""
    places: dict[str, list[str]] = {}
    for one in found:
        places.setdefault(described(one, *names), []).append(f"{DATASETS[one.dataset]} ({one.texts} texts)")
    said = "; ".join(f"on {listed(each)}, {text}" for text, each in places.items())
    return f"{UNDER[found[0].protocol]}, {said}."


def described(one: Tested, first: str, second: str) -> str:
    """The first method against the second in words."""
    clear = [each for each in one.found if one.p[each.metric] < CLEAR]
    ahead, behind = (
        [TITLES[each.metric] for each in clear if (each.difference.mean > 0) is sign] for sign in (True, False)
    )
    if not clear:
        return f"{first} and {second} do not clearly differ by any of the three metrics"
    sides = {"better": ahead, "worse": behind}
    said = [f"clearly {side} than {second} by {listed(metrics)}" for side, metrics in sides.items() if metrics]
    return f"{first} is {listed(said)}{exceptions(clear)}"


def exceptions(clear: Sequence[Advantage]) -> str:
    """The models on which a mean has the other sign than on average."""
    models: dict[str, list[str]] = {}
    for each in clear:
        if others := [name for name, mean in each.models.items() if mean * each.difference.mean < 0]:
            models.setdefault(listed(others), []).append(TITLES[each.metric])
    said = [f"not on {names} by {listed(metrics)}" for names, metrics in models.items()]
    return f" (on average over the models; {', '.join(said)})" if said else ""


def turning(found: Sequence[Change], rival: str = "IG") -> str:
    """Which single parts, added or taken, clearly change SIG's advantage over another method, and by how much."""
    own = [one for one in found if one.part and one.change is not None]
    if not own:
        return ""
    end = {one.metric: one for one in found if one.title in UNDER}  # last: the other end, with all parts
    opening = f"On {own[0].advantage.count} sentences of SST-2, {CHANGED[own[0].title[0]]} one at a time,"
    said = []
    for title in dict.fromkeys(one.title for one in own if one.is_clear):
        moved = [_moved(one, end.get(one.metric)) for one in own if one.title == title and one.is_clear]
        said.append(f"{'leaving out ' * title.startswith('-')}{SAID[title[2:]]} changes {listed(moved)}")
    if not said:
        return f"{opening} no part of the protocol clearly changes SIG's advantage over {rival}; {largest(own)}."
    advantage = f"these parts clearly change SIG's advantage over {rival}, averaged over the models"
    return f"{opening} {advantage}: {'; '.join(said)}.{_of_the_logit(found)}"


def _of_the_logit(found: Sequence[Change]) -> str:
    """Whether half of `target`, the logit of a fixed class, changes the advantage too."""
    own = [one for one in found if one.protocol == LOGIT.name and one.change is not None]
    if not own:
        return ""
    clear = [TITLES[one.metric] for one in own if one.is_clear]
    what = listed(clear) if clear else "nothing clearly"
    return f" Explaining the logit of the predicted class, without following the largest, changes {what}."


def _moved(one: Change, end: Change | None) -> str:
    assert one.change is not None
    whole = f" (all six: {end.change.mean:+.3f})" if end is not None and end.change is not None else ""
    return f"{TITLES[one.metric]} by {one.change.mean:+.3f}{whole}"


def largest(found: Sequence[Change]) -> str:
    """The part that changes SIG's advantage most by each metric, clear or not."""
    parts = []
    for metric in METRICS:
        moved = [(one.change, SAID[one.part]) for one in found if one.metric == metric and one.change is not None]
        change, name = max(moved, key=lambda one: abs(one[0].mean))
        parts.append(f"by {TITLES[metric]} {name} ({change.mean:+.3f} [{change.low:+.3f}, {change.high:+.3f}])")
    return f"the largest changes are: {', '.join(parts)}"


SAID = {
    "double_embedding": "embedding twice",
    "target": "following the largest logit",
    "special_tokens": "special tokens as units",
    "tokens": "tokens instead of words",
    "own_baseline": "log-odds by the baseline",
    "rounding": "rounding down",
}


def listed(names: Sequence[str]) -> str:
    """Names with commas and an *and*.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
