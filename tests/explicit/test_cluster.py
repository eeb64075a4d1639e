"""Searches on a Ray cluster of several nodes, all on this machine; and what is said where there is none."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bench.cluster import kill_one, once_at
from clew.core.clusters import Cluster, parse_swarm
from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Limits, Observer, Progress, Request, Search
from clew.core.hunting import Hunt
from clew.explicit.cluster.explore import why_not_on_cluster
from clew.explicit.cluster.plan import planned
from clew.explicit.engine import ENGINE
from tests.explicit.command import EXAMPLES, children_of, clew_command, environment, run
from tests.explicit.native import NO_LIMITS, QUICK, SAFETY, explore, needs_compiler, network

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: searches on a cluster were not tried"
)

PHILOSOPHERS = """
bit fork[7];
active [7] proctype P() {
    do
    :: atomic { !fork[_pid] -> fork[_pid] = 1 }; atomic { !fork[(_pid + 1) % 7] -> fork[(_pid + 1) % 7] = 1 };
       fork[_pid] = 0; fork[(_pid + 1) % 7] = 0
    od
}
"""  # 3^7 - 1 states, one of them a deadlock
TWO_ERRORS = """
byte x, y;
active proctype P() {
    do :: x < 6 -> x++ :: x == 3 -> assert(y != 2) :: y < 6 -> atomic { y++; y++ } :: y == 6 -> break od
}
"""
FINE = "byte x; active proctype P() { do :: x = (x + 1) % 50 od }"


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Three nodes with a processor each; the one the tests connect to has another one."""
    import ray
    from ray.cluster_utils import Cluster as Nodes

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "clew-cache"))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        memory = 100 << 20
        made = Nodes(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": memory})
        try:
            for _ in range(2):
                made.add_node(num_cpus=1, object_store_memory=memory)
            ray.init(address=made.address, namespace="clew", log_to_driver=False)
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


def asked(
    text: str,
    workers: int | None = None,
    search: Search = "bfs",
    observer: Observer | None = None,
    limits: Limits = NO_LIMITS,
    counting: bool = False,
    **cluster: Any,
) -> Answer:
    options: dict[str, Any] = {"flags": (*QUICK, "-pthread"), "cluster": Cluster(**cluster), "seed": 3}
    options |= {} if workers is None else {"workers": workers}
    options |= {} if search == "bfs" else {"hunt": Hunt()}
    request = Request(network(text), () if counting else SAFETY, search, limits, counting, options)
    assert ENGINE.refuses(request) is None
    return ENGINE.run(request, observer)


@needs_ray
@needs_compiler
@pytest.mark.usefixtures("nodes")
class TestOnThreeNodes:
    @pytest.mark.parametrize("workers", [1, 2, 4])
    def test_counts_do_not_depend_on_the_number_of_workers(self, workers: int) -> None:
        figures, alone = asked(PHILOSOPHERS, workers, counting=True).statistics, explore(PHILOSOPHERS).statistics
        assert (figures.states, figures.complete) == (3**7 - 1, True)
        assert (figures.transitions, figures.depth) == (alone.transitions, alone.depth)

    def test_counterexamples_are_as_short_as_on_one_machine(self) -> None:
        alone = ENGINE.run(
            Request(network(TWO_ERRORS), SAFETY, keep_going=True, options={"flags": QUICK, "workers": 1})
        )
        spread = asked(TWO_ERRORS, 3)
        lengths = {d.property.name: len(d.trace) for d in alone.decisions if d.trace is not None}
        found = {d.property.name: len(d.trace) for d in spread.decisions if d.trace is not None}
        assert found == {name: lengths[name] for name in found} and found

    def test_a_killed_worker_costs_nothing_that_was_found(self) -> None:
        observer = once_at(5, kill_one)
        answer = asked(PHILOSOPHERS, 3, observer=observer, counting=True, save_every=0.0)
        assert (answer.statistics.states, answer.statistics.complete) == (3**7 - 1, True)
        (note,) = [note for note in answer.notes if "lost" in note]
        assert "a worker was lost at depth" in note and "went on from depth" in note

    def test_without_a_checkpoint_the_search_begins_again(self) -> None:
        answer = asked(PHILOSOPHERS, 2, observer=once_at(3, kill_one))
        (deadlock,) = [d for d in answer.decisions if d.verdict == "violated"]
        assert deadlock.property.kind == "deadlock" and deadlock.trace is not None and len(deadlock.trace) == 7
        assert any("went on from the start" in note for note in answer.notes)

    def test_a_limit_leaves_a_partial_answer(self) -> None:
        answer = asked(PHILOSOPHERS, 2, limits=Limits(depth=4), counting=True)
        assert not answer.statistics.complete and answer.limits_hit == ("depth",)

    def test_what_a_swarm_finds_is_found_again_by_that_search_alone(self) -> None:
        found = asked(PHILOSOPHERS, search="hunt", swarm=(1, 4))
        (violated,) = [d for d in found.decisions if d.verdict == "violated"]
        (note,) = [note for note in found.notes if "found by search" in note]
        number = int(note.split("--swarm ")[1].split("-")[0])
        again = asked(PHILOSOPHERS, search="hunt", swarm=(number, number))
        (same,) = [d for d in again.decisions if d.verdict == "violated"]
        assert violated.trace == same.trace

    def test_a_swarm_that_finds_nothing_knows_nothing(self) -> None:
        answer = asked(FINE, search="hunt", swarm=(2, 2))
        assert {d.verdict for d in answer.decisions} == {"unknown"} and not answer.statistics.complete

    def test_a_swarm_goes_on_when_workers_are_lost(self, nodes: Any) -> None:
        answer = asked(FINE, 4, "random", _kills_searches(nodes), Limits(seconds=36_000), swarm=(1, 4))
        assert answer.limits_hit == ("interrupt",)
        assert any("workers were lost" in note and "started again" in note for note in answer.notes)


def _kills_searches(nodes: Any) -> Observer:
    """Kills every worker of a node that has a search under way; ends the swarm when all of them are under way again."""
    raylets = [node.all_processes["raylet"][0].process.pid for node in nodes.list_all_nodes()]
    killed: list[int] = []

    def at_work(raylet: int) -> list[int]:
        return [worker for worker in children_of(raylet) if worker not in killed and children_of(worker)]

    def observer(_: Progress) -> None:
        if not killed:
            killed.extend(at_work(raylets[-1]))
            for worker in killed:
                os.kill(worker, signal.SIGKILL)
        elif sum(len(at_work(raylet)) for raylet in raylets) == 4:
            raise KeyboardInterrupt

    return observer


@pytest.mark.parametrize("text", ["", "0", "7-3", "x", "1-2-3", "-4", "9999999999"])
def test_what_is_no_swarm_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither a number"):
        parse_swarm(text)


def test_searches_of_a_swarm_differ_and_can_be_had_again() -> None:
    request = Request(network(FINE), SAFETY, "hunt", options={"cluster": Cluster(), "hunt": Hunt()})
    plans = [planned(request, number, 5) for number in range(1, 41)]
    assert len({plan.text for plan in plans}) == 40
    assert {plan.request.search for plan in plans} == {"hunt", "dfs", "random"}
    assert plans == [planned(request, number, 5) for number in range(1, 41)]
    assert plans != [planned(request, number, 6) for number in range(1, 41)]


@pytest.mark.parametrize(
    ("search", "changes", "reason"),
    [
        ("dfs", {}, "breadth-first"),
        ("bfs", {"lossy": True}, "every state"),
        ("bfs", {"checkpoint": True}, "by itself"),
        ("bfs", {"cluster": Cluster(swarm=(1, 2))}, "does not prove"),
    ],
)
def test_what_a_cluster_cannot_do_is_said(search: Search, changes: dict[str, Any], reason: str) -> None:
    request = Request(network(FINE), SAFETY, search, options={"cluster": Cluster(), **changes})
    assert reason in (why_not_on_cluster(request) or "")


@needs_compiler
def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="Ray is not installed") as error:
        asked(FINE, 2)
    assert "pip install" in (error.value.diagnostics[0].hint or "")


