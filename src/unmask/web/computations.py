"""What each route does: turns the request body into engine jobs, and their results into the response.

Nothing here depends on HTTP; a notebook calls `run_now`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..attribution.attribute import AttributionConfig, PreparedText, to_explanation
from ..attribution.pairs import check_classifier, pairs_job, to_interactions
from ..attribution.session import ModelSession
from ..engine import Job, JobGroup, JobResult
from ..errors import UnmaskError
from ..methods.sig import SIG
from ..methods.spec import format_spec
from ..methods.two_sided import TwoSided
from ..progress import Report
from ..results.comparison import Comparison, Over, check_distinct, check_several, compare_over, compared_setting
from ..results.drawable import Drawable
from ..results.explanation import Explanation
from ..text.request import Request
from .captions import caption_records
from .curves import CurvedScores, curve_job
from .predictions import plan_predictions
from .requests import explain_settings, read_methods, read_request, read_settings, read_target

Jobs = Sequence[Job[Any] | JobGroup[Any]]
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Computation:
    """Jobs, and a function that turns their results into a drawable value or into plain JSON values."""

    jobs: Jobs
    finish: Callable[[Sequence[JobResult[Any]]], Drawable | dict[str, Any]]
    more: Callable[[Any, Sequence[JobResult[Any]]], dict[str, Any]] = field(default=lambda *_: {})

    @property
    def rows(self) -> float:
        """The expected number of model inputs."""
        return sum(job.rows for one in self.jobs for job in (one.jobs if isinstance(one, JobGroup) else [one]))

    def record(self, results: Sequence[JobResult[Any]]) -> dict[str, Any]:
        """The response as JSON values; raises the first error among the results."""
        found = self.draw(results)
        return {**(found.to_dict() if isinstance(found, Drawable) else found), **self.more(found, results)}

    def draw(self, results: Sequence[JobResult[Any]]) -> Drawable | dict[str, Any]:
        """The response as a value; raises the first error among the results."""
        for result in results:
            if result.error is not None:
                raise result.error
        return self.finish(results)


def explain(session: ModelSession, body: Body) -> Computation:
    """One explanation."""
    request, config = read_request(body), session.resolve_config(**explain_settings(session, body))
    prepared, job = _job(session, request, config)

    def captions(explanation: Any, _: object) -> dict[str, Any]:
        return {"captions": caption_records(explanation)} if body.get("captions") else {}

    return Computation([job], lambda results: to_explanation(prepared, config, results[0]), captions)


def predict(session: ModelSession, body: Body) -> Computation:
    """The model's predictions for a text with some units masked."""
    request, config = read_request(body), session.resolve_config(method=SIG(), **read_settings(body))
    replaced = {int(unit): text for unit, text in (body.get("replaced") or {}).items()}
    asked = plan_predictions(session, request, config, masked=body["masked"], replaced=replaced)
    return Computation(asked.jobs(), asked.record)


def interactions(session: ModelSession, body: Body) -> Computation:
    """The pairs of units that cover for each other, or need each other."""
    check_classifier(session)
    settings = {name: value for name, value in read_settings(body).items() if name != "seed"}
    request, config = read_request(body), session.resolve_config(method=TwoSided(), **settings)
    prepared = session.prepare(request, config)
    job = pairs_job(prepared, config, top=body.get("top") or 8)
    return Computation([job], lambda results: to_interactions(prepared, config, results[0]))


def compare(session: ModelSession, body: Body) -> Computation:
    """Several explanations of one text and, if requested, the faithfulness of each."""
    settings = {"sets": "none", **read_settings(body, *(["method"] if body.get("method") else []))}
    given: dict[Over, Sequence[Any]] = {
        "method": read_methods(tuple(body.get("methods") or ()), body.get("seed")),
        "target": [read_target(one) for one in body.get("targets") or ()],
        "unit": body.get("units") or (),
    }
    over, request = compared_setting(given, settings), read_request(body)
    values, settings = given[over], {"method": SIG(), **settings}
    check_several(values)
    check_distinct(over, values)
    configs = [session.resolve_config(**settings | {over: value}) for value in values]
    with session.generate_answer.once():
        rows = [_job(session, request, config, is_curved=bool(body.get("curve"))) for config in configs]
    names = list(map(format_spec, given["method"])) or None

    def finish(results: Sequence[JobResult[Any]]) -> Comparison:
        made = [
            to_explanation(prepared, config, _scores_only(result))
            for (prepared, _), config, result in zip(rows, configs, results, strict=True)
        ]
        found = dict(enumerate(made))
        return compare_over(over, values, lambda value: found[list(values).index(value)], names=names)

    return Computation([job for _, job in rows], finish, _curves if body.get("curve") else lambda *_: {})


ROUTES: dict[str, Callable[[ModelSession, Body], Computation]] = {
    "explain": explain,
    "predict": predict,
    "compare": compare,
    "interactions": interactions,
}


def run_now(session: ModelSession, route: str, body: Body, *, progress: Report | None = None) -> dict[str, Any]:
    """Compute a route's response in this thread."""
    computation = ROUTES[route](session, body)
    return computation.record(list(session.engine.run(computation.jobs, progress=progress)))


def _job(
    session: ModelSession, request: Request, config: AttributionConfig, *, is_curved: bool = False
) -> tuple[PreparedText, Job[Any] | JobGroup[Any]]:
    """The job that scores a text; contrasts of two continuations and texts with two levels of units have no curve."""
    prepared = session.prepare(request, config)
    if is_curved and prepared.detail is None and prepared.answer_lengths is None:
        return prepared, curve_job(prepared, config)
    job = session.job(request, prepared, config)
    if isinstance(job, UnmaskError):
        raise job
    return prepared, job


def _scores_only(result: JobResult[Any]) -> JobResult[Any]:
    found = result.unwrap()
    return replace(result, result=found.scores) if isinstance(found, CurvedScores) else result


def _curves(_: Explanation, results: Sequence[JobResult[Any]]) -> dict[str, Any]:
    found = [result.unwrap() for result in results]
    return {"curves": [one.record() if isinstance(one, CurvedScores) else None for one in found]}
