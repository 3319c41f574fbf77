"""Loads and selects the texts of a dataset, from a file or (with the library `datasets`) from the hub."""

import logging
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias

from ..errors import ArgumentError, InputError, UnmaskError, first_line
from ..inputs import check_others
from ..inputs.columns import Columns
from ..text.request import Request
from .examples import Example, UnreadError, annotations_of, example_with_scores
from .plan_parts import DatasetPlan

Text: TypeAlias = Example | UnreadError  # an error stands for a text that cannot be read
Count: TypeAlias = Callable[[str], int]

HIDDEN = -1  # the hub's value for a hidden label


def load_texts(dataset: DatasetPlan, *, count_tokens: Count | None = None) -> list[Text]:
    """Load the texts that a plan selects, in the order of the dataset.

    Args:
        count_tokens: Counts the tokens of a text; required with `max_tokens`.

    Raises:
        InputError: If the dataset cannot be read.
    """
    dataset.check_source()
    if dataset.max_tokens is not None and count_tokens is None:
        raise ArgumentError(f"max_tokens={dataset.max_tokens} needs count_tokens")
    records = list(_of_file(dataset) if dataset.is_file else _of_hub(dataset))
    check_others(records, dataset.label, dataset.rationale, of=f"the dataset {dataset.name!r} has ")
    found = [_text(record, dataset) for record in records]
    chosen = _chosen(found, dataset, count_tokens)
    if not chosen:
        raise InputError(
            f"dataset {dataset.name!r}: all {len(found)} texts are too long",
            hint="raise max_characters or max_tokens",
        )
    return chosen


def shuffled_indices(count: int, seed: int) -> list[int]:
    """Return the indices 0 to count - 1 in random order.

    Uses only `random()`, whose values are the same in every Python version.
    """
    draws = random.Random(seed)
    return [place for _, place in sorted((draws.random(), place) for place in range(count))]


def _chosen(found: list[Text], dataset: DatasetPlan, count_tokens: Count | None) -> list[Text]:
    """Select texts by length, then apply the limit. Counts tokens only where needed."""

    def size(text: Text, count: Count) -> int:  # both texts of a pair; 0 if unreadable
        return 0 if isinstance(text, UnreadError) else sum(map(count, text.request.texts))

    def fits(text: Text) -> bool:
        if dataset.max_characters is not None and size(text, len) >= dataset.max_characters:
            return False
        return dataset.max_tokens is None or count_tokens is None or size(text, count_tokens) <= dataset.max_tokens

    is_drawn = dataset.seed is not None and dataset.limit is not None
    order = shuffled_indices(len(found), dataset.seed or 0) if is_drawn else range(len(found))
    limit = min(dataset.limit or len(found), len(found))  # islice rejects integers of more than 64 bits
    return [found[place] for place in sorted(islice((place for place in order if fits(found[place])), limit))]


def _text(record: Request | InputError, dataset: DatasetPlan) -> Text:
    place = f"{'line' if dataset.is_file else 'row'} {record.line}"
    if isinstance(record, InputError):
        return UnreadError(str(record), place=place, hint=record.hint)
    try:
        return replace(_example(record, dataset), place=place)
    except UnmaskError as error:
        return UnreadError(str(error), place=place, hint=error.hint)


def _example(record: Request, dataset: DatasetPlan) -> Example:
    label, marks = record.column(dataset.label), record.column(dataset.rationale)
    if label == HIDDEN and not dataset.is_file:
        label = None
    if dataset.given is not None:
        return example_with_scores({**record.columns, "text": record.text, "label": label, "annotations": marks})
    request = Request(segments=record.segments, continuation=record.continuation)
    return Example(request, label, annotations_of(marks or ()))


def _unpacked(record: Request | InputError) -> Request | InputError:
    """Restore the columns that were stored by `unmask explain --keep`."""
    if isinstance(record, InputError) or not isinstance(carried := record.columns.get("kept"), Mapping):
        return record
    columns = {**carried, **record.columns}
    if record.column("gold") is None and "gold" in carried:  # explained without --label
        columns["gold"] = carried["gold"]
    return Request(record.text, text_pair=record.text_pair, line=record.line, columns=columns)


def _of_file(dataset: DatasetPlan) -> Iterator[Request | InputError]:
    file = dataset.file()
    file.check()
    return map(_unpacked, file.records()) if dataset.given is not None else file.records()


def _of_hub(dataset: DatasetPlan) -> Iterator[Request | InputError]:
    rows = _rows(dataset)
    chosen = Columns(dataset.column, dataset.label is not None, continuation=dataset.continuation, most=None)
    columns = chosen.in_file(dataset.source, list(rows.column_names))
    return (chosen.request(number, row, columns=columns) for number, row in enumerate(rows, start=1))


def _rows(dataset: DatasetPlan) -> Any:
    """Load a split of a hub dataset, from the network or the cache."""
    try:
        import datasets as library
    except ImportError as error:
        raise InputError(
            f"dataset {dataset.name!r} ({dataset.source} on the hub) needs the library datasets: "
            f"pip install 'unmask[data]', or use a file: --map {dataset.name}=FILE"
        ) from error
    instead = f"use a file: --map {dataset.name}=FILE"
    try:
        with _quiet(library):
            return library.load_dataset(dataset.source, dataset.config, split=dataset.split)
    except ConnectionError as error:
        raise InputError(
            f"dataset {dataset.name!r} ({dataset.source} on the hub) is not downloaded, and the hub cannot be reached; "
            f"{instead}",
            hint="or connect to the network to download it",
        ) from error
    except Exception as error:  # the library raises many types of errors
        raise InputError(f"cannot read {dataset.source!r} from the hub: {first_line(error)}; {instead}") from error


@contextmanager
def _quiet(library: Any) -> Iterator[None]:
    """Silence the library's progress bars and logs, and restore its settings."""
    loggers = [logging.getLogger(name) for name in ("datasets", "huggingface_hub")]
    levels, has_bars = [logger.level for logger in loggers], not library.are_progress_bars_disabled()
    library.disable_progress_bars()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if has_bars:
            library.enable_progress_bars()
