"""The parts of a plan: which texts, which models, and which of them go together. Nothing here reads a text."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import ArgumentError, InputError
from ..inputs import FORMATS, Source
from ..inputs.columns import Columns
from ..inputs.opening import STANDARD_INPUT, suffixes
from ..methods.checks import check_count, check_seed
from ..results.atomic_io import is_path

HERE = Path()
# `.json` is refused, in words that help.
FILE_SUFFIXES = (*(suffix for form in FORMATS.values() for suffix in form.suffixes), ".json")


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
        """Refuse values that no dataset can have."""
        check_name("dataset", self.name)
        check_text("source", self.source)
        for name in ("config", "split", "label", "rationale", "form", "quoting", "given"):
            if getattr(self, name) is not None:
                check_text(name, getattr(self, name))
        check_texts("column", self.column, may_be_empty=True)
        Columns(self.column)
        for name in ("max_characters", "max_tokens", "limit"):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name))
        if self.seed is not None:
            check_seed(self.seed)
        if self.rationale is not None and self.label is None:
            raise ArgumentError(
                f"rationale={self.rationale!r} without label: people's marks are counted where the model is right, "
                "which only gold labels can tell",
                hint="say which column has them",
            )

    @property
    def is_file(self) -> bool:
        """Whether its texts are in a file, and not on the hub."""
        return self.is_file_in(HERE)

    def is_file_in(self, folder: Path) -> bool:
        """The same for a path that is relative to a folder."""
        return bool(self.form or self.quoting) or is_file(self.source, folder)

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
        """Refuse a model without a place."""
        check_name("model", self.name)
        if not self.sources:
            raise ArgumentError(f"the model {self.name!r} goes with no dataset: name a folder or a hub name for one")
        for dataset, source in self.sources.items():
            check_text(dataset, source)
        if self.labels is not None:
            check_texts("labels", self.labels)
        if self.revision is not None:
            check_text("revision", self.revision)


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


def check_text(name: str, value: object) -> None:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ArgumentError(f"{name}={value!r}: a text was expected")


def check_texts(name: str, values: object, *, may_be_empty: bool = False) -> None:
    """Several texts, none of them twice."""
    if not isinstance(values, tuple | list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise ArgumentError(f"{name}={values!r}: a list of texts was expected")
    if not values and not may_be_empty:
        raise ArgumentError(f"{name} is empty: name one at least, or leave it away")
    for value, times in Counter(values).items():
        if times > 1:
            raise ArgumentError(f"{name} has {value!r} twice")


def check_name(kind: str, name: object) -> None:
    """A name by which a dataset or a model is called."""
    check_text(f"the name of a {kind}", name)
    if set("/*=") & set(str(name)):
        raise ArgumentError(f"the {kind} {name!r}: a name has none of / * =")


def check_share(name: str, value: object) -> None:
    """A share of a text's units."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ArgumentError(f"{name}={value!r}: a share of the units was expected, above 0 and at most 1")


@dataclass(frozen=True, slots=True)
class Preset:
    """A dataset that is known, and where it comes from."""

    dataset: DatasetPlan
    note: str


PRESETS: Mapping[str, Preset] = {
    "sst2": Preset(
        DatasetPlan(name="sst2", source="nyu-mll/glue", config="sst2", split="test", column=("sentence",)),
        "Stanford Sentiment Treebank (Socher et al. 2013) as in GLUE: 1,821 test sentences, whose labels are hidden",
    ),
    "rotten_tomatoes": Preset(
        DatasetPlan(
            name="rotten_tomatoes",
            source="cornell-movie-review-data/rotten_tomatoes",
            split="test",
            column=("text",),
            seed=0,  # the positive ones stand first: the first hundred are of one class
        ),
        "Sentence polarity of film reviews (Pang and Lee 2005): 1,066 test sentences",
    ),
    "imdb": Preset(
        DatasetPlan(
            name="imdb",
            source="stanfordnlp/imdb",
            split="test",
            column=("text",),
            max_characters=2000,
            limit=2000,
            seed=0,
        ),
        "Film reviews (Maas et al. 2011): 2,000 test reviews under 2,000 characters, as many as the paper drew",
    ),
}


def has_own_column(dataset: DatasetPlan) -> bool:
    """Whether a dataset's column is what a preset calls it on the hub, and nobody's choice."""
    known = [one.dataset for one in PRESETS.values()]
    return any(
        (dataset.source, dataset.config, dataset.column) == (one.source, one.config, one.column) for one in known
    )
