"""The section of docs/results/paper.md on the parts of the paper's protocol."""

from collections.abc import Iterator, Sequence

from per_text_values import METRICS, Values

from unmask.studies.sig2023.protocol import PARTS

from . import crossings
from .parts import ADDED, RIVALS, TAKEN, Change, changes
from .statistics import CLEAR
from .tables import SHORT, escaped

METHOD = f"""The first table of each pair shows SIG's advantage over another method, averaged over the models, with 95%
intervals over texts. **Bold**: it clearly differs from the first row (p < {CLEAR}, paired by text; Holm over the
single parts, and over the other rows). `own_baseline` concerns log-odds only. `double_embedding` does not change
DistilBERT, which the published figures embed once. The second table has the means of both methods, and the advantage on
each model: a part can raise SIG's advantage by harming the other method more."""


def parts_section(values: Values) -> Iterator[str]:
    """SIG's advantage with one part of the protocol added or taken."""
    yield "## Which part of the protocol decides\n"
    yield "`paper` differs from `corrected` (words removed) in six parts:\n"
    yield from (f"- `{part}`: {meaning}" for part, meaning in PARTS.items())
    yield "\n*The predicted class's logit* is half of `target`: the logit, with the class held fixed.\n"
    yield METHOD
    yield ""
    for rival in RIVALS:
        for title, protocols in (("one part added to `corrected`", ADDED), ("one part taken from `paper`", TAKEN)):
            if own := changes(values, rival, protocols):
                yield f"### SIG over {escaped(rival)}: {title}, {own[0].advantage.count} sentences\n"
                yield from change_table(own)
                yield from means_table(own, rival)
    yield from crossings.section(values)


def change_table(found: Sequence[Change]) -> Iterator[str]:
    """Advantages by metric."""
    yield f"| protocol | {' | '.join(SHORT[metric][:-2] for metric in METRICS)} |"
    yield f"| :--- |{' :--- |' * len(METRICS)}"
    for title, own in _rows(found):
        yield f"| {title} | {' | '.join(_advantage(own[metric]) for metric in METRICS)} |"
    yield ""


def means_table(found: Sequence[Change], rival: str) -> Iterator[str]:
    """The means of both methods, then the advantage on each model."""
    models = " / ".join(found[0].models)
    means = [f"{name}: {SHORT[metric]}" for metric in METRICS for name in ("sig", rival)]
    advantages = [f"{SHORT[metric][:-2]} on {models}" for metric in METRICS]
    yield f"| protocol | {' | '.join(map(escaped, means))} | {' | '.join(advantages)} |"
    yield f"| :--- |{' ---: |' * len(means)}{' :--- |' * len(advantages)}"
    for title, own in _rows(found):
        both = [f"{mean:.3f}" for metric in METRICS for mean in own[metric].both]
        each = [" / ".join(f"{mean:+.2f}" for mean in own[metric].models.values()) for metric in METRICS]
        yield f"| {title} | {' | '.join((*both, *each))} |"
    yield ""


def _rows(found: Sequence[Change]) -> Iterator[tuple[str, dict[str, Change]]]:
    """Each protocol's title and its changes by metric."""
    for protocol in dict.fromkeys(one.protocol for one in found):
        own = {one.metric: one for one in found if one.protocol == protocol}
        yield escaped(next(iter(own.values())).title), own


def _advantage(one: Change) -> str:
    mean = f"**{one.advantage.mean:+.3f}**" if one.is_clear else f"{one.advantage.mean:+.3f}"
    return f"{mean} [{one.advantage.low:+.3f}, {one.advantage.high:+.3f}]"
