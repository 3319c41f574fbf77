"""Files of the first schema load, and give the values that they were written with."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from unmask import Explanation
from unmask.errors import SchemaError

FILES = sorted((Path(__file__).parent / "schema1").glob("*.json"))


def assert_holds(found: Any, expected: Any, at: str) -> None:
    """All that is expected is there; dictionaries may have further keys."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert_holds(found[name], value, f"{at}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), at
        for place, pair in enumerate(zip(found, expected, strict=True)):
            assert_holds(*pair, f"{at}[{place}]")
    elif isinstance(expected, float):  # probabilities are computed again, and processors round exp() differently
        assert found == pytest.approx(expected, rel=1e-14, abs=0), at
    else:
        assert found == expected, at


def figures(sentence: str) -> list[str]:
    """The numbers that a sentence gives."""
    return re.findall(r"[-+]\d[\d.]*\d", sentence)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_schema_1_gives_the_same_values(path: Path) -> None:
    written, explanation = json.loads(path.read_text()), Explanation.load(path)
    assert written.pop("schema") == 1
    record = explanation.to_dict()
    assert record["schema"] == 2
    if interaction := written.get("interaction"):  # its words may change, its figures may not
        assert figures(record["interaction"]["sentence"]) == figures(interaction.pop("sentence"))
    assert_holds(record, written, path.stem)
    assert Explanation.from_dict(json.loads(json.dumps(record))) == explanation


def test_there_is_a_file_of_every_kind() -> None:
    assert {path.stem for path in FILES} >= {"plain", "pair", "contrast", "token", "regression", "features", "alone"}


def test_a_pair_of_schema_1_has_named_segments() -> None:
    (path,) = (path for path in FILES if path.stem == "pair")
    explanation = Explanation.load(path)
    assert [segment.name for segment in explanation.segments] == ["first text", "second text"]
    assert explanation.unread_pair == explanation.segments[1].unread > 0


def test_schema_2_needs_its_segments() -> None:
    record = {**json.loads(FILES[0].read_text()), "schema": 2}
    with pytest.raises(SchemaError, match="this explanation is incomplete"):
        Explanation.from_dict(record)
