"""The part of docs/results/paper.md on the classes that lead on the paths of IG and SIG."""

from collections.abc import Iterator

from paper_values.crossings import DATASET, POINTS
from per_text_values import Values

from .check_statistics import common_texts, interval, rows_of

TITLE = "### Where another class leads"
METHOD = """`target` follows the largest logit. Wherever another class than the predicted one leads on IG's path, its
gradients are then those of the other class's logit. SIG needs only the ends of its paths: the text, and the text with
one word masked. On {texts} sentences of SST-2, we looked which class leads at {points} points of IG's path, and with
each word masked alone."""


def section(values: Values) -> Iterator[str]:
    """The part; nothing if nothing was computed."""
    rows = {name: row for (name, _), row in rows_of(values, DATASET).items()}
    texts = common_texts(values, list(rows.values()))
    if not texts:
        return
    yield f"{TITLE}\n"
    yield METHOD.format(texts=len(texts), points=POINTS)
    yield ""
    yield "| model | sentences with such points on IG's path | points of IG's path | single words |"
    yield "| :--- | :--- | :--- | :--- |"
    for name, row in rows.items():
        path, words = (values.column(row, figure, texts) for figure in ("path", "words"))
        cells = [interval(one, ".0%") for one in ((path > 0).astype(float), path)] + [interval(words, ".1%")]
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
