"""Joins the segments of a request into the text that a language model reads, and finds each segment in it.

A chat is rendered with the model's own template. To find each message, the chat is rendered a second time with
private-use characters as contents, so that everything else in the result comes from the template.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import ArgumentError, TextError
from .request import Segment
from .spans import Span, shorten

Render: TypeAlias = Callable[[Sequence[Mapping[str, str]]], str]  # a model's chat template
PRIVATE = 0xE000  # the first character of Unicode's private-use area
QUESTION = "question"  # if a segment has this name, the others are documents
HEADING = "Question: "
BETWEEN = "\n\n"  # separates segments without roles


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """The span of a segment in a prompt; `start` is where the span begins within the segment."""

    span: Span
    start: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text that a language model reads before its answer, and the span of each segment in it."""

    text: str
    places: tuple[PromptSpan, ...]
    is_chat: bool = False
    documents: tuple[Span, ...] = ()  # all documents with their headings, if there is a question


def lay_out(segments: Sequence[Segment], render: Render | None) -> Prompt:
    """Build the prompt: a rendered chat, plain text, or documents with a question (in one user message if possible).

    Args:
        render: The model's chat template; None if the model has none.
    """
    roles = [segment.role for segment in segments]
    if all(role is None for role in roles):
        plain = _plain(segments)
        is_question = len(segments) > 1 and any(segment.name == QUESTION for segment in segments)
        return _in_message(plain, render) if is_question and render is not None else plain
    if None in roles:
        raise ArgumentError("some segments have a role and some do not; give every segment a role, or none")
    if render is None:
        raise ArgumentError(
            "this model has no chat template, so it cannot read messages",
            hint="give the prompt as a string, or use a model that was trained on chats",
        )
    text, places = find_messages([{"role": one.role or "", "content": one.text} for one in segments], render)
    return Prompt(text, places, is_chat=True)


def find_messages(messages: Sequence[Mapping[str, str]], render: Render) -> tuple[str, tuple[PromptSpan, ...]]:
    """Render a chat and find each message in it; raises an error if the template altered a message."""
    text = render(messages)
    marks = [_mark(at, messages) for at in range(len(messages))]
    marked = render([{**message, "content": mark} for message, mark in zip(messages, marks, strict=True)])
    for at, mark in enumerate(marks):
        if marked.count(mark) != 1:
            how = "leaves out" if mark not in marked else "repeats"
            raise TextError(f"the chat template {how} message {at + 1} ({_shown(messages[at])})")
    order = sorted(range(len(marks)), key=lambda at: marked.index(marks[at]))
    places, read, position = dict[int, PromptSpan](), 0, 0
    for at in order:
        between = marked[read : marked.index(marks[at])]
        read = marked.index(marks[at]) + len(marks[at])
        following = marked[
            read : min((marked.index(mark, read) for mark in marks if mark in marked[read:]), default=None)
        ]
        position = _after(text, position, between, messages[at])
        places[at] = place = _content(text, position, following, messages[at])
        position = place.span.end
    if text[position:] != marked[read:]:
        raise _altered(messages[order[-1]])
    return text, tuple(places[at] for at in range(len(messages)))


def _content(text: str, position: int, following: str, message: Mapping[str, str]) -> PromptSpan:
    """Find a message's content at this position, either unchanged or with white space stripped from its ends."""
    content = message["content"]
    left, right = len(content) - len(content.lstrip()), len(content.rstrip())
    for start, end in ((0, len(content)), (left, right), (left, len(content)), (0, right)):
        part = content[start:end]
        behind = position + len(part)
        if text.startswith(part, position) and text.startswith(following, behind):
            return PromptSpan(Span(position, behind), start)
    raise _altered(message)


def _after(text: str, position: int, between: str, message: Mapping[str, str]) -> int:
    if not text.startswith(between, position):
        raise _altered(message)
    return position + len(between)


def _mark(at: int, messages: Sequence[Mapping[str, str]]) -> str:
    """A placeholder for the message at this index: private-use characters that occur in no message."""
    taken = {character for message in messages for character in message["content"]}
    free = [chr(code) for code in range(PRIVATE, PRIVATE + 6400) if chr(code) not in taken]
    return free[0] + free[1 + at] + free[0]


def _altered(message: Mapping[str, str]) -> TextError:
    return TextError(
        f"the chat template alters a message ({_shown(message)}), so its words cannot be found in the rendered chat",
        hint="give the text as the template renders it; some templates, for example, remove earlier reasoning",
    )


def _shown(message: Mapping[str, str]) -> str:
    return f"{message['role']}: {shorten(message['content'])!r}"


def _plain(segments: Sequence[Segment]) -> Prompt:
    """The prompt for segments without roles, with headings for documents and question if there is a question."""
    has_question = len(segments) > 1 and any(segment.name == QUESTION for segment in segments)
    text, places, documents = "", list[PromptSpan](), 0
    for segment in segments:
        text += BETWEEN if text else ""
        if has_question:
            documents += segment.name != QUESTION
            text += HEADING if segment.name == QUESTION else f"Document {documents}:\n"
        places.append(PromptSpan(Span(len(text), len(text) + len(segment.text))))
        text += segment.text
    return Prompt(text, tuple(places), documents=_documents(segments, places) if has_question else ())


def _documents(segments: Sequence[Segment], places: Sequence[PromptSpan]) -> tuple[Span, ...]:
    """The spans between questions, from the first heading to the next question or to the end of the prompt."""
    questions = [place.span for segment, place in zip(segments, places, strict=True) if segment.name == QUESTION]
    ends = [*(span.start - len(HEADING) for span in questions), places[-1].span.end]
    starts = [0, *(span.end for span in questions)]
    starts[1:-1] = [start + len(BETWEEN) for start in starts[1:-1]]  # one separator stays between two questions
    return tuple(Span(start, end) for start, end in zip(starts, ends, strict=True) if start < end)


def _in_message(plain: Prompt, render: Render) -> Prompt:
    """The prompt with the plain text as the content of a single user message."""
    text, (message,) = find_messages([{"role": "user", "content": plain.text}], render)
    content, shift = Span(message.start, message.start + message.span.end - message.span.start), message.span.start

    def moved(span: Span) -> Span:
        return Span(*(min(max(at, content.start), content.end) - content.start + shift for at in span))

    places = tuple(PromptSpan(moved(one.span), max(content.start - one.span.start, 0)) for one in plain.places)
    return Prompt(text, places, is_chat=True, documents=tuple(map(moved, plain.documents)))
