"""Metrics of explanations: each requests the model's outputs for perturbed texts and computes numbers from them."""

from typing import Any

from ..compat.renamed import renamed
from .controls import greedy, random_deletion
from .faithfulness import CURVE, METRICS, FaithfulnessConfig, areas, ask_faithfulness, figures, rank_units
from .perturbations import OPERATORS
from .plausibility import Annotation, agreed_spans, auprc, iou_parts, token_f1
from .protocols import CORRECTED, Protocol, known_protocols, resolve_protocol
from .registry import KNOWN, Measure, Metric
from .statistics import Difference, Summary, compare_paired, summarize

__all__ = [
    "CORRECTED", "CURVE", "KNOWN", "METRICS", "OPERATORS", "Annotation", "Difference", "FaithfulnessConfig",
    "Measure", "Metric", "Protocol", "Summary", "agreed_spans", "areas", "ask_faithfulness", "auprc",
    "compare_paired", "figures", "greedy", "iou_parts", "known_protocols", "random_deletion", "rank_units",
    "resolve_protocol", "summarize", "token_f1",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Look up a module attribute: a study's protocol, the table of protocols, or a name from an earlier version."""
    if name == "PROTOCOLS":
        return known_protocols()
    return resolve_protocol(name.lower()) if name.lower() in known_protocols() else renamed(__name__, name)
