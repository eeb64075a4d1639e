"""The Ray cluster a check runs on. Ray is imported here and nowhere else, and only when it is asked for."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

from clew.core.diagnostics import NOWHERE, InputError
from clew.core.records import record
from clew.host import children
from clew.host.extras import install_command
from clew.host.interrupts import WATCHED
from clew.host.machine import processors

HEALTH_CHECK = 60.0  # seconds


@record
class Session:
    """A connection to a cluster. `ray` is the module."""

    ray: Any
    is_own: bool  # started for this check

    @property
    def processors(self) -> int:
        """Of the whole cluster, as it is now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    @property
    def nodes(self) -> int:
        return max(1, sum(1 for node in self.ray.nodes() if node["Alive"]))

    def share(self, parts: int) -> float:
        """Of a processor, so that so many parts run at once: one that waits for a processor would never begin."""
        return min(1.0, self.processors / parts)


@contextlib.contextmanager
def session(address: str, workers: int | None) -> Iterator[Session]:
    """Connects, or starts a cluster on this machine. Raises InputError if Ray is not installed or cannot be reached."""
    ray = _ray()
    if ray.is_initialized():
        yield Session(ray, False)  # whoever did this also ends it
        return
    with _signals_kept():
        is_own = _connect(ray, address, max(workers or 0, processors()))
    try:
        yield Session(ray, is_own)
    finally:
        with _signals_kept():
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        missing = "Ray is not installed" if error.name == "ray" else f"Ray cannot be loaded: {error}"
        raise InputError.at(NOWHERE, "cluster", f"--cluster: {missing}", install_command("cluster")) from None


def _connect(ray: Any, address: str, workers: int) -> bool:
    """Whether the cluster was started here. `auto` never joins a cluster that just happens to run on this machine."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "namespace": "clew"}
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or "local"
    if address == "local":
        try:
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
        except (RuntimeError, ValueError, OSError) as error:
            text = f"--cluster: Ray cannot be started on this machine: {_first_line(error)}"
            raise InputError.at(NOWHERE, "cluster", text) from None
        return True
    if not address.startswith("ray://") and not _is_alive(address):
        raise _unreachable(address, "nobody answers")
    try:
        ray.init(address=address, **quiet)
    except (RuntimeError, ValueError, OSError) as error:
        raise _unreachable(address, _first_line(error)) from None
    return False


def _is_alive(address: str) -> bool:
    """Asked by Ray's own health check, in a process of its own: connecting in vain takes minutes and prints a lot."""
    order = "import sys; from ray.scripts.scripts import main; sys.argv[1:1] = ['health-check', '--address']; main()"
    environment = {**os.environ, "RAY_py_gcs_connect_timeout_s": "3", "RAY_gcs_rpc_server_connect_timeout_s": "1"}
    silent = subprocess.DEVNULL
    child = children.start(
        [sys.executable, "-c", order, address], environment=environment, stdout=silent, stderr=silent
    )
    try:
        return child.wait(timeout=HEALTH_CHECK) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        children.end(child)


def _unreachable(address: str, reason: str) -> InputError:
    hint = "`ray status` on that machine says whether it runs; --cluster auto starts one on this machine"
    return InputError.at(NOWHERE, "cluster", f"--cluster: there is no Ray cluster at {address}: {reason}", hint)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray sets handlers of its own; what Ctrl-C means is decided elsewhere."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in WATCHED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
