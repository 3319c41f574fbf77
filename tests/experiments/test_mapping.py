"""Local folders and files in the place of the names in a plan."""

from pathlib import Path

import pytest
from support.plan_files import changed, written
from support.shared import SHARED, needs_shared

from unmask.errors import ArgumentError, InputError, UnmaskError
from unmask.experiments.plan import Plan


def test_a_file_that_is_there_needs_no_suffix(tmp_path: Path) -> None:
    (tmp_path / "reviews").write_text("A film.\n")
    plan = Plan.load(written(tmp_path, changed('"reviews.csv"', '"reviews"')))
    assert plan.datasets[0].source == str(tmp_path / "reviews")


def test_a_relative_path_is_relative_to_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plans").mkdir()
    text = changed('"reviews.csv"', '"../data/reviews.csv"').replace('"some/bert"', '"../models/bert"')
    written(tmp_path / "plans", text)
    plan = Plan.load(Path("plans/mine.toml"))
    assert plan.datasets[0].source == str(tmp_path / "data" / "reviews.csv")
    assert [pair.source for pair in plan.pairs()] == [str(tmp_path / "models" / "bert")]


def test_mapping_a_model_by_its_name_or_by_one_source(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    plan = Plan.load("paper").only(["*/bert", "sst2/roberta"])
    found = plan.mapped({"bert": one, "textattack/bert-base-uncased-imdb": two, "roberta": "other/roberta"})
    assert {pair.name: pair.source for pair in found.pairs()} == {
        "sst2/bert": one, "imdb/bert": two, "rotten_tomatoes/bert": one, "sst2/roberta": "other/roberta"
    }  # fmt: skip


@needs_shared
def test_mapping_the_papers_plan_onto_what_is_here() -> None:
    data = SHARED / "data"
    places = {
        "sst2": str(data / "sst2" / "test.tsv.gz"),
        "imdb": str(data / "imdb" / "test_sample.jsonl.gz"),
        "cornell-movie-review-data/rotten_tomatoes": str(data / "rotten_tomatoes" / "test.tsv.gz"),
        **{name: str(SHARED / "models" / f"{name}-sst2") for name in ("bert", "distilbert", "roberta")},
    }
    found = Plan.load("paper").mapped(places)
    sst2, imdb, rotten = found.datasets
    assert (sst2.column, sst2.config, sst2.split) == ((), None, None)  # the hub's `sentence` is `text` here
    assert (imdb.column, imdb.max_characters, imdb.limit, imdb.seed) == (("text",), 2000, 2000, 0)
    assert rotten.source == places["cornell-movie-review-data/rotten_tomatoes"]
    assert {pair.source for pair in found.pairs()} == {places[name] for name in ("bert", "distilbert", "roberta")}
    assert Plan.from_dict(found.to_dict()) == found


def columns_after(path: Path, content: str, plan: Plan | None = None) -> tuple[str, ...]:
    path.write_text(content)
    name = (plan or Plan.load("paper-steps")).datasets[0].name
    return (plan or Plan.load("paper-steps")).mapped({name: str(path)}).datasets[0].column


def test_a_presets_column_is_what_the_hub_calls_it(tmp_path: Path) -> None:
    assert columns_after(tmp_path / "x.csv", "sentence,text\na,b\n") == ("sentence",)
    assert columns_after(tmp_path / "y.csv", "id,text\na,b\n") == ()
    assert columns_after(tmp_path / "z.txt", "a film\n") == ()
    with pytest.raises(
        InputError, match="no column 'text', 'sentence', 'prompt' or 'messages'; columns: id, review"
    ) as raised:
        columns_after(tmp_path / "w.csv", "id,review\na,b\n")
    assert raised.value.hint == "write your own plan and set column = ... in it"


def test_a_column_of_ones_own_is_not_given_up(tmp_path: Path) -> None:
    text = changed('"reviews.csv"', '"some/data"\nsplit = "test"\ncolumn = "review"')
    plan = Plan.load(written(tmp_path, text))
    with pytest.raises(InputError, match="no column 'review'; columns: id, text"):
        columns_after(tmp_path / "x.csv", "id,text\na,b\n", plan)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ({"brt": "."}, "unknown name 'brt'; did you mean 'bert'? known names: bert, cornell"),
        ({"bert": "./nothing"}, "model 'bert': no such folder: './nothing'"),
        ({"bert": "x.csv"}, "'x.csv' is a file, but 'bert' is a model; give its folder"),
        ({"bert": ""}, "'bert': the path is empty; give a folder or a file"),
        ({"sst2": "nothing.csv"}, "nothing.csv': No such file or directory"),
        ({"sst2": "."}, "is a directory, not a file"),
        ({"sst2": ""}, "'sst2': the path is empty"),
    ],
)
def test_what_cannot_be_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: dict[str, str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("text\na\n")
    with pytest.raises(UnmaskError) as raised:
        Plan.load("paper").mapped(places)
    assert words in str(raised.value)


def test_a_source_of_two_datasets_is_mapped_by_their_names(tmp_path: Path) -> None:
    two = '"nyu-mll/glue"\nconfig = "cola"\nsplit = "test"\n[datasets.two]\npreset = "sst2"'
    plan = Plan.load(written(tmp_path, changed('"reviews.csv"', two)))
    with pytest.raises(ArgumentError, match="2 datasets share the source 'nyu-mll/glue'; use a dataset's name instead"):
        plan.mapped({"nyu-mll/glue": "x.csv"})
