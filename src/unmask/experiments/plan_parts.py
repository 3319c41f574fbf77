"""The parts of a plan: datasets, models and their pairs. Reads no text and opens no model."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self, TypeAlias

from ..errors import ArgumentError, InputError
from ..inputs import FORMATS, Source
from ..inputs.columns import ColumnError, Columns
from ..inputs.opening import STANDARD_INPUT, suffixes
from ..methods.checks import check_count, check_seed
from ..results.atomic_io import is_path

Check: TypeAlias = Callable[[str, Any], object]  # of a key and its value

HERE = Path()
# `.json` is refused later, in words that help.
FILE_SUFFIXES = (*(suffix for form in FORMATS.values() for suffix in form.suffixes), ".json")


def check_fields(part: Any, checks: Mapping[str, Check]) -> None:
    """Check every field of a dataclass that is not its default."""
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in checks and value is not field.default:
            checks[field.name](field.name, value)


def check_text(name: str, value: object) -> None:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ArgumentError(f"{name}={value!r}: a text was expected")


def check_texts(name: str, values: object, *, each: Check = check_text) -> None:
    """Several different texts, each of which passes a check."""
    if not isinstance(values, tuple | list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise ArgumentError(f"{name}={values!r}: a list of texts was expected")
    for value, times in Counter(values).items():
        each(name, value)
        if times > 1:
            raise ArgumentError(f"{name} has {value!r} twice")


def check_some(name: str, values: object, *, each: Check = check_text) -> None:
    """The same, at least one of them."""
    if values in ((), []):
        raise ArgumentError(f"{name} is empty: name one at least, or leave it away")
    check_texts(name, values, each=each)


def check_name(kind: str, name: object) -> None:
    """The name of a dataset or a model."""
    check_text(f"the name of a {kind}", name)
    if set("/*=") & set(str(name)):
        raise ArgumentError(f"the {kind} {name!r}: a name has none of / * =")


def to_table(part: Any) -> dict[str, Any]:
    """The fields of a dataclass as TOML and JSON hold them, without its name and empty ones."""
    given = {field.name: getattr(part, field.name) for field in fields(part) if field.name != "name"}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value not in (None, (), {})
    }


DATASET_CHECKS: Mapping[str, Check] = {
    "name": lambda _, value: check_name("dataset", value),
    **dict.fromkeys(("source", "config", "split", "label", "rationale", "form", "quoting", "given"), check_text),
    "column": check_texts,
    **dict.fromkeys(("max_characters", "max_tokens", "limit"), check_count),
    "seed": lambda _, value: check_seed(value),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetPlan:
    """Texts under a name: where they are, and which of them are taken.

    Args:
        source: A file, or a name on the hub.
        config: Of a hub name; so is `split`.
        column: None: `text`, else `sentence`. One: the text. Two: the text and its pair.
        label: The column of the gold labels.
        rationale: The column of people's marks; agreement with them is counted where the model is right, by the label.
        max_characters: Only texts of fewer characters than this.
        max_tokens: Only texts of at most so many tokens, as the model's tokenizer counts them.
        limit: The first so many of those that are left.
        seed: With a limit: so many drawn from all that are left, in the order in which they stand. What a smaller
            limit draws is among what a larger one draws.
        form: Of a file, as `unmask.inputs.Source` takes it; so is `quoting`.
        given: The row of scores from elsewhere: each line of the file has text, spans and scores.
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

    def __post_init__(self) -> None:
        check_fields(self, DATASET_CHECKS)
        Columns(self.column)
        if self.rationale is not None and self.label is None:
            raise ArgumentError(
                f"rationale={self.rationale!r} without label: people's marks are counted where the model is right, "
                "which only gold labels can tell",
                hint="say which column has them",
            )

    @property
    def is_file(self) -> bool:
        """Whether its texts are in a file, and not on the hub."""
        return bool(self.form or self.quoting) or is_file(self.source)

    def file(self) -> Source:
        """The file and how it is read."""
        keep = self.label is not None or self.given is not None  # as it is where there are rationales
        form = "jsonl" if self.given is not None else self.form
        return Source(self.source, form=form, columns=self.column, keep=keep, quoting=self.quoting)

    def check(self) -> None:
        """Refuse what does not fit a run, which reads its texts again; opens nothing."""
        if self.source == STANDARD_INPUT:
            raise ArgumentError("standard input is read only once, and a run reads its texts again: give a file")
        self.check_source()

    def check_source(self) -> None:
        """Refuse what does not fit a file, or a name on the hub; opens nothing."""
        if not self.is_file:
            if self.split is None:
                raise ArgumentError(
                    f"{self.source!r} is a name on the hub, of which a split is read: say one, such as split = 'test'",
                    hint="a file is there, or its name ends in .txt, .csv, .tsv, .jsonl or .parquet, or begins with ./",
                )
            return
        if self.given is not None and not re.search(r"\.(jsonl|ndjson)(\.gz)?$", self.source) and self.source != "-":
            raise ArgumentError(
                f"{Path(self.source).name!r} is no .jsonl: scores come as one JSON object a line, "
                "with text, spans and scores"
            )
        if self.config is not None or self.split is not None:
            raise ArgumentError(f"{self.source!r} is a file: config and split are for a name on the hub")
        self.file()

    def located(self, folder: Path) -> Self:
        """The dataset with an absolute path, where its source is a file relative to the folder."""
        is_path = bool(self.form or self.quoting) or is_file(self.source, folder)
        return self if self.source == "-" or not is_path else replace(self, source=_absolute(self.source, folder))

    def mapped(self, places: Mapping[str, str]) -> Self:
        """The dataset with a file in the place of its source, if there is one for its name or for its source.

        It keeps its column, filter, limit and seed. A column that is a preset's own is what the hub calls it: where
        the file has none of that name, it is found as in any file.
        """
        place = places.get(self.name, places.get(self.source))
        if place is None:
            return self
        moved = replace(self, source=_absolute(place, Path.cwd()), config=None, split=None)
        presets = {(one.source, one.config, one.column) for one in PRESETS.values()}
        if (self.source, self.config, self.column) in presets:
            try:
                moved.file().check()
            except (ColumnError, ArgumentError):  # the latter: a file that has no columns at all
                moved = replace(moved, column=())
        moved.check()
        try:
            moved.file().check()
        except ColumnError as error:
            raise ColumnError(str(error), hint="choose in a plan of your own: column = ...") from error
        return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """A model as tables call it, and the folder or the hub name that it has for each dataset.

    Args:
        labels: Names for the model's outputs, where it has only LABEL_0.
        revision: Of a hub name: a branch, tag or commit.
    """

    name: str
    sources: Mapping[str, str]
    labels: tuple[str, ...] | None = None
    revision: str | None = None

    def __post_init__(self) -> None:
        check_fields(self, {"labels": check_some, "revision": check_text})
        check_name("model", self.name)
        if not self.sources:
            raise ArgumentError(f"the model {self.name!r} goes with no dataset: name a folder or a hub name for one")
        for dataset, source in self.sources.items():
            check_text(dataset, source)

    def located(self, folder: Path) -> Self:
        """The model with absolute paths for the sources that are folders, relative to this one."""
        return self._with_sources(
            lambda source: path if Path(path := _absolute(source, folder)).is_dir() or is_path(source) else source
        )

    def mapped(self, places: Mapping[str, str]) -> Self:
        """The model with folders in the place of its sources: of one by the source's name, of all by its own."""
        found = {source: places.get(source, places.get(self.name)) for source in self.sources.values()}
        return self._with_sources(
            lambda source: source if (place := found[source]) is None else _folder(self.name, place)
        )

    def _with_sources(self, change: Callable[[str], str]) -> Self:
        return replace(self, sources={dataset: change(source) for dataset, source in self.sources.items()})


