"""Writes small files atomically."""

import json
from pathlib import Path
from typing import Any


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    part = path.with_name(path.name + ".new")
    part.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    part.replace(path)
