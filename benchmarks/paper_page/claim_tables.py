"""The section of docs/results/paper.md on the claims: their verdicts at a glance, then the evidence."""

from collections.abc import Iterator, Mapping, Sequence

from .claims import CLAIMS, NOT_MEASURED, OURS, PROTOCOLS, Claim, Tested
from .findings import brackets
from .statistics import Advantage
from .tables import DATASETS, SHORT


def overview(known: Mapping[str, Sequence[Tested]]) -> Iterator[str]:
    """One line per claim: what was compared, and the verdicts on each dataset under each protocol."""
    columns = [(dataset, protocol) for dataset in known for protocol in PROTOCOLS]
    titles = [f"{DATASETS[dataset]}, `{protocol}`" for dataset, protocol in columns]
    yield f"| claim | compared | {' | '.join(titles)} |\n| :--- | :--- |{' :--- |' * len(columns)}"
    for claim in (*CLAIMS, *OURS):
        own = {(one.dataset, one.protocol): one for each in known.values() for one in each if one.claim == claim}
        verdicts = [own[column].verdict if own[column].found else "—" for column in columns]
        yield f"| {claim.sentence} | {_compared(claim)} | {' | '.join(verdicts)} |"
    yield ""


def _compared(claim: Claim) -> str:
    """The methods, and the baseline once if it is the same."""
    sides = [f"`{method}`, {baseline}" for method, baseline in (claim.first, claim.second)]
    if claim.first[1] == claim.second[1]:
        sides[0] = f"`{claim.first[0]}`"
    return " with ".join(sides)


def measured(found: Sequence[Tested]) -> dict[str, list[Tested]]:
    """The claims of each dataset for which any is measured."""
    own = {dataset: [one for one in found if one.dataset == dataset] for dataset in DATASETS}
    return {dataset: each for dataset, each in own.items() if any(one.found for one in each)}


def claim_table(found: Sequence[Tested], dataset: str) -> Iterator[str]:
    """One line per claim that was measured: verdict, evidence and p under each protocol."""
    yield f"### {DATASETS[dataset]}\n"
    yield "| claim | under `paper` | under `corrected` | texts |\n| :--- | :--- | :--- | ---: |"
    for claim in (*CLAIMS, *OURS):
        both = {one.protocol: one for one in found if one.claim == claim}
        if not any(one.found for one in both.values()):
            continue
        cells = [_evidence(both[protocol]) for protocol in PROTOCOLS]
        counts = [str(both[protocol].texts or "—") for protocol in PROTOCOLS]
        yield f"| {claim.sentence} | {' | '.join(cells)} | {' / '.join(dict.fromkeys(counts))} |"
    yield ""


def _evidence(one: Tested) -> str:
    if not one.found:
        return NOT_MEASURED
    return f"**{one.verdict}**: {', '.join(_metric(one, each) for each in one.found)}"


def _metric(one: Tested, each: Advantage) -> str:
    """The mean over the models, the mean on each model, and the p-values."""
    models = f" {brackets(each.models.values())}" if len(each.models) > 1 else ""
    return f"{SHORT[each.metric][:-2]} {each.difference.mean:+.3f}{models} ({_chances(one, each.metric)})"


def _chances(one: Tested, metric: str) -> str:
    """The p-value; for a claim of equality, those of both tests."""
    difference = probability(one.p[metric])
    return f"differ {difference}, equal {probability(one.p_equal[metric])}" if one.claim.is_equality else difference


def probability(p: float) -> str:
    """A p-value for a table."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
