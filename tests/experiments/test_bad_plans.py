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
        ("baselines = []" + SMALL, "baselines is empty: name one at least, or leave it away"),
        ("baselines = ['pad', 'pad']" + SMALL, "baselines has 'pad' twice"),
        ("operators = ['drop']" + SMALL, "unknown operator 'drop'"),
        ("operators = 3" + SMALL, "operators=3: a list of texts was expected"),
        ("controls = ['greedily']" + SMALL, "unknown control 'greedily'; did you mean 'greedy'?"),
        ("top = 1.5" + SMALL, "top=1.5: a share of the units was expected, above 0 and at most 1"),
        ("top = true" + SMALL, "top=True: a share"),
        ("curve = [0.1, 0]" + SMALL, "curve=0: a share"),
        ("curve = []" + SMALL, "curve is empty"),
        ("curve = 0.1" + SMALL, "curve=0.1: a list of numbers was expected"),
        ("seed = -1" + SMALL, "seed=-1: expected a whole number of at least 0"),
        ("unit = 'wrd'" + SMALL, "unknown unit 'wrd'; did you mean 'word'?"),
        ("scale = 'logits'" + SMALL, "unknown scale 'logits'; did you mean 'logit'?"),
        ("target = [1]" + SMALL, "target=[1]: predicted, max, a label or its index was expected"),
        ("dtype = 'float8'" + SMALL, "unknown dtype 'float8'"),
        ("max_length = 0" + SMALL, "max_length=0: a whole number of at least 1"),
        ("baselines = ['token:']" + SMALL, "unknown baseline 'token:'"),
        (changed('["sig"]', '["sig", "random"]'), "methods.corrected: 'random' is a control too, and"),
        ("max_units = 64" + SMALL, "max_units=64: a table was expected, such as max_units = { shapley = 64 }"),
        ("max_units = { sgi = 3 }" + SMALL, "max_units: unknown method 'sgi'; did you mean 'sig'?"),
        ("max_units = { sig = 0 }" + SMALL, "max_units.sig=0: a whole number of at least 1"),
        ("name = ''" + SMALL, "the plan has no name"),
        ("protocol = 'paper'\noperators = ['mask']" + SMALL, "operators is for the protocol 'corrected', and the"),
        ("distilbert = 'twice'" + SMALL, "distilbert is for the protocol 'paper', and the methods are for 'corrected'"),
        ("protocol = 'paper'\ndistilbert = 'thrice'" + SMALL, "unknown distilbert 'thrice'; did you mean 'twice'?"),
        (changed('methods = ["sig"]', ""), "the plan has no methods"),
        (changed('["sig"]', '["sgi"]'), "methods: unknown method 'sgi'; did you mean 'sig'?"),
        (changed('["sig"]', '["ig:step=3"]'), "methods: unknown ig setting 'step'; did you mean 'steps'?"),
        (changed('["sig"]', '["ig:steps=0"]'), "methods: steps=0: the rule 'gauss_legendre' needs a whole number"),
        (changed('["sig"]', '["ig", "ig:steps=50"]'), "methods: 'ig:steps=50' is 'ig' again"),
        (changed('["sig"]', '["steps=50"]'), "methods: 'steps=50' is a setting; write METHOD:steps=50"),
        (changed('methods = ["sig"]', 'methods.papr = ["sig"]'), "unknown protocol 'papr'"),
        (changed('methods = ["sig"]', 'methods.paper = ["sig"]'), "no methods for the protocol 'corrected', only for"),
        (changed("[datasets.mine]", "[datasets.'a/b']"), "the dataset 'a/b': a name has none of / * ="),
        (changed("[datasets.mine]\nsource = ", "[datasets]\nmine = "), "datasets.mine: 'reviews.csv' is no table"),
        (changed('source = "reviews.csv"', ""), "datasets.mine: there is no source: say a file, a name on the hub"),
        (changed('"reviews.csv"', '"-"'), "datasets.mine: standard input is read only once"),
        (changed('"reviews.csv"', '"some/data"'), "'some/data' is a name on the hub, of which a split is read"),
        (changed('"reviews.csv"', '"reviews.csv"\nsplit = "test"'), "is a file: config and split are for a name on"),
        (changed('"reviews.csv"', '"reviews.txt"\ncolumn = "text"'), "one text per line: there are no columns to choo"),
        (changed('"reviews.csv"', '"reviews.csv"\nlimt = 3'), "datasets.mine: unknown dataset key 'limt'; did you"),
        (changed('"reviews.csv"', '"reviews.csv"\nlimit = "3"'), "datasets.mine: limit='3': a whole number of at l"),
        (changed('"reviews.csv"', '"reviews.csv"\nmax_tokens = 0'), "max_tokens=0: a whole number of at least 1"),
        (changed('"reviews.csv"', '"reviews.csv"\nseed = 1.5'), "datasets.mine: seed=1.5: a whole number of at lea"),
        (changed('"reviews.csv"', '"reviews.csv"\nform = "cvs"'), "datasets.mine: unknown form 'cvs'; did you mean"),
        (changed('"reviews.csv"', '"reviews.csv"\nlabel = 3'), "datasets.mine: label=3: a text was expected"),
        (changed('"reviews.csv"', '"reviews.csv"\ncolumn = ["a", "b", "c"]'), "3 columns: give one, or two"),
        (changed('source = "reviews.csv"', 'preset = "sst"'), "datasets.mine: unknown preset 'sst'; did you mean"),
        (changed('"reviews.csv"', '"reviews.csv"\npreset = "sst2"'), "the preset 'sst2' says where its texts are"),
        (changed('bert = "some/bert"', ""), "the plan has no models"),
        (changed('bert = "some/bert"', "bert = 3"), "models.bert: 3 is neither a folder or hub name nor a table"),
        (changed('bert = "some/bert"', "bert = {}"), "models.bert: the model 'bert' goes with no dataset"),
        (changed('bert = "some/bert"', "bert.mine = ''"), "models.bert: mine='': a text was expected"),
        (changed('bert = "some/bert"', "bert.min = 'x'"), "models.bert: unknown dataset 'min'; did you mean 'mine'?"),
        (changed('bert = "some/bert"', "mine = 'x'"), "two datasets or models are called 'mine'"),
        (changed("[models]", '[datasets.two]\nsource = "2.txt"\n[models]\nroberta.mine = "x"')
         .replace('bert = "some/bert"', ""), "no model goes with the dataset 'two'"),
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
    with pytest.raises(InputError, match=r"'mine.toml' is not UTF-8, as TOML must be: see byte 9"):
        Plan.load("mine.toml")


def test_a_method_that_is_not_installed_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "captum", None)
    with pytest.raises(ArgumentError, match=r"the plan 'paper': methods.corrected: deeplift is computed by captum"):
        Plan.load("paper")
