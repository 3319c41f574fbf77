"""The only loop over the model: many texts' questions, packed into batches and answered."""

from .engine import Engine
from .forward import EngineText, PendingRow
from .job import Job, JobGroup, JobResult

__all__ = ["Engine", "EngineText", "Job", "JobGroup", "JobResult", "PendingRow"]
