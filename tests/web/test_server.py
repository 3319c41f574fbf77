"""A real server on loopback."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from support import tiny_heads
from support.command import process
from support.web import GatedModel, RunningServer, until

from unmask.attribution.session import ModelSession
from unmask.errors import InputError
from unmask.web.protection import Access
from unmask.web.server import access_to, address_of, listen, open_sessions

BODY = {"text": "a good and fine film", "method": "shapley:permutations=40"}


@pytest.fixture
def model() -> GatedModel:
    return GatedModel()


@pytest.fixture
def running(model: GatedModel) -> Iterator[RunningServer]:
    with RunningServer(ModelSession(model, batch_tokens=10)) as server:
        model.gate.clear()
        model.has_begun.clear()
        yield server
        model.gate.set()


@pytest.mark.parametrize("headers", [(), ("Accept: text/event-stream",)])
def test_a_client_that_goes_away_cancels_its_work(
    running: RunningServer, model: GatedModel, headers: tuple[str, ...]
) -> None:
    connection = running.connect("explain", BODY, *headers)
    assert model.has_begun.wait(20)
    connection.close()
    service = running.app.state.service
    model.batches.clear()
    time.sleep(0.2)  # the server hears of it
    model.gate.set()
    until(lambda: not service.under_way)
    assert len(model.batches) < 5  # of about 90


def test_a_server_that_ends_answers_what_it_has_begun(running: RunningServer, model: GatedModel) -> None:
    connection = running.connect("explain", BODY)
    assert model.has_begun.wait(20)
    running.server.should_exit = True
    time.sleep(0.2)
    model.gate.set()
    assert connection.recv(15) == b"HTTP/1.1 200 OK"
    connection.close()
    running.thread.join(20)
    assert not running.thread.is_alive()


@pytest.mark.parametrize("task", ["token_classification", "question_answering", "fill_mask", "multiple_choice"])
def test_a_model_of_any_task_is_opened_by_its_folder(task: str, tmp_path: Path) -> None:
    tiny_heads.model(task, "bert", torch.float32).save_pretrained(tmp_path / "model")
    tiny_heads.tokenizer("bert").save_pretrained(tmp_path / "model")
    sessions = open_sessions([str(tmp_path / "model")])
    assert {name: session.adapter.task.name for name, session in sessions.items()} == {"model": task}


def test_a_taken_port_is_said() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(InputError, match="cannot listen on"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_others_need_a_token_that_is_in_the_address() -> None:
    with listen("127.0.0.1", 0) as listening:
        own, public = access_to(listening, "127.0.0.1"), access_to(listening, "0.0.0.0")
    assert own.token is None
    assert address_of(own) == f"http://127.0.0.1:{own.port}/"
    assert public.token is not None
    assert len(public.token) >= 32
    assert address_of(public).endswith(f"/?token={public.token}")
    assert address_of(Access(host="::1", port=1)) == "http://[::1]:1/"


@pytest.mark.slow
def test_the_command_says_where_and_ends_at_ctrl_c() -> None:
    from urllib.request import Request, urlopen

    started = process("serve", "--port", "0", start_new_session=True)
    assert started.stdout is not None
    address = started.stdout.readline().decode().removeprefix("Listening on ").strip()
    assert address.startswith("http://127.0.0.1:")
    with urlopen(f"{address}api/models", timeout=60) as answer:
        models = json.load(answer)["models"]
    assert [model["task"] for model in models] == ["classification", "generation"]
    content = json.dumps({"text": "A gripping film.", "masked": [[1]]}).encode()
    posted = Request(f"{address}api/predict", content, {"Content-Type": "application/json"})
    with urlopen(posted, timeout=60) as answer:
        assert json.load(answer)["results"][0]["change"] < 0
    os.kill(started.pid, signal.SIGINT)
    started.communicate(timeout=60)
    assert started.returncode == 0
