"""Local folders and files in the place of the names in a plan."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import ArgumentError, InputError, unknown
from ..inputs.columns import ColumnError
from ..inputs.opening import STANDARD_INPUT
from ..results.atomic_io import is_path
from .plan_parts import DatasetPlan, ModelPlan, has_own_column


def located(dataset: DatasetPlan, folder: Path) -> DatasetPlan:
    """A dataset whose file, if it is one, is found from anywhere; its path was relative to the folder."""
    if dataset.source == STANDARD_INPUT or not dataset.is_file_in(folder):
        return dataset
    return replace(dataset, source=_absolute(dataset.source, folder))


def located_model(model: ModelPlan, folder: Path) -> ModelPlan:
    """The same for a model's folders: what is there is a folder, and what can be no hub name."""
    sources = {
        dataset: path if Path(path := _absolute(source, folder)).is_dir() or is_path(source) else source
        for dataset, source in model.sources.items()
    }
    return replace(model, sources=sources)


def check_names(datasets: Sequence[DatasetPlan], models: Sequence[ModelPlan], places: Mapping[str, str]) -> None:
    """Refuse names that stand nowhere in the plan, or in two places that one file cannot take."""
    sources = [source for model in models for source in model.sources.values()]
    shared = Counter(dataset.source for dataset in datasets)
    names = [*(one.name for one in datasets), *(one.name for one in models)]
    for name in places:
        if name not in (known := {*names, *(one for one in (*sources, *shared) if not is_path(one))}):
            raise unknown("name", name, known)
        if shared[name] > 1 and name not in names:
            raise ArgumentError(f"{shared[name]} datasets have the source {name!r}: name one of them instead")


def mapped_dataset(dataset: DatasetPlan, places: Mapping[str, str]) -> DatasetPlan:
    """The dataset with a file in the place of its source, if there is one for its name or for its source.

    It keeps its column, filter, limit and seed. A column that is a preset's own is what the hub calls it: where the
    file has none of that name, it is found as in any file.
    """
    place = places.get(dataset.name, places.get(dataset.source))
    if place is None:
        return dataset
    _check_given(dataset.name, place)
    moved = replace(dataset, source=_absolute(place, Path.cwd()), config=None, split=None)
    if has_own_column(dataset) and not _has_columns(moved):
        moved = replace(moved, column=())
    moved.check()
    try:
        moved.file().check()
    except ColumnError as error:
        raise ColumnError(str(error), hint="choose in a plan of your own: column = ...") from error
    return moved


def mapped_model(model: ModelPlan, places: Mapping[str, str]) -> ModelPlan:
    """The model with folders in the place of its sources: of one by the source's name, of all by its own."""
    sources = {
        dataset: source if place is None else _folder(model.name, place)
        for dataset, source in model.sources.items()
        for place in [places.get(source, places.get(model.name))]
    }
    return replace(model, sources=sources)


def _has_columns(dataset: DatasetPlan) -> bool:
    try:
        dataset.file().check()
    except (ColumnError, ArgumentError):  # the latter: a file that has no columns at all
        return False
    return True


def _folder(name: str, place: str) -> str:
    _check_given(name, place)
    path = Path(_absolute(place, Path.cwd()))
    if path.is_dir():
        return str(path)
    if path.exists():
        raise InputError(f"{place!r} is a file, and {name!r} is a model: give its folder")
    if is_path(place):
        raise InputError(f"there is no folder {place!r} to take the place of {name!r}")
    return place


def _check_given(name: str, place: str) -> None:
    if not place:
        raise ArgumentError(f"nothing is given in the place of {name!r}: name a folder or a file")


def _absolute(path: str, folder: Path) -> str:
    return os.path.normpath(folder / Path(path).expanduser())
