"""The parts of a plan: datasets, models and their pairs. Reads no text and opens no model."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self, TypeAlias

from ..errors import ArgumentError, InputError, as_written, check_known
from ..inputs import FORMATS, Source
from ..inputs.columns import ColumnError, Columns
from ..inputs.opening import STANDARD_INPUT, suffixes
from ..methods.base import check_count
from ..results.atomic_io import expand_user, is_local, is_path, path_kind
from ..tasks.task import TASKS

Check: TypeAlias = Callable[[str, Any], object]  # called with a key and its value

HERE = Path()
# `.json` is listed so that opening one gives a helpful error.
FILE_SUFFIXES = (*(suffix for form in FORMATS.values() for suffix in form.suffixes), ".json")


def check_fields(part: Any, checks: Mapping[str, Check]) -> None:
    """Check a dataclass's fields that differ from their defaults."""
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in checks and value is not field.default:
            checks[field.name](field.name, value)


def check_text(name: str, value: object) -> None:
    """Reject a value that is not a non-empty string."""
    if not isinstance(value, str) or not value.strip():
        raise ArgumentError(f"{name}={as_written(value)}: expected a non-empty string")


def check_texts(name: str, values: object, *, each: Check = check_text) -> None:
    """Reject a value that is not a list of distinct strings, each of which passes a check."""
    if not isinstance(values, tuple | list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise ArgumentError(f"{name}={as_written(values)}: expected a list of strings")
    for value, times in Counter(values).items():
        each(name, value)
        if times > 1:
            raise ArgumentError(f"{name}: duplicate {value!r}")


def check_some(name: str, values: object, *, each: Check = check_text) -> None:
    """Like `check_texts`, but also reject an empty list."""
    if values in ((), []):
        raise ArgumentError(f"{name} is empty; add a value or remove the key")
    check_texts(name, values, each=each)


def check_name(kind: str, name: object) -> None:
    """Reject a name that `Plan.only` and `--map` could not parse."""
    check_text(f"{kind} name", name)
    if set("/*=") & set(str(name)):
        raise ArgumentError(f"{kind} {name!r}: names must not contain / * or =")


def to_table(part: Any) -> dict[str, Any]:
    """Convert a dataclass object to values that TOML and JSON accept, without the field `name` and empty fields."""
    given = {field.name: getattr(part, field.name) for field in fields(part) if field.name != "name"}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value not in (None, (), {})
    }


