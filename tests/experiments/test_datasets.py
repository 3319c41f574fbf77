"""The texts of a dataset: from files, from the hub, and which of them are taken."""

import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.shared import SHARED, json_lines, needs_shared, sst2

from unmask import Example
from unmask.errors import ArgumentError, InputError
from unmask.experiments import datasets as module
from unmask.experiments.datasets import load_texts, shuffled_indices
from unmask.experiments.examples import UnreadError
from unmask.experiments.plan import Plan
from unmask.experiments.plan_parts import PRESETS, DatasetPlan

ROWS = [{"sentence": f"film {number}" + "!" * number, "label": number % 2} for number in range(20)]


def read(dataset: DatasetPlan, **options: Any) -> list[str]:
    return [one.request.text for one in load_texts(dataset, **options) if isinstance(one, Example)]


@pytest.fixture
def films(tmp_path: Path) -> DatasetPlan:
    path = tmp_path / "films.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return DatasetPlan(name="films", source=str(path))


def test_a_file_is_read_as_everywhere(films: DatasetPlan, tmp_path: Path) -> None:
    assert read(films) == [row["sentence"] for row in ROWS]
    labelled = load_texts(replace(films, column=("sentence",), label="label", limit=2))
    assert [one.label for one in labelled if isinstance(one, Example)] == [0, 1]
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a\tb\nIt rains.\tIt is wet.\n")
    (pair,) = load_texts(DatasetPlan(name="pairs", source=str(pairs), column=("a", "b")))
    assert isinstance(pair, Example)
    assert pair.request.texts == ["It rains.", "It is wet."]
    quoted = tmp_path / "odd"
    quoted.write_text('text\n"A film."\n')
    assert read(DatasetPlan(name="odd", source=str(quoted), form="csv")) == ["A film."]
    assert read(DatasetPlan(name="odd", source=str(quoted), form="csv", quoting="none")) == ['"A film."']


def test_the_first_so_many_that_are_short_enough(films: DatasetPlan) -> None:
    assert read(replace(films, limit=3)) == [row["sentence"] for row in ROWS[:3]]
    short = read(replace(films, max_characters=len("film 2!!")))  # fewer than that
    assert short == ["film 0", "film 1!"]
    assert read(replace(films, max_characters=9, limit=2)) == short


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_a_sample_is_the_same_twice_and_in_the_files_order(films: DatasetPlan, seed: int) -> None:
    everything = read(films)
    sample = read(replace(films, limit=8, seed=seed))
    assert sample == read(replace(films, limit=8, seed=seed))
    assert sample == sorted(sample, key=everything.index)
    assert len(set(sample)) == 8
    assert sample != everything[:8]
    assert set(read(replace(films, limit=5, seed=seed))) < set(sample)
    assert read(replace(films, limit=100, seed=seed)) == everything
    assert read(replace(films, seed=seed)) == everything


def test_a_text_says_on_which_line_it_stands(films: DatasetPlan) -> None:
    found = [one for one in load_texts(replace(films, limit=3, seed=0)) if isinstance(one, Example)]
    numbers = [one.request.text.count("!") for one in found]  # from 0
    assert (
        [one.place for one in found] == [f"line {number + 1}" for number in numbers] != ["line 1", "line 2", "line 3"]
    )


def test_seeds_differ_and_stay_what_they_are() -> None:
    assert shuffled_indices(10, 0) == [3, 7, 5, 2, 8, 4, 9, 1, 6, 0]  # by 0.844, 0.758, 0.421, 0.259, ...
    assert shuffled_indices(10, 1) != shuffled_indices(10, 0)
    assert sorted(shuffled_indices(1000, 5)) == list(range(1000))


def test_a_sample_is_drawn_evenly() -> None:
    counts = [0] * 10
    for seed in range(2000):
        for place in shuffled_indices(10, seed)[:3]:
            counts[place] += 1
    assert all(480 < count < 720 for count in counts)  # 600 each; 6 standard errors


def test_tokens_are_counted_by_the_caller_and_before_the_limit(films: DatasetPlan) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return text.count("!")

    dataset = replace(films, max_tokens=9)
    assert read(dataset, count_tokens=count) == [row["sentence"] for row in ROWS[:10]]
    assert read(replace(dataset, limit=4, seed=0), count_tokens=count) == [
        row["sentence"]
        for place, row in enumerate(ROWS)
        if place in [one for one in shuffled_indices(20, 0) if one < 10][:4]
    ]
    counted.clear()
    read(replace(dataset, limit=4), count_tokens=count)
    assert len(counted) == 4  # no more than it takes
    with pytest.raises(ArgumentError, match="max_tokens=9 needs count_tokens"):
        load_texts(dataset)


def test_what_cannot_be_read_stays_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "A film."}\n{"text": 3}\n{"text": "A dull film."}\n')
    dataset = DatasetPlan(name="mine", source=str(path), max_characters=10)
    found = load_texts(dataset)
    assert len(found) == 2
    assert isinstance(found[1], UnreadError)
    assert (found[1].place, str(found[1])) == ("line 2", "the column 'text' is a number, not a string")
    short = load_texts(replace(dataset, max_characters=None, max_tokens=1), count_tokens=len)
    assert list(map(str, short)) == [str(found[1])]


def test_a_line_may_lack_its_label(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "A film.", "gold": 1}\n{"text": "A dull film."}\n{"text": "A film!", "gold": ""}\n')
    found = load_texts(DatasetPlan(name="mine", source=str(path), label="gold"))
    assert [one.label for one in found if isinstance(one, Example)] == [1, None, None]


