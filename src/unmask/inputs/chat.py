"""Reads prompts from files: chats as JSON, documents as plain text."""

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, UnmaskWarning, unknown
from ..text.chat import QUESTION
from ..text.request import MESSAGE, Segment
from .opening import STANDARD_INPUT, byte_lines, decoded, name
from .values import kind

MESSAGES = "messages"  # the key of the list if the file holds an object
EXAMPLE = 'a chat is a list such as [{"role": "user", "content": "Hello!"}], or {"messages": [...]}'
ROLES = (  # roles that chat templates know; they would render a misspelled role without an error
    *("system", "developer", "user", "assistant", "model"),
    *("tool", "function", "ipython", "document", "context", "control"),
)


def read_chat(path: str) -> list[dict[str, str]]:
    """Read the messages of a chat from a JSON file: a list, or an object with `messages`."""
    found, unused = _json(path), list[str]()
    messages = found
    if isinstance(found, dict) and MESSAGES in found:
        messages, unused = found[MESSAGES], sorted(set(found) - {MESSAGES})
    if not isinstance(messages, list):
        what = "it is" if messages is found else f"{MESSAGES!r} is"
        raise InputError(f"{name(path)}: expected a list of messages, but {what} {kind(messages)}", hint=EXAMPLE)
    if not messages:
        raise InputError(f"{name(path)} contains no messages", hint=EXAMPLE)
    return read_messages(messages, name(path), unused=unused)


def is_messages(value: object) -> bool:
    """Whether a value is a list of objects, like the messages of a chat."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def read_messages(messages: Sequence[Any], where: str, *, unused: Sequence[str] = ()) -> list[dict[str, str]]:
    """Return the role and content of each message. Warns about other keys, which are ignored.

    Args:
        unused: Keys found beside the messages.
    """
    for number, message in enumerate(messages, start=1):
        check_message(message, f"{where}: message {number}")
    others = dict.fromkeys([*unused, *(key for message in messages for key in message if key not in MESSAGE)])
    if others:
        warnings.warn(
            f"{where}: only each message's role and content are read, not {', '.join(map(str, others))}",
            UnmaskWarning,
            stacklevel=2,
        )
    return [{key: message[key] for key in ("role", "content")} for message in messages]


def check_message(message: Any, where: str) -> None:
    """Reject a value that is not a message with a known role and a string as content."""
    if not isinstance(message, Mapping):
        raise InputError(f"{where} is {kind(message)}, not an object with role and content", hint=EXAMPLE)
    for key in ("role", "content"):
        if key not in message:
            raise InputError(f"{where} has no {key!r}", hint=EXAMPLE)
        if not isinstance(message[key], str):
            raise InputError(f"{where}: {key!r} is {kind(message[key])}, not a string", hint=EXAMPLE)
    if message["role"] not in ROLES:
        raise InputError(f"{where}: {unknown('role', message['role'], ROLES)}")


def read_documents(paths: Sequence[str], question: str) -> list[Segment]:
    """Read documents from text files, name each after its file, and add the question about them."""
    names = ["standard input" if path == STANDARD_INPUT else Path(path).name for path in paths]
    taken = [QUESTION, *(one for one in names if names.count(one) > 1)]
    shown = [path if short in taken else short for path, short in zip(paths, names, strict=True)]
    for path in shown:
        if shown.count(path) > 1:
            raise InputError(f"duplicate document {path!r}")
    documents = [Segment(_document(path), short) for path, short in zip(paths, shown, strict=True)]
    return [*documents, Segment(question, QUESTION)]


def _document(path: str) -> str:
    text = _text(path).rstrip("\r\n")
    if not text.strip():
        raise InputError(f"the document {name(path)} is empty")
    return text


def _json(path: str) -> Any:
    try:
        return json.loads(_text(path))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(
            f"{name(path)} is not JSON: {error.msg.removesuffix(' at')} at {where}", hint=EXAMPLE
        ) from error
    except (ValueError, RecursionError) as error:  # such as a number of 5,000 digits, or 100,000 brackets
        raise InputError(f"cannot read {name(path)} as JSON: {error}") from error


def _text(path: str) -> str:
    """Read a text file; bytes that are not UTF-8 become lone surrogates."""
    return "".join(map(decoded, byte_lines(path)))
