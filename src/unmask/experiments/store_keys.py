"""What a run notes beside its results, and under which name: each name says all that the note depends on."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

from .plan import Pair, Plan
from .plan_checks import OWN

PLAN = "plan"  # that was last run
LEFT = "left"  # seconds to go, as was last said
LATER = ("rationale",)  # keys that datasets have since then: what was noted without them is found again


def model_fact(plan: Plan, pair: Pair, baseline: str) -> str:
    """Of a model as the plan asks about it: the settings that `ModelRecord` holds are in the name."""
    settings = {name: getattr(plan, name) for name in ("protocol", "dtype", "max_length", *OWN[plan.protocol])}
    return f"{model_facts(pair.source)}{baseline}:{_digest(settings)}"


def model_facts(source: str) -> str:
    """How all of one model begin."""
    return f"model:{source}:"


def texts_fact(pair: Pair) -> str:
    """Of which texts a dataset has; where a tokenizer chooses them, also of whose tokenizer it is."""
    chooser = None if pair.dataset.max_tokens is None else pair.source
    said = {name: value for name, value in asdict(pair.dataset).items() if name not in LATER or value is not None}
    return f"texts:{_digest([said, chooser])}"


def counts_fact(model: str) -> str:
    """Of how many tokens the tokenizer of the model of that content makes of whole texts."""
    return f"counts:{model}"


def sizes_fact(model: str, unit: str, max_length: int | None) -> str:
    """Of how long texts are for the model of that content."""
    return f"sizes:{model}:{unit}:{max_length}"


def hash_fact(source: str, dtype: str, found: str = "") -> str:
    """Of each content that a model's folder had; the beginning of all of them."""
    return f"hash:{source}:{dtype}:{found}"


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
