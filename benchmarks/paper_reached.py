"""The section of docs/results/paper.md on how far the work got: the texts of each part, and those planned."""

from collections.abc import Iterator, Sequence
from itertools import product

import paper_hidden
import paper_twins
from paper_check_statistics import common_texts, rows_of
from paper_claims import PROTOCOLS, models_by_name
from paper_parts import ADDED, LOGIT, TAKEN
from paper_planted_section import SET
from per_text_values import Row, Values


def reached_section(values: Values) -> Iterator[str]:
    """How many texts each part of the work has, and how many were planned."""
    yield "## How far it got\n"
    yield "| what | texts on all models | planned |\n| :--- | ---: | ---: |"
    for title, rows, planned in work(values):
        known = [set(values.rows.get(row, {})) for row in rows]
        yield f"| {title} | {len(set.intersection(*known)) if known else 0} | {planned} |"
    yield from (f"| {title} | {checked(values, datasets)} | {CHECKED} |" for title, datasets in CHECKS.items())
    yield from (f"| {title} | 0 | {planned} |" for title, planned in NOT_BEGUN.items())
    yield ""


def work(values: Values) -> Iterator[tuple[str, list[Row], int]]:
    """The parts of the work, each with the rows that it needs; of a dataset without models there are none."""
    added = [one for one in ADDED if one != LOGIT.name]
    plans: list[tuple[str, str, Sequence[str], str, Sequence[str], int]] = [
        ("SST-2, mask, the paper's methods and exact SIG", "sst2", PROTOCOLS, "mask", PAPERS, 400),
        ("SST-2, one part of the protocol added", "sst2", added, "mask", PARTED, 200),
        ("SST-2, the predicted class's logit", "sst2", [LOGIT.name], "mask", PARTED, 200),
        ("SST-2, one part taken", "sst2", list(TAKEN), "mask", PARTED, 200),
        ("SST-2, pad", "sst2", PROTOCOLS, "pad", ("sig", "ig", "dig"), 400),
        ("SST-2, recursive SIG, Shapley with 4 orders", "sst2", PROTOCOLS, "mask", OWN, 400),
        ("SST-2, SIG with 10 steps, IG with 10 per token, bert", "sst2 bert", PROTOCOLS, "mask", STEPS, 40),
        ("SST-2, SDIG by non-monotone paths", "sst2", PROTOCOLS, "mask", ("sdig:strategy=non_monotonic",), 60),
        ("Rotten Tomatoes, mask", "rotten_tomatoes", PROTOCOLS, "mask", PAPERS, 300),
        ("IMDB, mask", "imdb", PROTOCOLS, "mask", PAPERS, 60),
    ]
    for title, place, protocols, baseline, methods, planned in plans:
        dataset, _, only = place.partition(" ")
        models = [model for name, model in models_by_name(values, dataset).items() if name == (only or name)]
        yield title, [Row(dataset, *one) for one in product(models, protocols, [baseline], methods)], planned


def checked(values: Values, datasets: Sequence[str]) -> int:
    """The number of texts that all rows of a check have, in the dataset with the fewest."""
    return min(len(common_texts(values, list(rows_of(values, dataset).values()))) for dataset in datasets)


PAPERS = ("sig", "ig", "dig", "deeplift", "grad_x_input")
PARTED = ("sig", "ig", "two_sided")
OWN = ("recursive_sig", "shapley:permutations=4")
STEPS = ("sig_path:steps=10", "ig:steps_per_token=10")
NOT_BEGUN = {"SST-2, SIG with 50 steps": 60}  # its values have no place yet
CHECKED = 300
CHECKS = {
    "SST-2, labels that only a set of words changes": (paper_hidden.DATASET,),
    "A planted trigger word, pair and repeated word (each)": tuple(f"planted_{kind}" for kind in SET),
    "A model trained with masks against its twin": (paper_twins.DATASET, paper_twins.MASKS),
}
