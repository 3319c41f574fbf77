"""The part of docs/results/paper.md on the classes that lead on the paths of IG and SIG."""

from collections.abc import Iterator
from typing import Any

from paper_values.crossings import DATASET, POINTS
from per_text_values import Row, Values

from unmask.studies.sig2023.protocol import paper_with

from .check_statistics import common_texts, interval, rows_of
from .claims import models_by_name
from .statistics import signed

TITLE = "### Where another class leads"
METHOD = """`target` follows the largest logit. Wherever another class than the predicted one leads on IG's path, its
gradients are then those of the other class's logit. SIG needs only the ends of its paths: the text, and the text with
one word masked. On {texts} sentences of SST-2 with words as units, we looked which class leads at {points} points of
IG's path, and with each word masked alone. The last two columns show how much `target`, added to `corrected`, changes
SIG's advantage over IG by comprehensiveness, in those of the sentences above with and without such points. A
model with many such points need not be one with a large change."""
HEADER = (
    "model",
    "sentences with such points on IG's path",
    "points of IG's path",
    "single words",
    "sentences with such a word",
    "change with such points",
    "without",
)
METRIC = "comprehensiveness"


def section(values: Values) -> Iterator[str]:
    """The part; nothing if nothing was computed."""
    rows = {name: row for (name, _), row in rows_of(values, DATASET).items()}
    texts = common_texts(values, list(rows.values()))
    if not texts:
        return
    yield f"{TITLE}\n"
    yield METHOD.format(texts=len(texts), points=POINTS)
    yield ""
    yield f"| {' | '.join(HEADER)} |"
    yield f"|{' :--- |' * len(HEADER)}"
    for name, row in rows.items():
        path, words = (values.column(row, figure, texts) for figure in ("path", "words"))
        cells = [interval(one, ".0%") for one in ((path > 0).astype(float), path)]
        cells += [interval(words, ".1%"), interval((words > 0).astype(float), ".0%")]
        cells += map(_change, changes(values, row))
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def changes(values: Values, row: Row) -> tuple[Any, Any]:
    """The change of SIG's advantage by `target`, in each text where another class leads on IG's path, and elsewhere."""
    model = models_by_name(values, "sst2").get(row.name.partition("-")[0], "")
    protocols = (paper_with(["target"]).name, "corrected")
    pairs = [[Row("sst2", model, one, "mask", name) for name in ("sig", "ig")] for one in protocols]
    texts = common_texts(values, [row, *(each for pair in pairs for each in pair)])
    target, corrected = (signed(METRIC, *(values.column(one, METRIC, texts) for one in pair)) for pair in pairs)
    is_crossed = values.column(row, "path", texts) > 0
    return (target - corrected)[is_crossed], (target - corrected)[~is_crossed]


def _change(moved: Any) -> str:
    return f"{interval(moved, '+.3f')} ({len(moved)} sentences)" if len(moved) else "—"
