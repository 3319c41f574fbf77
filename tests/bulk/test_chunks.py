"""Chunks depend on the texts alone, and their results on nothing else."""

import pickle
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import tiny, tiny_causal

from unmask import Request
from unmask.attribution.session import ModelSession
from unmask.bulk.chunks import TEXTS, WORK, Chunk, TextDigest, cut
from unmask.bulk.compute import ChunkExplainer
from unmask.bulk.rows import RowFormat
from unmask.errors import InputError
from unmask.models.huggingface.opening import open_model

SIZES = st.lists(st.tuples(st.sampled_from([None, "a.csv", "b.csv"]), st.integers(0, 3000)), max_size=200)


def texts(sizes: list[tuple[str | None, int]]) -> list[tuple[str | None, str]]:
    return [(file, "x" * size) for file, size in sizes]


@given(SIZES)
def test_chunks_hold_every_text_once_in_order_and_are_bounded(sizes: list[tuple[str | None, int]]) -> None:
    chunks = list(cut(texts(sizes)))
    pairs = [(chunk.file, text.text) for chunk in chunks for text in chunk.texts if isinstance(text, Request)]
    assert pairs == texts(sizes)
    assert [chunk.first for chunk in chunks] == [0, *(chunk.end for chunk in chunks)][:-1]
    for chunk in chunks:
        work = [len(text.text) ** 2 for text in chunk.texts if isinstance(text, Request)]
        assert 0 < len(work) <= TEXTS
        assert sum(work[:-1]) < WORK


@given(SIZES, st.integers(0, 20))
def test_chunks_after_the_end_of_a_chunk_are_those_of_the_whole(
    sizes: list[tuple[str | None, int]], skipped: int
) -> None:
    chunks = list(cut(texts(sizes)))
    first = chunks[:skipped][-1].end if chunks[:skipped] else 0
    assert list(cut(islice(texts(sizes), first, None), first=first)) == chunks[skipped:]


def test_a_text_that_cannot_be_read_has_its_place() -> None:
    error = InputError("broken", line=2)
    (chunk,) = cut([(None, "good"), (None, error), (None, [{"role": "user"}])])
    assert [type(text).__name__ for text in chunk.texts] == ["Request", "InputError", "TextError"]


@pytest.mark.parametrize(
    "other",
    [
        ["b", "a"],
        ["a"],
        ["ab"],
        [Request("a", target="x"), "b"],
        [Request("a", label="x"), "b"],
        [Request("a", text_pair="b")],
        [Request("a", fixed=[(0, 1)]), "b"],
        [Request("a", columns={"id": 1}), "b"],
        [Request("a", continuation="x"), "b"],
        ["a", InputError("b")],
    ],
)
def test_other_texts_have_another_digest(other: list[Any]) -> None:
    whole = TextDigest().after(["a", "b"])
    assert str(whole) == str(TextDigest().after(["a"]).after([Request("b")]))
    assert str(whole) != str(TextDigest().after(other))


@pytest.mark.parametrize("architecture", ["bert", "gpt2-without-pad", "causal"])
def test_a_chunk_has_the_same_bytes_whatever_ran_before(architecture: str) -> None:
    """The engine learns whether a model pads, and a prefix is compared on its first use; neither may show."""
    kind = tiny_causal if architecture == "causal" else tiny
    name = "gpt2" if architecture == "causal" else architecture
    session = ModelSession(open_model(kind.model(name).float(), kind.tokenizer(name)))
    settings: Any = {"max_new_tokens": 3} if architecture == "causal" else {}
    function = ChunkExplainer(session, session.resolve_config(**settings), RowFormat("jsonl"))
    lines = ["a good film", "bad", "a film of good and bad parts , a film", "film", "the good parts of a bad film"]
    first, second = Chunk(0, tuple(map(Request, lines))), Chunk(5, tuple(map(Request, lines[::-1])))
    alone = function(second)
    function(first)
    assert function(second) == alone
    assert pickle.loads(pickle.dumps(function))(second) == alone  # as in another process
    assert all(row.error is None for row in alone)
