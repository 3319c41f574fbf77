"""Turns the fields of a body into a request and the settings of an explanation. Fields are named as in Python."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..attribution.deciding_sets import default_sets
from ..attribution.session import ModelSession
from ..errors import ArgumentError, check_known
from ..inputs.chat import ROLES
from ..methods.base import Method
from ..methods.registry import resolve_method, resolve_methods
from ..tasks.targets import Contrast, TargetName
from ..text.chat import QUESTION
from ..text.request import Request, Segment

SPECS = 256  # how many methods the cache keeps
TEXTS = ("text", "messages", "documents")
SETTINGS = ("unit", "scale", "baseline", "seed", "long")
ANSWERS = (
    *("continuation", "max_new_tokens", "include_stop", "attribute_to"),
    *("do_sample", "temperature", "top_k", "top_p"),
)
EXPLAINED = ("method", "sets", "detail", "detail_rows")


def read_request(body: Mapping[str, Any]) -> Request:
    """The request in a body: a text, a pair, a prompt with choices, a chat, or documents with a question."""
    given = [name for name in TEXTS if body.get(name) is not None]
    if len(given) != 1:
        raise ArgumentError(f"give one of {', '.join(TEXTS)}" + (f", not {' and '.join(given)}" if given else ""))
    for name, other in (("text_pair", "text"), ("choices", "text"), ("question", "documents")):
        if body.get(name) is not None and given != [other]:
            raise ArgumentError(f"{name} applies to {other}, not to {given[0]}")
    if body.get("text_pair") is not None and body.get("choices") is not None:
        raise ArgumentError("give text_pair or choices, not both")
    request = replace(_texts(body, given[0]), spans=_spans(body.get("spans")))
    return _with_fixed(request, body.get("fixed") or ())


def read_settings(body: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The common settings plus the named ones, leaving out any that were not given."""
    settings = {name: body[name] for name in (*SETTINGS, *ANSWERS, *names) if body.get(name) is not None}
    if "method" in names:
        settings["method"] = read_method(body.get("method") or "sig", body.get("seed"))
    if body.get("target") is not None:
        settings["target"] = read_target(body["target"])
    return settings


def explain_settings(session: ModelSession, body: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one explanation; as in `Explainer.explain`, sets are searched for where that is cheap."""
    settings = read_settings(body, *EXPLAINED)
    if not session.is_generative:
        task, detail = session.adapter.task.name, settings.get("detail")
        settings.setdefault("sets", default_sets(settings["method"], detail=detail, task=task))
    return settings


@lru_cache(SPECS)
def read_method(spec: str, seed: int | None) -> Method:
    """The method for a spec; cached, because listing all methods means searching all installed packages."""
    return resolve_method(spec, seed=seed)


@lru_cache(SPECS)
def read_methods(specs: tuple[str, ...], seed: int | None) -> list[Method]:
    """The methods for several specs."""
    return resolve_methods(specs, seed=seed)


def read_target(target: Any) -> TargetName:
    """Read a target; a contrast is a JSON object, and characters of an answer are two numbers."""
    if isinstance(target, Mapping):
        return Contrast(**target)
    return tuple(target) if isinstance(target, list | tuple) else target


def _texts(body: Mapping[str, Any], name: str) -> Request:
    if name == "text" and body.get("choices") is not None:
        choices = [Segment(text, f"choice {at}") for at, text in enumerate(body["choices"], 1)]
        return Request(segments=[Segment(body["text"], "prompt"), *choices])
    if name == "text":
        return Request(body["text"], text_pair=body.get("text_pair"))
    if name == "messages":
        for message in body["messages"]:
            check_known("role", [message["role"]], ROLES)
        return Request(list(body["messages"]))
    if body.get("question") is None:
        raise ArgumentError("documents need a question")
    documents = [Segment(one["text"], one["name"]) for one in body["documents"]]
    return Request(segments=[*documents, Segment(body["question"], QUESTION)])


def _spans(spans: Sequence[Sequence[int]] | None) -> tuple[tuple[int, ...], ...] | None:
    return None if spans is None else tuple(map(tuple, spans))


def _with_fixed(request: Request, fixed: Sequence[str | Sequence[int]]) -> Request:
    """Fix these spans, and the segments with these names or roles, so that they are never masked."""
    names = {one for one in fixed if isinstance(one, str)}
    known = {name for segment in request.segments for name in (segment.name, segment.role)}
    if not names <= known:
        raise ArgumentError(f"fixed names an unknown segment; the segments are {', '.join(request.names)}")
    segments = [replace(one, fixed=one.name in names or one.role in names) for one in request.segments]
    spans = tuple(tuple(one) for one in fixed if not isinstance(one, str))
    return replace(request, segments=tuple(segments), fixed=spans)
