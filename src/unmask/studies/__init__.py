"""Reproductions of publications, each in a package of its own; `STUDIES` is the only table that names them.

The rest of the package finds protocols, table layouts, plans and published figures through it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What a study adds, as places `module:name` that are imported when they are first used.

    Args:
        protocols: Evaluation protocols, by name.
        layouts: By name, two functions from a report to its tables: to read, and for CSV.
        plans: The package with a folder `plans` of plan files.
        references: A function from a plan to the published figures to compare with, or to None.
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
    """Every study of the table."""
    return [_study(place) for place in STUDIES.values()]


@cache
def _study(place: str) -> Study:
    study: Study = resolve_name(place)
    return study