@needs_ray
@needs_compiler
def test_an_address_where_nobody_answers_is_an_error_of_the_user(tmp_path: Any) -> None:
    done = run("check", "--no-run", "--cluster", "127.0.0.1:1", EXAMPLES / "bakery.pml", cwd=tmp_path)
    assert done.returncode == 3
    assert "there is no Ray cluster at 127.0.0.1:1" in done.stderr and "Traceback" not in done.stderr


@needs_compiler
def test_no_other_engine_answers_for_a_cluster(tmp_path: Any) -> None:
    done = run("check", "--no-run", "--cluster", "auto", "--ltl", "[] true", EXAMPLES / "bakery.pml", cwd=tmp_path)
    assert done.returncode == 3 and "on a cluster only assertions" in done.stderr


def test_without_the_option_ray_is_not_loaded(tmp_path: Any) -> None:
    import subprocess

    program = (
        "import sys; from clew.cli.main import main\n"
        "try: main()\n"
        "finally: assert 'ray' not in sys.modules and 'clew.explicit.cluster.session' not in sys.modules\n"
    )
    words = clew_command("check", "--no-run", "--engine", "native", EXAMPLES / "peterson.pml")[4:]
    subprocess.run([sys.executable, "-c", program, *words], cwd=tmp_path, env=environment(), check=True)