def test_what_is_no_dataset_is_a_sentence(films: DatasetPlan, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="dataset 'films': all 20 texts are too long"):
        load_texts(replace(films, max_characters=2))
    with pytest.raises(ArgumentError, match="'films' has no column 'gold'; other columns: label"):
        load_texts(replace(films, label="gold"))
    with pytest.raises(InputError, match=r"no column 'text', 'sentence', 'prompt' or 'messages'|no column 'review'"):
        load_texts(replace(films, column=("review",)))
    with pytest.raises(InputError, match="No such file"):
        load_texts(DatasetPlan(name="none", source=str(tmp_path / "none.csv")))
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(InputError, match="is a single JSON document"):
        load_texts(DatasetPlan(name="none", source=str(tmp_path / "x.json")))


class Rows(list[dict[str, Any]]):
    """A split as the library gives it."""

    @property
    def column_names(self) -> list[str]:
        return list(self[0])


class Library(ModuleType):
    """The library `datasets`, as far as it is used."""

    def __init__(self, answer: Any) -> None:
        super().__init__("datasets")
        self.answer, self.prepared, self.bars = answer, list[Any](), True

    def load_dataset(self, source: str, config: str | None, *, split: str) -> Any:
        assert not self.bars
        assert logging.getLogger("datasets").level == logging.ERROR
        self.prepared.append((source, config, split))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def are_progress_bars_disabled(self) -> bool:
        return not self.bars

    def disable_progress_bars(self) -> None:
        self.bars = False

    def enable_progress_bars(self) -> None:
        self.bars = True


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    found = Library(Rows(ROWS))
    monkeypatch.setitem(sys.modules, "datasets", found)
    level = logging.getLogger("datasets").level
    yield found
    assert found.bars
    assert logging.getLogger("datasets").level == level


def test_a_name_on_the_hub(library: Library) -> None:
    dataset = PRESETS["sst2"]
    assert read(replace(dataset, limit=5, seed=0)) == [
        ROWS[place]["sentence"] for place in sorted(shuffled_indices(20, 0)[:5])
    ]
    assert library.prepared == [("nyu-mll/glue", "sst2", "test")]
    library.answer = Rows(
        [{"sentence": "a", "label": -1}, {"sentence": "b", "label": 1}, {"sentence": None, "label": 0}]
    )
    found = load_texts(replace(dataset, label="label"))
    assert [one.label for one in found if isinstance(one, Example)] == [None, 1]  # hidden, and not
    assert isinstance(found[2], UnreadError)
    assert (found[2].place, str(found[2])) == ("row 3", "the column 'sentence' is null, not a string")
    with pytest.raises(InputError, match="'nyu-mll/glue': no column 'text'; columns: sentence, label"):
        load_texts(replace(dataset, column=("text",)))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ConnectionError("Couldn't reach 'nyu-mll/glue' on the Hub (OfflineModeIsEnabled)"),
            "dataset 'sst2' (nyu-mll/glue on the hub) is not downloaded, and the hub cannot be reached; "
            "use a file: --map sst2=FILE",
        ),
        (
            ValueError("Unknown split \"tset\". Should be one of ['train', 'test'].\nMore."),
            "cannot read 'nyu-mll/glue' from the hub: Unknown split \"tset\". Should be one of ['train', 'test'].; "
            "use a file: --map sst2=FILE",
        ),
    ],
)
def test_the_hub_gives_nothing(library: Library, error: Exception, words: str) -> None:
    library.answer = error
    with pytest.raises(InputError) as raised:
        load_texts(PRESETS["sst2"])
    assert str(raised.value) == words


def test_the_library_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError) as raised:
        load_texts(PRESETS["imdb"])
    assert "needs the library datasets: pip install 'unmask[data]', or use a file: --map imdb=FILE" in str(raised.value)


def test_the_library_itself_says_when_it_is_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    with pytest.raises(InputError, match="is not downloaded, and the hub cannot be reached"):
        load_texts(replace(PRESETS["imdb"], source="nobody/nothing-of-this-name"))


@needs_shared
def test_the_papers_datasets_from_files() -> None:
    data = SHARED / "data"
    places = {
        "sst2": data / "sst2" / "test.tsv.gz",
        "imdb": data / "imdb" / "test_sample.jsonl.gz",
        "rotten_tomatoes": data / "rotten_tomatoes" / "test.tsv.gz",
    }
    plan = Plan.load("paper").mapped({name: str(path) for name, path in places.items()})
    found = {one.name: read(one) for one in plan.datasets}
    assert found["sst2"] == [row["text"] for row in sst2("test")]
    assert len(found["rotten_tomatoes"]) == 1_066
    reviews = [row["text"] for row in json_lines("imdb/test_sample.jsonl.gz")]
    assert found["imdb"] == [review for review in reviews if len(review) < 2_000]
    twenty = [read(one) for one in plan.limited(20).datasets if one.name == "imdb"]
    assert twenty == [read(one) for one in plan.limited(20).datasets if one.name == "imdb"]
    assert len(twenty[0]) == 20
    assert set(twenty[0]) <= set(found["imdb"])


@needs_shared
def test_a_few_sentences_of_rotten_tomatoes_are_of_both_classes() -> None:
    file = SHARED / "data" / "rotten_tomatoes" / "test.tsv.gz"
    dataset = replace(Plan.load("paper").mapped({"rotten_tomatoes": str(file)}).limited(20).datasets[2], label="label")
    labels = [one.label for one in load_texts(dataset) if isinstance(one, Example)]
    assert len(labels) == 20
    assert 5 < labels.count("1") < 15


def test_only_this_file_imports_the_library() -> None:
    sources = Path(module.__file__).parents[1].rglob("*.py")
    found = [path.name for path in sources if "import datasets" in path.read_text(encoding="utf-8")]
    assert found == ["datasets.py"]
