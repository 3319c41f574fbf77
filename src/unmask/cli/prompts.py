"""Options for language models: the prompt, and which answer is explained."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, UnmaskError
from ..inputs import Source
from ..inputs.chat import read_chat, read_documents
from ..inputs.columns import Columns
from ..inputs.opening import is_read_once
from ..methods.spec import parse_value
from ..tasks.answer_targets import NEXT
from ..tasks.targets import Contrast
from ..tasks.task import ANY, TASKS, task_named
from ..text.request import Request
from . import options as shared
from .exit_codes import say
from .options import ANSWERS, ASKED, MODEL, TEXTS, option

if TYPE_CHECKING:
    from ..explainer import Explainer

GENERATION, CONTINUATION = "generation", "continuation"
WRITING = (GENERATION, "text2text")  # tasks of models that write
SETTINGS = ("max_new_tokens", "include_stop", "attribute_to")
GENERATED = ("max_new_tokens", "generate", "include_stop")  # options for answers that the model generates


@dataclass(frozen=True, kw_only=True)
class TaskOptions(shared.ModelOptions):
    """The model to explain, and its task."""

    model: str | None = option(
        MODEL,
        "Model folder or hub name.",
        show_default="the built-in sentiment model; with --task generation, the built-in story model",
    )
    task: str | None = option(
        MODEL,
        f"What the model does: {shared.alternatives(TASKS)}.",
        show_default="from the model's architecture",
    )

    def explainer(self, **more: Any) -> "Explainer":
        """Load the given model, or the built-in model for the task."""
        return super().explainer(**{"task": self.task, **more})


@dataclass(frozen=True, kw_only=True)
class PromptOptions(shared.CommandOptions):
    """The prompt of a language model, and which answer is explained."""

    chat: str | None = option(TEXTS, "Chat to explain: a JSON list of messages with role and content.", metavar="FILE")
    document: list[str] | None = option(
        TEXTS, "Text file that --question is about; repeat the option for each document.", metavar="FILE"
    )
    question: str | None = option(TEXTS, "Question about the documents.", metavar="TEXT")
    fixed: list[str] | None = option(
        TEXTS, "Never mask this part of a chat or documents: a role, a document's name, or question.", metavar="NAME"
    )
    continuation: str | None = option(
        ANSWERS,
        "Explain this answer; start it with a space if it starts a new word.",
        metavar="TEXT",
        show_default="generate one",
    )
    max_new_tokens: int | None = option(ANSWERS, "Generate at most this many tokens.", min=1, show_default="24")
    generate: list[str] | None = option(
        ANSWERS,
        "Other generate() settings, comma-separated: do_sample=true,temperature=0.8.",
        metavar="KEY=VALUE",
        show_default="greedy",
    )
    include_stop: bool = option(
        ANSWERS, "Also explain the token that ends the answer.", "--include-stop", default=False
    )
    attribute_to: str | None = option(
        ANSWERS, "What to attribute the answer to: prompt, or all (also earlier answer tokens).", show_default="prompt"
    )

    def prompt(self, *, line: int | None = None) -> Request | None:
        """Read a chat, or documents with a question, from files; None if neither is given."""
        if self.document and self.question is None:
            raise ArgumentError("--document needs --question TEXT", hint='for example: --question "Who lost a ball?"')
        if self.question is not None and not self.document and getattr(self, "context", None) is None:
            raise ArgumentError(
                "--question needs --document FILE", hint="without documents, give the prompt as a text argument"
            )
        if self.question is not None and not self.question.strip():
            raise ArgumentError("--question is empty", hint='for example: --question "Who lost a ball?"')
        if self.chat is not None:
            return _with_fixed(Request(read_chat(self.chat), line=line), self.fixed or ())
        if self.document:
            segments = read_documents(self.document, self.question or "")
            return _with_fixed(Request(segments=segments, line=line), self.fixed or ())
        if self.fixed:
            raise ArgumentError("--fixed applies to a chat or documents; add --chat or --document")
        return None

    @property
    def given_answer(self) -> str | None:
        """The option that supplies the answer; None if the model generates it."""
        return None if self.continuation is None else "--continuation"

    def answer_settings(self) -> dict[str, Any]:
        """The given settings for generating the answer and attributing it."""
        given = self.given_answer
        for name in GENERATED if given is not None else ():
            if getattr(self, name):
                raise ArgumentError(f"{flag(name)} applies to generated answers; remove it or {given}")
        settings = self.settings("continuation", *(name for name in SETTINGS if getattr(self, name)))
        return {**settings, **parse_generate(self.generate or ())}


@dataclass(frozen=True, kw_only=True)
class AnswerOptions(PromptOptions):
    """Which answer is explained, and which part of it."""

    continuation_column: str | None = option(TEXTS, "Column with continuations of the prompts.", metavar="COLUMN")
    target: str | None = shared.TARGET()
    against: str | None = option(
        ASKED, "Explain why the model prefers --target or --continuation over this label or text.", metavar="LABEL"
    )
    toward: str | None = option(
        ANSWERS,
        "Explain only this part of the answer: a phrase, a range of characters (12:20) or the index of a token (3).",
        metavar="PHRASE",
        show_default="the whole answer",
    )
    normalize: str | None = option(
        ANSWERS, "Contrast two continuations by the sum or the mean of their log-probabilities.", show_default="sum"
    )

    @property
    def given_answer(self) -> str | None:
        """The option that supplies the answer; None if the model generates it."""
        if self.continuation is not None and self.continuation_column is not None:
            raise ArgumentError("give --continuation or --continuation-column, not both")
        if self.against is not None and self.continuation_column is not None:
            raise ArgumentError("--against contrasts two continuations; remove --continuation-column")
        named = ("against", "continuation", "continuation_column")
        return next((flag(name) for name in named if getattr(self, name) is not None), None)

    def answer_settings(self) -> dict[str, Any]:
        """The settings of `PromptOptions`, plus the target."""
        settings, target = super().answer_settings(), self._target
        if isinstance(target, Contrast):
            settings.pop("continuation", None)
        elif self.normalize is not None:
            raise ArgumentError("--normalize applies to a contrast of two continuations; add --against TEXT")
        if self.normalize not in (None, "sum", "mean"):
            raise ArgumentError(f"--normalize {self.normalize}: expected sum or mean")
        return settings | self.settings("normalize") | ({} if target is None else {"target": target})

    @property
    def _target(self) -> str | Contrast | None:
        """The target from --target, --toward and --against; --continuation may be the first part of a contrast."""
        first = self.continuation if self.target is None else self.target
        if self.toward is not None and (self.target or self.against):
            raise ArgumentError(f"give --toward or {'--target' if self.target else '--against'}, not both")
        if self.target == NEXT and self.max_new_tokens is not None:
            raise ArgumentError("--target next explains one token; remove --max-new-tokens")
        if self.against is None:
            return self.toward if self.target is None else self.target
        if self.target is not None and self.continuation is not None:
            raise ArgumentError("give the first continuation of a contrast as --target or --continuation, not both")
        if first is None or first == "predicted":
            raise ArgumentError("--against needs --target, the label or continuation that it is contrasted with")
        return Contrast(first, self.against)


def _with_fixed(request: Request, names: Sequence[str]) -> Request:
    """Return the request with the segments that have these names or roles fixed."""
    for name in names:
        if not any(name in (segment.name, segment.role) for segment in request.segments):
            raise ArgumentError(f"--fixed {name}: the prompt has no such part; its parts: {', '.join(request.names)}")
    segments = [replace(segment, fixed=segment.name in names or segment.role in names) for segment in request.segments]
    return replace(request, segments=tuple(segments))


def parse_generate(given: Sequence[str]) -> dict[str, Any]:
    """Parse settings of `generate()` given as KEY=VALUE.

    >>> parse_generate(["do_sample=true,temperature=0.8", "top_k=5"])
    {'do_sample': True, 'temperature': 0.8, 'top_k': 5}
    """
    from ..attribution.keywords import is_generation_setting

    settings = dict[str, Any]()
    for part in (part.strip() for text in given for part in text.split(",") if part.strip()):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not (name and equals and value):
            raise ArgumentError(f"--generate {part}: expected KEY=VALUE, such as temperature=0.8")
        if name in ("seed", *SETTINGS):
            raise ArgumentError(f"--generate {part}: use {flag(name)}")
        if name in settings or not is_generation_setting(name):
            why = "given twice" if name in settings else "generate() has no such setting"
            raise ArgumentError(f"--generate {part}: {why}")
        settings[name] = parse_value(value)
    return settings


def without_generating(request: Request, settings: dict[str, Any]) -> tuple[Request, dict[str, Any]]:
    """Give the prompt a placeholder answer, so its units can be counted before an answer is generated."""
    if isinstance(settings.get("target"), Contrast) or settings.get("continuation"):
        return request, settings
    kept = {key: value for key, value in settings.items() if key not in ("target", "include_stop")}
    return replace(request, continuation=" ..."), kept


def note_unread(source: Source) -> None:
    """Print a note if a column of continuations is not used. Skips pipes, which can be read only once."""
    with suppress(UnmaskError):
        if not is_read_once(source.path):
            replace(source, continuation=CONTINUATION).check()
            say(f"note: the column {CONTINUATION!r} is not used; to explain it: --continuation-column {CONTINUATION}")


def check_one_input(text: str | None, file: object, options: PromptOptions, *, example: str | None = None) -> None:
    """Require exactly one input. Commands that do not accept a file of texts supply an example to show in the hint."""
    context = getattr(options, "context", None)
    given = {"a text": text, "-f": file, "--chat": options.chat, "--document": options.document, "--context": context}
    names = [name for name, value in given.items() if value is not None and value != []]
    if not names and options.question is not None:
        options.prompt()  # raises an error that says what is missing
    if not names and example is not None:
        raise ArgumentError("no text given", hint=example)
    if not names or names == ["a text", "-f"]:
        raise ArgumentError("give either a text or -f FILE", hint='for example: unmask explain "A gripping film."')
    if len(names) > 1:
        raise ArgumentError(f"give only one of {' and '.join(names)}")


def known_task(options: TaskOptions) -> str | None:
    """The task, if it is known before the model is loaded."""
    return options.task or ("classification" if options.model is None else None)


def configured_task(options: TaskOptions) -> str | None:
    """The task, read from the model's configuration if it is not given."""
    if options.model is None or options.task is not None:
        return known_task(options)
    from ..models.huggingface.loading import task_of_source

    return task_of_source(options.model, revision=options.revision)


