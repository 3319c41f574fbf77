"""Files to read."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unmask.inputs import Source

Make = Callable[..., Source]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A source over a new file of this name and content, compressed if the name asks for it."""

    def made(name: str, content: bytes, **options: Any) -> Source:
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return Source(str(path), **options)

    return made
