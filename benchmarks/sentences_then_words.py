"""Score sentences first, then the words in those that matter: how many top words does a limited budget find? (IMDB)

.venv/bin/python benchmarks/sentences_then_words.py   # writes docs/results/sentences-then-words.md; rerun to resume

The exact scores of every review are stored in .results/sentences-then-words.jsonl; budgets are applied to them as
`detail="sentence+word"` applies them, which is checked on the first reviews.
"""

import argparse
import gzip
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from textwrap import fill
from typing import Any

from stored import Store
from timing import SHARED, explainer_of
from tqdm import tqdm

from unmask import Explainer

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "sentences-then-words.jsonl"
PAGE = ROOT / "docs" / "results" / "sentences-then-words.md"
REVIEWS, SHORTEST, LONGEST = 60, 200, 500  # reviews, and their words
TOP = 10
BUDGETS = {"a tenth": 0.1, "a fifth": 0.2, "a half": 0.5}  # of the passes of all words
CHECKED = 2  # reviews that are explained with a budget too
ENDS = 2  # passes of the text itself, and of the text with everything masked
ORDERS: dict[str, Callable[[float, int], float]] = {  # from a sentence's score and its words to its place
    "score": lambda score, words: abs(score),
    "score per word": lambda score, words: abs(score) / words,
    "text order": lambda score, words: 0.0,
}


def reviews() -> list[str]:
    """The reviews of 200 to 500 words, in an order that their text decides: a part of them is a fair sample."""
    with gzip.open(SHARED / "data" / "imdb" / "test_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    fitting = [text for text in texts if SHORTEST <= len(text.split()) <= LONGEST]
    return sorted(fitting, key=lambda text: hashlib.sha256(text.encode()).hexdigest())


def measure(explainer: Explainer, text: str) -> dict[str, Any]:
    """The exact scores of all words and sentences, and the sentence of every word."""
    words, sentences = (explainer.explain(text, unit=unit, sets="none") for unit in ("word", "sentence"))
    inside = [
        next(at for at, one in enumerate(sentences.units) if one.start <= word.start and word.end <= one.end)
        for word in words.units
    ]
    return {"words": words.scores, "sentences": sentences.scores, "inside": inside, "seconds": words.seconds}


def chosen(record: dict[str, Any], share: float, order: str = "score") -> list[int]:
    """The words that a budget of passes covers."""
    budget = rows(record, share) - ENDS - len(record["sentences"])
    return list(_by_sentence(record, ORDERS[order]))[: max(0, budget)]


def rows(record: dict[str, Any], share: float) -> int:
    """A share of the passes that all words take."""
    return round(share * (ENDS + len(record["words"])))


def spent(record: dict[str, Any], share: float) -> int:
    """The passes that a budget really takes: sentences are always scored."""
    return max(rows(record, share), ENDS + len(record["sentences"]))


def _by_sentence(record: dict[str, Any], weight: Callable[[float, int], float]) -> Iterator[int]:
    inside, scores = record["inside"], record["sentences"]
    for sentence in sorted(range(len(scores)), key=lambda at: -weight(scores[at], inside.count(at))):
        yield from (at for at, one in enumerate(inside) if one == sentence)


def top(record: dict[str, Any]) -> set[int]:
    """The words with the largest exact scores."""
    scores = record["words"]
    return set(sorted(range(len(scores)), key=lambda at: -abs(scores[at]))[:TOP])


def check(explainer: Explainer, text: str, record: dict[str, Any]) -> None:
    """The words that `explain` scores within a budget are those that this page counts."""
    for share in BUDGETS.values():
        found = explainer.explain(text, detail="sentence+word", rows=rows(record, share))
        assert found.detail is not None
        known = [at for at, score in enumerate(found.detail.scores) if not math.isnan(score)]
        assert known == sorted(chosen(record, share)), (known, chosen(record, share))
        assert found.passes.forward == spent(record, share)


def page(records: Sequence[dict[str, Any]]) -> str:
    """The page, from the stored reviews."""

    def found(share: float, order: str) -> float:
        return mean(len(top(one) & set(chosen(one, share, order))) / TOP for one in records)

    words, sentences = (mean(len(one[name]) for one in records) for name in ("words", "sentences"))
    half, tenth = found(0.5, "score"), found(0.1, "score")
    finding = (
        f"**Half of the passes find {half:.0%} of a review's ten most important words, and a tenth of the passes "
        f"{tenth:.0%}. Every score that is shown is exact; the others are shown as not computed.**"
    )
    lines = [
        "# Sentences first, then words: what a limited budget finds\n",
        fill(finding, 120),
        "\n    .venv/bin/python benchmarks/sentences_then_words.py\n",
        fill(
            f"Measured on {len(records)} of {REVIEWS} reviews of IMDB (test sample) with 200 to 500 words, which fit "
            f"the built-in model; on average they have {words:.0f} words and {sentences:.0f} sentences. "
            '`detail="sentence+word"` '
            "scores all sentences, then the words of the sentence with the largest score, then those of the next, "
            "until the budget is spent. The budget is a share of the passes that scoring all words takes.",
            120,
        ),
        f"\n| budget | passes spent | top {TOP} found | top 1 found | in text order |",
        "|---|---|---|---|---|",
    ]
    for name, share in BUDGETS.items():
        first = mean(max(top(one), key=lambda at: abs(one["words"][at])) in chosen(one, share) for one in records)
        lines.append(
            f"| {name} | {mean(spent(one, share) for one in records):.0f} | {found(share, 'score'):.0%} | {first:.0%} "
            f"| {found(share, 'text order'):.0%} |"
        )
    per_word = ", ".join(f"{found(share, 'score per word'):.0%} ({name})" for name, share in BUDGETS.items())
    lines += [
        "",
        fill(
            "*In text order*: the top words found if the same budget is spent on the first sentences, as if less of "
            f"the text were read. Sorting sentences by their score per word instead finds {per_word}.",
            120,
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the reviews that are missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", action="store_true", help="write the page from stored results")
    only_print = parser.parse_args().print
    explainer, store, records = explainer_of("embedded"), Store(KEPT), list[dict[str, Any]]()
    fitting = [text for text in reviews() if not explainer_cuts(explainer, text)][:REVIEWS]
    for at, text in enumerate(tqdm(fitting)):
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        if only_print and name not in store.known:
            continue
        record = store.kept(name, partial(measure, explainer, text))
        if at < CHECKED and not only_print:
            store.kept(f"checked {name}", partial(check, explainer, text, record))
        records.append(record)
    PAGE.write_text(page(records), encoding="utf-8")


def explainer_cuts(explainer: Explainer, text: str) -> bool:
    """Whether the review is longer than the model reads."""
    tokens = len(explainer.tokenizer(text, verbose=False)["input_ids"])
    return tokens > int(explainer.model.config.max_position_embeddings)


if __name__ == "__main__":
    main()
