"""Write the page of evaluation.py: the speed-up, where the time goes, and whether both sides agree."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import fmean
from typing import Any

AIM = 15
CLOSE = 1e-3  # between figures that count as the same
SIDES = ("ours", "theirs")
PACKAGES = ("torch", "transformers", "captum", "time-interpret")
PARTS = {
    "grad_x_input": "grad_x_input",
    "deeplift": "deeplift",
    "gradient_shap": "gradient_shap, 5 samples",
    "ig": "ig, 50 steps",
    "dig: neighbors": "dig: neighbors",
    "dig: paths": "dig: path search",
    "dig": "dig: gradients, 30 steps",
    "sig": "sig: ours exact, theirs 50 steps",
    "judging": "three metrics",
    "rest": "the rest",
}
METHODS = ("grad_x_input", "deeplift", "gradient_shap", "ig", "dig", "sig")
DIG = ("dig: neighbors", "dig: paths", "dig")
TITLE = "# Speed of an evaluation against Captum and time-interpret\n"
HEAD = """
    scripts/compare benchmarks/evaluation.py > docs/results/evaluation-speed.md

The evaluation has six methods and three metrics: log-odds, comprehensiveness and sufficiency with the top 20% of the
tokens removed or kept. The model is bert-sst2. The texts are the first {sentences} sentences of SST-2 test, with
{tokens:.0f} tokens on average, without special tokens.
Times are processor time of one thread. One run alternates between both sides, {block} sentences at a time, on a machine
shared with other work. {versions}.
"""
REMARKS = """
## How it was measured

- Both sides: units are tokens, without special tokens. The target is the logit of the predicted label, and the
  baseline is the mask. The metrics remove the tokens with the largest signed scores: a fifth of the tokens, rounded
  half up, and at least one.
- Our side: one call to `Explainer.evaluate` per block, protocol `corrected`, without controls. `sig` is exact: one
  forward pass per token and no gradients. `evaluate` also computes AOPC over 1, 5, 10, 20 and 50%, and `together` for
  every method; the other side does not.
- Their side processes one text at a time. From Captum, it uses `InputXGradient`, `DeepLift`, `GradientShap` (no noise)
  and `IntegratedGradients`. From time-interpret, it uses `SequentialIntegratedGradients`, which also interpolates
  special tokens, and `DiscretetizedIntegratedGradients` with the package's path search (greedy, 500 neighbors). Then,
  for each method, the metrics run three altered texts through the model, one at a time.
- The weights are frozen on both sides.
- Neighbors: their side finds them once for the whole vocabulary. That time is included in the totals, but not in the
  ratios of single blocks. Our side finds them for the words on the path and caches them from block to block, as it
  would within one call.
- Time per method: on our side, this is the time in the model; the time of a batch is divided equally among its inputs.
  On our side, *the rest* is tokenizing, batching, sums and the equivalence check. On their side, it is tokenizing and
  predicting the label. Loading the model is not counted.
- GradientShap draws its points at random on each side, so its results differ by chance. Both sides use 5 samples here;
  our default is 50.
"""


@dataclass(frozen=True)
class Seconds:
    """The sums of both sides by part."""

    blocks: Sequence[dict[str, Any]]
    neighbors: float

    def of(self, side: str, part: str) -> float:
        """Over all blocks."""
        found = [float(block[side]["seconds"].get(part, 0.0)) for block in self.blocks]
        return sum(found, self.neighbors if (side, part) == ("theirs", "dig: neighbors") else 0.0)

    def all(self, side: str, without: Collection[str] = ()) -> float:
        """Return the seconds over all parts, except the given ones."""
        return sum(self.of(side, part) for part in PARTS if part not in without)

    def ratio(self, without: Collection[str] = ()) -> float:
        """Return how many times as long the other side takes."""
        return self.all("theirs", without) / self.all("ours", without)


def page(blocks: Sequence[dict[str, Any]], *, neighbors: float, sentences: int) -> Iterator[str]:
    """The whole page, line by line."""
    seconds, tokens = Seconds(blocks, neighbors), [count for block in blocks for count in block["theirs"]["tokens"]]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    block = len(blocks[0]["theirs"]["tokens"])
    yield TITLE
    yield _ratio(seconds)
    yield HEAD.format(sentences=sentences, tokens=fmean(tokens), block=block, versions=versions)
    yield from _parts(seconds)
    yield from _bounds(seconds)
    yield from _figures(blocks)
    yield REMARKS.rstrip("\n")


def _ratio(seconds: Seconds) -> str:
    single = [Seconds([block], 0.0).ratio() for block in seconds.blocks]
    blocks = f"In single blocks, the factor ranges from {min(single):.1f} to {max(single):.1f}."
    goal = f"The goal was {AIM}."
    return f"**An evaluation with `unmask` is {seconds.ratio():.1f} times as fast.** {blocks} {goal}"


def _parts(seconds: Seconds) -> Iterator[str]:
    yield "| part | seconds, ours | seconds, theirs | share of ours | share of theirs | ratio |"
    yield "|---|---|---|---|---|---|"
    for part, name in PARTS.items():
        ours, theirs = (seconds.of(side, part) for side in SIDES)
        shares = f"{ours / seconds.all('ours'):.1%} | {theirs / seconds.all('theirs'):.1%}"
        yield f"| {name} | {ours:.1f} | {theirs:.1f} | {shares} | {_times(theirs / ours)} |"
    ours, theirs = (seconds.all(side) for side in SIDES)
    yield f"| all | {ours:.1f} | {theirs:.1f} | 100% | 100% | {seconds.ratio():.1f} |"


def _bounds(seconds: Seconds) -> Iterator[str]:
    gradients = (seconds.of("ours", "ig") + seconds.of("ours", "dig")) / seconds.all("ours")
    no_dig, no_sig, neither = (seconds.ratio(without) for without in (DIG, ["sig"], [*DIG, "sig"]))
    yield f"\nWithout dig the ratio is {no_dig:.1f}, without sig {no_sig:.1f}, and without either"
    yield f"{neither:.1f}. The gradients of ig and dig take {gradients:.0%} of our time. For these, unmask needs about"
    yield "as many forward and backward passes as the other packages, at about the same speed."


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}"


def _figures(blocks: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Write the means of both sides, and for how many texts all three figures agree."""
    yield "\n## Both sides measure the same thing\n"
    yield "The table shows means over the sentences, ours / theirs. *Same*: the number of sentences for which all"
    yield f"three metrics differ by less than {CLOSE:g}.\n"
    yield "| method | log-odds | comprehensiveness | sufficiency | same |\n|---|---|---|---|---|"
    for name in METHODS:
        ours, theirs = ([text for block in blocks for text in block[side]["figures"][name]] for side in SIDES)
        means = [[fmean(column) for column in zip(*texts, strict=True)] for texts in (ours, theirs)]
        cells = " | ".join(f"{mine:.4f} / {other:.4f}" for mine, other in zip(*means, strict=True))
        yield f"| {name} | {cells} | {sum(map(_is_alike, ours, theirs))} of {len(ours)} |"


def _is_alike(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    return all(abs(mine - other) < CLOSE for mine, other in zip(ours, theirs, strict=True))
