"""Options of models that read several texts: a question with a context, a prompt with choices."""

from dataclasses import dataclass
from typing import Any

from ..errors import ArgumentError
from ..inputs.chat import read_documents
from ..text.request import Request
from . import options as shared
from .options import TEXTS, option
from .prompts import configured_task

ANSWERING, CHOOSING = "question_answering", "multiple_choice"


@dataclass(frozen=True, kw_only=True)
class SegmentOptions(shared.CommandOptions):
    """Texts that the model reads together."""

    context: str | None = option(TEXTS, "Text in which a model finds the answer to --question.", metavar="TEXT")
    choice: list[str] | None = option(TEXTS, "Choice of a multiple-choice model; give two or more.", metavar="TEXT")

    def segments(self, *, line: int | None = None) -> Request | None:
        """A question with its context, or a prompt with choices; None if neither is given."""
        given: Any = self
        question, documents = given.question, given.document
        if self.context is not None:
            if question is None:
                raise ArgumentError("--context needs --question TEXT", hint='for example: --question "Who won?"')
            return Request(segments=[("question", question), ("context", self.context)], line=line)
        if question is not None and documents and configured_task(given) == ANSWERING:
            if len(documents) > 1:
                raise ArgumentError(f"a question needs exactly one context, but {len(documents)} documents were given")
            *_, context = [one.text for one in read_documents(documents, question) if one.name != "question"]
            return Request(segments=[("question", question), ("context", context)], line=line)
        if self.choice:
            if given.text is None:
                raise ArgumentError("--choice needs a text argument: the prompt")
            choices = [(f"choice {at}", text) for at, text in enumerate(self.choice, 1)]
            return Request(segments=[("prompt", given.text), *choices], line=line)
        return None
