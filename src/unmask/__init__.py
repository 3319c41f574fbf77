"""Which words drive a model's prediction: Sequential Integrated Gradients, computed exactly.

Importing this package does not import torch or transformers; they are imported on first use.
"""

import logging
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from .compat import renamed

if TYPE_CHECKING:
    from .attribution.estimate import Estimate
    from .executors.ray_engine import RayEngine
    from .experiments.examples import Example
    from .explainer import Explainer
    from .progress import Progress
    from .results.comparison import Comparison
    from .results.evaluation import Evaluation
    from .results.explanation import Explanation
    from .results.interactions import Interactions
    from .tasks.targets import Contrast
    from .text.request import Failure, Request, Segment

__version__ = version("unmask")
__all__ = [
    "Comparison",
    "Contrast",
    "Estimate",
    "Evaluation",
    "Example",
    "Explainer",
    "Explanation",
    "Failure",
    "Interactions",
    "Progress",
    "RayEngine",
    "Request",
    "Segment",
    "__version__",
]

_HOMES = {
    "Comparison": "results.comparison",
    "Contrast": "tasks.targets",
    "Estimate": "attribution.estimate",
    "Evaluation": "results.evaluation",
    "Example": "experiments.examples",
    "Explainer": "explainer",
    "Explanation": "results.explanation",
    "Failure": "text.request",
    "Interactions": "results.interactions",
    "Progress": "progress",
    "RayEngine": "executors.ray_engine",
    "Request": "text.request",
    "Segment": "text.request",
}

logging.getLogger(__name__).addHandler(logging.NullHandler())
renamed.install()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unmask' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
