"""csv's limit for the whole process is given back, whoever reads at the same time."""

import csv
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from unmask.errors import InputError
from unmask.inputs import Record, Source
from unmask.inputs.field_limit import long_fields

Make = Callable[..., Source]


@pytest.fixture(autouse=True)
def own_limit() -> Iterator[None]:
    before = csv.field_size_limit(1_000)
    yield
    csv.field_size_limit(before)


def test_the_limit_of_the_process_is_in_force_between_rows(make: Make) -> None:
    for _ in make("x.csv", b"text\na\n" + b"b" * 5_000).records():
        assert csv.field_size_limit() == 1_000


def test_the_limit_is_given_back_after_an_error(make: Make) -> None:
    with pytest.raises(InputError):
        list(make("x.csv", b'text\n"a').records())
    assert csv.field_size_limit() == 1_000


def test_the_last_reader_gives_the_limit_back() -> None:
    first, second = long_fields(), long_fields()
    with first:
        second.__enter__()
    assert csv.field_size_limit() > 1_000_000
    second.__exit__(None, None, None)
    assert csv.field_size_limit() == 1_000


def test_threads_read_long_fields_side_by_side(make: Make) -> None:
    text = "b" * 5_000
    source = make("x.csv", f"text\n{text}\n{text}\n".encode())
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: list(source.records()), range(100)):
            assert found == [Record(2, text), Record(3, text)]
    assert csv.field_size_limit() == 1_000
