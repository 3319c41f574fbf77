"""Store slow measurements, one per line, so that an interrupted run can be resumed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Store:
    """A file of measurements by name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.known: dict[str, Any] = dict(map(json.loads, lines))

    def kept(self, name: str, measure: Callable[[], Any]) -> Any:
        """Return the measurement stored under that name; take it now if there is none."""
        if name not in self.known:
            self.known[name] = measure()
            with self._path.open("ab", buffering=0) as file:  # one write per line: several processes may share it
                file.write((json.dumps([name, self.known[name]]) + "\n").encode())
        return self.known[name]
