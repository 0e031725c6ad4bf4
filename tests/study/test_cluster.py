"""Deals that the workers of a dask cluster play come to what they come to here, whatever happens to the workers."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import durak_dsl
from durak_dsl import version
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.source.parcel import packed
from durak_dsl.study import cluster as clusters
from durak_dsl.study import errand
from durak_dsl.study.bulk import run
from durak_dsl.study.cluster import LARGE, SMALL, Cluster, NoCluster, _Parts, cluster
from durak_dsl.study.errand import Errand
from durak_dsl.study.simulate import simulate
from tests.cli.running import HIGH
from tests.cli.running import run as command
from tests.study.test_bulk import FAULTY, game_of

distributed = pytest.importorskip("distributed")

RULES, SETTINGS = "transfer+first-five", {"lead_size": "pair"}
SEED = 5


@contextmanager
def workers(count: int) -> Iterator[Any]:
    """A cluster of so many workers, which are threads of this process."""
    with distributed.LocalCluster(
        n_workers=count, threads_per_worker=1, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as local:
        yield local


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a cluster of two workers."""
    with workers(2) as local:
        yield local.scheduler_address


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all ranges be of few deals."""
    monkeypatch.setattr(clusters, "SMALL", 40)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be waited for."""
    for name, seconds in (("CONNECTING", 0.3), ("GATHERING", 0.3), ("PATIENCE", 0.3), ("LOOKING", 0.1)):
        monkeypatch.setattr(clusters, name, seconds)


# ---- what travels ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players", "deals"), [(RULES, "random", 60), (RULES, "search", 2), ("israeli-whist", "random", 20)])
def test_an_errand_is_plain_values(rules: str, players: str, deals: int) -> None:
    game = durak_dsl.load(rules, SETTINGS if rules == RULES else {})
    seats = max(game.seats)
    asked = Errand.of(game, seats, SEED, players, "python")
    text, told = json.loads(json.dumps([asked.rules, asked.plain()]))
    answer = json.loads(json.dumps(errand.play(text, told, 3, deals)))
    whole = simulate(game, seats, range(3, deals), SEED, players)
    assert answer == {"counts": whole.counts(asked.scores), "engine": "python"}


def test_another_program_refuses() -> None:
    asked = Errand.of(durak_dsl.load("simple"), 2, SEED)
    told = asked.plain() | {"code": "0" * 16, "version": "9.9 (code 0000000000000000)"}
    refused = errand.play(asked.rules, told, 0, 1)["refused"]
    assert version.version() in refused and told["version"] in refused


def test_what_comes_to_other_rules_is_refused() -> None:
    asked = Errand.of(durak_dsl.load("simple"), 2, SEED)
    other = packed(durak_dsl.load("deck-24").document)
    assert "their hash is" in errand.play(other, asked.plain() | {"hash": "0" * 16}, 0, 1)["refused"]
    assert "not good there" in errand.play("{}", asked.plain() | {"hash": "1" * 16}, 0, 1)["refused"]
    assert "not by 9" in errand.play(asked.rules, asked.plain() | {"seats": 9}, 0, 1)["refused"]


def test_a_game_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Errand.of(durak_dsl.load("simple"), 2, SEED, engine="python")
    before = errand.play(asked.rules, asked.plain(), 0, 5)
    monkeypatch.delattr(errand, "unpacked")
    assert errand.play(asked.rules, asked.plain(), 0, 5) == before
    assert "counts" in errand.play(asked.rules, asked.plain() | {"seed": 1, "seats": 3}, 0, 5)


@pytest.mark.parametrize("threads", [0, 1, 7, 1000])
def test_parts_are_all_that_was_asked_for(threads: int) -> None:
    parts = _Parts(((5, 12_345), (20_000, 30_000_000)), "random")
    found = []
    while (part := parts.next(threads)) is not None:
        found.append(part)
        if len(found) == 3:
            parts.played_by({"native"})
    assert max(map(len, found)) <= LARGE and max(map(len, found[:3])) <= SMALL
    apart = [(before.stop, after.start) for before, after in pairwise(found) if before.stop != after.start]
    assert (found[0].start, apart, found[-1].stop) == (5, [(12_345, 20_000)], 30_000_000)


# ---- where it is played ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["python", "auto"])
def test_a_cluster_comes_to_the_same(engine: str, address: str, small: None, tmp_path: Path) -> None:
    game = durak_dsl.load(RULES, SETTINGS) if engine == "python" else game_of(HIGH, tmp_path)
    seen: list[int] = []
    with cluster(address) as there:
        found = run(game, 3, range(10, 310), SEED, engine=engine, progress=seen.append, cluster=there)
    assert found.statistics == simulate(game, 3, range(10, 310), SEED)
    assert found.played == 300 == sum(seen) and len(seen) > 2
    assert found.engine == "python" or engine == "auto"


