"""The opening sentences of docs/results/paper.md, computed from its tests."""

from collections.abc import Iterable, Iterator, Sequence

from paper_values.schedule import LOGIT
from per_text_values import METRICS

from .claims import CLAIMS, PROTOCOLS, TOO_FEW, Claim, Tested
from .parts import Change
from .statistics import CLEAR
from .tables import DATASETS

TITLES = {"log_odds": "log-odds", "comprehensiveness": "comprehensiveness", "sufficiency": "sufficiency"}
UNDER = {"paper": "Under the paper's protocol", "corrected": "Under `corrected`"}
CHANGED = {
    "+": "We added each of the six parts of `paper` to `corrected`",
    "-": "We took each of the six parts from `paper`",
}
OTHERS = dict(zip(CLAIMS[:5], ("IG", "DIG", "GradientShap", "DeepLift", "gradient times input"), strict=True))


def tally(found: Sequence[Tested]) -> str:
    """The methods than which SIG is clearly better by all metrics, for each protocol and dataset."""
    said = []
    for protocol in PROTOCOLS:
        places: dict[str, list[str]] = {}
        for dataset, title in DATASETS.items():
            own = [one for one in found if (one.dataset, one.protocol) == (dataset, protocol) and one.claim in OTHERS]
            if any(one.found and one.verdict != TOO_FEW for one in own):
                names = [OTHERS[one.claim] for one in own if one.verdict == "yes"]
                places.setdefault(f"than {listed(names)}" if names else "than none of the five", []).append(title)
        parts = [f"{names} on {listed(each)}" for names, each in places.items()]
        if parts:
            said.append(f"{UNDER[protocol]}, SIG is clearly better by all three metrics {', '.join(parts)}.")
    return " ".join((*said, *undecided(found)))


def undecided(found: Sequence[Tested]) -> Iterator[str]:
    """The datasets with too few texts for a verdict on SIG and IG."""
    for dataset, title in DATASETS.items():
        own = [one for one in found if one.claim == CLAIMS[0] and one.dataset == dataset and one.found]
        if own and all(one.verdict == TOO_FEW for one in own):
            yield f"{title} has too few texts for a verdict ({own[0].texts})."


def finding(found: Sequence[Tested], claim: Claim = CLAIMS[0], names: tuple[str, str] = ("SIG", "IG")) -> str:
    """The two methods of a claim under both protocols on every dataset; nothing if it was not measured."""
    own = [one for one in found if one.claim == claim and one.found and one.verdict != TOO_FEW]
    said = [compared([one for one in own if one.protocol == protocol], names) for protocol in PROTOCOLS]
    return " ".join(filter(None, said))


def compared(found: Sequence[Tested], names: tuple[str, str]) -> str:
    """Two methods under one protocol, datasets with the same result together."""
    if not found:
        return ""
    places: dict[str, list[str]] = {}
    for one in found:
        places.setdefault(described(one, *names), []).append(f"{DATASETS[one.dataset]} ({by_model(one)})")
    said = "; ".join(f"on {listed(each)}, {text}" for text, each in places.items())
    return f"{UNDER[found[0].protocol]}, {said}."


def by_model(one: Tested) -> str:
    """The texts, and the advantage on each model in log-odds: an average can hide that they disagree."""
    own = next(each for each in one.found if each.metric == "log_odds")
    return f"{one.texts} texts, log-odds {brackets(own.models.values())}"


def brackets(means: Iterable[float]) -> str:
    """The means on the three models.

    >>> brackets([0.123, -1.0, 0.0])
    '[+0.12 / -1.00 / +0.00]'
    """
    return f"[{' / '.join(f'{round(mean, 2) + 0.0:+.2f}' for mean in means)}]"


def described(one: Tested, first: str, second: str) -> str:
    """The first method against the second in words."""
    clear = [each for each in one.found if one.p[each.metric] < CLEAR]
    ahead, behind = (
        [TITLES[each.metric] for each in clear if (each.difference.mean > 0) is sign] for sign in (True, False)
    )
    if not clear:
        return f"{first} and {second} do not clearly differ by any of the three metrics on average over the models"
    sides = {"better": ahead, "worse": behind}
    said = [f"clearly {side} than {second} by {listed(metrics)}" for side, metrics in sides.items() if metrics]
    return f"{first} is {listed(said)}"


def turning(found: Sequence[Change], rival: str = "IG") -> str:
    """Which single parts, added or taken, clearly change SIG's advantage over another method, and by how much."""
    own = [one for one in found if one.part and one.change is not None]
    if not own:
        return ""
    first = {one.metric: one for one in found if one.protocol == found[0].protocol}
    opening = f"{CHANGED[own[0].title[0]]}, on {own[0].advantage.count} sentences of SST-2."
    said = []
    for title in dict.fromkeys(one.title for one in own if one.is_clear):
        moved = [_moved(one, first[one.metric]) for one in own if one.title == title and one.is_clear]
        said.append(f"{'leaving out ' * title.startswith('-')}{SAID[title[2:]]} ({', '.join(moved)})")
    if not said:
        return f"{opening} No part clearly changes SIG's advantage over {rival}; {largest(own)}."
    ends = [_moved(one, first[one.metric]) for one in found if one.title in UNDER and one.change is not None]
    return (
        f"{opening} On average over the models, these parts clearly change SIG's advantage over {rival}: "
        f"{'; '.join(said)}. All six together change it by {listed(ends)}.{_of_the_logit(found)}"
    )


def _moved(one: Change, first: Change) -> str:
    """The change of a metric, and that on each model."""
    assert one.change is not None
    models = [mean - before for mean, before in zip(one.models.values(), first.models.values(), strict=True)]
    return f"{TITLES[one.metric]} {one.change.mean:+.3f} {brackets(models)}"


def _of_the_logit(found: Sequence[Change]) -> str:
    """Whether half of `target`, the logit of a fixed class, changes the advantage too."""
    own = [one for one in found if one.protocol == LOGIT.name and one.change is not None]
    if not own:
        return ""
    clear = [TITLES[one.metric] for one in own if one.is_clear]
    what = listed(clear) if clear else "nothing clearly"
    return f" Explaining the logit of the predicted class, without following the largest, changes {what}."


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
