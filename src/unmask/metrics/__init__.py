"""How explanations are judged: questions asked as methods ask them, and arithmetic on the answers. Sees no model."""

from .faithfulness import CURVE, METRICS, Exam, areas, figures, judging, order
from .greedy import greedy
from .measures import KNOWN, Measure, Metric
from .operators import OPERATORS
from .plausibility import Annotation, agreed, auprc, iou_parts, token_f1
from .protocols import CORRECTED, PAPER, PROTOCOLS, Protocol
from .robustness import fading
from .statistics import Difference, Summary, compared, summarized

__all__ = [
    "CORRECTED",
    "CURVE",
    "KNOWN",
    "METRICS",
    "OPERATORS",
    "PAPER",
    "PROTOCOLS",
    "Annotation",
    "Difference",
    "Exam",
    "Measure",
    "Metric",
    "Protocol",
    "Summary",
    "agreed",
    "areas",
    "auprc",
    "compared",
    "fading",
    "figures",
    "greedy",
    "iou_parts",
    "judging",
    "order",
    "summarized",
    "token_f1",
]
