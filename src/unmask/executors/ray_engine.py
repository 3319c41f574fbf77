"""Settings of the Ray engine: where it runs, and with how many workers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..errors import ArgumentError
from .base import Executor


@dataclass(frozen=True, slots=True, kw_only=True)
class RayEngine:
    """Computes on Ray: `explain_many(texts, into=folder, engine=RayEngine(workers=4))`.

    Results do not depend on the engine or the workers. A worker uses as many CPUs as torch has threads.

    Args:
        address: The address of a Ray cluster: `HOST:PORT` or `auto`; None starts Ray on this machine.
        workers: The number of workers; by default, as many as the CPUs or GPUs allow.
        gpus_per_worker: 0.5 for two workers on one GPU; by default 1 if the model is on a GPU, else 0.
        debug: Whether to print Ray's messages.
    """

    address: str | None = None
    workers: int | None = None
    gpus_per_worker: float | None = None
    debug: bool = False

    def __post_init__(self) -> None:
        if self.workers is not None and (not isinstance(self.workers, int) or self.workers < 1):
            raise ArgumentError(f"workers must be at least 1, not {self.workers!r}")
        gpus = self.gpus_per_worker
        if gpus is not None and (gpus < 0 or (gpus > 1 and gpus != int(gpus))):
            raise ArgumentError(f"gpus_per_worker must be a whole number or a fraction below 1, not {gpus!r}")

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """Return an executor with Ray workers; Ray starts when the first chunk arrives."""
        from .ray_pool import RayExecutor
        from .ray_start import check_ray

        check_ray()
        with RayExecutor(self) as executor:
            yield executor

    def cpus(self, threads: int) -> int:
        """Return the number of CPUs that Ray needs on this machine for all workers."""
        return max(os.cpu_count() or 1, (self.workers or 1) * threads)