def test_a_run_begun_here_goes_on_there_and_back(address: str, small: None, tmp_path: Path) -> None:
    game, file = durak_dsl.load("simple"), tmp_path / "run"
    run(game, 2, 50, SEED, checkpoint=file)
    with cluster(address) as there:
        assert run(game, 2, 200, SEED, engine="python", checkpoint=file, cluster=there).played == 150
        assert run(game, 2, 200, SEED, checkpoint=file, cluster=there).played == 0
    found = run(game, 2, 230, SEED, checkpoint=file)
    assert found.played == 30 and found.statistics == simulate(game, 2, range(230), SEED)


def test_a_deal_that_goes_wrong_is_told_as_here(address: str, small: None, tmp_path: Path) -> None:
    game = game_of(FAULTY, tmp_path)
    with pytest.raises(RuleFault) as here:
        run(game, 3, 400, SEED, engine="python")
    with cluster(address) as there, pytest.raises(RuleFault) as away:
        run(game, 3, 400, SEED, engine="python", cluster=there)
    assert str(away.value) == str(here.value)


def test_a_worker_that_refuses_ends_the_run(address: str) -> None:
    asked = replace(Errand.of(durak_dsl.load("simple"), 2, SEED), code="0" * 16)
    with cluster(address) as there, pytest.raises(NoCluster, match="refuses: the program there is version"):
        list(there.played(asked, ((0, 10),)))


def test_the_command_plays_there(address: str) -> None:
    words = ("simulate", "simple", "--deals", "40", "--engine", "python", "--json")
    assert command(*words, "--cluster", address).stdout == command(*words).stdout


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_the_ranges_of_a_lost_worker_are_played_again(small: None) -> None:
    game = durak_dsl.load(RULES, SETTINGS)
    with cluster("local", 2) as there:
        processes = list(there.client.run(os.getpid).values())
        left = [processes[0]]

        def kill(deals: int) -> None:
            if deals and left:
                os.kill(left.pop(), signal.SIGKILL)

        found = run(game, 3, 600, SEED, engine="python", progress=kill, cluster=there)
    assert len(set(processes)) == 2 and not left
    assert found.statistics == simulate(game, 3, range(600), SEED)


# ---- no cluster -----------------------------------------------------------------------------------------------------


def refused(address: str) -> str:
    """What the command says of the address, in one line, when it ends."""
    done = command("simulate", "simple", "--deals", "10", "--cluster", address)
    assert done.exit_code == 2 and not done.stdout
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("address", ["tcp://", "tcp://x:y", "127.0.0.1:8786", "http://x:1", "elsewhere"])
def test_what_is_no_address_is_told(address: str) -> None:
    assert address in refused(address)


def test_nobody_answers(hasty: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        start = time.monotonic()
        assert refused(f"tcp://127.0.0.1:{port}").startswith("no cluster answers at")  # he takes the call and says nothing
    assert refused(f"tcp://127.0.0.1:{port}").startswith("no cluster answers at")
    assert time.monotonic() - start < 30


def test_nobody_works(hasty: None) -> None:
    with workers(0) as local:
        assert refused(local.scheduler_address).endswith("has no workers")


def test_all_workers_are_gone(hasty: None, small: None) -> None:
    with workers(1) as local, cluster(local.scheduler_address) as there:
        found = there.played(Errand.of(durak_dsl.load("simple"), 2, SEED, engine="python"), ((0, 10_000_000),))
        next(found)
        local.sync(local.workers[0].close)
        with pytest.raises(NoCluster, match="has had no worker"):
            list(found)


def test_the_scheduler_is_gone(hasty: None, small: None) -> None:
    with workers(1) as local, cluster(local.scheduler_address) as there:
        found = there.played(Errand.of(durak_dsl.load("simple"), 2, SEED, engine="python"), ((0, 10_000_000),))
        next(found)
        local.close()
        with pytest.raises(NoCluster, match=r"^the cluster at tcp://\S+ "):
            list(found)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'durak-dsl[cluster]'" in refused("local")


def test_matches_are_not_played_there() -> None:
    done = command("simulate", "throw-in", "--matches", "3", "--cluster", "local")
    assert done.exit_code == 2 and "--cluster goes with --deals" in done.stderr


def test_workers_of_a_cluster_are_not_counted_here() -> None:
    done = command("simulate", "simple", "--cluster", "tcp://127.0.0.1:1", "--workers", "3")
    assert done.exit_code == 2 and "where it is started" in done.stderr


def test_workers_that_cannot_load_the_program(address: str) -> None:
    with cluster(address) as there:
        lost = there.client.submit(lambda: __import__("no_such_module"), pure=False)
        with pytest.raises(NoCluster, match="its workers cannot load the program"):
            Cluster.answer(there, lost, range(1))
