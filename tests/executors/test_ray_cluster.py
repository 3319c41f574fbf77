"""Two nodes of Ray on this machine, one of which goes away; and a driver that is killed."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.folders import TEXTS, chunk_explainer, content
from support.ray_work import DangerousWork, explain_on

from unmask import RayEngine

pytestmark = pytest.mark.slow

NODE = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": 80 * 2**20}
DRIVER = """
import sys
from pathlib import Path
from support import folders
from support.ray_work import DangerousWork, explain_on
from unmask import RayEngine
from unmask.bulk import chunks, writer
chunks.TEXTS, writer.TEXTS, writer.SECONDS = 2, 4, 0.0
work = DangerousWork(folders.chunk_explainer(), pause=0.5)
explain_on(RayEngine(workers=2), Path(sys.argv[1]), folders.TEXTS, work)
"""


@contextmanager
def two_nodes() -> Iterator[Any]:
    """A head without CPUs and two nodes, all on this machine."""
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0})
    try:
        yield cluster, [cluster.add_node(**NODE) for _ in range(2)]
    finally:
        cluster.shutdown()


def test_a_node_that_is_removed_changes_nothing(importable: None, tmp_path: Path, whole: dict[str, bytes]) -> None:
    work, removed = DangerousWork(chunk_explainer(), pause=0.5), list[Any]()
    with two_nodes() as (cluster, nodes):

        def remove(progress: Any) -> None:
            if progress.texts >= 4 and not removed:
                removed.append(nodes[0])
                cluster.remove_node(nodes[0], allow_graceful=False)

        explain_on(RayEngine(address=cluster.address, workers=2), tmp_path / "ray", TEXTS, work, progress=remove)
    assert removed
    assert content(tmp_path / "ray") == whole


def descendants(process: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [one for child in map(int, text.split()) for one in (child, *descendants(child))]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_driver_loses_nothing(importable: None, tmp_path: Path, whole: dict[str, bytes]) -> None:
    place = tmp_path / "ray"
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(place)])
    until = time.monotonic() + 240
    while not list(place.glob("part-*")):
        assert driver.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    others = descendants(driver.pid)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    before = {file.name: file.stat().st_mtime_ns for file in place.glob("part-*")}
    assert 0 < len(before) < 4
    while any(Path(f"/proc/{one}").exists() for one in others):
        assert time.monotonic() < until
        time.sleep(0.2)
    explain_on(RayEngine(workers=1), place, TEXTS, chunk_explainer())
    assert content(place) == whole
    assert {name: (place / name).stat().st_mtime_ns for name in before} == before  # not written twice
