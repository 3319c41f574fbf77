"""Limits, the queue, and who goes first."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.web import GatedModel, client_of, events_of, until, weighted_words
from torch import Tensor

from unmask.attribution.session import ModelSession
from unmask.web.limits import Limits
from unmask.web.tickets import Ticket, in_turn

TEXT = "a good and fine film"
LONG = " ".join(["good", "film"] * 40)


def code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_sizes_are_limited() -> None:
    with client_of(weighted_words(), limits=Limits(text=20, body=500, rows=8, masked=2)) as client:
        assert code(client.post("/api/explain", json={"text": "good " * 5})) == (413, "too_large")
        assert code(client.post("/api/explain", json={"text": "good " * 500})) == (413, "too_large")
        chunks = (b'{"text": "' + b"a" * 200 for _ in range(5))
        chunked = client.post("/api/explain", content=chunks, headers={"content-type": "application/json"})
        assert code(chunked) == (413, "too_large")
        assert code(client.post("/api/explain", json={"text": "a b c d e f g"})) == (422, "rows")
        assert code(client.post("/api/predict", json={"text": "a", "masked": [[]] * 3})) == (422, "argument")
        assert client.post("/api/explain", json={"text": "a b c", "sets": "none"}).status_code == 200


class Gate:
    """A server whose model waits, and threads that ask it."""

    def __init__(self, client: TestClient, model: GatedModel, pool: ThreadPoolExecutor) -> None:
        self.client, self.model, self.pool = client, model, pool

    @property
    def under_way(self) -> list[str]:
        """The ids of requests without an answer."""
        return list(self.client.app.state.service.under_way)  # type: ignore[attr-defined]  # FastAPI's own

    def close(self) -> None:
        self.model.gate.clear()
        self.model.has_begun.clear()

    def ask(self, route: str, **body: Any) -> "Future[Any]":
        return self.pool.submit(self.client.post, f"/api/{route}", json=body)

    def open(self) -> None:
        self.model.gate.set()


@pytest.fixture
def gate() -> Any:
    model = GatedModel()
    limits = Limits(queue=4, seconds=20)
    session = ModelSession(model, batch_tokens=200)
    with client_of(session, limits=limits) as client, ThreadPoolExecutor(8) as pool:
        yield Gate(client, model, pool)
        model.gate.set()


def test_a_full_queue_says_when_to_come_again(gate: Gate) -> None:
    gate.close()
    waiting = [gate.ask("explain", text=TEXT) for _ in range(4)]
    assert gate.model.has_begun.wait(10)
    until(lambda: len(gate.under_way) == 4)
    response = gate.client.post("/api/predict", json={"text": TEXT, "masked": [[0]]})
    assert code(response) == (429, "busy")
    assert int(response.headers["retry-after"]) >= 1
    gate.open()
    assert [one.result(20).status_code for one in waiting] == [200] * 4
    assert gate.client.post("/api/explain", json={"text": TEXT}).status_code == 200


def test_requests_of_several_people_share_batches(gate: Gate) -> None:
    gate.close()
    first = gate.ask("predict", text="good", masked=[[0]])
    assert gate.model.has_begun.wait(10)
    others = [gate.ask("predict", text=f"{word} film", masked=[[0], [1]]) for word in ("good", "bad", "fine")]
    until(lambda: len(gate.under_way) == 4)  # they arrive while the first batch waits
    gate.model.batches.clear()
    gate.open()
    assert [one.result(20).status_code for one in (first, *others)] == [200] * 4
    assert max(gate.model.batches) == 9  # three texts as written and two masked versions of each


def test_a_click_overtakes_a_long_request(gate: Gate) -> None:
    gate.close()
    slow = gate.ask("explain", text=LONG, method="shapley:permutations=4")
    assert gate.model.has_begun.wait(10)
    click = gate.ask("predict", text=TEXT, masked=[[1]])
    until(lambda: len(gate.under_way) == 2)
    gate.model.batches.clear()
    gate.open()
    assert click.result(20).json()["results"][0]["change"] == pytest.approx(-2.0)
    assert not slow.done()
    assert slow.result(60).status_code == 200


def test_a_click_overtakes_many_explanations(gate: Gate) -> None:
    gate.close()
    slow = [gate.ask("explain", text=LONG, method="shapley:permutations=4") for _ in range(3)]
    assert gate.model.has_begun.wait(10)
    until(lambda: len(gate.under_way) == 3)
    click = gate.ask("predict", text=TEXT, masked=[[1]])
    until(lambda: len(gate.under_way) == 4)
    gate.model.batches.clear()
    gate.open()
    assert click.result(20).status_code == 200
    assert not any(one.done() for one in slow)


def ticket(route: str, *, arrived: float, **body: Any) -> Ticket:
    return Ticket(route=route, body=body, finish=lambda *_: None, done=lambda *_: None, arrived=arrived)


def test_every_second_batch_starts_with_the_oldest_request_however_many_clicks_come() -> None:
    old = ticket("explain", arrived=0, text=LONG)
    clicks = [ticket("predict", arrived=at, text=TEXT, masked=[[1]]) for at in (10, 20, 30)]
    assert [in_turn([*clicks, old], turn)[0] for turn in range(4)] == [clicks[0], old, clicks[0], old]


def test_a_request_that_takes_too_long_is_ended() -> None:
    model = GatedModel()
    with client_of(ModelSession(model), limits=Limits(seconds=0.3)) as client, ThreadPoolExecutor(1) as pool:
        model.gate.clear()
        late = pool.submit(client.post, "/api/explain", json={"text": TEXT})
        time.sleep(0.6)
        model.gate.set()
        assert code(late.result(10)) == (503, "time")


class SlowModel(GatedModel):
    """Takes 20 ms for each batch."""

    def total(self, vectors: Tensor, attention: Tensor) -> Tensor:
        time.sleep(0.02)
        return super().total(vectors, attention)


def test_waiting_for_others_is_no_time_of_ones_own() -> None:
    """Twelve requests take about 0.12 s each; the last one waits for far longer than the limit of 0.5 s."""
    session = ModelSession(SlowModel(), batch_tokens=10)
    with client_of(session, limits=Limits(seconds=0.5)) as client, ThreadPoolExecutor(12) as pool:
        started = time.monotonic()
        asked = [pool.submit(client.post, "/api/explain", json={"text": TEXT, "sets": "none"}) for _ in range(12)]
        assert {one.result(30).status_code for one in asked} == {200}
        assert time.monotonic() - started > 0.8


def test_a_request_that_would_wait_too_long_is_refused_at_the_door() -> None:
    model = SlowModel()
    session = ModelSession(model, batch_tokens=10)
    with client_of(session, limits=Limits(wait=0.2)) as client, ThreadPoolExecutor(2) as pool:
        assert client.post("/api/explain", json={"text": TEXT}).status_code == 200  # from now on the pace is known
        first = pool.submit(client.post, "/api/explain", json={"text": LONG, "sets": "none"})  # 82 rows, 1.6 s
        until(lambda: len(client.app.state.service.under_way) == 1)  # type: ignore[attr-defined]  # FastAPI's own
        refused = client.post("/api/explain", json={"text": LONG, "sets": "none"})
        assert code(refused) == (429, "busy")
        assert int(refused.headers["retry-after"]) >= 1
        assert client.post("/api/predict", json={"text": TEXT, "masked": [[0]]}).status_code == 200  # goes first
        assert first.result(30).status_code == 200
        assert client.post("/api/explain", json={"text": TEXT}).status_code == 200


def test_a_job_is_cancelled_by_its_id(gate: Gate) -> None:
    gate.close()
    stream = gate.pool.submit(
        gate.client.post, "/api/explain", json={"text": TEXT}, headers={"accept": "text/event-stream"}
    )
    assert gate.model.has_begun.wait(10)
    until(lambda: len(gate.under_way) == 1)
    (job,) = gate.under_way
    assert gate.client.delete(f"/api/jobs/{job}").status_code == 204
    gate.open()
    events = events_of(stream.result(10).text)
    assert events[0] == ("job", {"id": job})
    assert (events[-1][0], events[-1][1]["error"]["code"]) == ("error", "cancelled")
    assert gate.client.delete(f"/api/jobs/{job}").status_code == 404
