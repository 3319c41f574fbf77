"""`unmask interactions`."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unmask import Explainer, Interactions, Request

TEXT = "A gripping, beautifully shot film."


def test_the_strongest_pairs_are_listed(unmask: Any, embedded: Explainer) -> None:
    code, out, err = unmask("interactions", TEXT, "--top", "3")
    assert (code, err) == (0, "")
    (first, *_) = embedded.interactions(TEXT, top=3)
    assert f"  gripping + beautifully  cover for each other  {first.net:+.2f}\n" in out
    assert out.index("gripping + beautifully") < out.index("beautifully + shot")
    assert "Prediction: positive 99.7% (all words masked: 29.6%)." in out
    assert 'Net = loss in log-odds of "positive" without both words (replaced by [MASK])' in " ".join(out.split())


def test_as_json(unmask: Any, embedded: Explainer) -> None:
    given = ("--unit", "token", "--target", "negative", "--scale", "probability", "--baseline", "pad", "--top", "4")
    code, out, _ = unmask("interactions", TEXT, *given, "--format", "json")
    found = Interactions.from_dict(json.loads(out))
    asked = embedded.interactions(TEXT, unit="token", target="negative", scale="probability", baseline="pad", top=4)
    assert code == 0
    np.testing.assert_allclose(found.without_pairs, asked.without_pairs, atol=1e-5)
    assert (found.chosen, found.explanation.scale, found.explanation.baseline) == (asked.chosen, "probability", "pad")


def test_a_contrast_and_a_pair_of_texts(unmask: Any, embedded: Explainer) -> None:
    given = ("--pair", "Never dull.", "--target", "negative", "--against", "positive", "--format", "json")
    code, out, _ = unmask("interactions", "A gripping film.", *given)
    assert code == 0
    assert json.loads(out)["explanation"]["target"] == {"label": "negative", "against": "positive"}
    request = Request("A gripping film.", text_pair="Never dull.")
    assert json.loads(out)["chosen"] == list(embedded.interactions(request).chosen)


def test_as_csv(unmask: Any) -> None:
    code, out, _ = unmask("interactions", TEXT, "--top", "3", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, len(rows)) == (0, 3)
    assert rows[0]["relation"] == "cover for each other"


@pytest.mark.parametrize("suffix", ["html", "svg", "png", "pdf", "json", "txt"])
def test_as_a_file(unmask: Any, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{suffix}"
    assert unmask("interactions", TEXT, "--top", "3", "-o", str(path)) == (0, "", "")
    assert path.stat().st_size > 300


def test_one_word_has_no_pairs(unmask: Any) -> None:
    code, out, _ = unmask("interactions", "Superb")
    assert code == 0
    assert "The text is one word: there are no pairs." in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--top", "1"), "--top"),
        (("--against", "positive"), "--against needs --target"),
        (
            ("--format", "markdown"),
            "unknown format 'markdown'; known formats: csv, html, json, pdf, png, svg, terminal",
        ),
        (("-o", "x.md"), "cannot tell the format from the suffix '.md'"),
        (("--method", "sig"), "No such option: --method"),
        (("--style", "paper", "--format", "json"), "json contains data only"),
        (("--target", "neutral"), "unknown target 'neutral'"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(unmask: Any, given: tuple[str, ...], message: str) -> None:
    code, out, err = unmask("interactions", TEXT, *given)
    assert (code, out) == (2, "")
    assert message in err
