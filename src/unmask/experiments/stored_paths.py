"""Stores paths relative to the run's folder where possible, so that results and data can be moved together."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .identity import hash_fact
from .plan import Pair, Plan
from .store import Store

HERE = ("./", "../")  # paths relative to the run's folder begin with one of these


def relative(source: str, folder: Path) -> str:
    """Make an absolute path relative to the run's folder; unchanged if the two share only the root.

    >>> relative("/data/reviews.csv", Path("/data/run")), relative("somebody/bert", Path("/data/run"))
    ('../reviews.csv', 'somebody/bert')
    """
    home = folder.resolve()
    try:
        common = Path(os.path.commonpath([source, home]))  # raises an error for a hub name or another drive
    except ValueError:
        return source
    if common == common.parent:
        return source
    path = Path(os.path.relpath(source, home)).as_posix()
    return path if path.startswith(HERE) else f"./{path}"


def absolute(source: str, folder: Path) -> str:
    """The inverse of `relative`."""
    return os.path.normpath(folder.resolve() / source) if source.startswith(HERE) else source


def stored_plan(plan: Plan, folder: Path) -> Plan:
    """Return the plan with relative paths."""
    return _changed(plan, lambda source: relative(source, folder))


def located_plan(plan: Plan, folder: Path) -> Plan:
    """Return the plan with absolute paths."""
    return _changed(plan, lambda source: absolute(source, folder))


def stored_pair(pair: Pair, store: Store) -> Pair:
    """Return the pair with relative paths. The names of its notes are built from these paths."""
    folder = store.path.parent
    dataset = replace(pair.dataset, source=relative(pair.dataset.source, folder))
    return replace(pair, dataset=dataset, source=relative(pair.source, folder))


def pair_note(store: Store, name: Callable[[Pair], str], pair: Pair) -> Any:
    """Return the note of a pair, or None. Earlier versions used absolute paths in the names of notes."""
    found = store.fact(name(stored_pair(pair, store)))
    return store.fact(name(pair)) if found is None else found


def addresses(store: Store, pair: Pair) -> Iterator[str]:
    """Yield the pair's model as it is named in notes by this version and by earlier ones."""
    yield from dict.fromkeys((stored_pair(pair, store).address, pair.address))


def content_hashes(store: Store, pair: Pair, dtype: str) -> set[str]:
    """Return the hashes of all contents that the pair's model has had so far."""
    prefixes = [hash_fact(address, dtype) for address in addresses(store, pair)]
    return {name.removeprefix(prefix) for prefix in prefixes for name in store.facts(prefix)}


def _changed(plan: Plan, change: Callable[[str], str]) -> Plan:
    def moved(sources: Mapping[str, str]) -> dict[str, str]:
        return {dataset: change(source) for dataset, source in sources.items()}

    datasets = tuple(replace(one, source=change(one.source)) for one in plan.datasets)
    return replace(
        plan, datasets=datasets, models=tuple(replace(one, sources=moved(one.sources)) for one in plan.models)
    )
