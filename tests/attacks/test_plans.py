"""Hostile plans: whatever is in the file, a plan that holds together or an error of ours."""

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import NAMES, toml
from support.plan_files import SMALL, changed, written

from unmask.errors import UnmaskError
from unmask.experiments.plan import Plan

LONG = "x" * 5_000
LISTED = {
    "a list as protocol": "protocol = []" + SMALL,
    "a number as protocol": "protocol = 3" + SMALL,
    "a list as preset": changed('source = "reviews.csv"', 'preset = ["sst2"]'),
    "a table as preset": changed('source = "reviews.csv"', "preset = { sst2 = 1 }"),
    "a user that is not there, of a dataset": changed('"reviews.csv"', '"~nosuchuser/x.csv"'),
    "a user that is not there, of a model": changed('"some/bert"', '"~nosuchuser"'),
    "a NUL in a dataset's name": changed("[datasets.mine]", '[datasets."mi\\u0000ne"]'),
    "a NUL in a dataset's source": changed('"reviews.csv"', '"re\\u0000views.csv"'),
    "a NUL in a model's name": changed("bert =", '"be\\u0000rt" ='),
    "a NUL in a model's source": changed('"some/bert"', '"some\\u0000/bert"'),
    "a NUL in a method": changed('["sig"]', '["si\\u0000g"]'),
    "nested brackets": "x = " + "[" * 100_000 + SMALL,
    "nested tables": "x = " + "{a=" * 20_000 + SMALL,
    "nested keys": "x" + ".x" * 20_000 + " = 1" + SMALL,
    "an integer of 5,000 digits": "seed = " + "9" * 5_000 + SMALL,
    "an integer of 400 digits": "seed = " + "9" * 400 + SMALL,
    "an integer of 65 bits": f"max_length = {2**64}" + SMALL,
    "a hexadecimal integer of 10,000 digits": "seed = 0x" + "f" * 10_000 + SMALL,
    "an infinite share": "top = inf" + SMALL,
    "a share that is no number": "top = nan" + SMALL,
    "a share that is a date": "top = 1979-05-27" + SMALL,
    "a date that is none": "a = 2020-13-45" + SMALL,
    "a float as a count": "max_length = 1e3" + SMALL,
    "lists of lists": "baselines = [[]]" + SMALL,
    "tables in a list": "controls = [{}]" + SMALL,
    "a table as unit": "unit = {}" + SMALL,
    "a list as dtype": "dtype = []" + SMALL,
    "a list as scale": "scale = []" + SMALL,
    "a list as name": "name = [1]" + SMALL,
    "methods in a list of lists": changed('["sig"]', '[["sig"]]'),
    "a number as methods": changed('["sig"]', "3"),
    "a number as the methods of a protocol": changed('["sig"]', "{ corrected = 3 }"),
    "a method without a name": changed('["sig"]', '[":"]'),
    "an empty method": changed('["sig"]', '[""]'),
    "a list as the form of a file": changed('"reviews.csv"', '"reviews.csv"\nform = []'),
    "a list as quoting": changed('"reviews.csv"', '"reviews.csv"\nquoting = []'),
    "columns in a list of lists": changed('"reviews.csv"', '"reviews.csv"\ncolumn = [[]]'),
    "a list as source": changed('"reviews.csv"', "[]"),
    "a list as a model's source": changed('"some/bert"', "{ mine = [] }"),
    "labels in a list of lists": changed('"some/bert"', '{ labels = [[]], mine = "x" }'),
    "a list as revision": changed('"some/bert"', '{ revision = [], mine = "x" }'),
    "a list as a limit of units": "max_units = { sig = [] }" + SMALL,
    "a list as a protocol's setting": "protocol = 'paper'\ndistilbert = []" + SMALL,
    "strings in a curve": "curve = ['a']" + SMALL,
    "a table as curve": "curve = { a = 1 }" + SMALL,
    "a byte order mark": "\ufeff" + SMALL,
    "a NUL in the file": "a\0 = 1" + SMALL,
    "nothing but brackets": "{" * 10,
    "an empty file": "",
    **{f"as the name of a key, {kind}": f"{toml(name)} = 1{SMALL}" for kind, name in NAMES.items()},
    **{f"as a value, {kind}": f"protocol = {toml(name)}{SMALL}" for kind, name in NAMES.items()},
}
FINE = {
    "a long name of a dataset": changed("[datasets.mine]", f"[datasets.{LONG}]"),
    "a long path of a dataset": changed('"reviews.csv"', f'"{LONG}.csv"'),
    "a long path of a model": changed('"some/bert"', f'"./{LONG}"'),
    **{
        f"as the name of a model, {kind}": changed("bert =", toml(name.translate(dict.fromkeys(b"/*="))) + " =")
        for kind, name in NAMES.items()
    },
}


