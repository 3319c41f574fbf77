"""The opening sentences of docs/results/paper.md, computed from its tests."""

from collections.abc import Sequence

from paper_claims import CLAIMS, PROTOCOLS, Tested
from paper_parts import ADDED, Change, changes
from paper_statistics import CLEAR
from per_text_values import METRICS, Values

TITLES = {"log_odds": "log-odds", "comprehensiveness": "comprehensiveness", "sufficiency": "sufficiency"}
UNDER = {"paper": "under the paper's protocol", "corrected": "under `corrected`"}


def finding(values: Values, found: Sequence[Tested]) -> str:
    """The first sentence: SIG against IG under both protocols, and which part of the protocol matters."""
    both = {one.protocol: one for one in found if one.claim == CLAIMS[0] and one.dataset == "sst2"}
    said = [f"{UNDER[protocol]}, {described(both[protocol])}" for protocol in PROTOCOLS]
    counts = listed(list(dict.fromkeys(str(one.texts) for one in both.values())))
    text = f"On {counts} sentences of SST-2 and three small models: {said[0]}; {said[1]}."
    return f"{text} {turning(changes(values, 'ig', ADDED))}".strip()


def described(one: Tested) -> str:
    """SIG against IG in words."""
    if not one.found:
        return "SIG was not compared with IG yet"
    clear = {each.metric: each.difference.mean > 0 for each in one.found if one.p[each.metric] < CLEAR}
    ahead, behind = ([TITLES[metric] for metric in clear if clear[metric] is wanted] for wanted in (True, False))
    if not clear:
        return "SIG and IG do not clearly differ by any of the three metrics"
    better, worse = f"clearly better than IG by {listed(ahead)}", f"clearly worse than IG by {listed(behind)}"
    return f"SIG is {' and '.join([better] * bool(ahead) + [worse] * bool(behind))}"


def turning(found: Sequence[Change]) -> str:
    """Which single part of the protocol clearly changes SIG's advantage over IG."""
    own = [one for one in found if one.title.startswith("+ ")]
    if not own:
        return ""
    clear = [one for one in own if one.is_clear and one.change is not None]
    if not clear:
        return f"No single part of the paper's protocol clearly changes SIG's advantage over IG; {largest(own)}."
    names = list(dict.fromkeys(one.title.removeprefix("+ ") for one in clear))
    said = []
    for name in names:
        each = [one for one in clear if one.title == f"+ {name}"]
        up, down = ([TITLES[one.metric] for one in each if (one.change.mean > 0) is wanted] for wanted in (True, False))  # type: ignore[union-attr]  # clear: there is a change
        moved = [f"raises it by {listed(up)}"] * bool(up) + [f"lowers it by {listed(down)}"] * bool(down)
        said.append(f"{SAID[name]} {' and '.join(moved)}")
    return f"Added to `corrected` one at a time, these parts clearly change SIG's advantage over IG: {'; '.join(said)}."


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
