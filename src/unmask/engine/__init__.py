"""The only loop over the model: many texts' questions, packed into batches and answered."""

from .engine import Engine, JobResult
from .forward import Row, Subject
from .job import Job

__all__ = ["Engine", "Job", "JobResult", "Row", "Subject"]
