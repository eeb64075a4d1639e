"""What all tests need: Ctrl-C that works, also where it is ignored when they start (in the background of a shell);
generated examples that are the same in every run, however busy the machine is; and any order (`--shuffle SEED`)."""

from __future__ import annotations

import random
import signal

import pytest
from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "clew", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("clew")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="files, and the tests of each, in this random order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    order = random.Random(seed)
    of_files = {file: order.random() for file in dict.fromkeys(item.path for item in items)}
    items.sort(key=lambda item: (of_files[item.path], order.random()))
