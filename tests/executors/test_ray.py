"""Workers on a real Ray, on loopback: the same bytes as without it, whatever dies."""

import importlib
import io
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from support.folders import TEXTS, chunk_explainer, content
from support.ray_work import POISON, DangerousWork, explain_on

from unmask import Explainer, RayEngine, Request
from unmask.bulk import chunks
from unmask.bulk.chunks import Chunk
from unmask.bulk.folder import ResultFolder
from unmask.bulk.reading import read_results
from unmask.errors import ArgumentError, InputError
from unmask.executors import ray_start
from unmask.executors.ray_start import connected
from unmask.executors.ray_worker import pack
from unmask.models.formula import FormulaModel


def test_ray_gives_the_same_bytes_and_prints_nothing(
    tmp_path: Path, whole: dict[str, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[Any] = []
    saved = explain_on(RayEngine(workers=1), tmp_path / "ray", TEXTS, chunk_explainer(), progress=said.append)
    assert content(tmp_path / "ray") == whole
    assert (saved.texts, saved.failed) == (15, 2)
    assert said[-1].texts == 15
    assert capfd.readouterr() == ("", "")
    assert "RAY_AUTH_TOKEN" not in os.environ
    explain_on(RayEngine(address="no such cluster"), tmp_path / "ray", TEXTS, chunk_explainer())  # it is finished


def test_without_ray_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_start, "find_spec", lambda _: None)
    with pytest.raises(InputError, match="needs Ray, which is not installed") as raised:
        explain_on(RayEngine(), tmp_path / "ray", TEXTS, chunk_explainer())
    assert raised.value.hint == "pip install 'unmask[ray]'"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("ray._private.ray_constants", "ENABLE_RAY_CLUSTER"),
        ("ray._raylet", "AuthenticationTokenLoader"),
        ("ray._raylet", "Config"),
    ],
)
def test_a_ray_without_a_name_that_is_needed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str
) -> None:
    monkeypatch.delattr(importlib.import_module(module), name)
    with pytest.raises(InputError, match=rf"cannot start Ray [\d.]+ on this machine: .*{name}") as raised:
        explain_on(RayEngine(workers=1), tmp_path / "ray", TEXTS, chunk_explainer())
    assert raised.value.hint == "install a version that works: pip install 'ray==2.60.*'"


@pytest.mark.parametrize("options", [{"workers": 0}, {"gpus_per_worker": -1.0}, {"gpus_per_worker": 1.5}])
def test_settings_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="must be a"):
        RayEngine(**options)


def test_workers_have_the_budget_of_the_driver() -> None:
    packed = pack(chunk_explainer())
    opened = torch.load(io.BytesIO(packed), weights_only=False)
    assert opened.session.batch_tokens == chunk_explainer().session.engine.first_tokens


def test_an_engine_needs_a_folder() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 1.0}))
    with pytest.raises(ArgumentError, match="engine needs into=FOLDER"):
        explainer.explain_many(["good"], engine=RayEngine())


@pytest.fixture
def ray(importable: None) -> Iterator[Any]:
    """A Ray that is there already."""
    with connected(None, cpus=2, debug=False) as module:
        yield module


@pytest.mark.slow
def test_workers_have_the_priority_of_the_driver(ray: Any) -> None:
    task = ray.remote(lambda: os.getpriority(os.PRIO_PROCESS, 0))
    assert ray.get(task.remote()) == os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(ray: Any, tmp_path: Path, whole: dict[str, bytes]) -> None:
    work = DangerousWork(chunk_explainer(), dies_once=tmp_path / "died")
    explain_on(RayEngine(workers=2), tmp_path / "ray", TEXTS, work)
    assert (tmp_path / "died").exists()
    assert content(tmp_path / "ray") == whole


@pytest.mark.slow
def test_only_the_text_that_kills_fails(ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "TEXTS", 4)
    texts = [*TEXTS[:5], Request(POISON, line=99), *TEXTS[5:9]]
    saved = explain_on(RayEngine(workers=2), tmp_path / "ray", texts, DangerousWork(chunk_explainer()))
    assert (saved.texts, saved.failed) == (10, 1)
    results = list(read_results(tmp_path / "ray"))
    assert [one.text for one in results] == [getattr(text, "text", "") for text in texts]
    failure = results[5]
    assert "the worker process died twice" in str(getattr(failure, "error", ""))


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_an_error_in_a_worker_is_raised_as_it_is(
    ray: Any, tmp_path: Path, delay: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = ray.wait

    def late(*args: Any, **kwargs: Any) -> Any:
        time.sleep(delay)  # the error and the result before it arrive together
        return wait(*args, **kwargs)

    monkeypatch.setattr(ray, "wait", late)

    class Failing(DangerousWork):
        def __call__(self, chunk: Chunk, progress: Any) -> Any:
            if chunk.first == 6:
                raise ArgumentError("not this one", hint="another")
            return super().__call__(chunk, progress)

    with pytest.raises(ArgumentError, match="not this one") as raised:
        explain_on(RayEngine(workers=1), tmp_path / "ray", TEXTS, Failing(chunk_explainer()))
    assert raised.value.hint == "another"
    assert ResultFolder(tmp_path / "ray").end == 6
