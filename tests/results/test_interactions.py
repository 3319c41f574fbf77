"""Interactions as a stored value."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support.interactions import interactions

from unmask import Contrast, Explanation, Interactions
from unmask.errors import ArgumentError, SchemaError

FOUND = interactions()


def test_json_keeps_everything(tmp_path: Path) -> None:
    for found in (FOUND, FOUND.toward("negative", "probability"), FOUND.toward(Contrast("negative", "positive"))):
        assert Interactions.from_dict(json.loads(json.dumps(found.to_dict()))) == found
        found.save(tmp_path / "x.json")
        assert Interactions.load(tmp_path / "x.json") == found


def test_json_has_what_other_readers_need() -> None:
    record = FOUND.to_dict()
    assert list(record) == ["schema", "chosen", "costs", "pairs", "explanation"]
    assert len(record["pairs"]) == len(FOUND) == 28
    assert len(record["costs"]) == len(record["explanation"]["units"])
    first, pair = record["pairs"][0], FOUND.pairs[0]
    assert (first["first"], first["second"], first["relation"]) == (pair.first, pair.second, pair.relation)
    assert (first["net"], first["interaction"], first["cost"]) == (pair.net, -pair.net, pair.cost)
    assert first["interactions"] == FOUND.by_output[0].tolist()
    assert [abs(pair["net"]) for pair in record["pairs"]] == sorted((abs(pair.net) for pair in FOUND), reverse=True)


def test_rows_belong_to_pairs_in_the_order_of_the_text() -> None:
    record = FOUND.to_dict()
    rows = {(pair["first"], pair["second"]): tuple(pair["without"]) for pair in record["pairs"]}
    assert tuple(rows[pair] for pair in combinations(sorted(FOUND.chosen), 2)) == FOUND.without_pairs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": None}, "this record of interactions is incomplete"),
        ({"schema": 2}, "not interactions with schema 1"),
        ({"chosen": [0, 0, 1]}, "this record of interactions is incomplete"),
        ({"chosen": [0, 99]}, "this record of interactions is incomplete"),
        ({"explanation": {}}, "not an explanation"),
    ],
)
def test_a_broken_record_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Interactions.from_dict(FOUND.to_dict() | change)


def test_other_records_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="it has no 'pairs'"):
        Interactions.from_dict(FOUND.explanation.to_dict())
    with pytest.raises(SchemaError):
        Explanation.from_dict(FOUND.to_dict())
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(SchemaError, match="this is not a record of interactions"):
        Interactions.load(tmp_path / "x.json")


def test_fields_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ArgumentError, match="27 rows for the pairs of 8 units"):
        replace(FOUND, without_pairs=FOUND.without_pairs[1:])
    with pytest.raises(ArgumentError, match="different indices below 10"):
        replace(FOUND, chosen=(*FOUND.chosen[:-1], 10))
    with pytest.raises(ArgumentError, match="must have 2 outputs"):
        replace(FOUND, without_pairs=((0.0,), *FOUND.without_pairs[1:]))
    with pytest.raises(ArgumentError, match="`without` and `alone`"):
        replace(FOUND, explanation=replace(FOUND.explanation, alone=None))


def test_the_strongest_pairs_are_shown() -> None:
    assert repr(FOUND) == (
        "<Interactions in 'A gripping, beautifully shot film. Never…': Never + dull need each other -4; "
        "gripping + beautifully cover for each other +3; A + gripping add up +0; ...>"
    )
