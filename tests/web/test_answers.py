"""While a model generates an answer, short requests run between its tokens, and the answer can be ended."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.paced_answers import CLICK, PROMPT, TOKENS, PacedModel, session_of, without_time
from support.web import RunningServer, client_of, events_of, until

from unmask.web.limits import LimitError, Limits
from unmask.web.service import json_answer
from unmask.web.tickets import Ticket
from unmask.web.worker import ModelWorker

ASKED = {"text": PROMPT, "max_new_tokens": TOKENS}
SAMPLED = {**ASKED, "do_sample": True, "temperature": 5.0, "seed": 3}


class Server:
    """A server whose model generates an answer, and threads that ask it."""

    def __init__(self, model: PacedModel, client: TestClient, pool: ThreadPoolExecutor) -> None:
        self.model, self.client, self._pool = model, client, pool

    def ask(self, route: str, body: dict[str, Any], **headers: str) -> "Future[Any]":
        return self._pool.submit(self.client.post, f"/api/{route}", json=body, headers=headers)

    def begin(self, body: dict[str, Any], *tokens: int, **headers: str) -> "Future[Any]":
        """Ask for an answer that waits at these tokens."""
        self.model.hold(*tokens)
        asked = self.ask("explain", body, **headers)
        assert self.model.is_waiting.wait(20)
        return asked

    def pending(self, count: int) -> Callable[[], bool]:
        return lambda: len(self.client.app.state.service.under_way) == count  # type: ignore[attr-defined]  # FastAPI's own


@pytest.fixture
def model() -> Iterator[PacedModel]:
    made = PacedModel()
    yield made
    made.release()


@pytest.fixture
def server(model: PacedModel) -> Iterator[Server]:
    with client_of(session_of(model)) as client, ThreadPoolExecutor(4) as pool:
        yield Server(model, client, pool)
        model.release()


def test_a_click_is_answered_while_an_answer_is_generated(server: Server) -> None:
    alone = server.client.post("/api/predict", json=CLICK)
    answer = server.begin(ASKED, 2, TOKENS - 1)
    click = server.ask("predict", CLICK)
    until(server.pending(2))
    server.model.gates[2].set()
    assert click.result(20).json() == alone.json()
    assert not answer.done()
    server.model.release()
    assert answer.result(20).status_code == 200
    assert server.model.between == [2]


def test_clicks_do_not_change_the_answer_or_its_explanation(server: Server) -> None:
    alone = server.client.post("/api/explain", json=SAMPLED)
    answer = server.begin(SAMPLED, 1)
    clicks = [server.ask("predict", {**CLICK, "masked": [[at], []]}) for at in range(3)]
    until(server.pending(4))
    server.model.release()
    assert {one.result(20).status_code for one in clicks} == {200}
    assert without_time(answer.result(20).content) == without_time(alone.content)
    assert server.model.between != []


def test_a_second_answer_waits_for_the_first(server: Server) -> None:
    unanswered = {"text": PROMPT, "masked": [[1]]}  # a click that needs an answer, too
    alone = server.client.post("/api/predict", json=unanswered)
    first = server.begin(ASKED, 1)
    others = [server.ask("predict", unanswered), server.ask("explain", ASKED)]
    until(server.pending(3))
    server.model.release()
    assert [one.result(20).status_code for one in (first, *others)] == [200] * 3
    assert others[0].result().json() == alone.json()
    assert without_time(others[1].result().content) == without_time(first.result().content)


def test_a_model_with_a_state_generates_in_one_piece() -> None:
    model = PacedModel("hybrid")
    with client_of(session_of(model)) as client, ThreadPoolExecutor(4) as pool:
        server = Server(model, client, pool)
        answer = server.begin(ASKED, 1)
        click = server.ask("predict", CLICK)
        until(server.pending(2))
        model.release()
        assert [one.result(20).status_code for one in (answer, click)] == [200, 200]
        assert model.between == []


def test_cancelling_ends_the_answer(server: Server) -> None:
    alone = server.client.post("/api/explain", json=ASKED)
    stream = server.begin(ASKED, 3, accept="text/event-stream")
    (job,) = server.client.app.state.service.under_way  # type: ignore[attr-defined]  # FastAPI's own
    assert server.client.delete(f"/api/jobs/{job}").status_code == 204
    server.model.release()
    name, data = events_of(stream.result(20).text)[-1]
    assert (name, data["error"]["code"]) == ("error", "cancelled")
    assert server.model.generated == [1, 2, 3]
    again = server.client.post("/api/explain", json=ASKED)
    assert without_time(again.content) == without_time(alone.content)


def test_going_away_ends_the_answer(model: PacedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    is_cancelled, cancel = Event(), ModelWorker.cancel

    def noted(worker: ModelWorker, ticket: Ticket) -> None:
        cancel(worker, ticket)
        is_cancelled.set()

    monkeypatch.setattr(ModelWorker, "cancel", noted)
    with RunningServer(session_of(model)) as server:
        model.hold(3)
        connection = server.connect("explain", ASKED)
        assert model.is_waiting.wait(20)
        connection.close()
        assert is_cancelled.wait(20)
        model.release()
        until(lambda: not server.app.state.service.under_way)
        assert model.generated == [1, 2, 3]


def test_the_limit_on_seconds_ends_the_answer(model: PacedModel) -> None:
    with client_of(session_of(model), limits=Limits(seconds=0.0)) as client:
        model.hold()
        response = client.post("/api/explain", json=ASKED)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "time")
    assert model.generated == [1]


def test_stopping_the_worker_ends_the_answer(model: PacedModel) -> None:
    ended = list[Exception | None]()

    def asked() -> Ticket:
        return Ticket(route="explain", body=ASKED, finish=json_answer, done=lambda _, error: ended.append(error))

    def is_stopping() -> bool:
        try:
            worker.submit(asked())
        except LimitError as error:
            return error.code == "stopping"
        return False

    with ThreadPoolExecutor(2) as pool:
        worker = ModelWorker(session_of(model), Limits(), finishing=pool)
        model.hold(3)
        worker.start()
        worker.submit(asked())
        assert model.is_waiting.wait(20)
        stopped = pool.submit(worker.stop)
        until(is_stopping)
        model.release()
        stopped.result(20)
    assert model.generated == [1, 2, 3]
    assert {error.code for error in ended if isinstance(error, LimitError)} == {"stopping"}
