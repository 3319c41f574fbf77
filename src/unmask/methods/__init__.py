"""The methods: one frozen dataclass per file, listed in registry.py. None of them sees a model."""

from typing import Any

from ..compat.renamed import renamed
from .base import Cost, Method
from .deeplift import DeepLift
from .dig import DIG, SDIG
from .gradient import GradXInput, Saliency
from .gradient_shap import GradientShap
from .ig import IG
from .leave_one import LeaveOneIn, LeaveOneOut
from .random import Random
from .recursive_sig import RecursiveSIG
from .registry import METHODS, resolve_method
from .shapley import Shapley
from .sig import SIG
from .sig_path import SIGPath
from .two_sided import TwoSided

__all__ = [
    "DIG", "IG", "METHODS", "SDIG", "SIG", "Cost", "DeepLift", "GradXInput", "GradientShap", "LeaveOneIn",
    "LeaveOneOut", "Method", "Random", "RecursiveSIG", "SIGPath", "Saliency", "Shapley", "TwoSided", "resolve_method",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    return renamed(__name__, name)
