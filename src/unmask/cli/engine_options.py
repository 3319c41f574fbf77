"""Options that choose where to compute: in this process or on Ray workers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ArgumentError, check_known
from .options import RUN, CommandOptions, option

if TYPE_CHECKING:
    from ..executors.base import ExecutionEngine

ENGINES = ("local", "ray")
OF_RAY = ("address", "workers", "gpus_per_worker")


@dataclass(frozen=True, kw_only=True)
class EngineOptions(CommandOptions):
    """Where to compute. The results do not depend on this choice."""

    engine: str | None = option(
        RUN, "Where to compute: local, or ray (workers on this machine or a cluster).", show_default="local"
    )
    address: str | None = option(
        RUN, "Ray cluster address: HOST:PORT or auto.", metavar="ADDRESS", show_default="start Ray on this machine"
    )
    workers: int | None = option(
        RUN, "Number of Ray workers.", min=1, metavar="N", show_default="one per free CPU or GPU"
    )
    gpus_per_worker: float | None = option(
        RUN, "GPUs per worker, such as 0.5.", min=0.0, metavar="X", show_default="1 if the model is on a GPU"
    )

    def check_engine(self, *, is_kept: bool, needs: str) -> None:
        """Reject options that do not apply, before any work is done."""
        check_known("engine", [] if self.engine is None else [self.engine], ENGINES)
        for name in self.settings(*OF_RAY) if self.engine != "ray" else ():
            raise ArgumentError(f"--{name.replace('_', '-')} needs --engine ray")
        if self.engine == "ray":
            if not is_kept:
                raise ArgumentError(f"--engine ray needs {needs}")
            from ..executors.ray_start import check_ray

            self.execution_engine()
            check_ray()

    def execution_engine(self) -> "ExecutionEngine":
        """The chosen engine."""
        from ..executors.base import LocalEngine
        from ..executors.ray_engine import RayEngine

        return RayEngine(**self.settings(*OF_RAY), debug=self.debug) if self.engine == "ray" else LocalEngine()
