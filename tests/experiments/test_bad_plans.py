"""Plans that cannot be: each is a sentence with the file and the place."""

import sys
from pathlib import Path

import pytest
from support.plan_files import SMALL, changed, written

from unmask.errors import ArgumentError, InputError
from unmask.experiments.plan import Plan


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("top = \n", "is not TOML: Invalid value (at line 1, column 7)"),
        ("basline = ['mask']" + SMALL, "unknown key 'basline'; did you mean 'baselines'? known keys: baselines, "),
        ("protocol = 'papr'" + SMALL, "unknown protocol 'papr'; did you mean 'paper'?"),
        ("baselines = ['msk']" + SMALL, "unknown baseline 'msk'; did you mean 'mask'?"),
        ("baselines = []" + SMALL, "baselines is empty; add a value or remove the key"),
        ("baselines = ['pad', 'pad']" + SMALL, "baselines: duplicate 'pad'"),
        ("operators = ['drop']" + SMALL, "unknown operator 'drop'"),
        ("operators = 3" + SMALL, "operators=3: expected a list of strings"),
        ("controls = ['greedily']" + SMALL, "unknown control 'greedily'; did you mean 'greedy'?"),
        ("top = 1.5" + SMALL, "top=1.5: expected a share of the units, above 0 and at most 1"),
        ("top = true" + SMALL, "top=True: expected a share"),
        ("curve = [0.1, 0]" + SMALL, "curve=0: expected a share"),
        ("curve = []" + SMALL, "curve=[]: expected a list of shares"),
        ("curve = 0.1" + SMALL, "curve=0.1: expected a list of shares"),
        ("seed = -1" + SMALL, "seed=-1: expected a whole number of at least 0"),
        ("unit = 'wrd'" + SMALL, "unknown unit 'wrd'; did you mean 'word'?"),
        ("scale = 'logits'" + SMALL, "unknown scale 'logits'; did you mean 'logit'?"),
        ("target = [1]" + SMALL, "target=[1]: expected predicted, max, a label or its index"),
        ("dtype = 'float8'" + SMALL, "unknown dtype 'float8'"),
        ("max_length = 0" + SMALL, "max_length=0: expected a whole number of at least 1"),
        ("baselines = ['token:']" + SMALL, "unknown baseline 'token:'"),
        (changed('["sig"]', '["sig", "random"]'), "'random' is both a method and a control"),
        ("max_units = 64" + SMALL, "max_units=64: expected a table, such as max_units = { shapley = 64 }"),
        ("max_units = { sgi = 3 }" + SMALL, "max_units: unknown method 'sgi'; did you mean 'sig'?"),
        ("max_units = { sig = 0 }" + SMALL, "max_units.sig=0: expected a whole number of at least 1"),
        ("name = ''" + SMALL, "the plan has no name"),
        ("protocol = 'paper'\noperators = ['mask']" + SMALL, "operators applies to the protocol 'corrected', but"),
        ("distilbert = 'twice'" + SMALL, "distilbert applies to the protocol 'paper', but the"),
        ("protocol = 'paper'\ndistilbert = 'thrice'" + SMALL, "unknown distilbert 'thrice'; did you mean 'twice'?"),
        (changed('methods = ["sig"]', ""), "the plan has no methods"),
        (changed('["sig"]', '["sgi"]'), "methods: unknown method 'sgi'; did you mean 'sig'?"),
        (changed('["sig"]', '["ig:step=3"]'), "methods: unknown ig setting 'step'; did you mean 'steps'?"),
        (changed('["sig"]', '["ig:steps=0"]'), "methods: steps=0: expected a whole number from 1 to 10,000"),
        (changed('["sig"]', '["ig", "ig:steps=50"]'), "methods: duplicate method: 'ig:steps=50' is the same as 'ig'"),
        (changed('["sig"]', '["steps=50"]'), "methods: 'steps=50' is a setting; write METHOD:steps=50"),
        (changed('methods = ["sig"]', 'methods.papr = ["sig"]'), "unknown protocol 'papr'"),
        (changed('methods = ["sig"]', 'methods.paper = ["sig"]'), "no methods for the protocol 'corrected', only for"),
        (changed("[datasets.mine]", "[datasets.'a/b']"), "dataset 'a/b': names must not contain / * or ="),
        (changed("[datasets.mine]\nsource = ", "[datasets]\nmine = "), "datasets.mine: expected a table"),
        (changed('source = "reviews.csv"', ""), "datasets.mine: no source; set source to a file or a hub dataset"),
        (changed('"reviews.csv"', '"-"'), "datasets.mine: standard input cannot be reread"),
        (changed('"reviews.csv"', '"some/data"'), "'some/data' is a hub dataset and needs a split"),
        (changed('"reviews.csv"', '"reviews.csv"\nsplit = "test"'), "is a file; config and split apply only to"),
        (changed('"reviews.csv"', '"reviews.txt"\ncolumn = "text"'), "one text per line, so there are no columns"),
        (changed('"reviews.csv"', '"reviews.csv"\nlimt = 3'), "datasets.mine: unknown dataset key 'limt'; did you"),
        (changed('"reviews.csv"', '"reviews.csv"\nlimit = "3"'), "datasets.mine: limit='3': expected a whole number"),
        (changed('"reviews.csv"', '"reviews.csv"\nmax_tokens = 0'), "max_tokens=0: expected a whole number"),
        (changed('"reviews.csv"', '"reviews.csv"\nseed = 1.5'), "datasets.mine: seed=1.5: expected a whole number"),
        (changed('"reviews.csv"', '"reviews.csv"\nform = "cvs"'), "datasets.mine: unknown form 'cvs'; did you mean"),
        (changed('"reviews.csv"', '"reviews.csv"\nlabel = 3'), "datasets.mine: label=3: expected a non-empty string"),
        (changed('"reviews.csv"', '"reviews.csv"\ncolumn = ["a", "b", "c"]'), "3 columns given; expected one, or two"),
        (changed('source = "reviews.csv"', 'preset = "sst"'), "datasets.mine: unknown preset 'sst'; did you mean"),
        (changed('"reviews.csv"', '"reviews.csv"\npreset = "sst2"'), "preset 'sst2' fixes source"),
        (changed('bert = "some/bert"', ""), "the plan has no models"),
        (changed('bert = "some/bert"', "bert = 3"), "models.bert: 3: expected a folder, a hub name, or a table"),
        (changed('bert = "some/bert"', "bert = {}"), "models.bert: model 'bert' has no source"),
        (changed('bert = "some/bert"', "bert.mine = ''"), "models.bert: mine='': expected a non-empty string"),
        (changed('bert = "some/bert"', "bert.min = 'x'"), "models.bert: unknown dataset 'min'; did you mean 'mine'?"),
        (changed('bert = "some/bert"', "mine = 'x'"), "duplicate name 'mine'"),
        (changed("[models]", '[datasets.two]\nsource = "2.txt"\n[models]\nroberta.mine = "x"')
         .replace('bert = "some/bert"', ""), "dataset 'two' has no model"),
        ("curve = 1979-05-27" + SMALL, "curve=1979-05-27: expected a list of shares"),
        ("baselines = [[]]" + SMALL, "baselines=[[]]: expected a list of strings"),
        ("seed = " + "9" * 5_000 + SMALL, "is not TOML: a number has more than 4,300 digits"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises((ArgumentError, InputError)) as raised:
        Plan.load(path)
    assert words in str(raised.value)
    assert repr(path) in str(raised.value)


def test_a_plan_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ArgumentError, match=r"unknown plan 'papr'; did you mean 'paper'. known plans: paper, paper-ste"
    ):
        Plan.load("papr")
    with pytest.raises(InputError, match=r"cannot read 'mine.toml': No such file"):
        Plan.load("mine.toml")
    Path("mine.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match=r"'mine.toml' is not UTF-8 .at byte 9., which TOML requires"):
        Plan.load("mine.toml")


def test_a_method_that_is_not_installed_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "captum", None)
    with pytest.raises(ArgumentError, match=r"the plan 'paper': methods.corrected: deeplift needs captum"):
        Plan.load("paper")