@dataclass(frozen=True, slots=True)
class Pair:
    """A dataset and a model that go together."""

    dataset: DatasetPlan
    model: str  # as tables call it
    source: str  # the model's folder or hub name
    labels: tuple[str, ...] | None = None
    revision: str | None = None

    def check_there(self) -> None:
        """Refuse a file or a folder that is not there; what a hub has is not known yet."""
        if self.dataset.is_file and not Path(self.dataset.source).expanduser().is_file():
            raise InputError(
                f"the dataset {self.dataset.name!r} is to be read from {self.dataset.source!r}: there is no such file",
                hint=f"give another one: -f FILE, or beside a plan --map {self.dataset.name}=FILE",
            )
        if is_path(self.source) and not Path(self.source).expanduser().is_dir():
            raise InputError(
                f"the model {self.model!r} is to be opened from {self.source!r}: there is no such folder",
                hint=f"give another one: --model FOLDER, or beside a plan --map {self.model}=FOLDER",
            )

    @property
    def address(self) -> str:
        """The source with its revision."""
        return self.source if self.revision is None else f"{self.source}@{self.revision}"

    @property
    def name(self) -> str:
        """As `Plan.only` takes it: `sst2/bert`."""
        return f"{self.dataset.name}/{self.model}"


def is_file(source: str, folder: Path = HERE) -> bool:
    """Whether a dataset's source is a file, which is there or has a file's name, and no name on the hub.

    >>> [is_file(source) for source in ("nyu-mll/glue", "reviews.csv", "texts.tsv.gz", "./texts", "/data/texts")]
    [False, True, True, True, True]
    """
    suffix, is_compressed = suffixes(source)
    is_path = source == STANDARD_INPUT or source.startswith((".", "/", "~")) or Path(source).is_absolute()
    path = folder / source
    return is_path or is_compressed or suffix in FILE_SUFFIXES or (path.exists() and not path.is_dir())


def _folder(name: str, place: str) -> str:
    path = Path(_absolute(place, Path.cwd()))
    if path.is_dir():
        return str(path)
    if path.exists():
        raise InputError(f"{place!r} is a file, and {name!r} is a model: give its folder")
    if is_path(place):
        raise InputError(f"there is no folder {place!r} to take the place of {name!r}")
    return place


def _absolute(path: str, folder: Path) -> str:
    return os.path.normpath(folder / Path(path).expanduser())


PRESETS: Mapping[str, DatasetPlan] = {
    # Stanford Sentiment Treebank (Socher et al. 2013) as in GLUE: 1,821 test sentences, whose labels are hidden.
    "sst2": DatasetPlan(name="sst2", source="nyu-mll/glue", config="sst2", split="test", column=("sentence",)),
    # Sentence polarity of film reviews (Pang and Lee 2005): 1,066 test sentences, the positive ones first.
    "rotten_tomatoes": DatasetPlan(
        name="rotten_tomatoes",
        source="cornell-movie-review-data/rotten_tomatoes",
        split="test",
        column=("text",),
        seed=0,
    ),
    # Film reviews (Maas et al. 2011): 2,000 test reviews under 2,000 characters, as many as the paper drew.
    "imdb": DatasetPlan(
        name="imdb", source="stanfordnlp/imdb", split="test", column=("text",), max_characters=2000, limit=2000, seed=0
    ),
}
