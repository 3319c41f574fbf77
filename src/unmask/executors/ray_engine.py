"""The engine Ray, as a value: where it runs, and with how many workers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..errors import ArgumentError
from .base import Executor


@dataclass(frozen=True, slots=True, kw_only=True)
class RayEngine:
    """Computes on Ray: `explain_many(texts, into=folder, engine=RayEngine(workers=4))`.

    Engine and workers change no number. A worker takes as many CPUs as torch has threads.

    Args:
        address: Of a Ray cluster: `HOST:PORT`, or `auto`; None starts Ray on this machine.
        workers: How many; by default as many as the CPUs, or the GPUs, allow.
        gpus_per_worker: 0.5 for two workers on one GPU; by default 1 if the model is on a GPU, else 0.
        debug: Whether to print what Ray says.
    """

    address: str | None = None
    workers: int | None = None
    gpus_per_worker: float | None = None
    debug: bool = False

    def __post_init__(self) -> None:
        if self.workers is not None and (not isinstance(self.workers, int) or self.workers < 1):
            raise ArgumentError(f"workers must be a number of at least 1, not {self.workers!r}")
        gpus = self.gpus_per_worker
        if gpus is not None and (gpus < 0 or (gpus > 1 and gpus != int(gpus))):
            raise ArgumentError(f"gpus_per_worker must be a whole number or a part of 1, not {gpus!r}")

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """An executor with workers; Ray starts with the first chunk."""
        from .ray_pool import RayExecutor
        from .ray_start import check_ray

        check_ray()
        with RayExecutor(self) as executor:
            yield executor

    def cpus(self, threads: int) -> int:
        """The CPUs of a Ray that is started here: enough for all workers."""
        return max(os.cpu_count() or 1, (self.workers or 1) * threads)