@pytest.mark.parametrize("name", LISTED)
def test_a_plan_that_cannot_be_is_a_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnmaskError):
        Plan.load(written(tmp_path, LISTED[name]))


@pytest.mark.parametrize("name", FINE)
def test_a_strange_plan_is_read(name: str, tmp_path: Path) -> None:
    hold_together(Plan.load(written(tmp_path, FINE[name])))


@pytest.mark.parametrize("name", ["~nosuchuser/x.toml", "~nosuchuser", "a\0b.toml", f"{LONG}.toml", "", ".", "/"])
def test_a_path_that_is_no_plan_is_a_sentence(name: str) -> None:
    with pytest.raises(UnmaskError):
        Plan.load(name)


def hold_together(plan: Plan) -> None:
    """What a command does with a plan before it opens a model."""
    assert Plan.from_dict(plan.to_dict()) == plan
    plan.limited(3)
    for pair in plan.pairs():
        with suppress(UnmaskError):
            pair.check_there()
    with suppress(UnmaskError):
        plan.under("paper")
    with suppress(UnmaskError):
        plan.mapped({"bert": "~nosuchuser"})


TEXT = st.one_of(
    st.sampled_from(["", " ", "sig", "ig:steps=3", "mask", "paper", "sst2", "~", "~nobody", "-", ".", "a/b", "x.csv"]),
    st.sampled_from(list(NAMES.values())),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
SCALAR = st.one_of(
    TEXT, st.booleans(), st.integers(), st.integers(2**62, 2**70), st.floats(), st.dates(), st.times(), st.datetimes()
)
VALUE = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))
KEYS = sorted(Plan.__dataclass_fields__.keys() - {"protocol_settings"})
DATASET = [
    "source",
    "preset",
    "column",
    "label",
    "rationale",
    "limit",
    "seed",
    "max_tokens",
    "form",
    "quoting",
    "split",
]
DATASETS = st.dictionaries(TEXT, VALUE | st.dictionaries(st.sampled_from(DATASET), VALUE, max_size=4), max_size=3)
GOOD: dict[str, Any] = {
    "methods": ["sig"],
    "datasets": {"mine": {"source": "reviews.csv"}},
    "models": {"bert": "some/bert"},
}


PLACES = [
    *((key,) for key in KEYS),
    ("distilbert",),
    *(("datasets", "mine", key) for key in DATASET),
    *(("models", "bert", key) for key in ("mine", "source", "labels", "revision")),
    ("datasets", "mine"),
    ("models", "bert"),
    ("methods", "corrected"),
    ("max_units", "sig"),
]


@settings(deadline=None, max_examples=500)
@given(st.sampled_from(PLACES), VALUE)
def test_no_value_of_a_plan_raises_what_is_not_ours(place: tuple[str, ...], changed: Any) -> None:
    tables: dict[str, Any] = {**GOOD, "datasets": {"mine": {"source": "reviews.csv"}}, "models": {"bert": "some/bert"}}
    inner = tables
    for key in place[:-1]:
        inner[key] = dict(known) if isinstance(known := inner.get(key), dict) else {}
        inner = inner[key]
    inner[place[-1]] = changed
    load(tables)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(KEYS) | TEXT, VALUE, max_size=3), DATASETS, st.booleans())
def test_no_plan_raises_what_is_not_ours(changes: dict[str, Any], datasets: dict[str, Any], has_datasets: bool) -> None:
    load(GOOD | ({"datasets": datasets} if has_datasets else {}) | changes)


def load(tables: dict[str, Any]) -> None:
    """Write and read a plan, which may be refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), f"{value(tables)[1:-1]}".replace(KEY_END, "\n"))
        try:
            plan = Plan.load(path)
        except UnmaskError:
            return
        hold_together(plan)


KEY_END = "\ue000"  # between the keys of the file itself, which end with lines


def value(given: Any, *, inner: bool = False) -> str:
    """TOML of a value."""
    if isinstance(given, dict):
        pairs = (f"{toml(key)} = {value(one, inner=True)}" for key, one in given.items())
        return f"{{{(', ' if inner else KEY_END).join(pairs)}}}"
    if isinstance(given, list):
        return f"[{', '.join(value(one, inner=True) for one in given)}]"
    if isinstance(given, str):
        return toml(given)
    return str(given).lower() if isinstance(given, bool | float) else str(given)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: (SMALL + text).encode(errors="replace")))
def test_no_bytes_raise_what_is_not_ours(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plan.toml").write_bytes(content)
        try:
            hold_together(Plan.load(str(Path(folder) / "plan.toml")))
        except UnmaskError:
            return
