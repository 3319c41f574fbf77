"""`unmask report` and `unmask status` on folders of made-up results."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support import filled_stores
from support.stored import plan_of, report

from unmask.experiments import reporting
from unmask.experiments import store as stores
from unmask.experiments.reporting import PairStatus
from unmask.experiments.store import Store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that is done, on which nobody is at work."""
    monkeypatch.setattr(stores, "holder", lambda _: None)
    filled_stores.fill(tmp_path / "run", filled_stores.plan(baselines=("mask",)), texts=6)
    return tmp_path / "run"


def half(place: Path) -> Path:
    """A run of which one pair has begun, and the other has not."""
    plan, keys = filled_stores.plan(("sig",), controls=()), filled_stores.keys(4)
    with closing(Store(place)) as store:
        pair = next(iter(plan.pairs()))
        filled_stores.begun(store, plan, pair, filled_stores.about(), keys, "auto")
        sig = filled_stores.items(plan, filled_stores.about())[0]
        store.put({("scores", sig.digest): {key: {"error": "it is [bold]blank"} for key in keys[1:3]}})
        store.note("left", 5000.0)
    return place


def test_status_of_a_run_that_is_done(unmask: Any, folder: Path) -> None:
    code, out, _ = unmask("status", str(folder))
    assert code == 0
    assert "films/bert (mask): 60 of 60 results, 100%" in out
    assert out.endswith("Finished.\n")


def test_what_failed_can_be_tried_again(unmask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = PairStatus("films/bert", "mask", 4, 0, is_begun=True, failures=("line 2: it is blank",))
    monkeypatch.setattr(reporting, "status", lambda *_: iter([failed]))
    code, out, _ = unmask("status", str(half(tmp_path)))
    assert code == 0
    assert "4 of 4 results, 100%" in out
    assert out.splitlines()[-1] == "Finished; some texts failed. Rerun unmask run with --retry-failed."


def test_a_store_is_opened_once(unmask: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each opening reads the whole file, to see that nothing in it is damaged."""
    opened: list[Path] = []
    usual = Store.__init__

    def counted(store: Store, folder: Path | None, **settings: Any) -> None:
        usual(store, folder, **settings)
        opened.append(store.path)

    monkeypatch.setattr(Store, "__init__", counted)
    for command in ("status", "report"):
        opened.clear()
        assert unmask(command, str(folder))[0] == 0
        assert len(opened) == 1


def test_status_says_what_is_left_and_who_is_at_work(
    unmask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "holder", lambda _: "process 12 on host")
    code, out, _ = unmask("status", str(half(tmp_path)))
    assert code == 0
    assert out.splitlines() == [
        "films/bert (auto): 2 of 12 results, 16%",
        "  failed: 2 texts, first text 2: it is [bold]blank",
        "films/roberta (auto): not started",
        "10 results left, 1 of 2 pairs not started; rerun the command to resume; about 1 h 23 min left at the "
        "speed of the last run",
        "process 12 on host is running",
    ]


def test_a_run_that_has_not_begun_is_one_sentence(unmask: Any, tmp_path: Path) -> None:
    Store(tmp_path).close()
    for command in ("report", "status"):
        code, out, err = unmask(command, str(tmp_path))
        assert (code, out) == (2, "")
        assert "has not started" in err


@pytest.mark.parametrize("picture", ["curves", "operators", "agreement"])
@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_go_into_files(unmask: Any, folder: Path, picture: str, suffix: str, start: bytes) -> None:
    path = folder / f"picture.{suffix}"
    code, out, err = unmask("report", str(folder), "-o", str(path), "--picture", picture)
    assert (code, out, err) == (0, "", "")
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "x.png"], "needs --picture curves, operators or agreement"),
        (["--picture", "curves"], "needs -o PATH ending in .svg, .png or .pdf"),
        (["-o", "x.md", "--picture", "curves"], "needs -o PATH ending in .svg, .png or .pdf"),
        (["-o", "x.svg", "--picture", "curve"], "did you mean 'curves'"),
        (["-o", "x.svg", "--picture", "curves", "--layout", "long"], "--layout does not apply to --picture"),
        (["-o", "x.svg", "--picture", "curves", "--times"], "--times does not apply to --picture"),
        (["-o", "x.svg", "--picture", "operators", "--reference", "sig"], "it applies to tables and agreement"),
        (["--reference", "shapley"], "unknown reference 'shapley'"),
        (["--layout", "papr"], "did you mean 'paper'"),
        (["--format", "svg"], "unknown format 'svg'"),
    ],
)
def test_what_cannot_be_is_a_sentence(unmask: Any, folder: Path, arguments: list[str], words: str) -> None:
    code, out, err = unmask("report", str(folder), *arguments)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())


def test_the_long_layout_for_programs(unmask: Any, folder: Path) -> None:
    code, out, _ = unmask("report", str(folder), "--format", "csv", "--layout", "long")
    assert code == 0
    assert "films,bert,mask,mask,corrected,the model,word,predicted,log_odds,0,float32,,sig,remove,0.2,log_odds," in out


def test_tables_for_programs_are_the_same_from_python(unmask: Any, folder: Path) -> None:
    code, out, _ = unmask("report", str(folder), "--format", "csv")
    assert code == 0
    assert out.splitlines() == report(folder, plan_of(folder)).to_csv().splitlines()
