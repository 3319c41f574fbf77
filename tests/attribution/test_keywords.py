"""A wrong keyword is refused with the method that was called and the keyword that was probably meant."""

from typing import Any

import pytest

from unmask import Explainer
from unmask.errors import ArgumentError, KeywordError
from unmask.methods import Random
from unmask.models.formula import FormulaModel

TEXT = "a good film"
KNOWN = (  # of a classifier
    "known keywords: baseline, detail, detail_rows, long, method, progress, rows, scale, seconds, seed, sets, target, "
    "text_pair, unit"
)


@pytest.fixture
def words() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0}))


@pytest.mark.parametrize(
    ("given", "guess"),
    [
        ({"label": "positive"}, "'target'"),
        ({"class_name": "positive"}, "'target'"),
        ({"n_steps": 50}, 'method="ig:steps=50"'),
        ({"methods": ["sig"]}, "'method'"),
        ({"baselin": "mask"}, "'baseline'"),
    ],
)
def test_the_keyword_that_was_meant(words: Explainer, given: dict[str, Any], guess: str) -> None:
    with pytest.raises(KeywordError) as raised:
        words.explain(TEXT, **given)
    assert str(raised.value) == f"Explainer.explain has no keyword {next(iter(given))!r}; did you mean {guess}? {KNOWN}"
    assert isinstance(raised.value, TypeError)
    assert isinstance(raised.value, ArgumentError)


def test_several_methods_are_a_comparison(words: Explainer) -> None:
    with pytest.raises(KeywordError) as raised:
        words.explain(TEXT, methods=["sig", "ig"])  # type: ignore[call-arg]
    assert raised.value.hint == "to use several methods, call Explainer.compare(text, methods=[...])"


def test_one_method_is_no_comparison(words: Explainer) -> None:
    with pytest.raises(ArgumentError) as raised:
        words.compare(TEXT, method="sig")
    assert raised.value.hint == "give several values: methods=[...], not method='sig'"


@pytest.mark.parametrize("setting", [{"method": "ig"}, {"sets": "none"}, {"seed": 3}])
def test_paths_refuse_settings_of_a_method(words: Explainer, setting: dict[str, Any]) -> None:
    with pytest.raises(KeywordError, match=r"Explainer.paths has no keyword .*: baseline, dig, points, scale, "):
        words.paths(TEXT, word=0, **setting)


def test_the_setting_of_a_protocol_is_listed_with_it(words: Explainer) -> None:
    with pytest.raises(KeywordError) as usual:
        words.evaluate([TEXT], qqq=1)  # type: ignore[call-arg]
    assert "distilbert" not in str(usual.value)
    with pytest.raises(KeywordError, match="distilbert"):
        words.evaluate([TEXT], protocol="paper", qqq=1)  # type: ignore[call-arg]


def test_a_seed_reaches_the_method(words: Explainer) -> None:
    drawn = [words.explain(TEXT, method="random", seed=seed).scores for seed in (3, 4, 0)]
    assert drawn[2] == words.explain(TEXT, method="random").scores
    assert (
        drawn[0]
        == words.explain(TEXT, method="random:seed=3").scores
        == words.explain(TEXT, method=Random(seed=3)).scores
    )
    assert len(set(drawn)) == 3
    compared = words.compare(TEXT, methods=["random", "random:seed=4"], seed=3)
    assert [row.scores for row in compared.explanations] == drawn[:2]
    with pytest.raises(ArgumentError, match="seed"):
        words.explain(TEXT, seed=-1)


@pytest.mark.parametrize("name", ["explain", "explain_many", "attempts", "compare", "paths", "estimate", "evaluate"])
def test_the_method_that_was_called(words: Explainer, name: str) -> None:
    with pytest.raises(KeywordError, match=f"^Explainer.{name} has no keyword 'qqq'; known keywords: "):
        getattr(words, name)([TEXT], qqq=1)


@pytest.mark.parametrize("name", ["default", "from_pretrained", "from_pipeline", "from_adapter"])
def test_the_constructor_that_was_called(name: str) -> None:
    with pytest.raises(KeywordError, match=f"^Explainer.{name} has no keyword 'max_len'; did you mean 'max_length'"):
        getattr(Explainer, name)(max_len=3)


def test_the_class_itself_was_called(embedded: Explainer) -> None:
    with pytest.raises(KeywordError, match="Explainer has no keyword 'label'; did you mean 'labels'"):
        Explainer(embedded.model, embedded.tokenizer, label=["a", "b"])  # type: ignore[call-arg]
