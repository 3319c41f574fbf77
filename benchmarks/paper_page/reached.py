"""The section of docs/results/paper.md on how far the work got: the texts of each part, and those planned."""

from collections.abc import Iterator, Sequence

from paper_values import crossings, hidden, twins
from paper_values.schedule import SCHEDULE
from paper_values.work import Stage
from per_text_values import Row, Values

from .check_statistics import common_texts, rows_of
from .claims import models_by_name
from .planted import SET


def reached_section(values: Values) -> Iterator[str]:
    """How many texts each part of the work has, and how many were planned."""
    yield "## How far it got\n"
    yield "| what | texts on all models | planned |\n| :--- | ---: | ---: |"
    yield from (f"| {stage.title} | {reached(values, stage)} | {stage.texts} |" for stage in SCHEDULE)
    yield from (f"| {title} | {checked(values, datasets)} | {CHECKED} |" for title, datasets in CHECKS.items())
    yield ""


def reached(values: Values, stage: Stage) -> int:
    """The number of texts that all rows of a stage have."""
    known = [set(values.rows.get(row, {})) for row in rows(values, stage)]
    return len(set.intersection(*known)) if all(known) else 0


def rows(values: Values, stage: Stage) -> Iterator[Row]:
    """All rows of a stage; a model without values has an empty one."""
    for block in stage.blocks:
        models = {model.partition("@")[0]: model for model in models_by_name(values, block.dataset).values()}
        for model in block.models:
            for method in (*block.methods, *block.controls):
                yield Row(block.dataset, models.get(model, model), block.protocol_name, block.baseline, method)


def checked(values: Values, datasets: Sequence[str]) -> int:
    """The number of texts that all rows of a check have, in the dataset with the fewest."""
    return min(len(common_texts(values, list(rows_of(values, dataset).values()))) for dataset in datasets)


CHECKED = 300
CHECKS = {
    "SST-2, labels that only a set of words changes": (hidden.DATASET,),
    "SST-2, classes that lead on the paths": (crossings.DATASET,),
    "A planted trigger word, pair and repeated word (each)": tuple(f"planted_{kind}" for kind in SET),
    "A model trained with masks against its twin": (twins.DATASET, twins.MASKS),
}
