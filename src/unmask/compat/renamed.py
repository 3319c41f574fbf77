"""Import paths and names from earlier versions: they still work, with a warning that names the replacement."""

import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# Only names that an earlier version documented.
MODULES = {  # the current path of each module
    "unmask.contests": "unmask.experiments.config",
    "unmask.drawable": "unmask.results.drawable",
    "unmask.evaluation": "unmask.results.evaluation",
    "unmask.interaction": "unmask.results.additivity",
    "unmask.models.closed_form": "unmask.models.formula",
    "unmask.models.loading": "unmask.models.huggingface.loading",
    "unmask.parts": "unmask.results.metadata",
    "unmask.probes": "unmask.questions",
    "unmask.report": "unmask.results.report",
    "unmask.runs": "unmask.experiments",
    "unmask.runs.plan": "unmask.experiments.plan",
    "unmask.runs.published": "unmask.studies.sig2023.published",
    "unmask.runs.running": "unmask.experiments.scheduler",
}
NAMES: Mapping[str, Mapping[str, str]] = {  # the current names in a module, by their earlier ones
    "unmask.experiments.config": {"Judging": "EvaluationOptions"},
    "unmask.methods": {"method_named": "resolve_method"},
    "unmask.metrics": {
        "Exam": "FaithfulnessConfig",
        "agreed": "agreed_spans",
        "compared": "compare_paired",
        "fading": "random_deletion",
        "judging": "ask_faithfulness",
        "order": "rank_units",
        "summarized": "summarize",
    },
    "unmask.models.formula": {"ClosedForm": "FormulaModel"},
    "unmask.models.huggingface.loading": {"embedded": "embedded_model", "loaded": "load"},
    "unmask.questions": {
        "Case": "Instance",
        "Probe": "Perturbation",
        "Slopes": "PathGradients",
        "Vectors": "Embeddings",
        "outputs": "ask_outputs",
        "slopes": "ask_gradients",
        "vectors": "ask_embeddings",
    },
    "unmask.results.evaluation": {"Judged": "EvaluationRow"},
    "unmask.results.metadata": {"MethodUsed": "MethodInfo", "ModelUsed": "ModelInfo", "TokenUsed": "TokenInfo"},
    "unmask.results.report": {"Cell": "ReportCell"},
}


def renamed(module: str, name: str) -> Any:
    """The object with an earlier name, for the `__getattr__` of a module that did not move."""
    now = NAMES.get(module, {}).get(name)
    if now is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    _warn(f"{module}.{name}", f"{module}.{now}")
    return getattr(import_module(module), now)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)


class _Moved(ModuleType):
    """A module that moved."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        home = MODULES[self.__name__]
        now = NAMES.get(home, {}).get(name, name)
        value = getattr(import_module(home), now)  # an unknown name is an AttributeError, not a warning
        _warn(f"{self.__name__}.{name}", f"{home}.{now}")
        return value


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=fullname == "unmask.runs") if fullname in MODULES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Moved(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: names are looked up on access."""


def install() -> None:
    """Make earlier import paths work."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
