"""Chats and documents from files."""

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.errors import InputError, UnmaskWarning
from unmask.inputs import Source
from unmask.inputs.chat import read_chat, read_documents, read_messages
from unmask.text.request import Request, Segment

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Grüß Gott"}]


@pytest.mark.parametrize("found", [CHAT, {"messages": CHAT}])
@pytest.mark.parametrize("name", ["chat.json", "chat.json.gz"])
def test_a_list_or_an_object_with_messages(tmp_path: Path, found: object, name: str) -> None:
    content = b"\xef\xbb\xbf" + json.dumps(found, indent=1, ensure_ascii=False).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert read_chat(str(tmp_path / name)) == CHAT


def test_a_chat_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(CHAT).encode())))
    assert read_chat("-") == CHAT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not JSON: Expecting value at line 1, column 1"),
        ('[\n{"role": }]', "is not JSON: Expecting value at line 2, column 10"),
        ("1" * 5000, "cannot read .* as JSON"),
        ("[" * 100_000, "cannot read .* as JSON"),
        ("null", ": expected a list of messages, but it is null"),
        ('{"messages": null}', ": expected a list of messages, but 'messages' is null"),
        ('[{"role": 1, "content": "x"}]', "message 1: 'role' is a number, not a string"),
        ('[{"role": "user", "content": "x"}, {"role": "User", "content": "x"}]', "message 2: unknown role 'User'"),
    ],
)
def test_what_is_no_chat(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InputError, match=message):
        read_chat(str(tmp_path / "x.json"))


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["role", "content", "name"]) | st.text(), inner),
)


@pytest.mark.slow
@given(st.lists(VALUES, min_size=1))
@pytest.mark.filterwarnings("ignore::unmask.errors.UnmaskWarning")
def test_anything_is_a_chat_or_an_input_error(messages: list[object]) -> None:
    try:
        read = read_messages(messages, "x")
    except InputError:
        return
    assert all(set(message) == {"role", "content"} for message in read)


def test_other_keys_are_told(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"model": "m", "messages": [{**CHAT[1], "name": "Ann"}]}))
    with pytest.warns(UnmaskWarning, match="only each message's role and content are read, not model, name"):
        assert read_chat(str(tmp_path / "x.json")) == CHAT[1:]


def test_documents_are_named_by_their_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    paths = [str(tmp_path / name) for name in ("one.txt", "a/one.txt", "question", "two.txt")]
    for path in paths:
        Path(path).write_bytes(b"\xef\xbb\xbfFirst.\r\n\r\nLast.\r\n\r\n")
    *documents, question = read_documents(paths, "Why?")
    assert [document.name for document in documents] == [*paths[:3], "two.txt"]
    assert {document.text for document in documents} == {"First.\r\n\r\nLast."}
    assert question == Segment("Why?", "question")


def test_continuations_and_chats_in_columns(tmp_path: Path) -> None:
    rows = [
        {"messages": CHAT, "answer": " Yes", "id": 1},
        {"messages": "plain", "answer": "No"},
        {"messages": CHAT, "answer": None},
        {"messages": CHAT, "answer": ""},
        {"messages": CHAT},
    ]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    chat, plain, *bad = Source(str(tmp_path / "x.jsonl"), continuation="answer", keep=True).records()
    assert chat == Request(CHAT, continuation=" Yes", line=1, columns={"id": 1})
    assert plain == Request("plain", continuation="No", line=2)
    assert list(map(str, bad)) == [
        "the column 'answer' is null, not a string",
        "the column 'answer' is empty; expected a continuation",
        "no column 'answer'; columns: messages",
    ]
