"""The paper's claims, each as comparisons of two rows that are decided by the values alone.

A claim names what is compared; the verdict follows from the tests by one rule. Holm's correction is over all tests of
the paper's claims, and over all tests of the claims on other methods. Nothing here looks at a figure by hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from per_text_values import METRICS, Row, Values

from unmask.metrics.statistics import holm

from .statistics import CLEAR, Advantage, Pooled, advantages, pooled

PROTOCOLS = ("paper", "corrected")
SHAP = {"paper": "gradient_shap:samples=5,pool=baseline_and_text", "corrected": "gradient_shap:samples=5"}
NOT_MEASURED, TOO_FEW = "not measured yet", "too few texts"
FEW = 60  # with fewer texts, only a clear difference is a verdict: rare large ones can be missing
BERT = ("bert",)  # the paper's table of steps is of BERT


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the paper: the first method is better than the second, or equal to it.

    Args:
        first: Method and baseline; `gradient_shap` stands for the protocol's setting of it.
        is_equality: Whether the claim is that the two are equal, within `MARGINS`.
        models: Names without dataset; all three by default.
    """

    sentence: str
    first: tuple[str, str]
    second: tuple[str, str]
    is_equality: bool = False
    models: tuple[str, ...] = ("bert", "distilbert", "roberta")


SIG = ("sig", "mask")
CLAIMS = (
    Claim("SIG is better than IG", SIG, ("ig", "mask")),
    Claim("SIG is better than DIG", SIG, ("dig", "mask")),
    Claim("SIG is better than GradientShap", SIG, ("gradient_shap", "mask")),
    Claim("SIG is better than DeepLift", SIG, ("deeplift", "mask")),
    Claim("SIG is better than gradient times input", SIG, ("grad_x_input", "mask")),
    Claim("IG is better with mask than with pad", ("ig", "mask"), ("ig", "pad")),
    Claim("SIG is the same with mask and with pad", SIG, ("sig", "pad"), is_equality=True),
    Claim("With mask, IG is better than DIG", ("ig", "mask"), ("dig", "mask")),
    Claim("With pad, DIG is better than IG", ("dig", "pad"), ("ig", "pad")),
    Claim("10 steps are enough for SIG (bert)", ("sig_path:steps=10", "mask"), SIG, is_equality=True, models=BERT),
    Claim(
        "SIG with 10 steps is better than IG with 10 per token (bert)",
        ("sig_path:steps=10", "mask"),
        ("ig:steps_per_token=10", "mask"),
        models=BERT,
    ),
    Claim(
        "SDIG by 30 words on non-monotone paths is the same as SIG (bert)",
        ("sdig:strategy=non_monotonic", "mask"),
        SIG,
        is_equality=True,
        models=BERT,
    ),
    Claim("SIG with 50 steps is exact SIG (bert)", ("sig_path:steps=50", "mask"), SIG, is_equality=True, models=BERT),
)
OURS = tuple(
    Claim(f"{title} is better than SIG", (method, "mask"), SIG)
    for title, method in (
        ("Recursive SIG", "recursive_sig"),
        ("The two-sided score", "two_sided"),
        ("Leave-one-in", "leave_one_in"),
        ("Shapley (4 orders)", "shapley:permutations=4"),
    )
)


@dataclass(frozen=True, slots=True)
class Tested:
    """A claim on one dataset under one protocol, with the p-values corrected over all claims."""

    claim: Claim
    dataset: str
    protocol: str
    found: Sequence[Advantage] = ()  # one for each metric; empty if not measured
    p: Mapping[str, float] = field(default_factory=dict)  # of a difference, by metric
    p_equal: Mapping[str, float] = field(default_factory=dict)  # of equality

    @property
    def verdict(self) -> str:
        """What the tests say."""
        if not self.found:
            return NOT_MEASURED
        ahead = [one.metric for one in self.found if self.p[one.metric] < CLEAR and one.difference.mean > 0]
        behind = [one.metric for one in self.found if self.p[one.metric] < CLEAR and one.difference.mean < 0]
        if self.texts < FEW and not ahead and not behind:
            return TOO_FEW
        if self.claim.is_equality:
            is_equal = self.texts >= FEW and all(p < CLEAR for p in self.p_equal.values())
            return "yes" if is_equal else "no" if ahead or behind else "not shown"
        if ahead and behind:
            return "depends on the metric"
        if behind:
            return "no, the reverse" if len(behind) == len(self.found) else "no, in part the reverse"
        return "yes" if len(ahead) == len(self.found) else "in part" if ahead else "not shown"

    @property
    def texts(self) -> int:
        """The number of texts."""
        return self.found[0].difference.count if self.found else 0


