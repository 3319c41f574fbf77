"""The opening sentences of docs/results/paper.md, computed from its tests."""

from collections.abc import Sequence

from per_text_values import METRICS

from .claims import CLAIMS, PROTOCOLS, Tested
from .parts import Change
from .statistics import CLEAR
from .tables import DATASETS

TITLES = {"log_odds": "log-odds", "comprehensiveness": "comprehensiveness", "sufficiency": "sufficiency"}
UNDER = {"paper": "Under the paper's protocol", "corrected": "Under `corrected`"}
CHANGED = {"+": "Added to `corrected`", "-": "Taken from `paper`"}


def finding(found: Sequence[Tested]) -> str:
    """SIG against IG under both protocols on every dataset."""
    own = [one for one in found if one.claim == CLAIMS[0] and one.found]
    return " ".join(compared([one for one in own if one.protocol == protocol]) for protocol in PROTOCOLS)


def compared(found: Sequence[Tested]) -> str:
    """SIG against IG under one protocol, datasets with the same result together."""
    if not found:
        return "SIG was not compared with IG yet."
    places: dict[str, list[str]] = {}
    for one in found:
        places.setdefault(described(one), []).append(f"{DATASETS[one.dataset]} ({one.texts} texts)")
    said = "; ".join(f"on {listed(each)}, {text}" for text, each in places.items())
    return f"{UNDER[found[0].protocol]}, {said}."


def described(one: Tested) -> str:
    """SIG against IG in words."""
    clear = {each.metric: each.difference.mean > 0 for each in one.found if one.p[each.metric] < CLEAR}
    ahead, behind = ([TITLES[metric] for metric in clear if clear[metric] is wanted] for wanted in (True, False))
    if not clear:
        return "SIG and IG do not clearly differ by any of the three metrics"
    better, worse = f"clearly better than IG by {listed(ahead)}", f"clearly worse than IG by {listed(behind)}"
    return f"SIG is {' and '.join([better] * bool(ahead) + [worse] * bool(behind))}"


def turning(found: Sequence[Change]) -> str:
    """Which single part of the protocol, added or taken, clearly changes SIG's advantage over IG."""
    own = [one for one in found if one.title[:2] in ("+ ", "- ")]
    if not own:
        return ""
    opening = f"{CHANGED[own[0].title[0]]} one at a time,"
    clear = [one for one in own if one.is_clear and one.change is not None]
    if not clear:
        return f"{opening} no part of the protocol clearly changes SIG's advantage over IG; {largest(own)}."
    said = []
    for title in dict.fromkeys(one.title for one in clear):
        each = [one for one in clear if one.title == title]
        up, down = ([TITLES[one.metric] for one in each if (one.change.mean > 0) is wanted] for wanted in (True, False))  # type: ignore[union-attr]  # clear: there is a change
        moved = [f"raises it by {listed(up)}"] * bool(up) + [f"lowers it by {listed(down)}"] * bool(down)
        said.append(f"{'leaving out ' * title.startswith('-')}{SAID[title[2:]]} {' and '.join(moved)}")
    return f"{opening} these parts clearly change SIG's advantage over IG: {'; '.join(said)}."


def largest(found: Sequence[Change]) -> str:
    """The part that changes SIG's advantage most by each metric, clear or not."""
    parts = []
    for metric in METRICS:
        moved = [(one.change, SAID[one.title[2:]]) for one in found if one.metric == metric and one.change is not None]
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
