"""Which words made a language model say what it said: Sequential Integrated Gradients, exactly.

Importing this package imports neither torch nor transformers; the first use of a name does.
"""

import logging
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparison import Comparison
    from .estimate import Estimate
    from .evaluation import Evaluation
    from .examples import Example
    from .explainer import Explainer
    from .explanation import Explanation
    from .progress import Progress
    from .request import Failure, Request
    from .targets import Contrast

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
    "Progress",
    "Request",
    "__version__",
]

_HOMES = {
    "Comparison": "comparison",
    "Contrast": "targets",
    "Estimate": "estimate",
    "Evaluation": "evaluation",
    "Example": "examples",
    "Explainer": "explainer",
    "Explanation": "explanation",
    "Failure": "request",
    "Progress": "progress",
    "Request": "request",
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unmask' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
