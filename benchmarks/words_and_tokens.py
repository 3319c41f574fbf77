"""Measure how often, and by how much, a word's score differs from the sum of its tokens' scores (SST-2 dev).

.venv/bin/python benchmarks/words_and_tokens.py
"""

import argparse
from dataclasses import dataclass

from timing import MODELS, explainer_of, sst2

from unmask import Explanation


@dataclass
class Tally:
    """Counts over texts; a word counts if it has several tokens."""

    texts: int = 0
    words: int = 0
    split: int = 0
    tops: int = 0
    pairs: int = 0
    swapped: int = 0
    signs: int = 0
    large: int = 0
    difference: float = 0.0

    def add(self, words: Explanation, tokens: Explanation) -> None:
        joint, summed, pieces = list(words.scores), [], []
        for unit in words.units:
            inside = [s for u, s in zip(tokens.units, tokens.scores, strict=True) if unit.start <= u.start < unit.end]
            summed.append(sum(inside))
            pieces.append(len(inside))
        largest = max(map(abs, joint)) or 1.0
        self.texts += 1
        self.words += len(joint)
        self.tops += joint.index(max(joint)) != summed.index(max(summed))
        for a in range(len(joint)):
            for b in range(a):
                if pieces[a] > 1 or pieces[b] > 1:
                    self.pairs += 1
                    self.swapped += (joint[a] - joint[b]) * (summed[a] - summed[b]) < 0
        for own, total, count in zip(joint, summed, pieces, strict=True):
            if count > 1:
                self.split += 1
                self.signs += own * total < 0
                self.large += abs(own - total) > 0.1 * largest
                self.difference += abs(own - total) / largest

    def row(self, name: str) -> str:
        return (
            f"| {name} | {self.split:,} of {self.words:,} | {self.difference / self.split:.3f} | "
            f"{self.large / self.split:.1%} | {self.signs / self.split:.1%} | {self.swapped / self.pairs:.1%} | "
            f"{self.tops / self.texts:.1%} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=None, help="number of sentences (default: all)")
    texts = sst2("dev", parser.parse_args().texts)
    print("| model | multi-token words | mean difference | differ by over 0.1 | opposite sign ", end="")
    print("| pairs reversed | top word changes |")
    print("|---|---|---|---|---|---|---|")
    for name in (*MODELS, "embedded"):
        explainer, tally = explainer_of(name), Tally()
        found = zip(
            explainer.explain_many(texts, unit="word"), explainer.explain_many(texts, unit="token"), strict=True
        )
        for words, tokens in found:
            tally.add(words, tokens)
        print(tally.row(name), flush=True)
    print("\nDifferences are relative to the text's largest score. Pairs contain at least one multi-token word.")


main()