def models_by_name(values: Values, dataset: str) -> dict[str, str]:
    """The models of a dataset with their hashes, by architecture; of several versions, the one with most values."""
    counts: dict[str, dict[str, int]] = {}
    for row, texts in values.rows.items():
        name, _, suffix = row.name.partition("-")
        if row.dataset == dataset and suffix == dataset:
            counts.setdefault(name, {}).setdefault(row.model, 0)
            counts[name][row.model] += len(texts)
    return {name: max(sorted(found), key=lambda one: found[one]) for name, found in counts.items()}


def pairs_of(values: Values, claim: Claim, dataset: str, protocol: str) -> dict[str, tuple[Row, Row]]:
    """The two rows of a claim on each of its models."""
    models = models_by_name(values, dataset)

    def row(model: str, side: tuple[str, str]) -> Row:
        method, baseline = side
        return Row(dataset, models[model], protocol, baseline, SHAP[protocol] if method == "gradient_shap" else method)

    return {one: (row(one, claim.first), row(one, claim.second)) for one in claim.models if one in models}


def all_tested(values: Values, datasets: Sequence[str]) -> list[Tested]:
    """The paper's claims and those on other methods, corrected apart."""
    return [*tested(values, CLAIMS, datasets), *tested(values, OURS, datasets)]


def metrics_of(claim: Claim, protocol: str) -> tuple[str, ...]:
    """Under `paper`, log-odds replace words by the attribution's baseline: two baselines have two different metrics."""
    is_mixed = protocol == "paper" and claim.first[1] != claim.second[1]
    return tuple(metric for metric in METRICS if not (is_mixed and metric == "log_odds"))


def tested(values: Values, claims: Sequence[Claim], datasets: Sequence[str]) -> list[Tested]:
    """Every claim on every dataset under both protocols, corrected together."""
    measured = list(_pooled(values, claims, datasets))
    results = iter(advantages([one for *_, each in measured for one in each]))
    found = [(claim, dataset, protocol, [next(results) for _ in each]) for claim, dataset, protocol, each in measured]
    tests = [(at, one.metric, kind) for at, (*_, each) in enumerate(found) for one in each for kind in _kinds(one)]
    chances = [_kinds(one)[kind] for *_, each in found for one in each for kind in _kinds(one)]
    corrected = dict(zip(tests, holm(chances), strict=True)) if tests else {}

    def p(at: int, kind: str) -> dict[str, float]:
        return {metric: one for (own, metric, of), one in corrected.items() if (own, of) == (at, kind)}

    return [Tested(*one, p(at, "difference"), p(at, "equivalence")) for at, one in enumerate(found)]


def _pooled(
    values: Values, claims: Sequence[Claim], datasets: Sequence[str]
) -> Iterator[tuple[Claim, str, str, list[Pooled]]]:
    for claim in claims:
        for dataset in datasets:
            for protocol in PROTOCOLS:
                pairs = pairs_of(values, claim, dataset, protocol)
                each = [
                    pooled(values, pairs, metric, is_equality=claim.is_equality)
                    for metric in metrics_of(claim, protocol)
                ]
                is_whole = len(pairs) == len(claim.models)
                yield claim, dataset, protocol, [one for one in each if one is not None] if is_whole else []


def _kinds(one: Advantage) -> dict[str, float]:
    """The p-values of an advantage before any correction."""
    both = {"difference": one.difference.p}
    return both if one.equivalence is None else both | {"equivalence": one.equivalence}
