"""The web application: its routes and their responses."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from .. import __version__
from ..attribution.session import ModelSession
from ..render.html.module import MODULES, view_style
from ..results.drawable import Drawable
from . import bodies, problems
from .events import EVENT_STREAM, EventResponse, answer_or_gone, json_response, wants_events
from .limits import Limits
from .protection import Access, Protection
from .service import Service, json_answer

STATIC = Path(__file__).parent / "static"
TYPES = {
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "json": "application/json",
}
ROUTE_OF = {"explanation": "explain", "comparison": "compare", "interactions": "interactions"}
STATUSES = {
    400: "the body is not JSON",
    401: "the token is missing or wrong",
    403: "the Host or Origin is not this server's",
    404: "not found",
    413: "the body or the text is too large",
    415: "the body is not application/json",
    422: "a field, a setting or the text is not valid",
    429: "too many requests are waiting, or this one would wait too long",
    503: "the request took too long, or the model failed",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": bodies.ErrorBody, "description": text} for status, text in STATUSES.items()
}
ANSWERS = {**ERRORS, 200: {"content": {EVENT_STREAM: {}}, "description": "the result, or events"}}
OF_RENDER: dict[int | str, dict[str, Any]] = {
    **ERRORS,
    200: {"content": {kind.partition(";")[0]: {} for kind in TYPES.values()}, "description": "the file"},
}


def create_app(
    sessions: Mapping[str, ModelSession], *, limits: Limits | None = None, access: Access | None = None
) -> FastAPI:
    """Create the application for these models; the first one is the default."""
    limits = limits or Limits()
    service = Service(sessions, limits=limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            service.stop()

    app = FastAPI(title="unmask", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.service = service
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    app.add_exception_handler(HTTPException, problems.on_http)
    app.add_exception_handler(Exception, problems.on_error)
    app.add_middleware(Protection, access=access or Access(), body_limit=limits.body)
    _add_listings(app, service)
    _add_computations(app, service)
    _add_render(app, service)
    _add_page(app)
    return app


def _add_listings(app: FastAPI, service: Service) -> None:
    limits = service.limits

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """Whether the server is running."""
        return {"status": "ok"}

    @app.get("/api/models", responses=ERRORS)
    async def models() -> dict[str, Any]:
        """The available models, with the default first, and the limits of a request."""
        names = ("text", "body", "rows", "seconds", "masked", "max_new_tokens")
        shown = {name: getattr(limits, name) for name in names}
        return {"models": service.models, "limits": shown, "version": __version__}

    @app.get("/api/methods", responses=ERRORS)
    async def methods() -> dict[str, Any]:
        """The available methods."""
        return {"methods": service.methods}

    @app.delete("/api/jobs/{job}", status_code=204, responses=ERRORS)
    async def cancel(job: str) -> None:
        """Cancel a request whose response is a stream of events."""
        if not service.cancel(job):
            raise HTTPException(404)


def _add_computations(app: FastAPI, service: Service) -> None:
    def add(route: str, kind: type[bodies.TextBody], summary: str) -> None:
        async def answer(request: Request, body: Any) -> Response:
            return await _answer(service, route, request, body)

        answer.__annotations__["body"] = kind
        app.post(f"/api/{route}", name=route, summary=summary, responses=ANSWERS, response_class=Response)(answer)

    add("explain", bodies.ExplainBody, "Explain a text: the JSON of Explanation.save.")
    add("predict", bodies.PredictBody, "The model's predictions for a text with some units masked.")
    add("compare", bodies.CompareBody, "Several explanations of a text: the JSON of Comparison.save.")
    add("interactions", bodies.InteractionsBody, "Pairs of units: the JSON of Interactions.save.")


async def _answer(service: Service, route: str, request: Request, body: bodies.TextBody) -> Response:
    try:
        work = service.begin(route, body.given(), model=body.model, finish=json_answer)
    except Exception as error:
        return problems.error_response(error)
    return EventResponse(work) if wants_events(request) else await json_response(request, work)


def _add_render(app: FastAPI, service: Service) -> None:
    @app.post("/api/render", responses=OF_RENDER, response_class=Response)
    async def render(request: Request, body: Annotated[bodies.RenderBody, Body()]) -> Response:
        """Draw an explanation, a comparison or interactions as a file."""
        from ..render.formats import FORMATS

        try:
            FORMATS[body.format].theme(**body.look())
            asked = body.request
            finish: Callable[..., Any] = lambda computation, results: computation.draw(results)  # noqa: E731
            work = service.begin(ROUTE_OF[body.kind], asked.given(), model=asked.model, finish=finish)
            found = await answer_or_gone(request, work)
            if not isinstance(found, Drawable):
                return Response(status_code=499)
            content = await service.draw(found, body.format, body.look())
        except Exception as error:
            return problems.error_response(error)
        name = f'attachment; filename="{body.kind}.{body.format}"'
        return Response(content, media_type=TYPES[body.format], headers={"Content-Disposition": name})


def _add_page(app: FastAPI) -> None:
    no_cache = {"Cache-Control": "no-cache"}

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        """The page."""
        index = STATIC / "index.html"
        return FileResponse(index, headers=no_cache) if index.is_file() else problems.not_found()

    class Files(StaticFiles):
        """The page's files, which a browser must revalidate each time."""

        def file_response(self, *args: Any, **settings: Any) -> Response:
            response = super().file_response(*args, **settings)
            response.headers.update(no_cache)
            return response

    @app.get("/static/style.css", include_in_schema=False)
    async def style() -> Response:
        """The style of all drawings and of the view."""
        return Response(view_style(), media_type="text/css", headers=no_cache)

    app.mount("/static/view", Files(directory=str(MODULES)), name="view")
    app.mount("/static", Files(directory=STATIC, check_dir=False), name="static")
