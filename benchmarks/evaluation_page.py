"""The figures of evaluation.py as a page: the ratio, where the time goes on both sides, and that both say the same."""

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
    "dig: paths": "dig: search of paths",
    "dig": "dig: gradients, 30 steps",
    "sig": "sig: ours exact, theirs 50 steps",
    "judging": "judging: three metrics",
    "rest": "the rest",
}
METHODS = ("grad_x_input", "deeplift", "gradient_shap", "ig", "dig", "sig")
DIG = ("dig: neighbors", "dig: paths", "dig")
HEAD = """# An evaluation, against Captum and time-interpret

    scripts/compare benchmarks/evaluation.py > docs/results/evaluation.md

Six methods, judged by three metrics: log-odds, comprehensiveness and sufficiency at the top 20 % of the tokens.
bert-sst2, the first {sentences} sentences of SST-2 test, {tokens:.0f} tokens each on average without special ones.
Processor seconds of one thread, in one run in which both sides take turns, {block} sentences at a time, on a machine
with other work on it. {versions}.
"""
REMARKS = """
## What is counted

- The same for both: tokens are the units, special ones are never among them; the logit of the predicted label is
  explained against the mask; the metrics remove the largest signed scores, a fifth of the tokens rounded half up, one
  at least.
- Ours: one call of `Explainer.evaluate` for each block, protocol `corrected`, without controls. `sig` is exact: the
  model runs once for each token, without gradients. The areas at 1, 5, 10, 20 and 50 %, which `evaluate` always gives,
  are computed too, and for every method what all tokens carry together: theirs does none of this.
- Theirs: text by text, Captum's `InputXGradient`, `DeepLift`, `GradientShap` (no noise) and `IntegratedGradients`,
  time-interpret's `SequentialIntegratedGradients`, which moves special tokens too, and
  `DiscretetizedIntegratedGradients` with that package's search of paths (greedy, 500 neighbors); then, for each method,
  three texts through the model, one at a time. The weights are frozen on both sides.
- Neighbors: theirs are found for the whole vocabulary, once, and counted once in the sums and in no block. Ours are
  found for the words on the way; what was found is remembered from block to block, as within one call.
- Seconds of a method are, on our side, those of the model, a batch's shared equally among its rows; the rest is
  reading, batches, sums and the first check of the model. On their side the rest is reading and the label. Loading is
  counted on neither.
- GradientShap draws its points at random, each side its own, so its figures differ by chance. Ours runs 5 samples here,
  as many as theirs; its default is 50.
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
        """Over all parts, or all but some."""
        return sum(self.of(side, part) for part in PARTS if part not in without)

    def ratio(self, without: Collection[str] = ()) -> float:
        """How many times as long theirs takes."""
        return self.all("theirs", without) / self.all("ours", without)


def page(blocks: Sequence[dict[str, Any]], *, neighbors: float, sentences: int) -> Iterator[str]:
    """The whole page, line by line."""
    seconds, tokens = Seconds(blocks, neighbors), [count for block in blocks for count in block["theirs"]["tokens"]]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    block = len(blocks[0]["theirs"]["tokens"])
    yield HEAD.format(sentences=sentences, tokens=fmean(tokens), block=block, versions=versions)
    yield from _ratio(seconds)
    yield from _parts(seconds)
    yield from _bounds(seconds)
    yield from _figures(blocks)
    yield REMARKS.rstrip("\n")


def _ratio(seconds: Seconds) -> Iterator[str]:
    single = [Seconds([block], 0.0).ratio() for block in seconds.blocks]
    yield f"**Ours is {seconds.ratio():.1f} times faster**; block by block from {min(single):.1f} to {max(single):.1f}."
    yield f"The aim of {AIM} times is {'met' if seconds.ratio() >= AIM else 'not met'}.\n"


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
    yield f"\nWithout dig on both sides the ratio is {no_dig:.1f}, without sig {no_sig:.1f}, without either"
    yield f"{neither:.1f}. What bounds it is the gradients of ig and dig, {gradients:.0%} of our time: about as many"
    yield "rows go through the model and back as in the other packages, and they take about as long."


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}"


def _figures(blocks: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Means on both sides, and in how many texts all three figures are the same."""
    yield "\n## The same is measured\n"
    yield "Means over the sentences, ours / theirs. Alike are sentences of which all three figures are within"
    yield f"{CLOSE:g} of each other.\n"
    yield "| method | log-odds | comprehensiveness | sufficiency | alike |\n|---|---|---|---|---|"
    for name in METHODS:
        ours, theirs = ([text for block in blocks for text in block[side]["figures"][name]] for side in SIDES)
        means = [[fmean(column) for column in zip(*texts, strict=True)] for texts in (ours, theirs)]
        cells = " | ".join(f"{mine:.4f} / {other:.4f}" for mine, other in zip(*means, strict=True))
        yield f"| {name} | {cells} | {sum(map(_is_alike, ours, theirs))} of {len(ours)} |"


def _is_alike(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    return all(abs(mine - other) < CLOSE for mine, other in zip(ours, theirs, strict=True))
