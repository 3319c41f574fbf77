"""Measure how many top words are found by scoring sentences first, then words, with a limited budget (IMDB).

.venv/bin/python benchmarks/sentences_then_words.py              # writes docs/results/sentences-then-words.md
.venv/bin/python benchmarks/sentences_then_words.py --share 1/2  # every second review, next to a second process
.venv/bin/python benchmarks/sentences_then_words.py --print      # writes the page from stored reviews

Rerun it to resume: every review is stored in .results/sentences-then-words.jsonl when it is done. A review is
explained in full once, and then with each budget by `detail="sentence+word"`. The model's outputs are cached while a
review is explained, so a budget costs only the forward passes for sentences.
"""

import argparse
import gzip
import hashlib
import json
import math
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean
from textwrap import fill
from typing import Any

from remembered_rows import RememberedRows
from stored import Store
from timing import SHARED
from tqdm import tqdm

from unmask import Explainer
from unmask.models.huggingface.loading import embedded_model, load
from unmask.models.huggingface.opening import open_model

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "sentences-then-words.jsonl"
PAGE = ROOT / "docs" / "results" / "sentences-then-words.md"
REVIEWS, SHORTEST, LONGEST = 60, 200, 500  # reviews, and their words
TOP = 10
BUDGETS = {"a tenth": 0.1, "a fifth": 0.2, "a half": 0.5}  # of the passes of all words
ENDS = 2  # passes for the text itself, and for the text with everything masked
ORDERS: dict[str, Callable[[float, int], float]] = {  # from a sentence's score and number of words to its weight
    "score per word": lambda score, words: abs(score) / words,
    "text order": lambda score, words: 0.0,
}


