"""The models and methods that a client can choose from, as JSON values."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from ..attribution.session import ModelSession
from ..errors import ArgumentError, UnmaskError
from ..methods.base import settings
from ..methods.registry import known_methods, method_class
from ..tasks.targets import SCALES, Activation
from ..text.segmentation import UNITS
from .examples import examples

BASELINES = ("mask", "pad", "unk", "eos", "zero", "ignored")


def model_record(session: ModelSession, name: str) -> dict[str, Any]:
    """The description of a model for clients."""
    adapter, is_generative = session.adapter, session.is_generative
    is_chat = is_generative and session.generative.has_template
    head = None if is_generative else session.head
    return {
        "name": name,
        "task": adapter.task.name,
        "hash": adapter.model_info().hash,
        "labels": None if head is None else list(head.labels),
        "max_tokens": session.max_length or adapter.limit,
        "units": list(UNITS) if is_generative else [unit for unit in UNITS if unit != "message"],
        "scales": ["auto", *_scales("token" if head is None else head.activation)],
        "baselines": ["auto", *_baselines(session)],
        "is_chat": is_chat,
        "examples": examples(adapter.task.name, is_chat=is_chat),
    }


@cache
def method_records() -> list[dict[str, Any]]:
    """Every method that can be loaded, with its settings."""
    return list(_methods())


def _scales(activation: Activation) -> list[str]:
    return [scale.name for scale in SCALES.values() if activation in scale.activations]


def _baselines(session: ModelSession) -> Iterator[str]:
    for name in BASELINES:
        with suppress(ArgumentError):
            session.adapter.baseline(name)
            yield name


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
