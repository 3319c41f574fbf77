"""The models and methods that a client can choose from, as JSON values."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from ..attribution.method_support import check_method
from ..attribution.session import ModelSession
from ..engine.deeplift import supported_module
from ..errors import ArgumentError, ModelError, UnmaskError
from ..methods.base import settings
from ..methods.deeplift import DeepLift
from ..methods.registry import known_methods, method_class
from ..tasks.targets import SCALES, Activation
from ..tasks.task import ANY, task_facts
from ..text.segmentation import UNITS
from .examples import examples

PAIR = ("first text", "second text")
BASELINES = ("mask", "pad", "unk", "eos", "zero", "ignored")


def model_record(session: ModelSession, name: str) -> dict[str, Any]:
    """The description of a model for clients."""
    adapter, is_generative, head = session.adapter, session.is_generative, session.text_heads
    task, is_chat = adapter.task.name, is_generative and session.generative.has_template
    return {
        "name": name,
        "task": task,
        "hash": adapter.model_info().hash,
        "labels": list(head.labels) or None,
        "inputs": _inputs(session, is_chat=is_chat),
        "max_tokens": session.max_length or adapter.limit,
        "units": list(UNITS) if is_generative else [unit for unit in UNITS if unit != "message"],
        "scales": ["auto", *_scales(head.activation)],
        "baselines": ["auto", *_baselines(session)],
        "methods": list(_methods_for(session)),
        "is_generative": is_generative,
        "is_chat": is_chat,
        "is_decided": task_facts(task).is_decided,
        "examples": examples(task, is_chat=is_chat, mask=getattr(adapter, "mask", "")),
    }


@cache
def method_records() -> list[dict[str, Any]]:
    """Every method that can be loaded, with its settings."""
    return list(_methods())


def _inputs(session: ModelSession, *, is_chat: bool) -> dict[str, list[str]]:
    """What the model reads: the kinds of input, each with the names of its texts."""
    task = session.adapter.task
    names: tuple[str, ...] = getattr(task, "segments", ())
    if ANY in names:
        return {"choices": list(names[:2])}
    if len(names) == len(PAIR):
        return {"pair": list(names)}
    if not session.is_generative:
        return {"text": ["text"]} | ({} if names else {"pair": list(PAIR)})
    text = {"text": [task_facts(task.name).display.context.lower()]}
    return (
        text if names else text | {"documents": ["document", "question"]} | ({"chat": ["message"]} if is_chat else {})
    )


def _scales(activation: Activation) -> list[str]:
    return [scale.name for scale in SCALES.values() if activation in scale.activations]


def _baselines(session: ModelSession) -> Iterator[str]:
    """The baselines of the model; a word whose output is read cannot be ignored."""
    for name in BASELINES:
        with suppress(ArgumentError):
            if not (session.adapter.baseline(name).is_ignored and task_facts(session.adapter.task.name).spans):
                yield name


def _methods_for(session: ModelSession) -> Iterator[str]:
    """The methods that the model and its task support."""
    for one in method_records():
        method = method_class(one["name"])()
        with suppress(ArgumentError, ModelError):
            check_method(method, session.adapter.baseline("auto"), task=session.adapter.task)
            if method.name == DeepLift.name:
                supported_module(session.adapter)
            yield one["name"]


def _methods() -> Iterator[dict[str, Any]]:
    for name in known_methods():
        with suppress(UnmaskError):
            method = method_class(name)()
            yield {
                "name": name,
                "description": (type(method).__doc__ or "").strip().partition("\n")[0],
                "passes": method.passes,
                "exact": method.exact,
                "needs": method.needs,
                "is_signed": method.is_signed,
                "adds_up": method.adds_up,
                "uses_baseline": method.uses_baseline,
                "settings": settings(method),
                "source": method.source,
            }