def check_task(options: TaskOptions, task: str | None, *, of_classifiers: Sequence[str] = ()) -> None:
    """Reject options that do not apply to the task; None means that the task is not known yet."""
    own = [name for name in OF_ANSWERS if getattr(options, name, None)]
    if own and task == "classification":
        story = "add --task generation for the built-in story model, or give a language model: --model FOLDER-OR-NAME"
        raise ArgumentError(
            f"{flag(own[0])} applies to language models, but the task is classification",
            hint=story if options.model is None else "give a language model: --model FOLDER-OR-NAME",
        )
    others = [name for name in of_classifiers if getattr(options, name)]
    if others and task == GENERATION:
        raise ArgumentError(f"{flag(others[0])} applies to classifiers, but the task is generation")
    if task in WRITING and len(getattr(options, "column", None) or ()) > 1:
        raise ArgumentError("prompts take only one --column; for continuations, add --continuation-column COLUMN")
    if task in TASKS:  # an unknown one is refused when the model is loaded
        _check_columns(tuple(getattr(options, "column", None) or ()), task)


def _check_columns(columns: tuple[str, ...], task: str) -> None:
    """Reject more or fewer text columns than the task needs."""
    names = task_named(task).segments
    if not columns or not names:
        Columns(columns)
    elif names[-1] == ANY:
        if len(columns) < len(names) - 1:
            raise ArgumentError(f"{_given(columns)}; the task {task} reads a prompt and two or more choices")
    elif len(columns) != len(names):
        raise ArgumentError(f"{_given(columns)}; the task {task} reads {len(names)}: {', '.join(names)}")


def _given(columns: Sequence[str]) -> str:
    return f"{len(columns)} column{'' if len(columns) == 1 else 's'} given"


def flag(name: str) -> str:
    """An option as typed on the command line.

    >>> flag("max_new_tokens")
    '--max-new-tokens'
    """
    return f"--{name.replace('_', '-')}"


OF_ANSWERS = [
    "toward",
    "continuation_column",
    "normalize",
    *(part.name for part in fields(PromptOptions) if part.name != "debug"),
]