TEXT_FIELDS = ("source", "config", "split", "label", "rationale", "form", "quoting", "given", "continuation")
DATASET_CHECKS: Mapping[str, Check] = {
    "name": lambda _, value: check_name("dataset", value),
    **dict.fromkeys(TEXT_FIELDS, check_text),
    "column": check_texts,
    **dict.fromkeys(("max_characters", "max_tokens", "limit"), check_count),
    "seed": lambda _, value: check_count("seed", value, least=0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPlan:
    """A dataset: where its texts are, and which of them to use.

    Args:
        source: A file, or a dataset on the Hugging Face hub (then with `split` and maybe `config`).
        column: The text column, or two columns for pairs; if empty, `text` or else `sentence`.
        label: The column with gold labels.
        rationale: The column with rationales; requires `label`.
        max_characters: Use only texts with fewer characters.
        max_tokens: Use only texts with at most this many tokens, counted by the model's tokenizer.
        limit: Use the first `limit` of the remaining texts or, with a `seed`, a random sample of that size. With the
            same seed, a smaller sample is a subset of a larger one.
        form: The file format; `form` and `quoting` are as in `unmask.inputs.Source`.
        given: The row label for imported scores; each line of the file has text, spans and scores.
        continuation: The column with continuations, for a language model; without it, the model generates them.
    """

    name: str
    source: str
    config: str | None = None
    split: str | None = None
    column: tuple[str, ...] = ()
    label: str | None = None
    rationale: str | None = None
    max_characters: int | None = None
    max_tokens: int | None = None
    limit: int | None = None
    seed: int | None = None
    form: str | None = None
    quoting: str | None = None
    given: str | None = None
    continuation: str | None = None

    def __post_init__(self) -> None:
        check_fields(self, DATASET_CHECKS)
        Columns(self.column, most=None)
        if self.rationale is not None and self.label is None:
            raise ArgumentError(
                f"rationale={self.rationale!r} needs label: agreement is computed only if the prediction is right",
                hint="set label to the column with gold labels",
            )

    @property
    def is_file(self) -> bool:
        """Whether the source is a file rather than a dataset on the hub."""
        return bool(self.form or self.quoting) or is_file(self.source)

    def file(self) -> Source:
        """The file to read."""
        keep, form = self.label is not None or self.given is not None, "jsonl" if self.given is not None else self.form
        return Source(self.source, form, self.column, keep, self.quoting, None, self.continuation, None)

    def check_source(self) -> None:
        """Reject settings that do not apply to the source. Does not open any file."""
        if not self.is_file:
            if self.split is None:
                raise ArgumentError(
                    f"{self.source!r} is a hub dataset and needs a split, such as split = 'test'",
                    hint="a file path must exist, end in .txt, .csv, .tsv, .jsonl or .parquet, or start with ./",
                )
            return
        if self.given is not None and not re.search(r"\.(jsonl|ndjson)(\.gz)?$", self.source) and self.source != "-":
            name = Path(self.source).name
            raise ArgumentError(f"{name!r}: imported scores must be .jsonl, one object per line: text, spans, scores")
        if self.config is not None or self.split is not None:
            raise ArgumentError(f"{self.source!r} is a file; config and split apply only to hub datasets")
        self.file()

    def located(self, folder: Path) -> Self:
        """Resolve the path of a file against the folder."""
        is_path = bool(self.form or self.quoting) or is_file(self.source, folder)
        return self if self.source == "-" or not is_path else replace(self, source=_absolute(self.source, folder))

    def mapped(self, places: Mapping[str, str]) -> Self:
        """Replace the source with the file given for the dataset's name or source, if any.

        Keeps filters, limit and seed. Keeps the column too, unless it is from a preset and the file does not have it.
        """
        place = places.get(self.name, places.get(self.source))
        if place is None:
            return self
        moved = replace(self, source=_absolute(place, Path.cwd()), config=None, split=None)
        presets = {(one.source, one.config, one.column) for one in PRESETS.values()}
        if (self.source, self.config, self.column) in presets:
            try:
                moved.file().check()
            except (ColumnError, ArgumentError):  # ArgumentError: the file has no columns
                moved = replace(moved, column=())
        moved.check_source()
        try:
            moved.file().check()
        except ColumnError as error:
            raise ColumnError(str(error), hint="write your own plan and set column = ... in it") from error
        return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """A model, with a folder or hub name for each dataset.

    Args:
        name: The model's name in tables.
        labels: Names for the model's outputs, if it has only names like LABEL_0.
        revision: A branch, tag or commit on the hub.
        task: Such as `similarity`; by default, inferred from the model's architecture.
    """

    name: str
    sources: Mapping[str, str]
    labels: tuple[str, ...] | None = None
    revision: str | None = None
    task: str | None = None

    def __post_init__(self) -> None:
        check_fields(self, {"labels": check_some, "revision": check_text, "task": check_text})
        check_known("task", [] if self.task is None else [self.task], TASKS)
        check_name("model", self.name)
        if not self.sources:
            raise ArgumentError(f"model {self.name!r} has no source; set a folder or hub name for at least one dataset")
        for dataset, source in self.sources.items():
            check_text(dataset, source)

    def located(self, folder: Path) -> Self:
        """Resolve the paths of model folders against a folder; a name with a revision is a hub name."""

        def place(source: str) -> str:
            is_folder = is_path(source) if self.revision else is_local(source, folder=folder)
            return path if path_kind(path := _absolute(source, folder)) == "folder" or is_folder else source

        return self._with_sources(place)

    def mapped(self, places: Mapping[str, str]) -> Self:
        """Replace a source with the folder given for it, or all sources with the folder given for the model."""
        found = {source: places.get(source, places.get(self.name)) for source in self.sources.values()}
        return self._with_sources(
            lambda source: source if (place := found[source]) is None else _folder(self.name, place)
        )

    def _with_sources(self, change: Callable[[str], str]) -> Self:
        return replace(self, sources={dataset: change(source) for dataset, source in self.sources.items()})


def is_file(source: str, folder: Path = HERE) -> bool:
    """Whether a dataset's source is a file, by its name or existence, rather than a hub dataset.

    >>> [is_file(source) for source in ("nyu-mll/glue", "reviews.csv", "texts.tsv.gz", "./texts", "/data/texts")]
    [False, True, True, True, True]
    """
    suffix, is_compressed = suffixes(source)
    is_path = source == STANDARD_INPUT or source.startswith((".", "/", "~")) or Path(source).is_absolute()
    path = folder / source
    return is_path or is_compressed or suffix in FILE_SUFFIXES or path_kind(path) == "file"


def _folder(name: str, place: str) -> str:
    path = _absolute(place, Path.cwd())
    if path_kind(path) == "folder":
        return path
    if path_kind(path) == "file":
        raise InputError(f"{place!r} is a file, but {name!r} is a model; give its folder")
    if is_local(place):
        raise InputError(f"model {name!r}: no such folder: {place!r}")
    return place


def _absolute(path: str, folder: Path) -> str:
    return os.path.normpath(folder / expand_user(path))


PRESETS: Mapping[str, DatasetPlan] = {
    # Stanford Sentiment Treebank (Socher et al. 2013) as in GLUE: 1,821 test sentences, labels hidden.
    "sst2": DatasetPlan(name="sst2", source="nyu-mll/glue", config="sst2", split="test", column=("sentence",)),
    # Sentence polarity of film reviews (Pang and Lee 2005): 1,066 test sentences, the positive ones first.
    "rotten_tomatoes": DatasetPlan(
        name="rotten_tomatoes",
        source="cornell-movie-review-data/rotten_tomatoes",
        split="test",
        column=("text",),
        seed=0,
    ),
    # Film reviews (Maas et al. 2011): 2,000 test reviews under 2,000 characters, like the paper.
    "imdb": DatasetPlan(
        name="imdb", source="stanfordnlp/imdb", split="test", column=("text",), max_characters=2000, limit=2000, seed=0
    ),
}
