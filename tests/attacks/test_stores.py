"""Damaged stores: numbers are those that were stored, or the damage is told; nothing is written to a damaged file."""

import hashlib
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import filled_stores, tiny
from support.stored import plan_of, report

from unmask.errors import UnmaskError
from unmask.experiments import Plan, Run
from unmask.experiments.store import DAMAGED, NAME, Store
from unmask.results.evaluation import Evaluation

FLIPS, CUTS, BLOCKS = 260, 40, 40
PLAN = filled_stores.plan(["sig"], controls=("random",), curve=(0.1, 0.5))


@cache
def whole() -> bytes:
    """A small store."""
    with tempfile.TemporaryDirectory() as folder:
        filled_stores.fill(Path(folder), PLAN, texts=4)
        return (Path(folder) / NAME).read_bytes()


def damaged() -> Iterator[tuple[str, bytes]]:
    """Stores with one bit flipped, cut off somewhere, or with a block of something else in them."""
    content, draw = whole(), random.Random(0)
    for at in (draw.randrange(len(content)) for _ in range(FLIPS)):
        bit = 1 << draw.randrange(8)
        yield f"bit {bit} of byte {at}", content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]
    ends = [1, 2, 15, 16, 99, 100, len(content) - 1, len(content) - 4096]
    for end in (*ends, *(draw.randrange(len(content)) for _ in range(CUTS - len(ends)))):
        yield f"cut after {end} bytes", content[:end]
    for at in (draw.randrange(len(content)) for _ in range(BLOCKS)):
        size, fill = draw.choice([16, 512, 4096]), draw.choice([b"\0", b"\xff", b"A"])
        size = min(size, len(content) - at)
        yield f"{size} times {fill!r} from byte {at}", content[:at] + fill * size + content[at + size :]


CASES = dict(damaged())


def values(evaluation: Evaluation, *, failed: bool) -> dict[Any, Any]:
    """Every number of an evaluation by row, measure and text; of those that failed, or of the others."""
    broken = {(one.example, one.row) for one in evaluation.failures}
    return {
        (row.name, measure, at): number
        for row in evaluation.rows
        for measure, numbers in row.values.items()
        for at, number in enumerate(np.atleast_1d(numbers))
        if (((at, row.name) in broken) or ((at, None) in broken)) is failed
    }


@cache
def expected() -> dict[tuple[str, str], dict[Any, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_bytes(whole())
        return {
            (cell.dataset, cell.model): values(cell.evaluation, failed=False)
            for cell in report(Path(folder), PLAN).cells
            if cell.evaluation is not None
        }


def test_there_are_as_many_stores_as_the_page_says() -> None:
    assert len(CASES) >= 330


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_that_were_stored_or_the_damage_is_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(CASES[name])
    try:
        found = report(tmp_path, plan_of(tmp_path))
    except UnmaskError:
        assert path.read_bytes() == CASES[name], "a damaged file is left as it is"
        return
    for cell in found.cells:
        assert cell.evaluation is not None
        known = expected()[cell.dataset, cell.model]
        for place, number in values(cell.evaluation, failed=False).items():
            assert np.isnan(number) or number == known[place], place
        if len(cell.evaluation.failures) == 0:
            assert values(cell.evaluation, failed=False).keys() == known.keys()
        assert {one.reason for one in cell.evaluation.failures} <= {DAMAGED}


def opened_for_a_run(folder: Path) -> Store | None:
    try:
        return Store(folder)
    except UnmaskError:
        return None


@pytest.mark.parametrize("name", random.Random(1).sample(sorted(CASES), 60))
def test_a_damaged_store_can_be_opened_for_a_run_or_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(CASES[name])
    if (store := opened_for_a_run(tmp_path)) is None:
        assert path.read_bytes() == CASES[name]
        return
    with closing(store):
        try:
            store.forget_damage()
            kept = set(store.facts(""))
        except UnmaskError:
            return  # found while it was read: pages that fit together, and rows that do not
        with closing(sqlite3.connect(path)) as database:
            count = database.execute("SELECT count(*) FROM facts").fetchone()[0]
        assert len(kept) == count


@pytest.mark.parametrize("table", ["scores", "judgments", "facts"])
def test_a_retry_computes_what_is_damaged_and_finds_the_same_numbers(table: str, tmp_path: Path) -> None:
    place = tmp_path / "bert"
    tiny.model("bert").float().save_pretrained(place)
    tiny.tokenizer("bert").save_pretrained(place)
    (tmp_path / "films.txt").write_text("a lovely film\nthe film is not bad\n")
    made = filled_stores.plan(["sig"], controls=("random",))
    dataset = replace(made.datasets[0], source=str(tmp_path / "films.txt"))
    plan = replace(made, datasets=(dataset,), models=(replace(made.models[0], sources={"films": str(place)}),))
    before = computed(tmp_path / "run", plan)
    with closing(sqlite3.connect(tmp_path / "run" / NAME)) as database, database:
        database.execute(f"UPDATE {table} SET body = replace(body, '1', '2')")
    if table == "facts":
        with pytest.raises(UnmaskError, match=r"the checksum of its entry .* is wrong"):
            Run(tmp_path / "run", plan, device="cpu").go()
    else:
        Run(tmp_path / "run", plan, device="cpu").go()
        (cell,) = report(tmp_path / "run", plan).cells
        assert cell.evaluation is not None
        assert {one.reason for one in cell.evaluation.failures} == {DAMAGED}
    assert computed(tmp_path / "run", plan, retry_failed=True) == before


def computed(folder: Path, plan: Plan, **options: Any) -> dict[Any, Any]:
    Run(folder, plan, device="cpu").go(**options)
    (cell,) = report(folder, plan).cells
    assert cell.evaluation is not None
    assert not cell.evaluation.failures
    found = values(cell.evaluation, failed=False)
    assert len(found) > 20
    return {place: hashlib.sha256(np.float64(number).tobytes()).hexdigest() for place, number in found.items()}
