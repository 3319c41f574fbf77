"""Studies that ship plans and published figures; each is a package that is imported when it is first needed."""

from importlib import import_module
from typing import Any

STUDIES = {"sig2023": "unmask.studies.sig2023"}


def published_figures(dataset: str, model: str) -> Any:
    """The module of the study that has figures of that model on that dataset; None where there is none."""
    modules = (import_module(f"{package}.published") for package in STUDIES.values())
    return next((module for module in modules if module.has_figures(dataset, model)), None)
