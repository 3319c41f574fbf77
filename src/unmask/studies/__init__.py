"""Reproductions of publications, each in its own package; `STUDIES` is the only table that names them.

The rest of unmask finds protocols, table layouts, plans and published results through this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The objects that a study adds, each given as `module:name` and imported on first use.

    Args:
        protocols: Evaluation protocols, by name.
        layouts: By name, two functions that turn a report into tables: one for reading, one for CSV.
        plans: The package that has a folder `plans` with plan files.
        references: A function that takes a plan and returns the published results to compare with, or None.
    """

    protocols: Mapping[str, str] = field(default_factory=dict)
    layouts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    plans: str | None = None
    references: str | None = None


STUDIES = {"sig2023": "unmask.studies.sig2023:STUDY"}


def registered(part: Literal["protocols", "layouts"]) -> dict[str, Any]:
    """The protocols or layouts of all studies, by name."""
    return {name: place for study in all_studies() for name, place in getattr(study, part).items()}


def all_studies() -> list[Study]:
    """Return every study in the table."""
    return [_study(place) for place in STUDIES.values()]


@cache
def _study(place: str) -> Study:
    study: Study = resolve_name(place)
    return study
