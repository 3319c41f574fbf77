"""A bar with the time left."""

import pytest
from support import tiny

from unmask import Progress


def test_a_bar_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    list(tiny.explainer("bert").explain_many(tiny.TEXTS, progress="bar"))
    out, err = capsys.readouterr()
    assert out == ""
    assert "4/4" in err
    assert "100%" in err


def test_texts_of_unknown_number_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    list(tiny.explainer("bert").explain_many(iter(tiny.TEXTS), progress="bar"))
    assert "4 texts" in capsys.readouterr().err


def test_failed_texts_are_finished_too() -> None:
    seen: list[Progress] = []
    list(tiny.explainer("bert").attempts(["a film", "", ""], progress=seen.append))
    assert seen[-1] == Progress(texts=3, rows=4)
    seen.clear()
    list(tiny.explainer("bert").attempts([""], progress=seen.append))
    assert seen == [Progress(texts=1, rows=0)]
