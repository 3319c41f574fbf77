"""`explain_many(..., into=folder)`: the same results, kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.folders import WEIGHTS, content, small_parts

from unmask import Explainer, Explanation, Failure, Progress
from unmask.bulk import writer
from unmask.bulk.folder import ResultFolder
from unmask.errors import ArgumentError, InputError, TextError
from unmask.models.formula import FormulaModel

TEXTS = ["a good film", "a bad film", "lovely", "bad bad", "good", "a film"]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)


@pytest.fixture
def explainer() -> Explainer:
    return Explainer.from_adapter(FormulaModel.weighted_words(WEIGHTS))


def test_results_are_those_without_a_folder(explainer: Explainer, tmp_path: Path) -> None:
    kept = list(explainer.explain_many(TEXTS, into=tmp_path / "kept", target="positive"))
    direct = list(explainer.explain_many(TEXTS, target="positive"))
    assert [one.scores for one in kept] == [one.scores for one in direct]
    assert [one.text for one in kept] == TEXTS
    assert all(isinstance(one, Explanation) for one in kept)


def test_a_second_call_computes_nothing(explainer: Explainer, tmp_path: Path) -> None:
    first = list(explainer.explain_many(TEXTS, into=tmp_path / "kept"))
    said: list[Progress] = []
    assert list(explainer.explain_many(TEXTS, into=tmp_path / "kept", progress=said.append)) == first
    assert said == [Progress(6, 0)]


def test_texts_of_unknown_number_are_continued(explainer: Explainer, tmp_path: Path) -> None:
    def source(fails_at: int | None) -> Iterator[str]:
        for at, text in enumerate(TEXTS):
            if at == fails_at:
                raise ConnectionError
            yield text

    with pytest.raises(ConnectionError):
        explainer.explain_many(source(5), into=tmp_path / "kept")
    assert not [one for one in content(tmp_path / "kept") if one.startswith("part-000000004")]
    assert len(list(explainer.explain_many(source(None), into=tmp_path / "kept"))) == 6
    assert len(list(explainer.explain_many(iter(TEXTS), into=tmp_path / "kept"))) == 6
    list(explainer.explain_many(TEXTS, into=tmp_path / "whole"))
    assert content(tmp_path / "kept") == content(tmp_path / "whole")
    with pytest.raises(InputError, match="is finished with 6 texts, but more were given"):
        explainer.explain_many(iter([*TEXTS, "more"]), into=tmp_path / "kept")
    with pytest.raises(InputError, match="holds the results of 6 texts, but only 5 were given"):
        explainer.explain_many(iter(TEXTS[:-1]), into=tmp_path / "kept")


def test_failures_are_kept(explainer: Explainer, tmp_path: Path) -> None:
    attempts = list(explainer.attempts(["good", "", "bad"], into=tmp_path / "kept"))
    assert [type(one) for one in attempts] == [Explanation, Failure, Explanation]
    with pytest.raises(TextError, match="no unit to explain"):
        list(explainer.explain_many(["good", "", "bad"], into=tmp_path / "kept"))


@pytest.mark.parametrize("settings", [{"unit": "token"}, {"method": "ig"}])
def test_other_settings_are_refused(explainer: Explainer, tmp_path: Path, settings: Any) -> None:
    explainer.explain_many(TEXTS, into=tmp_path / "kept")
    with pytest.raises(ArgumentError, match="holds results with"):
        explainer.explain_many(TEXTS, into=tmp_path / "kept", **settings)


def test_another_model_is_refused(explainer: Explainer, tmp_path: Path) -> None:
    explainer.explain_many(TEXTS, into=tmp_path / "kept")
    other = Explainer.from_adapter(FormulaModel.weighted_words({**WEIGHTS, "good": 2.5}))
    with pytest.raises(ArgumentError, match="holds results with model hash"):
        other.explain_many(TEXTS, into=tmp_path / "kept")


def test_fewer_texts_than_there_should_be(
    explainer: Explainer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Short(list[str]):
        def __len__(self) -> int:
            return 8

    monkeypatch.setattr(writer, "SECONDS", 1e9)
    with pytest.raises(InputError, match="expected 8 texts, but only 6 were given; finished results are saved"):
        explainer.explain_many(Short(TEXTS), into=tmp_path / "kept")
    assert ResultFolder(tmp_path / "kept").end == 6


def test_failed_texts_are_retried_on_request(explainer: Explainer, tmp_path: Path) -> None:
    texts = ["a good film", "", "bad"]
    list(explainer.attempts(texts, into=tmp_path / "kept"))
    said: list[Progress] = []
    again = list(explainer.attempts(texts, into=tmp_path / "kept", retry_failed=True, progress=said.append))
    assert [isinstance(one, Failure) for one in again] == [False, True, False]
    assert said[0] == Progress(3, 0)
    with pytest.raises(ArgumentError, match="retry_failed needs into=FOLDER"):
        explainer.attempts(texts, retry_failed=True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"engine": "ray"}, "engine='ray': expected an engine"),
        ({"into": 5}, "into=5: expected the path of a folder"),
        ({"into": "a\0b"}, "expected the path of a folder"),
    ],
)
def test_values_of_another_kind_are_refused(
    explainer: Explainer, tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentError, match=said):
        explainer.explain_many(TEXTS, **{"into": tmp_path / "kept", **settings})
    assert not (tmp_path / "kept").exists()
