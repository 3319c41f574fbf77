"""The section of docs/results/paper.md on the mask: a model trained with masks against its twin trained without."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from paper_values.twins import DATASET, METHODS, TWINS
from paper_values.twins import MASKS as MASKS_DATASET
from per_text_values import METRICS, Row, Values

from unmask.metrics.statistics import Difference

from .check_statistics import common_texts, corrected, interval, is_clear, rows_of
from .findings import listed
from .models import ACCURACIES, read
from .statistics import CLEAR, signed
from .tables import SHORT, escaped

TITLE = "## Is the mask fair?"
METHOD = """SIG replaces a word with the mask token. If the model has never seen that token in training, the change may
come from the mask itself and not from the missing word. `bert-rotten_tomatoes` was trained with up to 30% of the words
of each text masked, and its twin `bert-rotten_tomatoes-nomask` with the same recipe without masks; the start, a
pretrained encoder, had seen masks in its own pretraining. On {texts} texts of Rotten Tomatoes, we masked words, and
then removed the same words: each word alone, ten random fifths of the words, and all words. Probabilities are those of
the class predicted for the whole text. Differences are paired by text; **bold**: clear (p < {clear}, Holm over both
tables of this section). There is one model of each kind, so the tests are about these two models: another training run
might differ. Of each, the weights with the best validation accuracy were kept (`{kept}` with masks, `{twin}` without);
part of the differences may come from that."""
SCORES = """The metrics at the top 20% of the words, with words removed. *Price of masking*: the advantage of
`leave_one_out`, which scores a word by removing it, over SIG, which does the same with the mask."""
MEASURES = {  # titles, and how to compute them from the columns
    "rank correlation of SIG with leave-one-out": lambda one: one("correlation"),
    "SIG and leave-one-out have the same top word": lambda one: one("same_top"),
    "probability of the predicted class": lambda one: one("probability"),
    "the same, 20% of the words masked": lambda one: one("some_masked"),
    "the same, 20% of the words removed": lambda one: one("some_removed"),
    "masking minus removal": lambda one: one("some_masked") - one("some_removed"),
    "distance between the two": lambda one: np.abs(one("some_masked") - one("some_removed")),
    "class changed, 20% masked": lambda one: one("changed_masked"),
    "class changed, 20% removed": lambda one: one("changed_removed"),
    "log-odds of positive, all words masked": lambda one: one("all_masked"),
    "distance of these log-odds from 0": lambda one: np.abs(one("all_masked")),
}
AGREEMENT = "rank correlation of SIG with leave-one-out"
EXCESS, GAP = "masking minus removal", "distance between the two"
BIAS = "distance of these log-odds from 0"
PRICE = "price of masking"
CRITERIA = {  # of a fair mask: what it does, and the sign of a clear difference if training with masks makes it fairer
    AGREEMENT: ("agreement with removal on the order of the words", 1),
    GAP: ("distance from the prediction after removal", -1),
    BIAS: ("distance from an undecided prediction with all words masked", -1),
    (PRICE, "log_odds"): ("the price of masking in log-odds", -1),
}
LESS_FAIR = "the mask is less fair on the model trained with masks than on its twin"
ADVANTAGES = {PRICE: ("leave_one_out", "sig"), "SIG over IG": ("sig", "ig")}


@dataclass(frozen=True, slots=True)
class Contrast:
    """A figure on both twins, by text, and the difference between them: with masks in training minus without."""

    with_masks: Any  # [texts]
    without_masks: Any
    difference: Difference
    p: float

    @property
    def order(self) -> int:
        """1 if clearly larger on the twin trained with masks, -1 if clearly smaller, else 0."""
        return int(np.sign(self.difference.mean)) if is_clear(self.p) else 0


def contrasts(values: Values) -> dict[Any, Contrast]:
    """All figures on both twins: measures by title, advantages by title and metric."""
    pairs = dict(_measures(values)) | dict(_advantages(values))
    tests, chances = corrected({key: one - other for key, (one, other) in pairs.items()})
    return {key: Contrast(*pairs[key], tests[key], chances[key]) for key in pairs}


def _measures(values: Values) -> Iterator[tuple[str, tuple[Any, Any]]]:
    rows = {name: row for (name, _), row in rows_of(values, MASKS_DATASET).items()}
    if set(rows) != set(TWINS.values()):
        return
    texts = common_texts(values, list(rows.values()))
    for title, measure in MEASURES.items():
        one, other = (_figure(values, rows[name], texts, measure) for name in TWINS.values())
        yield title, (one, other)


def _figure(values: Values, row: Row, texts: list[str], measure: Any) -> Any:
    return measure(lambda column: values.column(row, column, texts))


def _advantages(values: Values) -> Iterator[tuple[tuple[str, str], tuple[Any, Any]]]:
    rows = rows_of(values, DATASET)
    texts = common_texts(values, list(rows.values()))
    if {name for name, _ in rows} != set(TWINS.values()):
        return
    for title, (first, second) in ADVANTAGES.items():
        for metric in METRICS:
            one, other = (
                signed(metric, *(_metric(values, rows[model, name], metric, texts) for name in (first, second)))
                for model in TWINS.values()
            )
            yield (title, metric), (one, other)


def _metric(values: Values, row: Row, metric: str, texts: list[str]) -> Any:
    return values.column(row, f"{metric}:remove", texts)


def section(values: Values) -> Iterator[str]:
    """The section; nothing if the two twins were not both computed."""
    found = contrasts(values)
    if not _is_whole(found):
        return
    yield f"{TITLE}\n"
    yield finding(found)
    yield ""
    chosen = {one["model"]: one.get("chosen", "") for one in read(ACCURACIES)}
    kept, twin = (chosen.get(name, "") for name in TWINS.values())
    yield METHOD.format(texts=len(found[AGREEMENT].with_masks), clear=CLEAR, kept=kept, twin=twin)
    yield ""
    yield without_words(values)
    yield ""
    yield "| figure | trained with masks | without | difference |\n| :--- | :--- | :--- | :--- |"
    yield from (f"| {title} | {_cells(found[title])} |" for title in MEASURES)
    yield ""
    yield SCORES
    yield ""
    yield from score_table(values, found)
    yield ""


def without_words(values: Values) -> str:
    """The prediction without any word, which is the same for all texts, so that there is nothing to test."""
    rows = {name: row for (name, _), row in rows_of(values, MASKS_DATASET).items()}
    texts = common_texts(values, list(rows.values()))
    odds = [float(np.mean(values.column(rows[name], "all_removed", texts))) for name in TWINS.values()]
    text = "With all words removed, the log-odds of positive are {:+.2f} with masks in training and {:+.2f} without."
    return text.format(*odds)


def score_table(values: Values, found: Mapping[Any, Contrast]) -> Iterator[str]:
    """The metrics of each method on both twins, then the advantages."""
    rows = rows_of(values, DATASET)
    texts = common_texts(values, list(rows.values()))
    yield f"| {len(texts)} texts | metric | trained with masks | without | difference |"
    yield "| :--- | :--- | :--- | :--- | :--- |"
    for method in (*METHODS, "random"):
        for metric in METRICS:
            cells = [interval(_metric(values, rows[model, method], metric, texts), ".3f") for model in TWINS.values()]
            yield f"| {escaped(method)} | {SHORT[metric]} | {' | '.join(cells)} | |"
    for title in ADVANTAGES:
        for metric in METRICS:
            yield f"| *{title}* | {SHORT[metric][:-2]} | {_cells(found[title, metric])} |"


def _cells(one: Contrast) -> str:
    difference = f"{one.difference.mean:+.3f}"
    difference = f"**{difference}**" if one.order else difference
    both = (interval(one.with_masks, ".3f"), interval(one.without_masks, ".3f"))
    return f"{' | '.join(both)} | {difference} [{one.difference.low:+.3f}, {one.difference.high:+.3f}]"


def short(values: Values) -> str:
    """The verdict; nothing if the two twins were not both computed."""
    found = contrasts(values)
    if not _is_whole(found):
        return ""
    texts = len(found[AGREEMENT].with_masks)
    return (
        f"A bert trained with masks and its twin trained without, on {texts} texts of Rotten Tomatoes: {verdict(found)}"
    )


def _is_whole(found: Mapping[Any, Contrast]) -> bool:
    return AGREEMENT in found and (PRICE, METRICS[0]) in found


def finding(found: Mapping[Any, Contrast]) -> str:
    """What training with masks changes, in words."""
    agreement, excess, bias, price = (found[key] for key in (AGREEMENT, EXCESS, BIAS, (PRICE, "log_odds")))
    return " ".join(
        (
            f"**{verdict(found)}**",
            f"The rank correlation of scores by mask with scores by removal is {_means(agreement, '.2f')}.",
            "Masking a fifth of the words instead of removing them changes the probability of the predicted class by "
            f"{_means(excess, '+.3f')}.",
            f"With all words masked, the distance of the log-odds from 0 is {_means(bias, '.2f')}.",
            f"By log-odds with words removed, the advantage of leave-one-out over SIG is {_means(price, '+.3f')}.",
        )
    )


def verdict(found: Mapping[Any, Contrast]) -> str:
    """By which criteria the mask is fairer on the model trained with masks."""
    titles: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for key, (title, sign) in CRITERIA.items():
        titles[found[key].order * sign].append(title)
    said = (
        (titles[1], "the mask is fairer on the model trained with masks than on its twin"),
        (titles[-1], "it is less fair on the model trained with masks" if titles[1] else LESS_FAIR),
        (titles[0], "the two do not clearly differ" if titles[1] or titles[-1] else "the twins do not clearly differ"),
    )
    text = "; ".join(f"by {listed(each)}, {what}" for each, what in said if each)
    return f"{text[0].upper()}{text[1:]}."


def _means(one: Contrast, form: str) -> str:
    return (
        f"{np.nanmean(one.with_masks):{form}} on the model trained with masks and "
        f"{np.nanmean(one.without_masks):{form}} on its twin"
    )
