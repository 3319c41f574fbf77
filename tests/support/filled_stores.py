"""Results folders as a run leaves them, with made-up numbers; no model is run."""

import hashlib
import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from unmask.experiments.config import plan_config
from unmask.experiments.identity import PLAN, ModelRecord, hash_fact, model_fact, sizes_fact, texts_fact
from unmask.experiments.plan import DatasetPlan, ModelPlan, Pair, Plan
from unmask.experiments.store import Store
from unmask.experiments.work_items import MetricItem, ScoreItem, metric_items, score_items
from unmask.metrics.controls import FADING, SHARES
from unmask.metrics.faithfulness import METRICS
from unmask.results.rows import GREEDY, WORDS

Body = dict[str, Any]
UNITS = 12  # of a text


def plan(methods: Sequence[str] = ("sig", "ig"), **fields: Any) -> Plan:
    """Two models on one dataset."""
    named = {"name": "made-up", "methods": {"corrected": tuple(methods), "paper": tuple(methods)}}
    datasets = (DatasetPlan(name="films", source="films.jsonl"),)
    models = tuple(ModelPlan(name=name, sources={"films": f"some/{name}"}) for name in ("bert", "roberta"))
    return Plan(**{**named, "datasets": datasets, "models": models, "controls": ("random", GREEDY), **fields})


def about(name: str = "bert", **fields: Any) -> ModelRecord:
    """A model's record in the store."""
    usual: dict[str, Any] = {
        "signature": f"hub:{name}",
        "name": f"some/{name}",
        "hash": f"sha256:{hashlib.sha256(name.encode()).hexdigest()}",
        "dtype": "float32",
        "function": "the model",
        "labels": ("bad", "good"),
        "unit": "word",
        "target": "predicted",
        "scale": "log_odds",
        "baseline": "mask",
        "baseline_id": 103,
        "operators": ("remove", "mask"),
        "operator_ids": {"remove": None, "mask": 103, "pad": 0, "unk": 100, "paper": None},
        "max_length": 512,
        "activation": "softmax",
    }
    return ModelRecord(**usual | fields)


def keys(texts: int) -> list[bytes]:
    """The keys of this many texts."""
    return [hashlib.sha256(str(at).encode()).digest()[:16] for at in range(texts)]


def begun(store: Store, asked: Plan, pair: Pair, known: ModelRecord, listed: Sequence[bytes | Body], base: str) -> None:
    """Store what a run records about a pair before it computes anything."""
    sizes = {one.hex(): (UNITS, UNITS + 2) for one in listed if isinstance(one, bytes)}
    store.note(sizes_fact(known), sizes)
    store.note(PLAN, asked.to_dict())
    store.note(model_fact(asked, pair, base), asdict(known))
    store.note(hash_fact(pair.source, known.dtype, known.hash), True)
    store.note(texts_fact(pair), [[one.hex(), one.hex(), None] if isinstance(one, bytes) else one for one in listed])


def items(asked: Plan, known: ModelRecord) -> list[ScoreItem | MetricItem]:
    """All work items of a plan for one model."""
    config = plan_config(asked, next(asked.pairs()), known)
    scores = list(score_items(config))
    return [*scores, *metric_items(config, scores)]


def put(store: Store, item: ScoreItem | MetricItem, texts: Iterable[bytes], asked: Plan, *, units: int = UNITS) -> None:
    """Store results of a work item that depend only on the item and the text."""
    if isinstance(item, ScoreItem):
        store.put({("scores", item.digest): {key: _scores(item, key, units) for key in texts}})
    else:
        store.put({("judgments", item.digest): {key: _figures(item, key, asked) for key in texts}})


def fill(folder: Path, asked: Plan, *, texts: int, backwards: bool = False) -> None:
    """Fill a folder like a finished run: every pair, item and text."""
    with closing(Store(folder)) as store:
        places = [(pair, base) for pair in asked.pairs() for base in asked.baselines]
        for pair, base in reversed(places) if backwards else places:
            known = about(pair.model, baseline=base)
            begun(store, asked, pair, known, keys(texts), base)
            found = items(asked, known)
            for item in reversed(found) if backwards else found:
                put(store, item, reversed(keys(texts)) if backwards else keys(texts), asked)


def _scores(item: ScoreItem, key: bytes, units: int) -> Body:
    draw = random.Random(item.digest + key)
    return {
        "scores": [draw.gauss(0, 1) for _ in range(units)],
        "delta": draw.gauss(0, 1),
        "residual": None,
        "is_cut": False,
        "forward": units + 2,
        "backward": 0,
        "seconds": 0.0123,
    }


def _figures(item: MetricItem, key: bytes, asked: Plan) -> Body:
    draw = random.Random(item.digest + key)
    if item.row == WORDS:
        return {"figures": [[metric, share, draw.random()] for share in SHARES for metric in FADING]}
    shares = (asked.top,) if item.row == GREEDY else tuple(sorted({*asked.curve, asked.top}))
    found: list[list[Any]] = [[metric, share, draw.gauss(0, 1)] for share in shares for metric in METRICS]
    found.append(["sufficiency_clipped", asked.top, draw.random()])
    if item.row != GREEDY:
        found += [[f"aopc_{metric}", None, draw.gauss(0, 1)] for metric in METRICS]
    return {"figures": found}