def reviews() -> list[str]:
    """Return the reviews of 200 to 500 words, ordered by a hash of their text, so that any part is a fair sample."""
    with gzip.open(SHARED / "data" / "imdb" / "test_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    fitting = [text for text in texts if SHORTEST <= len(text.split()) <= LONGEST]
    return sorted(fitting, key=lambda text: hashlib.sha256(text.encode()).hexdigest())


def measure(model: RememberedRows, text: str) -> dict[str, Any]:
    """The exact scores of all words and sentences, the sentence of every word, and what each budget finds."""
    model.rows.forget()
    explainer = Explainer.from_adapter(model)
    words, sentences = (explainer.explain(text, unit=unit, sets="none") for unit in ("word", "sentence"))
    inside = [
        next(at for at, one in enumerate(sentences.units) if one.start <= word.start and word.end <= one.end)
        for word in words.units
    ]
    record = {"words": words.scores, "sentences": sentences.scores, "inside": inside, "seconds": words.seconds}
    computed = model.rows.computed
    budgets = {name: explain_within(explainer, text, record, share) for name, share in BUDGETS.items()}
    assert model.rows.computed == computed, "the full explanation and the sentences have every row of a budget"
    return {**record, "budgets": budgets}


def explain_within(explainer: Explainer, text: str, record: dict[str, Any], share: float) -> dict[str, Any]:
    """Return the words that `explain` scores within a budget, and the passes it takes."""
    found = explainer.explain(text, detail="sentence+word", rows=rows(record, share))
    assert found.detail is not None
    known = [at for at, score in enumerate(found.detail.scores) if not math.isnan(score)]
    assert all(found.detail.scores[at] == record["words"][at] for at in known)
    return {"known": known, "passes": found.passes.forward}


def rows(record: dict[str, Any], share: float) -> int:
    """Return a budget in passes, as a share of the passes for all words."""
    return round(share * (ENDS + len(record["words"])))


def reordered(record: dict[str, Any], budget: str, order: str) -> list[int]:
    """The words that a budget would cover if sentences were taken in another order."""
    inside, scores = record["inside"], record["sentences"]
    weights = [ORDERS[order](score, inside.count(at)) for at, score in enumerate(scores)]
    sentences = sorted(range(len(scores)), key=lambda at: -weights[at])
    words = (at for sentence in sentences for at, one in enumerate(inside) if one == sentence)
    return list(islice(words, len(record["budgets"][budget]["known"])))


def top(record: dict[str, Any]) -> list[int]:
    """The words with the largest exact scores, the largest first."""
    scores = record["words"]
    return sorted(range(len(scores)), key=lambda at: -abs(scores[at]))[:TOP]


def page(records: Sequence[dict[str, Any]]) -> str:
    """The page, from the stored reviews."""
    words, sentences = (mean(len(one[name]) for one in records) for name in ("words", "sentences"))
    found = {name: mean(share_found(one, one["budgets"][name]["known"]) for one in records) for name in BUDGETS}
    finding = (
        f"**Half of the passes find {found['a half']:.0%} of a review's ten most important words, a fifth find "
        f"{found['a fifth']:.0%}, and a tenth {found['a tenth']:.0%}.** The same number of words, chosen at random, "
        f"would find {', '.join(f'{_random_share(records, name):.0%}' for name in ('a half', 'a fifth'))} and "
        f"{_random_share(records, 'a tenth'):.0%}: choosing sentences first helps, but small budgets miss most of the "
        "words that matter. Every score that is shown is exact; the others are shown as not computed."
    )
    how = (
        f"Measured on {len(records)} of {REVIEWS} IMDB reviews (test sample) of {SHORTEST} to {LONGEST} words that "
        f"fit the built-in model; on average they have {words:.0f} units (words and punctuation) and {sentences:.0f} "
        "sentences. "
        '`detail="sentence+word"` scores all sentences, then the words of the sentence with the largest score, then '
        "those of the next, until the budget is spent. The budget is a fraction of the N + 2 passes that it takes to "
        "score all N units. The true top ten are the units with the largest absolute scores when all units are scored."
    )
    per_word = ", ".join(f"{_reordered_share(records, name, 'score per word'):.0%} with {name}" for name in BUDGETS)
    after = (
        f"*Words at random* and *read from the start*: how many of the top {TOP} are found if the same number of words "
        "is scored without choosing sentences. If sentences are sorted by their score per word instead, the "
        f"search finds {per_word}."
    )
    return "\n".join(
        [
            "# Sentences first, then words: how many of the top words are found\n",
            fill(finding, 120),
            "\n    .venv/bin/python benchmarks/sentences_then_words.py\n",
            fill(how, 120),
            f"\n| budget | passes spent, mean | share of all passes | top {TOP} found | top 1 found "
            "| words at random | read from the start |",
            "|---|---|---|---|---|---|---|",
            *(_line(records, name, found[name]) for name in BUDGETS),
            "",
            fill(after, 120),
            "",
        ]
    )


def _line(records: Sequence[dict[str, Any]], name: str, found: float) -> str:
    passes = mean(one["budgets"][name]["passes"] for one in records)
    share = mean(one["budgets"][name]["passes"] / (ENDS + len(one["words"])) for one in records)
    first = mean(top(one)[0] in one["budgets"][name]["known"] for one in records)
    chance, start = _random_share(records, name), _reordered_share(records, name, "text order")
    return f"| {name} | {passes:.0f} | {share:.2f} | {found:.0%} | {first:.0%} | {chance:.0%} | {start:.0%} |"


def _reordered_share(records: Sequence[dict[str, Any]], budget: str, order: str) -> float:
    return mean(share_found(one, reordered(one, budget, order)) for one in records)


def _random_share(records: Sequence[dict[str, Any]], budget: str) -> float:
    """The share of the top words that the same number of words, drawn at random, contains on average."""
    return mean(len(one["budgets"][budget]["known"]) / len(one["words"]) for one in records)


def share_found(record: dict[str, Any], known: Collection[int]) -> float:
    """The share of the top words that are among these."""
    return len(set(top(record)) & set(known)) / TOP


def main() -> None:
    """Measure the missing reviews and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", action="store_true", help="write the page from stored results")
    parser.add_argument("--share", default="1/1", help="K/N: measure every Nth review, starting with the Kth")
    options = parser.parse_args()
    model, tokenizer = load(embedded_model("classification"), device="cpu", task="classification")
    limit = int(model.config.max_position_embeddings)
    fitting = [text for text in reviews() if len(tokenizer(text, verbose=False)["input_ids"]) <= limit][:REVIEWS]
    if not options.print:
        first, step = map(int, options.share.split("/"))
        store, rows = Store(KEPT), RememberedRows(open_model(model, tokenizer))
        for text in tqdm(fitting[first - 1 :: step]):
            store.kept(name_of(text), partial(measure, rows, text))
    known = Store(KEPT).known
    PAGE.write_text(page([known[name] for name in map(name_of, fitting) if name in known]), encoding="utf-8")


def name_of(text: str) -> str:
    """The key that a review is stored under."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
