"""Counts work instead of timing it: the bytecodes that Python executes, and the characters that a pattern reads.

`regex` does not count its steps, so they are bounded in two parts. First, if every unbounded repetition is possessive,
one attempt to match reads nothing twice, and its steps per character depend only on the pattern. `unbounded_retries`
lists the repetitions that are not possessive. Second, `characters_read` adds up how far all attempts read. An attempt
has read as far as a change to the text can change its outcome.
"""

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import regex

# What may stand behind the part of a text that was read: the end, letters, digits, marks and signs of all kinds.
NEXT = ("", "a", "A", "1", ".", ",", "!", "(", ")", '"', "-", " ", "\n", "中", "ア", "ก", "\u0301")
REPETITION = regex.compile(
    r"""
    \\ (?: [pP]\{[^}]*+\} | . )
    | (?<set> \[ (?: \\. | [^\[\]\\] | (?&set) )*+ \] )
    | \#.*+
    | \?\+?+
    | (?<unbounded> [*+] | \{\d*+,\} ) (?<possessive> \+?+ )
    """,
    regex.VERBOSE,
)


def bytecodes(run: Callable[[], object], folder: str) -> int:
    """The number of bytecodes executed in the modules of a folder."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if folder not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def unbounded_retries(pattern: str) -> list[str]:
    """The unbounded repetitions in a `VERBOSE` pattern that may be retried at another length."""
    found = [match for match in REPETITION.finditer(pattern) if match["unbounded"] and not match["possessive"]]
    return [pattern[max(0, match.start() - 20) : match.end()] for match in found]


def characters_read(pattern: "regex.Pattern[str]", text: str) -> int:
    """The number of characters that all attempts of `finditer` read, at least one per attempt."""
    return sum(1 + _reach(pattern, text, start) for start in _attempts(pattern, text))


def _attempts(pattern: "regex.Pattern[str]", text: str) -> Iterator[int]:
    """The positions at which a match is attempted: all except those inside a match."""
    start = 0
    while start < len(text):
        yield start
        match = pattern.match(text, start)
        start = max(start + 1, match.end() if match else 0)


def _reach(pattern: "regex.Pattern[str]", text: str, start: int) -> int:
    """How many characters beyond its start an attempt reads."""
    found = _end(pattern, text, start)
    for end in range(len(text), start, -1):
        if any(_end(pattern, text[:end] + more, start) != found for more in NEXT if not text[end:].startswith(more)):
            return end - start
    return 0


def _end(pattern: "regex.Pattern[str]", text: str, start: int) -> int | None:
    match = pattern.match(text, start)
    return match.end() if match else None
