"""The figures of evaluation.py as a page: the ratio, where the time goes, and that both sides agree."""

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
    "judging": "three metrics",
    "rest": "the rest",
}
METHODS = ("grad_x_input", "deeplift", "gradient_shap", "ig", "dig", "sig")
DIG = ("dig: neighbors", "dig: paths", "dig")
TITLE = "# An evaluation against Captum and time-interpret\n"
HEAD = """
    scripts/compare benchmarks/evaluation.py > docs/results/evaluation-speed.md

Six methods and three metrics: log-odds, comprehensiveness and sufficiency at the top 20 % of the tokens.
bert-sst2, the first {sentences} sentences of SST-2 test, {tokens:.0f} tokens each on average, without special ones.
Processor seconds of one thread, in one run in which both sides alternate, {block} sentences at a time, on a machine
shared with other work. {versions}.
"""
REMARKS = """
## How it was measured

- Both: the units are tokens without special ones; the target is the logit of the predicted label, the baseline the
  mask; the metrics remove the largest signed scores, a fifth of the tokens rounded half up, at least one.
- Ours: one call of `Explainer.evaluate` per block, protocol `corrected`, without controls. `sig` is exact: one forward
  pass per token, no gradients. `evaluate` also computes AOPC at 1, 5, 10, 20 and 50 %, and `together` for every method;
  theirs does not.
- Theirs: text by text, Captum's `InputXGradient`, `DeepLift`, `GradientShap` (no noise) and `IntegratedGradients`,
  time-interpret's `SequentialIntegratedGradients`, which also moves special tokens, and
  `DiscretetizedIntegratedGradients` with that package's path search (greedy, 500 neighbors); then, for each method,
  three texts through the model, one at a time. The weights are frozen on both sides.
- Neighbors: theirs are found once for the whole vocabulary; the sums include them, the blocks do not. Ours are found
  for the words on the path and cached from block to block, as within one call.
- Seconds of a method, on our side, are time in the model; rows share the time of their batch equally. The rest is
  tokenizing, batching, sums and the equivalence check. On their side the rest is tokenizing and the label. Loading is
  not counted.
- GradientShap draws its points at random on each side, so its figures differ by chance. Ours uses 5 samples here, as
  theirs does; its default is 50.
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
    yield TITLE
    yield _ratio(seconds)
    yield HEAD.format(sentences=sentences, tokens=fmean(tokens), block=block, versions=versions)
    yield from _parts(seconds)
    yield from _bounds(seconds)
    yield from _figures(blocks)
    yield REMARKS.rstrip("\n")


def _ratio(seconds: Seconds) -> str:
    single = [Seconds([block], 0.0).ratio() for block in seconds.blocks]
    blocks = f"block by block, from {min(single):.1f} to {max(single):.1f} times"
    goal = f"The goal of {AIM} is {'met' if seconds.ratio() >= AIM else 'not met'}."
    return f"**Ours is {seconds.ratio():.1f} times as fast**; {blocks}. {goal}"


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
    yield f"{neither:.1f}. The gradients of ig and dig take {gradients:.0%} of our time: about as many"
    yield "forward and backward passes as in the other packages, at about the same speed."


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}"


def _figures(blocks: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Means on both sides, and in how many texts all three figures are the same."""
    yield "\n## Both sides measure the same thing\n"
    yield "Means over the sentences, ours / theirs. A sentence counts as alike if all three figures differ by less than"
    yield f"{CLOSE:g}.\n"
    yield "| method | log-odds | comprehensiveness | sufficiency | alike |\n|---|---|---|---|---|"
    for name in METHODS:
        ours, theirs = ([text for block in blocks for text in block[side]["figures"][name]] for side in SIDES)
        means = [[fmean(column) for column in zip(*texts, strict=True)] for texts in (ours, theirs)]
        cells = " | ".join(f"{mine:.4f} / {other:.4f}" for mine, other in zip(*means, strict=True))
        yield f"| {name} | {cells} | {sum(map(_is_alike, ours, theirs))} of {len(ours)} |"


def _is_alike(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    return all(abs(mine - other) < CLOSE for mine, other in zip(ours, theirs, strict=True))
